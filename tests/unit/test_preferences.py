"""What is remembered survives a disk that takes no more, and nothing half-written is left."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tutor.config.loading import write_values
from tutor.errors import ConfigError
from tutor.preferences import Preferences


def test_a_full_disk_costs_no_choice_made_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Preferences(tmp_path).keep("theme", "tutor-light")

    def half(path: Path, content: bytes) -> None:
        with path.open("wb") as file:
            file.write(content[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(Path, "write_bytes", half)
        Preferences(tmp_path).keep("strategy", "semantic")
        with pytest.raises(ConfigError):
            write_values(tmp_path / "tutor.toml", {"k": 5})
    assert [path.name for path in tmp_path.iterdir()] == ["app.json"]
    assert Preferences(tmp_path).get("theme") == "tutor-light"


def test_what_another_process_has_kept_meanwhile_stays(tmp_path: Path) -> None:
    app = Preferences(tmp_path)
    app.keep("strategy", "fixed")
    Preferences(tmp_path).keep("exam", "2026-12-10")
    Preferences(tmp_path).keep("strategy", "semantic")
    app.keep("strategy", "fixed")
    app.keep("theme", "tutor-light")
    kept = Preferences(tmp_path)
    assert [kept.get(name) for name in ("exam", "strategy", "theme")] == [
        "2026-12-10",
        "fixed",
        "tutor-light",
    ]
    assert app.get("exam") == "2026-12-10"
