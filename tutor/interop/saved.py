"""A saved conversation as a store of turns for `SessionHistory`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.types import Answer

if TYPE_CHECKING:
    from tutor.memory import SessionId, SessionStore
    from tutor.types import Route, Turn


class SavedTurns:
    """The turns of one saved conversation, which `tutor chat` can go on with, and vice versa.

    Turns added here were answered elsewhere: they are saved with `route` and `model` as given, and
    without sources. Every method raises `SessionError`.
    """

    def __init__(
        self, store: SessionStore, session: SessionId, *, route: Route, model: str
    ) -> None:
        self._store = store
        self._session = session
        self._route = route
        self._model = model

    @property
    def session(self) -> SessionId:
        """The conversation in use; another one after `clear`."""
        return self._session

    def turns(self) -> list[Turn]:
        """What was asked and answered so far, oldest first."""
        return self._store.history(self._session)

    def add(self, turn: Turn) -> None:
        """Save one more turn."""
        with self._store.begin_turn(self._session, turn.question) as writer:
            writer.rewritten(turn.standalone)
            writer.finish(
                Answer(
                    text=turn.answer,
                    citations=(),
                    abstained=turn.abstained,
                    route=self._route,
                    model=self._model,
                )
            )

    def clear(self) -> None:
        """Put the conversation away, so that it can be brought back, and begin another one."""
        former = self._store.get(self._session)
        self._session = self._store.create(former.course, former.language).id
        self._store.delete(former.id)
