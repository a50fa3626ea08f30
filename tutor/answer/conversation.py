"""A conversation: questions answered with what was said before in mind, saved as it happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import TypeVar

from tutor.answer import Agent, answer
from tutor.errors import SessionError
from tutor.events import AnswerSoFar, Event, Finished, Notice, Rewritten, Routed, Token
from tutor.history import SavedTurn, Session, SessionStore, TurnWriter
from tutor.i18n import _
from tutor.model import Answer, Ending, Route, Turn

T = TypeVar("T")
_PAUSE_S = 60.0
"""After a turn that could not be begun: each further attempt may wait long for the file."""


class Conversation:
    """A saved session, or one that cannot be saved (None), and the agent that carries it on.

    `agent` may be replaced between questions (another strategy, another model). `last_turn` is
    the saved id of the turn begun last, None where it could not be saved; `last_answer` is its
    answer, as far as it came, None before the first question.
    """

    def __init__(
        self, agent: Agent, sessions: SessionStore | None, session: Session | None
    ) -> None:
        self.agent = agent
        self._session = session
        self.last_turn: int | None = None
        self.last_answer: Answer | None = None
        self._sessions = sessions
        self._saved_from = 0.0
        self._history = sessions.history(session.id) if sessions and session else []
        self._unsaved: list[Turn] = []

    @property
    def session(self) -> Session:
        """The saved session. Raises `SessionError` where the conversation cannot be saved."""
        if self._session is None:
            raise SessionError(_("This conversation is not saved."))
        return self._session

    @property
    def is_saved(self) -> bool:
        """Whether there is a `session`."""
        return self._session is not None

    @property
    def history(self) -> list[Turn]:
        """The turns so far, oldest first."""
        return list(self._history)

    def delete_turn(self, turn: int) -> None:
        """Take a saved turn out, so that no follow-up leans on it. Raises `SessionError`."""
        self._recall(lambda sessions: sessions.delete_turn(turn))

    def undelete_turn(self) -> SavedTurn:
        """Bring back the turn that was deleted last. Raises `SessionError`."""
        return self._recall(lambda sessions: sessions.undelete_turn(self.session.id))

    def _recall(self, change: Callable[[SessionStore], T]) -> T:
        """Change what is saved; what is remembered is then that, and what was never saved."""
        if self._sessions is None:
            raise SessionError(_("This conversation is not saved."))
        result = change(self._sessions)
        self._history = [*self._sessions.history(self.session.id), *self._unsaved]
        return result

    def ask(self, question: str, forced: Route | None = None) -> Generator[Event, None, None]:
        """Answer a question as `tutor.answer.answering` does, and save the turn as it grows.

        Closing the generator stops the model; what came until then is kept as a stopped turn.
        A turn that cannot be saved is answered all the same, with a notice. Raises what `answer`
        raises.
        """
        saving = _Saving(None)
        try:
            saving = _Saving(self._begun(question))
        except SessionError as error:
            self._saved_from = time.monotonic() + _PAUSE_S
            yield Notice(unsaved(error))
        so_far, ending = AnswerSoFar(), Ending.BROKEN
        standalone, before = question, self.history
        while before and before[-1].question == question:  # asked again, it is no follow-up
            before.pop()
        try:
            for event in answer(question, self.agent, before, forced):
                so_far.take(event)
                if isinstance(event, Rewritten):
                    standalone = event.standalone
                yield from saving.save(event)
                yield event
            ending = Ending.COMPLETE
        except (GeneratorExit, KeyboardInterrupt, SystemExit):  # or the terminal was closed
            ending = Ending.STOPPED
            raise
        finally:
            self.last_answer = came = so_far.answer(ending)
            if ending is not Ending.COMPLETE:
                saving.end(came, ending)
            if came and came.text.strip():
                said = Turn(question, standalone, came.text, came.abstained, came.remembered_start)
                self._history.append(said)
                self._unsaved += [said] if self.last_turn is None else []

    def remember(self, said: Turn) -> None:
        """Let follow-ups lean on what was not asked here, as a comparison; it is no saved turn."""
        self._history.append(said)
        self._unsaved.append(said)

    def _begun(self, question: str) -> TurnWriter | None:
        """The turn's writer; None where it is known that nothing can be saved now."""
        self.last_turn = None
        if not (self._sessions and self._session) or time.monotonic() < self._saved_from:
            return None
        writer = self._sessions.begin_turn(self._session.id, question)
        self.last_turn = writer.turn
        return writer


def unsaved(error: SessionError) -> str:
    """What is said of a conversation that goes on without being saved."""
    return _("What is said now is not saved. %(why)s %(remedy)s") % {
        "why": error.message,
        "remedy": error.remedy,
    }


class _Saving:
    """Writes a turn; a disk that refuses is told once and does not end the answer."""

    def __init__(self, writer: TurnWriter | None) -> None:
        self._writer = writer
        self._told = False

    def save(self, event: Event) -> Iterator[Notice]:
        try:
            self._write(event)
        except SessionError as error:
            if not self._told:
                self._told = True
                yield Notice(error.in_one_line)

    def end(self, answer: Answer | None, ending: Ending) -> None:
        """Save what came of an answer that was stopped or broke off, None where nothing did."""
        if self._writer:
            with suppress(SessionError):  # that it was stopped or broke off is what is reported
                if answer:
                    self._writer.finish(answer)
                else:
                    self._writer.abandon(ending)

    def _write(self, event: Event) -> None:
        if self._writer is None:
            return
        if isinstance(event, Routed):
            self._writer.routed(event.route, event.rule)
        elif isinstance(event, Rewritten):
            self._writer.rewritten(event.standalone)
        elif isinstance(event, Token):
            self._writer.token(event.text)
        elif isinstance(event, Finished):
            self._writer.finish(event.answer)
