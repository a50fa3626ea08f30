"""Limits of memory and time for a process that reads PDFs.

They are kept by the process itself, so that they hold whatever a library does: a thread watches
how much memory and computing a PDF takes, and the system's own limits stand behind it. A process
that goes beyond a limit ends with an exit code that says which one.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum

if sys.platform != "win32":
    import resource

_TICK_S = 0.1
_LONGEST_TICK_S = 1.0
"""What a pause between two looks counts at most: the machine was asleep for the rest of it."""
_IDLE_SHARE = 0.02
"""Who computes for less than this share of the time waits, however busy the machine is."""
_MB = 1024**2
_HEADROOM = 1024 * _MB
"""Address space beyond the limit: stacks and arenas of threads reserve some and never use it."""


class LimitExit(IntEnum):
    """Exit codes of a process that went beyond a limit."""

    MEMORY = 97
    TIME = 98
    """It computed for too long."""
    STALLED = 99
    """It took too long, and hardly computed."""


@contextmanager
def limited(memory_mb: int, timeout_s: float) -> Iterator[None]:
    """Within this, the process may take so much more memory, and compute for so long.

    Seconds are of computing, programs that it started and waited for included: a machine that
    sleeps or is busy with other things costs none. Where it hardly computes, but waits, the time
    that it is awake counts instead.
    """
    over = threading.Event()
    arguments = over, used_memory() + memory_mb * _MB, timeout_s
    watch = threading.Thread(target=_watch, args=arguments, name="limits", daemon=True)
    with _system_limits(memory_mb * _MB, timeout_s):
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()


def _watch(over: threading.Event, memory: int, timeout_s: float) -> None:
    """End the process when it goes beyond its limits, until the event is set."""
    computed_before = _computed_s()
    awake, before = 0.0, time.monotonic()
    while not over.wait(_TICK_S):
        now = time.monotonic()
        awake, before = awake + min(now - before, _LONGEST_TICK_S), now
        computed = _computed_s() - computed_before
        if used_memory() > memory:
            os._exit(LimitExit.MEMORY)
        if computed > timeout_s:
            os._exit(LimitExit.TIME)
        if awake > timeout_s and computed < _IDLE_SHARE * awake:
            os._exit(LimitExit.STALLED)


def _computed_s() -> float:
    """Seconds of computing by this process and by those that it has waited for."""
    return sum(os.times()[:4])


def used_memory() -> int:
    """Bytes of memory that the process holds; where only the most ever held is known, that."""
    if sys.platform == "win32":
        return _windows_memory()
    with suppress(OSError):
        return _statm()[1]
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _statm() -> tuple[int, int]:
    """Address space and memory in use in bytes, as Linux knows them. Raises `OSError` elsewhere."""
    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - ten times a second
        size, resident, *_rest = file.read().split()
    page = resource.getpagesize()
    return int(size) * page, int(resident) * page


@contextmanager
def _system_limits(memory: int, timeout_s: float) -> Iterator[None]:
    """The system's limits, where it has them, somewhat wider: they do not say what they stop.

    They stop what the watch cannot: one enormous demand, and a library that lets no other thread
    run. A process that is stopped leaves no image of its memory on the disk.
    """
    if sys.platform == "win32":
        yield
        return
    seconds = math.ceil(time.process_time() + timeout_s) + 2
    wanted = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_CORE: 0}
    with suppress(OSError):
        wanted[resource.RLIMIT_AS] = _statm()[0] + memory + _HEADROOM
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    for kind, limit in wanted.items():
        _lower(kind, limit, before[kind])
    try:
        yield
    finally:
        for kind, limits in before.items():
            with suppress(OSError, ValueError):
                resource.setrlimit(kind, limits)


if sys.platform != "win32":

    def _lower(kind: int, limit: int, former: tuple[int, int]) -> None:
        """Set a limit unless there is a lower one already; another process can lower ours, too."""
        bounds = [bound for bound in (limit, *former) if bound != resource.RLIM_INFINITY]
        with suppress(OSError, ValueError):
            resource.setrlimit(kind, (min(bounds), former[1]))

else:

    def _windows_memory() -> int:
        import ctypes  # noqa: PLC0415 - for this system only
        from ctypes import wintypes  # noqa: PLC0415

        class Counters(ctypes.Structure):
            _fields_ = (
                ("cb", wintypes.DWORD),
                ("faults", wintypes.DWORD),
                ("peak", ctypes.c_size_t),
                ("working_set", ctypes.c_size_t),
                *((f"quota_{n}", ctypes.c_size_t) for n in range(4)),
                ("pagefile", ctypes.c_size_t),
                ("peak_pagefile", ctypes.c_size_t),
            )

        counters = Counters(cb=ctypes.sizeof(Counters))
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.K32GetProcessMemoryInfo.argtypes = [
            wintypes.HANDLE,
            ctypes.POINTER(Counters),
            wintypes.DWORD,
        ]
        found = kernel.K32GetProcessMemoryInfo(
            kernel.GetCurrentProcess(), ctypes.byref(counters), counters.cb
        )
        return int(counters.pagefile) if found else 0
