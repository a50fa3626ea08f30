"""A conversation: questions answered with what was said before in mind, saved as it happens."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from tutor.answer import answer
from tutor.errors import SessionError, TutorError
from tutor.events import Event, Finished, Notice, Rewritten, Routed, Token
from tutor.model import Ending, Route, Turn

if TYPE_CHECKING:
    from tutor.answer import Agent
    from tutor.history import Session, SessionStore, TurnWriter


class Conversation:
    """A saved session and the agent that carries it on.

    `agent` may be replaced between questions (another strategy, another model). `last_turn` is
    the saved id of the turn begun last.
    """

    def __init__(self, agent: Agent, sessions: SessionStore, session: Session) -> None:
        self.agent = agent
        self.session = session
        self.last_turn: int | None = None
        self._sessions = sessions
        self._history = sessions.history(session.id)

    @property
    def history(self) -> list[Turn]:
        """The turns so far, oldest first."""
        return list(self._history)

    def ask(self, question: str, forced: Route | None = None) -> Generator[Event, None, None]:
        """Answer a question as `tutor.answer.answering` does, and save the turn as it grows.

        Closing the generator stops the model; what came until then is kept as a stopped turn.
        A turn that cannot be saved is answered all the same, with a notice. Raises what `answer`
        raises, and `SessionError` where the turn cannot even be begun.
        """
        writer = self._sessions.begin_turn(self.session.id, question)
        self.last_turn = writer.turn
        saving = _Saving(writer)
        turn = _Turn(question)
        try:
            for event in answer(question, self.agent, self._history, forced):
                turn.take(event)
                yield from saving.save(event)
                yield event
        except GeneratorExit:
            saving.abandon(Ending.STOPPED)
            raise
        except TutorError:
            saving.abandon(Ending.BROKEN)
            raise
        finally:
            if turn.text.strip():
                self._history.append(turn.said())


class _Turn:
    """The turn at hand, put together from its events."""

    def __init__(self, question: str) -> None:
        self.question = self.standalone = question
        self.text = ""
        self.abstained = False
        self.written = 0

    def take(self, event: Event) -> None:
        if isinstance(event, Rewritten):
            self.standalone = event.standalone
        elif isinstance(event, Token):
            self.text += event.text
        elif isinstance(event, Finished):
            self.text, self.abstained = event.answer.text, event.answer.abstained
            self.written = event.answer.written

    def said(self) -> Turn:
        return Turn(self.question, self.standalone, self.text, self.abstained, self.written)


class _Saving:
    """Writes a turn; a disk that refuses is told once and does not end the answer."""

    def __init__(self, writer: TurnWriter) -> None:
        self._writer = writer
        self._told = False

    def save(self, event: Event) -> Iterator[Notice]:
        try:
            self._write(event)
        except SessionError as error:
            if not self._told:
                self._told = True
                yield Notice(f"{error.message} {error.remedy}".strip())

    def abandon(self, ending: Ending) -> None:
        try:
            self._writer.abandon(ending)
        except SessionError:
            self._told = True  # the answer was stopped or broke off; that is what is reported

    def _write(self, event: Event) -> None:
        if isinstance(event, Routed):
            self._writer.routed(event.route, event.rule)
        elif isinstance(event, Rewritten):
            self._writer.rewritten(event.standalone)
        elif isinstance(event, Token):
            self._writer.token(event.text)
        elif isinstance(event, Finished):
            self._writer.finish(event.answer)
