"""Draw the pictures of the README: the app on the sample course, as it answers without a model.

    python -m scripts.app_pictures

Needs the index of the sample course (`tutor index`). Saves into a copy of the store, so that the
conversation is not kept.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from scripts._course import ROOT, copied_course
from tests.tui.stage import until
from tutor.config import load_config
from tutor.i18n import set_language
from tutor.tui.app import TutorApp
from tutor.tui.screens.compare import CompareScreen
from tutor.tui.screens.map import TopicTree
from tutor.tui.screens.passage import PassageScreen
from tutor.tui.widgets.conversation import Offers
from tutor.tui.widgets.page_image import PageImage
from tutor.tui.widgets.question_box import CommandMenu, QuestionBox
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.workspace import open_workspace

if TYPE_CHECKING:
    from textual.pilot import Pilot

SIZE, SMALL = (124, 34), (80, 24)
QUESTIONS = ("¿Qué es una heurística admisible?", "¿Y consistente?")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        copied_course(Path(folder))
        Path(folder, "stores", "sessions.db").unlink(missing_ok=True)
        settings = {"TUTOR_ENGINE": "extractive", "TUTOR_LANG": "es"}
        set_language("es")
        warm = Event()
        app = TutorApp(load_config(Path(folder), settings), open_workspace, warm.set)
        asyncio.run(draw(app, warm))
    return 0


async def draw(app: TutorApp, warm: Event) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, warm.is_set)
        await until(pilot, lambda: app.chat.query_one(Offers).option_count)
        await kept(pilot, "app-first.svg")
        await pilot.press("slash")
        await until(pilot, lambda: app.chat.query_one(CommandMenu).region)
        await kept(pilot, "app-menu.svg")
        await pilot.press("backspace")
        for number, question in enumerate(QUESTIONS, start=1):
            app.chat.query_one(QuestionBox).insert(question)
            await pilot.press("enter")
            await until(pilot, lambda n=number: over(app) == n)
        turn = app.chat.query(TurnView).first()
        turn.focus()
        await pilot.press("right")
        await kept(pilot, "app-wide.svg")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, PassageScreen))
        await until(pilot, lambda: app.screen.query_one(PageImage).picture)
        await kept(pilot, "app-page.svg")
        await pilot.press("escape", "f10")
        await until(pilot, lambda: app.screen.query(TopicTree))
        await pilot.press(*"retro")
        await until(pilot, lambda: app.screen.query_one(TopicTree).last_line == 1)
        await pilot.press("escape")
        await kept(pilot, "app-map.svg")
        await pilot.press("escape", "f3")
        await until(pilot, lambda: isinstance(app.screen, CompareScreen))
        await until(pilot, lambda: app.screen.query("#choices :enabled"))
        await kept(pilot, "app-compare.svg")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)
        await pilot.resize_terminal(*SMALL)
        await kept(pilot, "app-narrow.svg")


def over(app: TutorApp) -> int:
    return sum(turn.is_over for turn in app.chat.query(TurnView))


async def kept(pilot: Pilot[None], name: str) -> None:
    """Without the web font, which would be fetched by whoever looks at the picture."""
    await pilot.pause(1.0)
    drawn = pilot.app.export_screenshot(title="tutor")
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", drawn)
    (ROOT / "docs" / name).write_text(re.sub(r"terminal-\d+", "terminal", svg), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
