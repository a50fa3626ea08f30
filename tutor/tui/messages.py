"""What workers tell the widgets: they post these, and only handlers touch the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from tutor.errors import TutorError
    from tutor.events import Event


class DeskReady(Message):
    """The course was opened, or opened again; `app.desk` says what came of it."""


class DeskFailed(Message):
    """The desk itself cannot be had, as when the saved conversations are broken."""

    def __init__(self, error: TutorError) -> None:
        super().__init__()
        self.error = error


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
