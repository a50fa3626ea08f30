"""Let every write of `tutor` fail in turn, and look at what it says and at what it leaves.

    python -m scripts.fail_writes [--only NAME] [--most N] [--step N] [--error NAME] [--seed 0]

Commands run over a small course typeset for it with `tests/odd_system.c` loaded before the C
library, so that what Chroma, SQLite and Arrow write fails, too. An undisturbed run tells what is
written; then the same command runs again and again, each time with another of these calls failing:
once (EIO), or as on a full disk (ENOSPC, and all that takes room from then on). Of the calls that
do the same to the same file the first and the last are taken; `--step N` takes each Nth of all,
too, `--most N` draws so many. The former index has to be in force still, or all of the new one; the
command says what failed and what to do, in one sentence and without a traceback; the next one
succeeds, and leaves what an undisturbed run leaves, bit for bit, and nothing else. `chat` has to
answer all the same, and to say that something is not saved. Linux, with a C compiler.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from scripts._crashes import (
    SCENARIOS,
    Contents,
    Scenario,
    Trial,
    differences,
    turns_in,
    untorn,
)
from tests.odd_system import OddSystem, calls_in, let_fail, places
from tutor.cli.output import table

ERRORS = ("ENOSPC", "EIO")


@dataclass(slots=True)
class Outcome:
    """What was seen over all failing calls of a scenario."""

    calls: int = 0
    tried: int = 0
    refused: int = 0
    """Runs that ended with an error; the others went on without what could not be written."""
    faults: Counter[str] = field(default_factory=Counter)


def measure(
    scenario: Scenario, options: argparse.Namespace, random: Random, folder: Path
) -> Outcome:
    """Let the writes of one command fail, each time over a copy of the same workspace."""
    trial, made = Trial(scenario, folder / "course"), folder / "made"
    base = trial.made(made)
    disk, outcome = OddSystem(folder, trial.workspace.root), Outcome()
    with trial.ready(made):
        sound = _run(trial, disk, 0)
        assert sound.returncode == 0, sound.stderr
        calls, expected = calls_in(disk.log), trial.contents()
    outcome.calls = len(calls)
    numbers = places(calls, options.step)
    if options.most is not None and len(numbers) > options.most:
        numbers = sorted(random.sample(numbers, options.most))
    for number in numbers:
        for error in options.error or ERRORS:
            with trial.ready(made):
                done = _run(trial, disk, number, error)
                failed = calls_in(disk.log)[number - 1 : number]
                if not failed:  # processes and threads do not count the same each time
                    continue
                outcome.tried += 1
                outcome.refused += bool(done.returncode)
                faults = Counter(_faults(trial, done, sound, base, expected))
                outcome.faults += faults
                for fault in faults:
                    said = done.stderr[-1500:] if options.verbose else ""
                    print(f"{scenario.name}: {error} {number} {failed[0]}: {fault}\n{said}")
                    sys.stdout.flush()
    return outcome


def _run(
    trial: Trial, disk: OddSystem, at: int, error: str = "EIO"
) -> subprocess.CompletedProcess[str]:
    let_fail(disk.state, disk.log, at, error)
    scenario = trial.scenario
    return trial.workspace.run(
        *scenario.arguments, typed=scenario.typed, **trial.environment, **disk.environment
    )


def _faults(
    trial: Trial,
    done: subprocess.CompletedProcess[str],
    sound: subprocess.CompletedProcess[str],
    base: Contents,
    expected: Contents,
) -> Iterator[str]:
    """What is wrong with what the run said and left, and with what the next one makes of it."""
    now = trial.contents()
    yield from _told(done)
    if not untorn(now, (base, expected)):
        yield "torn"
    if trial.scenario.typed:
        yield from _told_in_chat(done, sound, now, expected)
    elif done.returncode == 0 and (differing := differences(now, expected)[0]):
        yield f"code 0, but not the same: {', '.join(sorted(differing)[:3])}"
    if failed := trial.run(*trial.scenario.again):
        yield f"next run failed: {failed}"
    after = trial.contents()
    differing, left = differences(after, expected)
    if left:
        yield f"left over: {', '.join(sorted(left)[:3])}"
    if differing - left:
        yield f"unequal: {', '.join(sorted(differing - left)[:3])}"
    wanted = turns_in(expected)[1:]
    if trial.scenario.typed and turns_in(after)[-len(wanted) :] != wanted:
        yield "turns lost in the next run"


def _told(done: subprocess.CompletedProcess[str]) -> Iterator[str]:
    if "Traceback" in done.stderr or "panicked" in done.stderr or "Error in" in done.stdout:
        yield "traceback"
    lines = done.stderr.splitlines()
    errors = [number for number, line in enumerate(lines) if line.startswith("Error:")]
    if done.returncode and len(errors) != 1:
        yield f"code {done.returncode}, {len(errors)} errors told"
    elif errors and not any(line.startswith("  →") for line in lines[errors[0] :]):
        yield f"no remedy: {lines[errors[0]]}"
    if done.returncode not in {0, 1, 5}:
        yield f"code {done.returncode}"


def _told_in_chat(
    done: subprocess.CompletedProcess[str],
    sound: subprocess.CompletedProcess[str],
    now: Contents,
    expected: Contents,
) -> Iterator[str]:
    """Whether all was answered, and what is not saved was told."""
    if done.returncode or done.stdout != sound.stdout:
        yield f"code {done.returncode}, answers missing or other"
    kept, wanted = turns_in(now), turns_in(expected)
    if kept and kept[0][1] != "ok":
        yield "sessions.db damaged"
    told = sum(line.startswith("! ") and "sessions.db" in line for line in done.stderr.split("\n"))
    # Once where a turn breaks off, once where the next one cannot be begun; then a minute is quiet.
    if told > 2 or (kept[1:] != wanted[1:] and not told):
        yield f"{len(kept[1:])} of {len(wanted[1:])} turns saved, told {told} times"
    strange = [turn for turn in kept[1:] if turn[1] == "complete" and turn not in wanted]
    if strange:
        yield f"{len(strange)} turns torn"


def main() -> None:
    names = [one.name for one in SCENARIOS]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=names, action="append")
    parser.add_argument("--most", type=int, metavar="N", help="calls drawn for each command")
    parser.add_argument("--step", type=int, default=0, metavar="N", help="each Nth call, too")
    parser.add_argument("--error", choices=ERRORS, action="append")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true", help="what was said where it was wrong")
    options = parser.parse_args()
    random, faults = Random(options.seed), 0
    rows = [["command", "calls", "failed", "ended with an error", "faults"]]
    for scenario in SCENARIOS:
        if scenario.name not in (options.only or names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome = measure(scenario, options, random, Path(folder))
        faults += outcome.faults.total()
        counts = (outcome.calls, outcome.tried, outcome.refused, outcome.faults.total())
        rows.append([scenario.name, *map(str, counts)])
        print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    print(table(rows))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
