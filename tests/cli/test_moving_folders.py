"""Folders that come and go: said as what they are, and what was indexed stays."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.course import COMMAND

if TYPE_CHECKING:
    from pathlib import Path

    from tests.course import Workspace

QUESTION = ("ask", "¿Qué mide la silueta?")
NAME = "08_SEMANA_AI_20250922_1.pdf"


def test_a_current_folder_that_was_deleted(fresh: Workspace, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$0" && rmdir "$0" && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, str(gone), *COMMAND, "doctor"],
        env=fresh.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr == (
        "Error: The current folder no longer exists.\n  → Go to another one: cd FOLDER\n"
    )
