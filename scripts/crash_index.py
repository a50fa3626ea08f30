"""Kill `tutor index` and `tutor chat` at random moments, and look at what the next run makes of it.

    python -m scripts.crash_index [--kills 200] [--only NAME] [--seed 0]

Every kill is of a real process over a small course typeset for it: SIGKILL to its process group,
one time in four to the process alone, whose readers have to end by themselves then. Half of the
moments are drawn from the time that an undisturbed run takes, half from the changes that it makes
on the disk, most of which happen within little time. What was in force before has to be in force
still, or all of what was to come; after the next run documents, texts, vectors and every other file
equal those of an undisturbed run bit for bit, and nothing else is there: no journal, lock,
generation, collection, or file in the folders for temporary files and of the user.
"""

from __future__ import annotations

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from scripts._crashes import (
    SCENARIOS,
    Contents,
    Scenario,
    Trial,
    differences,
    lost_turns,
    of_index,
    untorn,
)
from tutor.cli.output import table

_LOOK_S = 0.002
_STRAYS_S = 15.0
"""How long readers may take to notice that they are alone."""


@dataclass(slots=True)
class Outcome:
    """What was seen over all kills of a scenario."""

    kills: int = 0
    late: int = 0
    alone: int = 0
    before: int = 0
    """Kills after which the former state was in force."""
    seconds: list[float] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)


def _alive(session: int) -> list[int]:
    """The processes of a session, zombies left out."""
    alive = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(folder.name)) == session and ") Z" not in (folder / "stat").read_text(
                errors="replace"
            ):
                alive.append(int(folder.name))
        except OSError:
            continue
    return alive


def _changes_until(trial: Trial, process: subprocess.Popen[str], most: float) -> int:
    """Watch the disk until it has changed so often, or the process has ended; gives how often."""
    changes, before = 0, trial.snapshot()
    while process.poll() is None and changes < most:
        now = trial.snapshot()
        changes, before = changes + (now != before), now
        time.sleep(_LOOK_S)
    return changes


def _ended(process: subprocess.Popen[str], *, alone: bool) -> list[int]:
    """Kill the process, or all of its group; gives those that are still there a while later."""
    if alone:
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.stdin = None
    process.communicate()
    deadline = time.monotonic() + _STRAYS_S
    while (left := _alive(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    if left:
        os.killpg(process.pid, signal.SIGKILL)
    return left


def measure(scenario: Scenario, kills: int, random: Random, folder: Path) -> Outcome:
    """Kill so many processes, each over a copy of the same workspace."""
    trial, made = Trial(scenario, folder / "course"), folder / "made"
    base = trial.made(made)
    with trial.ready(made):
        started = time.monotonic()
        process = trial.start()
        changes = _changes_until(trial, process, float("inf"))
        seconds = time.monotonic() - started
        process.stdin = None
        _printed, errors = process.communicate()
        assert process.returncode == 0, errors
        expected = trial.contents()
    outcome = Outcome()
    while outcome.kills < kills and outcome.late < 10 * kills:
        with trial.ready(made):
            by_clock, alone = outcome.kills % 2 == 0, outcome.kills % 4 == 3
            process = trial.start()
            if by_clock:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(random.uniform(0.1, 0.8) * seconds)
            else:
                _changes_until(trial, process, random.randint(1, max(1, changes * 2 // 3)))
            if process.poll() is not None:
                outcome.late += 1
                process.stdin = None
                process.communicate()
                continue
            outcome.kills += 1
            outcome.alone += alone
            if _ended(process, alone=alone):
                outcome.faults["processes left"] += 1
            _judge(trial, base, expected, outcome)
    return outcome


def _judge(trial: Trial, base: Contents, expected: Contents, outcome: Outcome) -> None:
    """Look at what the kill left, let the next run begin, and look again."""
    killed, chat = trial.contents(), bool(trial.scenario.typed)
    outcome.before += of_index(killed) != of_index(expected)
    torn = not untorn(killed, (base, expected))
    if torn or (chat and lost_turns(killed, expected, both=False)):
        outcome.faults["torn"] += 1
    started = time.monotonic()
    failed = trial.run(*trial.scenario.again)
    outcome.seconds.append(time.monotonic() - started)
    if failed:
        outcome.faults["next run failed"] += 1
        print(failed, file=sys.stderr)
    after = trial.contents()
    if chat and lost_turns(after, expected, both=True):
        outcome.faults["turns lost"] += 1
    differing, left = differences(after, expected)
    outcome.faults["left over"] += bool(left)
    outcome.faults["unequal"] += bool(differing - left)
    if differing:
        print(f"{trial.scenario.name}: {', '.join(sorted(differing))}", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200, metavar="N")
    parser.add_argument("--only", choices=[one.name for one in SCENARIOS])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    scenarios = [one for one in SCENARIOS if options.only in (None, one.name)]
    random, rows, total = Random(options.seed), [], Counter[str]()
    for number, scenario in enumerate(scenarios):
        share = options.kills * (number + 1) // len(scenarios)
        kills = share - options.kills * number // len(scenarios)
        with tempfile.TemporaryDirectory() as folder:
            outcome = measure(scenario, kills, random, Path(folder))
        total += outcome.faults
        median = statistics.median(outcome.seconds or [0.0])
        rows.append(
            [
                scenario.name,
                str(outcome.kills),
                str(outcome.alone),
                str(outcome.before),
                f"{median:.1f} s",
                ", ".join(f"{name}: {n}" for name, n in outcome.faults.items() if n) or "none",
            ]
        )
        print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    head = ["killed", "kills", "alone", "not yet in force", "next run (median)", "faults"]
    print(table([head, *rows]))
    sys.exit(1 if total.total() else 0)


if __name__ == "__main__":
    main()
