"""Every word of every picture stands out from what is behind it."""

from __future__ import annotations

import subprocess
import sys

from tests.course import REPO


def test_words_stand_out_in_both_themes() -> None:
    done = subprocess.run(
        [sys.executable, REPO / "scripts" / "contrast.py"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    assert done.returncode == 0, done.stderr
