"""Use the real app as a student does for an hour, and tell on the way what it holds.

    python -m scripts.many_events [--rounds 300] [--seed 0]
    python -m scripts.many_events --questions 1000

Over a copy of the course in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR), in a terminal
that nobody sees, answered with quotes. A round does one thing drawn at random: ask, stop an answer,
open pages and sources, read and search whole texts, menu and commands, the other index, compare,
conversations, rate, delete and bring back, courses, models, health, help, another size, other
colours, the course opened anew. A conversation has some ten questions; what is counted, is counted
at the start of a new one, after a collection of garbage and after what the app lets go of now and
then: memory, what is in use of the C library's, Python's blocks and objects, open files, threads,
asyncio's tasks and the widgets of all screens. With `--questions` so many are asked without the
app, and memory and open files counted. The questions name words of the course's own chunks, so
that each finds other passages. Linux with glibc.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import gc
import os
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from textual.widgets import Input

from scripts._course import copied_course, course_agent
from tests.tui.stage import until
from tutor.answer.conversation import Conversation
from tutor.cli.output import table
from tutor.config import load_config
from tutor.history import SessionStore
from tutor.index.store import StoreReader
from tutor.ingest.reading.limits import used_memory
from tutor.tui.app import TutorApp
from tutor.tui.frame import let_go_of_memory, share_arenas
from tutor.tui.screens.compare import ComparedSide, CompareScreen
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.workspace import open_workspace

if TYPE_CHECKING:
    from textual.pilot import Pilot

    Round: TypeAlias = Callable[["Student"], Awaitable[None]]

_ROWS = 20
_TURNS = 10
_SIZES = ((80, 24), (100, 30), (120, 40), (160, 50), (60, 20))


def questions(store: StoreReader, random: Random) -> Iterator[str]:
    """Questions without end, in the words of passages drawn at random."""
    chunks = store.chunks(next(iter(store.manifest.collections))).chunks
    while True:
        words = random.choice(chunks).text.split()
        start = random.randrange(max(1, len(words) - 4))
        yield f"¿Qué es {' '.join(words[start : start + 4])}?"


def ask_many(count: int, folder: Path, random: Random) -> Iterator[list[str]]:
    """Ask so many questions in saved conversations; gives rows of what is held meanwhile."""
    yield ["questions", "memory", "open files"]
    with SessionStore(folder / "sessions.db") as sessions, course_agent() as agent:
        asked = questions(agent.store, random)
        for number in range(count):
            if number % _TURNS == 0:
                conversation = Conversation(agent, sessions, sessions.create("", "es"))
            for _event in conversation.ask(next(asked)):
                pass
            if (number + 1) % max(1, count // _ROWS) == 0:
                memory = f"{used_memory() / 2**20:.0f} MB"
                yield [str(number + 1), memory, str(_open_files())]


def _open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - counted, not walked


class Student:
    """Somebody at the keyboard."""

    def __init__(self, app: TutorApp, pilot: Pilot[None], asked: Iterator[str], random: Random):
        self.app, self._pilot, self._asked, self.random = app, pilot, asked, random
        self.events = 0

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self.events += len(keys)
        await self._pilot.press(*keys)

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something to come true."""
        try:
            await until(self._pilot, condition)
        except AssertionError:
            raise SystemExit(f"Stuck on {self.app.screen} after {self.events} events.") from None

    async def back(self) -> None:
        """Leave what lies over the conversation."""
        while self.app.screen is not self.app.chat:
            screen = self.app.screen
            await self.press("escape")
            if self.app.screen is screen and not screen.query(Input):
                await asyncio.sleep(0.02)

    async def command(self, words: str) -> None:
        """Type a command and send it."""
        box = self.app.chat.query_one(QuestionBox)
        box.focus()
        box.clear()
        await self.press(*("slash" if one == "/" else one for one in words), "enter")

    async def ask(self, *, stopped: bool = False) -> None:
        """Ask something, and wait for the answer, or stop it."""
        turns = len(self.app.chat.query(TurnView))
        box = self.app.chat.query_one(QuestionBox)
        box.focus()
        box.clear()
        box.insert(next(self._asked))
        await self.press("enter")
        if stopped:
            await self.press("escape")
        await self.until(lambda: len(self.app.chat.query(TurnView)) > turns)
        await self.until(lambda: not self.app.chat.is_answering)

    async def resize(self, size: tuple[int, int] | None = None) -> None:
        """Make the terminal so large, or as large as any."""
        self.events += 1
        await self._pilot.resize_terminal(*(size or self.random.choice(_SIZES)))


async def _stop(student: Student) -> None:
    await student.ask(stopped=True)


async def _pages(student: Student) -> None:
    student.app.chat.query(TurnView).last().focus()
    await student.press("right", "enter")
    if student.app.screen is not student.app.chat:
        await student.press("n", "i", "right", "left", "bracketright", "pagedown", "p", "z", "i")
    await student.back()


async def _again(student: Student) -> None:
    student.app.chat.query(TurnView).last().focus()
    await student.press("ctrl+r")
    await student.until(lambda: not student.app.chat.is_answering)


async def _compare(student: Student) -> None:
    await student.press("f3")
    screen = student.app.screen
    if isinstance(screen, CompareScreen):
        sides = screen.query(ComparedSide)
        await student.until(lambda: sides and all(side.turn.is_over for side in sides))
        await student.until(lambda: not screen.is_comparing)
        await student.press("1", "f2", "pagedown")
    await student.back()


