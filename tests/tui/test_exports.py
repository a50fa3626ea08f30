"""Where a conversation is exported to, as it is typed behind `/export`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tutor.config import load_config
from tutor.errors import SessionError
from tutor.history import FILE_NAME, SessionStore
from tutor.tui.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with SessionStore(tmp_path / "stores" / FILE_NAME) as sessions:
        yield Workspace(load_config(tmp_path, {}), sessions)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("n" * 300, "cannot be written: File name too long"),
        ("n" * 300 + "/a.md", "cannot be written: File name too long"),
        ("~nobody-of-that-name/a.md", "cannot be written: No such home folder"),
        ("tutor.toml/a.md", "cannot be written: "),
        ("tutor.toml", "already there"),
    ],
)
def test_a_name_that_no_file_can_have_is_told(workspace: Workspace, name: str, told: str) -> None:
    (workspace.config.root / "tutor.toml").write_text("k = 4\n")
    session = workspace.sessions.create("default", "es")
    with pytest.raises(SessionError, match=told) as caught:
        workspace.export(session, name)
    assert name.partition("/")[0] in caught.value.message
    assert caught.value.remedy


def test_a_home_folder_can_be_named(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    home = workspace.config.root / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    told = workspace.export(workspace.sessions.create("default", "es"), "~/a.md")
    assert str(home / "a.md") in told
    assert (home / "a.md").exists()
