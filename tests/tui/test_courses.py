"""The screen of courses, with real keys."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from filelock import FileLock
from textual.widgets import OptionList

from tests.tui.stage import playing, until
from tests.tui.test_comfort import keys_shown
from tutor.database import utc_now
from tutor.i18n import set_language
from tutor.index.store import read_manifest
from tutor.tui.screens.courses import CourseInfo, CoursesScreen, IndexProgress, course_content
from tutor.tui.workspace.index_run import Phase

if TYPE_CHECKING:
    from tests.course import Workspace
    from tutor.tui.app import TutorApp


def _shown(screen: CoursesScreen) -> str:
    options = screen.query_one(OptionList).options
    return "\n".join(str(option.prompt) for option in options)


def _told(screen: CoursesScreen) -> str:
    parts = screen.query_one(IndexProgress).query("Static")
    return "\n".join(str(part.render()) for part in parts)


def opened(app: TutorApp) -> Any:
    return app.workspace.opened


async def test_courses_are_listed_indexed_and_chosen(indexed: Workspace) -> None:
    (indexed.notes / "redes").mkdir()
    shutil.move(indexed.notes / "09_SEMANA_AI_20250929_1.pdf", indexed.notes / "redes")
    (indexed.notes / "[bold]rota.pdf").write_text("junk")

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        await pilot.press("f5")
        await until(pilot, lambda: keys_shown(app).get("Choose"))
        screen = app.screen
        assert isinstance(screen, CoursesScreen)
        await until(pilot, lambda: "2 files have changed" in _shown(screen))
        assert "● your notes" in _shown(screen)
        assert "redes" in _shown(screen)
        assert "no index" in _shown(screen)
        await pilot.press("i")
        await until(pilot, lambda: "up to date" in _shown(screen))
        assert "[bold]rota.pdf" in _told(screen)
        assert "your notes: done" in _told(screen)
        await until(
            pilot, lambda: app.workspace.opened and app.workspace.opened.store.manifest.skipped
        )
        await pilot.press("down", "enter")
        await until(
            pilot, lambda: app.workspace.opened and app.workspace.opened.course.name == "redes"
        )
        assert app.indexer.run is not None
        assert app.indexer.run.course == "redes"


def test_an_index_that_is_still_being_made_is_not_up_to_date(indexed: Workspace) -> None:
    manifest = read_manifest(indexed.store)
    assert manifest
    manifest = replace(manifest, created=utc_now().isoformat())
    whole = CourseInfo("default", 5, manifest, 0)
    by_words = CourseInfo("default", 5, replace(manifest, vectors=False), 0)
    set_language("en")
    assert "up to date" in course_content(whole, "").plain
    assert "up to date" not in course_content(by_words, "").plain
    assert "today" in course_content(by_words, "").plain


async def test_indexing_is_stopped_and_a_rebuild_wants_two_keys(indexed: Workspace) -> None:
    async with playing(indexed, size=(80, 24)) as (app, pilot):
        await pilot.press("f5")
        screen = app.screen
        assert isinstance(screen, CoursesScreen)
        await until(pilot, lambda: "up to date" in _shown(screen))
        await pilot.press("b")
        assert not app.indexer.running
        # The run waits for this lock: so small a course would be indexed before it is stopped.
        with FileLock(indexed.store / "writer.lock"):
            await pilot.press("enter")
            await until(pilot, lambda: app.indexer.running)
            await pilot.press("x")
            assert app.indexer.run
            assert app.indexer.run.phase in {Phase.STOPPING, Phase.CANCELLED}
            await until(pilot, lambda: not app.indexer.running)
        assert app.indexer.run is not None
        assert app.indexer.run.phase is Phase.CANCELLED
        assert app.workspace.opened is not None
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.chat)


async def test_with_several_courses_and_none_named_they_are_offered_first(
    indexed: Workspace,
) -> None:
    for name in ("ia", "redes"):
        (indexed.notes / name).mkdir()
    for path in indexed.notes.glob("*.pdf"):
        shutil.move(path, indexed.notes / ("redes" if "0929" in path.name else "ia"))
    shutil.rmtree(indexed.store)

    async with playing(indexed, size=(80, 24)) as (app, pilot):
        await until(pilot, lambda: keys_shown(app).get("Choose"))
        assert isinstance(app.screen, CoursesScreen)
        assert "redes" in _shown(app.screen)
        await pilot.press("escape")
        assert app.workspace.problem
        assert app.workspace.problem.remedy == "Choose one in Courses and index (F5)."
