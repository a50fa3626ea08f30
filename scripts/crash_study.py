"""Kill `tutor study` at random moments, and look whether every grade that was given is kept.

    python -m scripts.crash_study [--kills 200] [--seed 0]

Each kill is SIGKILL to a real process that reviews cards of the student's own, fed by a pipe. All
share one `study.db`. What the process told of ("Again in …") has to be in the file after each kill,
at most one grade more may be, each review has its schedule, and SQLite finds the file whole.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from random import Random

from tests.course import make_workspace

CARDS = 20_000
LONGEST_START_S = 60.0
LONGEST_S = 0.1
"""A kill comes within so long of the first card."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="tutor-kills-"))
    try:
        faults = _kills(folder, given.kills, Random(given.seed))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if faults else 0)


def _kills(folder: Path, kills: int, random: Random) -> int:
    workspace = make_workspace(folder / "course")
    lines = "".join(f"Pregunta {n},Respuesta {n}\n" for n in range(CARDS))
    (workspace.root / "own.csv").write_text(f"front,back\n{lines}", encoding="utf-8")
    done = workspace.run("cards", "import", "own.csv")
    if done.returncode:
        sys.exit(done.stderr)
    path = workspace.root / "stores" / "study.db"
    told, faults, unsaid = 0, 0, 0
    for kill in range(kills):
        told += _killed(workspace.environment(), workspace.root, random)
        with closing(sqlite3.connect(path)) as connection:
            (reviews,) = connection.execute("SELECT count(*) FROM reviews").fetchone()
            (scheduled,) = connection.execute(
                "SELECT count(*) FROM schedules WHERE card IN (SELECT card FROM reviews)"
            ).fetchone()
            (cards,) = connection.execute("SELECT count(DISTINCT card) FROM reviews").fetchone()
            (whole,) = connection.execute("PRAGMA integrity_check").fetchone()
        if not told <= reviews <= told + 1 or scheduled != cards or whole != "ok":
            faults += 1
            print(f"kill {kill}: {told} told, {reviews} kept, {scheduled}/{cards}, {whole}")
        unsaid += reviews - told
        told = reviews
    print(f"{kills} kills, {told} grades, {unsaid} of them kept and not told yet, {faults} faults")
    return faults


def _killed(environment: dict[str, str], root: Path, random: Random) -> int:
    """Review until a moment drawn at random; how many grades the process told of."""
    typed, told = os.pipe(), tempfile.TemporaryFile()  # noqa: SIM115 - closed below
    with (
        told,
        subprocess.Popen(
            [sys.executable, "-u", "-m", "tutor", "study", "--new", "9999"],
            env=environment,
            cwd=root,
            stdin=typed[0],
            stdout=told,
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        os.close(typed[0])
        os.set_blocking(typed[1], False)
        end = time.monotonic() + LONGEST_START_S
        while time.monotonic() < end and process.poll() is None:
            if end > time.monotonic() + LONGEST_S and os.fstat(told.fileno()).st_size:
                end = time.monotonic() + random.uniform(0, LONGEST_S)  # it reviews
            try:
                os.write(typed[1], b"\n3\n" * 50)
            except (BlockingIOError, BrokenPipeError):
                time.sleep(0.002)
        process.kill()
        os.close(typed[1])
        process.wait()
        told.seek(0)
        return told.read().count(b"Again in ")


if __name__ == "__main__":
    main()