async def _sessions(student: Student) -> None:
    await student.press("f6")
    await student.until(lambda: student.app.screen is not student.app.chat)
    await student.press("down", "down", *(["enter"] if student.random.random() < 0.5 else []))
    await student.back()


async def _screens(student: Student) -> None:
    for key in ("f1", "f5", "f7", "f8"):
        await student.press(key, "down", "up")
        await student.back()


async def _reopen(student: Student) -> None:
    student.events += 1
    student.app.reopen()


def _keys(keys: str, *, of_answer: bool = False, before: str = "", after: str = "") -> Round:
    """Press keys, in the latest answer if so; then leave what they opened. Commands around it."""

    async def pressed(student: Student) -> None:
        if of_answer:
            student.app.chat.query(TurnView).last().focus()
        if before:
            await student.command(before)
        await student.press(*keys.split())
        await student.back()
        if after:
            await student.command(after)

    return pressed


ROUNDS: dict[Round, int] = {
    Student.ask: 10, _stop: 2, _pages: 5, _again: 1, _compare: 1, _sessions: 1, _screens: 1,
    Student.resize: 3, _reopen: 1,
    _keys("f4 down ctrl+e left right enter pagedown"): 4,  # sources
    _keys("ctrl+l slash r e d enter n p", of_answer=True): 2,  # the whole text
    _keys("slash q u enter n", before="/find"): 2,
    _keys("ctrl+p t e m a down up"): 2,  # the menu
    _keys("f2"): 2,  # the other index
    _keys("ctrl+g b i e n enter", of_answer=True): 1,  # feedback
    _keys("ctrl+d", of_answer=True, after="/undo"): 1,
    _keys("", before="/export"): 1,
    _keys("ctrl+t"): 2,  # colours
    _keys("pageup pageup pagedown ctrl+up ctrl+down tab shift+tab"): 3,
}  # fmt: skip
"""What is done, and how often in comparison."""


async def study(student: Student, rounds: int) -> list[list[str]]:
    """Do so many things; gives rows of what is held meanwhile."""
    rows, turns = list[list[str]](), 0
    for number in range(rounds):
        if turns % _TURNS == 0:
            await student.press("ctrl+n")
            await student.ask()
            turns += 1
        chosen = student.random.choices(list(ROUNDS), list(ROUNDS.values()))[0]
        if not student.app.chat.query(TurnView):
            chosen = Student.ask
        turns += chosen in {Student.ask, _stop, _again}
        await chosen(student)
        await student.until(lambda: student.app.screen is student.app.chat)
        if (number + 1) % max(1, rounds // _ROWS) == 0:
            await student.resize(_SIZES[2])
            await student.press("ctrl+n")
            await student.ask()
            turns = 1
            rows.append([str(number + 1), str(student.events), *_held(student.app)])
            print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    return rows


def _held(app: TutorApp) -> list[str]:
    """Memory, in use of it, Python's blocks, objects, open files, threads, tasks, widgets."""
    let_go_of_memory()
    gc.collect()
    widgets = sum(1 + len(screen.query("*")) for screen in app.screen_stack)
    counts = (
        f"{_in_use() / 2**20:.0f} MB",
        sys.getallocatedblocks(),
        len(gc.get_objects()),
        _open_files(),
        threading.active_count(),
        len(asyncio.all_tasks()),
        widgets,
    )
    return [f"{used_memory() / 2**20:.0f} MB", *map(str, counts)]


class _MallInfo2(ctypes.Structure):
    """What glibc tells of its memory; the eighth number are the bytes in use."""

    _fields_ = [(f"number_{place}", ctypes.c_size_t) for place in range(1, 11)]


def _in_use() -> int:
    """Bytes of the C library's memory that are in use, without those that it holds in parts."""
    about = ctypes.CDLL(None).mallinfo2
    about.restype = _MallInfo2
    return int(about().number_8)


async def open_and_study(root: Path, rounds: int, random: Random) -> list[list[str]]:
    """Open the app over the course there, and use it."""
    config = load_config(root, {"TUTOR_ENGINE": "extractive"})
    app = TutorApp(config, open_workspace)
    app.animation_level = "none"
    async with app.run_test(size=_SIZES[2]) as pilot:
        await until(pilot, lambda: app.is_ready)
        if app.workspace.opened is None:
            raise SystemExit("There is no index: tutor index")
        asked = questions(app.workspace.opened.store, random)
        rows = await study(Student(app, pilot, asked, random), rounds)
    app.indexer.close()
    app.workspace.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=300, metavar="N")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--questions", type=int, metavar="N", help="ask so many, without the app")
    options = parser.parse_args()
    random = Random(options.seed)
    if not options.questions:
        share_arenas()
    with tempfile.TemporaryDirectory() as folder:
        if options.questions:
            print(table(ask_many(options.questions, Path(folder), random)))
            return
        root = copied_course(Path(folder))
        rows = asyncio.run(open_and_study(root, options.rounds, random))
    head = ["rounds", "events", "memory", "in use", "blocks", "objects"]
    head += ["files", "threads", "tasks", "widgets"]
    print(table([head, *rows]))


if __name__ == "__main__":
    main()
