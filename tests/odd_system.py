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

_SIZE = struct.calcsize("l")
_SOURCE = Path(__file__).with_suffix(".c")
_PASSING_NAMES = (
    (r"generation-\d{6}", "generation"),
    (r"[0-9a-f]{8}-[0-9a-f-]{27}", "segment"),
    (r"etilqs_\w+( \(deleted\))?", "etilqs"),
    (r"-\d+\.tmp", ".tmp"),
    (r"\d+-\d+\.partial", ".partial"),
)

needs_odd_system = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="Linux with a C compiler"
)


class OddSystem:
    """A library for LD_PRELOAD, compiled for this machine, and what it is told."""

    def __init__(self, folder: Path, below: Path) -> None:
        """`folder` is where its own files go; only what is written below `below` can fail."""
        self._library, self._below = folder / "odd_system.so", below
        self.state, self.log = folder / "state", folder / "log"
        self.state.write_bytes(bytes(4 * _SIZE))
        self.log.write_bytes(b"")
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(self._library), str(_SOURCE), "-ldl"]
        subprocess.run(command, check=True)

    @property
    def environment(self) -> dict[str, str]:
        """What makes a process obey."""
        return {
            "LD_PRELOAD": str(self._library),
            "ODD_FOLDER": f"{self._below}/",
            "ODD_STATE": str(self.state),
            "ODD_LOG": str(self.log),
        }

    def set_clock(self, seconds: int) -> None:
        """Let the clock be wrong by so many seconds, for processes that run already, too."""
        _put(self.state, 1, seconds)


def let_fail(state: Path, log: Path, at: int, error: str = "EIO") -> None:
    """Let the call of that number fail, 0 for none; the count begins anew."""
    _put(state, 2, 0)
    log.write_bytes(b"")
    _put(state, 3, getattr(errno, error))
    _put(state, 0, 0)
    _put(state, 2, at)


def calls_in(log: Path) -> list[str]:
    """What has been written since, in order: what was done to which file."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    for pattern, name in _PASSING_NAMES:
        lines = [re.sub(pattern, name, line) for line in lines]
    return lines


def places(calls: list[str], step: int = 0) -> list[int]:
    """Numbers of calls, counted from 1: the first and the last of a kind, and each `step`th of all,
    none for 0.
    """
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for number, call in enumerate(calls, 1):
        first.setdefault(call, number)
        last[call] = number
    others = range(step, len(calls) + 1, step) if step else ()
    return sorted({*first.values(), *last.values(), *others})


def _put(state: Path, place: int, number: int) -> None:
    with state.open("r+b") as file:
        file.seek(_SIZE * place)
        file.write(struct.pack("l", number))
