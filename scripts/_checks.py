"""`./scripts/test`: every check that CI runs, the static ones beside pytest."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scripts._environment import Environment
from scripts._start import ROOT, set_up

EXTRAS = frozenset({"torch", "dev"})
STATIC: tuple[tuple[str, ...], ...] = (
    ("ruff", "check"),
    ("ruff", "format", "--check"),
    ("pyrefly", "check"),
    ("lint-imports", "--no-logo"),
    ("python", "scripts/translations.py", "check"),
)
ALL_TESTS = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
"""What pytest is told when nobody tells it more: three processes, each with whole files:
they wait for other processes a third of their time.

They keep the order of the files, in which the slow ones of tests/cli come first: pytest-xdist
would leave files with few tests for the end, where the slowest of them makes one process wait.
"""
_IN_MEMORY = Path("/dev/shm")
_ROOM = 4 * 2**30
"""Bytes that have to be free there: what the tests have at one time, several times over."""
_INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a check: whether it passed, what it printed, how long it took."""

    check: Sequence[str]
    passed: bool
    printed: str
    seconds: float


def main(arguments: Sequence[str]) -> int:
    """Run all the checks, whatever the others say; 0 only if every one passed."""
    environment = Environment(ROOT, ROOT / ".venv-test")
    if not environment.ready(EXTRAS):
        prepared = set_up(environment, EXTRAS)
        if prepared != 0:
            return prepared
    tests = ("pytest", *(arguments or ALL_TESTS))
    try:
        with ThreadPoolExecutor(1) as beside:
            static = beside.submit(lambda: [_static(environment, check) for check in STATIC])
            print(f"== {' '.join(tests)}", flush=True)
            tested = subprocess.run(
                _command(environment, tests), cwd=ROOT, check=False, env=_variables()
            ).returncode
            outcomes = static.result()
    except KeyboardInterrupt:
        return _INTERRUPTED
    for outcome in outcomes:
        print(f"== {' '.join(outcome.check)}\n{outcome.printed}   {outcome.seconds:.1f} s")
    failed = [outcome.check for outcome in outcomes if not outcome.passed]
    for check in [*failed, *([tests] if tested else [])]:
        print(f"failed: {' '.join(check)}", flush=True)
    return 1 if failed or tested else 0


def _variables() -> dict[str, str]:
    """The environment of the tests: what they import is compiled once and not by every process,
    and what they write is kept in memory where there is room, since indexes wait for the disk.
    """
    variables = {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free > _ROOM:
        variables.setdefault("TMPDIR", str(_IN_MEMORY))
    return variables


def _static(environment: Environment, check: Sequence[str]) -> Outcome:
    """Run one check and keep what it prints: pytest is printing at the same time."""
    started = time.monotonic()
    done = subprocess.run(
        _command(environment, check),
        cwd=ROOT,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    return Outcome(check, done.returncode == 0, done.stdout, time.monotonic() - started)


def _command(environment: Environment, check: Sequence[str]) -> list[str]:
    return [str(environment.program(check[0])), *check[1:]]
