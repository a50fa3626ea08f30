"""How much memory a process has needed so far, in MB of 2**20 bytes."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")


def memory() -> dict[str, float]:
    """What the system tells: `peak`, `own` and `gpu_peak`, each only where it can be known.

    `peak` is the most that was ever resident, mapped files included (the system may take those
    back at any time); `own` is what is resident now and belongs to no file.
    """
    found = _from_status() or _from_usage()
    # Only a process that has loaded torch for its embedder can have used the GPU.
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        found["gpu_peak"] = torch.cuda.max_memory_allocated() / 2**20
    return found


def _from_status() -> dict[str, float]:
    """Linux. `getrusage` will not do there: a child starts with its parent's peak."""
    try:
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    wanted = {"peak": "VmHWM", "own": "RssAnon"}
    return {
        name: int(fields[key].split()[0]) / 1024 for name, key in wanted.items() if key in fields
    }


def _from_usage() -> dict[str, float]:
    """Other Unix systems."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return {}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"peak": peak / (2**20 if sys.platform == "darwin" else 2**10)}
