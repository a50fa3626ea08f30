"""Ask one process many questions, each saved, and tell its memory and open files on the way.

    python -m scripts.many_questions [--questions 1000]

Over the index of the course in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR), answered with
quotes, in conversations of ten turns that are saved in a passing file. The questions name words of
the course's own chunks, so that each finds other passages. Linux.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from scripts._course import course_agent
from tutor.answer.conversation import Conversation
from tutor.cli.output import table
from tutor.history import SessionStore
from tutor.index.store import StoreReader
from tutor.ingest.reading.limits import used_memory

_TURNS = 10
_ROWS = 10


def questions(store: StoreReader, random: Random) -> Iterator[str]:
    """Questions without end, in the words of passages drawn at random."""
    chunks = store.chunks(next(iter(store.manifest.collections))).chunks
    while True:
        words = random.choice(chunks).text.split()
        start = random.randrange(max(1, len(words) - 4))
        yield f"¿Qué es {' '.join(words[start : start + 4])}?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=1000, metavar="N")
    count = parser.parse_args().questions
    rows = [["questions", "memory", "open files"]]
    with (
        tempfile.TemporaryDirectory() as folder,
        SessionStore(Path(folder) / "sessions.db") as sessions,
        course_agent() as agent,
    ):
        asked = questions(agent.store, Random(0))
        for number in range(count):
            if number % _TURNS == 0:
                session = sessions.create("", "es")
                conversation = Conversation(agent, sessions, session)
            for _event in conversation.ask(next(asked)):
                pass
            if (number + 1) % max(1, count // _ROWS) == 0:
                files = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counted, not walked
                rows.append([str(number + 1), f"{used_memory() / 2**20:.0f} MB", str(files)])
    print(table(rows))


if __name__ == "__main__":
    main()
