"""Measure the terminal app: when its first frame is there, and whether it stays smooth.

    python -m scripts.app_speed [--starts 7] [--seconds 20] [--turns 200]

First frame: the command in a pseudo-terminal of 80x24, from its start to the first screen that
has the question box; beside it `python -c "import textual.app"` in the same run.
Frames: the app on a copy of the notes while a scripted model writes 40 pieces a second, and again
while the whole index is rebuilt beside it. A callback wants to run 60 times a second; what is told
is how much later than that it ran. Scrolling: a saved conversation of so many turns is taken up,
all of it is laid out, and gone through upwards, a screen at a time; each time until it is drawn.
Needs an index (`tutor index`) and no language model.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from fcntl import ioctl
from itertools import cycle, islice
from pathlib import Path
from termios import TIOCSWINSZ
from typing import TYPE_CHECKING

import numpy as np

from scripts._course import ROOT, copied_course
from tests.scripted import ScriptedModel
from tests.tui.stage import until
from tutor.cli.output import table
from tutor.config import load_config
from tutor.events import Finished
from tutor.tui.app import SWITCH_S, TutorApp
from tutor.tui.widgets.conversation import EarlierTurns, Reading
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from tutor.config import Config


COMMAND = [sys.executable, "-c", "from tutor.cli.main import main; main()"]
PIECES_PER_S = 40
FRAME_S = 1 / 60
QUESTION = "¿Qué es una heurística admisible?"
SENTENCE = (
    "Una heurística es **admisible** si nunca sobreestima el costo real de llegar a la meta, "
    "como dice la definición, y por eso A* devuelve la solución óptima en un árbol.\n\n"
)


def writing(seconds: float) -> Iterator[str]:
    """The same sentence, word by word, for some seconds."""
    for word in islice(cycle(SENTENCE.split(" ")), int(seconds * PIECES_PER_S)):
        time.sleep(1 / PIECES_PER_S)
        yield word + " "


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--starts", type=int, default=7, help="times that the app is started")
    parser.add_argument("--seconds", type=float, default=20.0, help="length of a streamed answer")
    parser.add_argument("--turns", type=int, default=200, help="of the conversation scrolled")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = copied_course(Path(folder))
        for name in ("TUTOR_NOTES_DIR", "TUTOR_STORES_DIR"):
            os.environ.pop(name, None)  # those of the copy
        os.environ.update({"TUTOR_ROOT": folder, "PYTHONPATH": str(ROOT)})
        print(table(first_frames(arguments.starts)))
        sys.setswitchinterval(SWITCH_S)
        rows = [["event loop late by (ms)", "p50", "p95", "p99", "most", "later than 50 ms"]]
        rows.append(["streaming", *asyncio.run(lateness(root, arguments.seconds))])
        with subprocess.Popen(
            ["nice", *COMMAND, "index", "--rebuild"],  # as the app starts it
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as indexing:
            rows.append(["streaming and indexing", *asyncio.run(lateness(root, arguments.seconds))])
            indexing.kill()
        print(table(rows))
        print(table(asyncio.run(scrolling(root, arguments.turns))))
    return 0


def first_frames(starts: int) -> list[list[str]]:
    imports = [bare_import() for _start in range(starts)]
    frames = [first_frame() for _start in range(starts)]
    return [
        ["seconds", "median", "least", "most"],
        *(
            [name, *(f"{value:.2f}" for value in (statistics.median(s), min(s), max(s)))]
            for name, s in (("first frame", frames), ("import textual.app", imports))
        ),
    ]


def bare_import() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import textual.app"], check=True)
    return time.perf_counter() - started


def first_frame() -> float:
    started = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update({"TERM": "xterm-256color", "COLORTERM": "truecolor"})
        os.execv(COMMAND[0], COMMAND)
    ioctl(terminal, TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    seen = ""
    try:
        while "╰" not in seen:
            ready, _w, _x = select.select([terminal], [], [], 30)
            if not ready:
                raise SystemExit("The app showed nothing in 30 s.")
            seen += os.read(terminal, 65536).decode("utf-8", "replace")
        took = time.perf_counter() - started
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)
    return took


async def lateness(root: Path, seconds: float) -> list[str]:
    def open_scripted(config: Config) -> Workspace:
        workspace = open_workspace(config)
        if workspace.opened is None:
            raise SystemExit("There is no index: tutor index")
        agent = replace(workspace.opened.agent, model=ScriptedModel(writing(seconds)))
        workspace.opened = replace(workspace.opened, agent=agent)
        return workspace

    warm = asyncio.Event()
    loop = asyncio.get_running_loop()

    def once_warm() -> None:
        gc.freeze()  # as the app does when it is started
        loop.call_soon_threadsafe(warm.set)

    app = TutorApp(load_config(root, os.environ), open_scripted, once_warm)
    late: list[float] = []
    async with app.run_test(size=(120, 40)) as pilot:
        await warm.wait()
        app.chat.query_one(QuestionBox).insert(QUESTION)
        await pilot.press("enter")
        while not app.chat.query(TurnView) or not app.chat.query_one(TurnView).text:
            await asyncio.sleep(0.01)
        while not app.chat.query_one(TurnView).is_over:
            wanted = time.perf_counter() + FRAME_S
            await asyncio.sleep(FRAME_S)
            late.append(1000 * (time.perf_counter() - wanted))
    share = np.mean(np.array(late) > 50)
    at = np.quantile(late, (0.5, 0.95, 0.99, 1))
    return [*(f"{one:.1f}" for one in at), f"{100 * share:.1f} %"]


async def scrolling(root: Path, n: int) -> list[list[str]]:
    app = TutorApp(load_config(root, {"TUTOR_ENGINE": "extractive"}), open_workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.is_ready)
        session = await asyncio.to_thread(long_conversation, app.workspace, n)
        begun = time.perf_counter()
        app.resume(session)
        while not app.chat.query(TurnView):
            await asyncio.sleep(0.001)
        await drawn(app)
        resumed = time.perf_counter() - begun
        begun = time.perf_counter()
        while len(app.chat.query(TurnView)) < n:
            await app.chat.query_one(EarlierTurns).action_show()
            await asyncio.sleep(0)  # the first time it may not hold any yet
        await drawn(app)
        laid_out = time.perf_counter() - begun
        await pilot.pause()
        view, steps = app.chat.query_one(Reading).scroll, []
        view.scroll_end(animate=False)
        await drawn(app)
        while view.scroll_y > 0:
            begun = time.perf_counter()
            view.scroll_page_up(animate=False)
            await drawn(app)
            steps.append(1000 * (time.perf_counter() - begun))
    at = [f"{one:.0f}" for one in np.quantile(steps, (0.5, 0.95, 1))]
    heading = [f"{n} turns", "latest 15 there (s)", "all there (s)", "a screen up: p50 (ms)"]
    return [
        [*heading, "p95", "most"],
        ["scrolling", f"{resumed:.2f}", f"{laid_out:.2f}", *at],
    ]


async def drawn(app: TutorApp) -> None:
    """Wait until the screen shows what has changed. (`Pilot.pause` asks each widget.)"""
    done = asyncio.Event()
    app.chat.call_after_refresh(done.set)
    await done.wait()


def long_conversation(workspace: Workspace, n: int) -> str:
    """Save a conversation of the same answer again and again. Returns its id."""
    session = workspace.sessions.create("default", "es").id
    answer = next(one.answer for one in workspace.ask(QUESTION) if isinstance(one, Finished))
    for number in range(n):
        with workspace.sessions.begin_turn(session, f"{number + 1}. {QUESTION}") as writer:
            writer.finish(answer)
    return session


if __name__ == "__main__":
    sys.exit(main())
