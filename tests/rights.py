"""Folders and files that may not be read, for root, too, whom no mode keeps out."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_VERSION = 0x20080522
_READ_ALL = (1 << 1) | (1 << 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (linux/capability.h)."""


@contextmanager
def closed(*paths: Path, mode: int = 0) -> Iterator[None]:
    """Give files and folders this mode, and let this thread and those it starts heed modes."""
    before = [path.stat().st_mode & 0o777 for path in paths]
    with _heeding_modes():
        try:
            for path in paths:
                path.chmod(mode)
            yield
        finally:
            for path, former in zip(paths, before, strict=True):
                path.chmod(former)


@contextmanager
def _heeding_modes() -> Iterator[None]:
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(_VERSION, 0)  # this thread
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the higher halves
    if libc.capget(header, sets):
        raise OSError(ctypes.get_errno(), "capget")
    effective = sets[0]
    sets[0] = effective & ~_READ_ALL
    if libc.capset(header, sets):
        raise OSError(ctypes.get_errno(), "capset")
    try:
        yield
    finally:
        sets[0] = effective
        libc.capset(header, sets)
