"""A system whose disk fails and whose clock jumps, for real processes. Linux, with a C compiler."""

from __future__ import annotations

import errno
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

_SOURCE = Path(__file__).with_suffix(".c")
_PASSING_NAMES = (
    (r"generation-\d{6}", "generation"),
    (r"[0-9a-f]{8}-[0-9a-f-]{27}", "segment"),
    (r"etilqs_\w+( \(deleted\))?", "etilqs"),
    (r"-\d+\.tmp", ".tmp"),
    (r"\.\d+\.partial", ".partial"),
    (r"\.[0-9a-f]{16}\.lock", ".lock"),
)

needs_odd_system = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="Linux with a C compiler"
)


class OddSystem:
    """A library for LD_PRELOAD, compiled for this machine, and what it is told."""

    def __init__(self, folder: Path, below: Path) -> None:
        """`folder` is where its own files go; only what is written below `below` can fail."""
        self._library, self._below = folder / "odd_system.so", below
        self._state, self._log = folder / "state", folder / "log"
        self._state.write_bytes(bytes(16))
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), str(_SOURCE), "-ldl"]
        subprocess.run(command, check=True)

    def environment(self, at: int = 0, error: str = "EIO") -> dict[str, str]:
        """What makes the call of that number fail, 0 for none; the count begins anew."""
        self._put(0, 0)
        self._log.write_bytes(b"")
        return {
            "LD_PRELOAD": str(self._library),
            "ODD_FOLDER": f"{self._below}/",
            "ODD_STATE": str(self._state),
            "ODD_LOG": str(self._log),
            "ODD_AT": str(at),
            "ODD_ERRNO": str(getattr(errno, error)),
        }

    def calls(self) -> list[str]:
        """What has been written since, in order: what was done to which file."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        for pattern, name in _PASSING_NAMES:
            lines = [re.sub(pattern, name, line) for line in lines]
        return lines

    def set_clock(self, seconds: int) -> None:
        """Let the clock be wrong by so many seconds, for processes that run already, too."""
        self._put(1, seconds)

    def _put(self, place: int, number: int) -> None:
        with self._state.open("r+b") as file:
            file.seek(8 * place)
            file.write(struct.pack("l", number))
