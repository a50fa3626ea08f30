"""What takes a file's place is as private as the file was."""

from __future__ import annotations

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import get_ident

import pytest

from tutor.config.loading import write_values
from tutor.files import write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files have no modes there")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("private", [0o600, 0o640, 0o400, 0o664])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path, private: int) -> None:
    settings = tmp_path / "tutor.toml"
    settings.write_text('k = 4\n[web]\napi_key = "secret"\n')
    settings.chmod(private)
    write_values(settings, {"k": 6})
    assert "k = 6" in settings.read_text()
    assert mode(settings) == private


def test_so_does_what_a_link_leads_to(tmp_path: Path) -> None:
    target, link = tmp_path / "private.toml", tmp_path / "tutor.toml"
    target.write_text("k = 4\n")
    target.chmod(0o600)
    link.symlink_to(target)
    write_values(link, {"k": 6})
    assert link.is_symlink()
    assert (mode(target), target.read_text()) == (0o600, "k = 6\n")


def test_it_is_private_before_anything_stands_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, partial = tmp_path / "a", tmp_path / f"{os.getpid()}-{get_ident()}.partial"
    file.write_text("secret")
    file.chmod(0o600)
    partial.write_text("left over, and open to all")
    seen: list[int] = []

    def noting(path: Path, content: bytes) -> None:
        seen.append(mode(path))
        with path.open("wb") as opened:
            opened.write(content)

    monkeypatch.setattr(Path, "write_bytes", noting)
    write_whole(file, "another secret")
    assert seen == [0o600]
    assert (mode(file), file.read_text()) == (0o600, "another secret")


def test_a_new_file_is_as_the_user_has_files_made(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o640


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root gives away")
def test_root_takes_no_file_away_from_its_owner(tmp_path: Path) -> None:
    file = tmp_path / "tutor.toml"
    file.write_text("k = 4\n")
    file.chmod(0o600)
    os.chown(file, 65534, 65534)
    write_values(file, {"k": 6})
    assert (file.stat().st_uid, mode(file)) == (65534, 0o600)


def test_two_that_write_a_file_at_once_do_not_meet(tmp_path: Path) -> None:
    file = tmp_path / ("a" * 250)  # no name is too long for what takes its place

    def write(letter: str) -> None:
        for _time in range(50):
            write_whole(file, letter * 1000)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, "abcd"))  # raises what a thread met
    assert file.read_text() in {letter * 1000 for letter in "abcd"}
    assert list(tmp_path.iterdir()) == [file]
