"""Where conversations cannot be saved, the app goes on without saving them, and says so."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from tests.tui.stage import ready, staged, until
from tutor.database import Database
from tutor.history import SessionStore
from tutor.tui.app import TutorApp
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from pathlib import Path

    from textual.pilot import Pilot

    from tests.course import Workspace

UNSAVED = "What is said now is not saved."


async def _ask(pilot: Pilot[None], question: str) -> TurnView:
    app = pilot.app
    assert isinstance(app, TutorApp)
    known = len(app.chat.query(TurnView))
    app.chat.query_one(QuestionBox).focus()
    app.chat.query_one(QuestionBox).insert(question)
    await pilot.press("enter")
    await until(pilot, lambda: len(app.chat.query(TurnView)) > known)
    turn = list(app.chat.query(TurnView))[-1]
    await until(pilot, lambda: turn.is_over)
    return turn


def _locked(path: Path, *, for_readers: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    if for_readers:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("BEGIN EXCLUSIVE")
    return connection


@pytest.mark.parametrize("from_the_start", [True, False])
async def test_a_locked_file_of_conversations_costs_no_answer(
    indexed: Workspace, monkeypatch: pytest.MonkeyPatch, from_the_start: bool
) -> None:
    monkeypatch.setattr(Database.__init__, "__kwdefaults__", {"wait_s": 0.1})
    path = indexed.root / "stores" / "sessions.db"
    SessionStore(path).close()

    holder = _locked(path, for_readers=True) if from_the_start else None
    app = staged(indexed)
    async with app.run_test(notifications=True, size=(120, 60)) as pilot:
        await ready(pilot)
        # A notice goes by itself: on a busy machine before the answer is there.
        said = {notice.message for notice in app._notifications}
        holder = holder or _locked(path, for_readers=False)
        turn = await _ask(pilot, "¿Qué mide la silueta?")
        assert "distancia" in turn.text
        said |= {notice.message for notice in app._notifications}
        said.add(str(turn.query_one(".about").render()))
        assert sum(UNSAVED in text for text in said) == 1, said
        await pilot.press("f6")  # the list of conversations, with none of this name
        await pilot.pause()
        folder = app.workspace.sessions.path.parent
    app.workspace.close()
    assert folder.exists() != from_the_start
    holder.close()
    with SessionStore(path) as store:
        assert store.sessions() == []
