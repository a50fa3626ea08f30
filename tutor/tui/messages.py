"""What workers tell the widgets: they post these, and only handlers touch the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from tutor.errors import TutorError
from tutor.events import Event

if TYPE_CHECKING:
    from tutor.history import SavedTurn


class DeskReady(Message):
    """The course was opened, or opened again; `app.desk` says what came of it.

    `questions` are those asked before, oldest first.
    """

    def __init__(self, questions: Sequence[str] = ()) -> None:
        super().__init__()
        self.questions = questions


class DeskFailed(Message):
    """The desk itself cannot be had, as when the saved conversations are broken."""

    def __init__(self, error: TutorError) -> None:
        super().__init__()
        self.error = error


class Begun(Message):
    """The answer of a turn that waited is being written from now on."""


class Happened(Message):
    """The next event of the answer that a turn is waiting for."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class Ended(Message):
    """Nothing more comes for this turn: `error` says what broke it off, `turn` is its saved id."""

    def __init__(self, turn: int | None, error: TutorError | None) -> None:
        super().__init__()
        self.turn = turn
        self.error = error


class Resumed(Message):
    """A saved conversation was taken up again."""

    def __init__(self, turns: Sequence[SavedTurn]) -> None:
        super().__init__()
        self.turns = turns
