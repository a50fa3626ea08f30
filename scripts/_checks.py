"""`./scripts/test`: every check that CI runs, each in turn, pytest last."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from scripts._environment import Environment
from scripts._start import ROOT, set_up

EXTRAS = frozenset({"torch", "dev"})
CHECKS: tuple[tuple[str, ...], ...] = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("mypy",),
    ("lint-imports", "--no-logo"),
    ("python", "scripts/translations.py", "check"),
)
ALL_TESTS = ("-n", "2", "--dist", "loadfile")
"""What pytest is told when nobody tells it more: two processes, each with whole files."""
_INTERRUPTED = 130


def main(arguments: Sequence[str]) -> int:
    """Run all the checks, whatever the earlier ones say; 0 only if every one passed."""
    environment = Environment(ROOT, ROOT / ".venv-test")
    if not environment.ready(EXTRAS):
        prepared = set_up(environment, EXTRAS)
        if prepared != 0:
            return prepared
    try:
        failed = [
            check
            for check in (*CHECKS, ("pytest", *(arguments or ALL_TESTS)))
            if not _passes(environment, check)
        ]
    except KeyboardInterrupt:
        return _INTERRUPTED
    for check in failed:
        print(f"failed: {' '.join(check)}", flush=True)
    return 1 if failed else 0


def _passes(environment: Environment, check: Sequence[str]) -> bool:
    print(f"== {' '.join(check)}", flush=True)
    started = time.monotonic()
    program = environment.program(check[0])
    passed = subprocess.run([program, *check[1:]], cwd=ROOT, check=False).returncode == 0
    if check[0] != "pytest":
        print(f"   {time.monotonic() - started:.1f} s", file=sys.stderr, flush=True)
    return passed
