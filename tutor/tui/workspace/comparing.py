"""Two answers to one question, as far as they have come: what each index found, and the record."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from typing import TypeAlias

from tutor.answer import answer
from tutor.errors import TutorError
from tutor.events import AnswerSoFar, Event, Retrieved, Stage, Waiting
from tutor.model import EXTRACTIVE, Answer, Ending, Hit, Route, Source, SourceId, Turn
from tutor.tui.workspace.workspace import OpenedCourse, Workspace

ROUTES = (Route.FIXED, Route.SEMANTIC)
"""The left answer comes from the first of these, the right one from the second."""

Pages: TypeAlias = frozenset[tuple[SourceId, int]]
"""Pages of documents."""
Step: TypeAlias = "tuple[Half, Event | None]"
"""What happened to an answer; None when it has ended."""


class Half:
    """One of the two answers, put together from its events.

    `seconds` is what it took without its waiting for the other one; `problem` what broke it off.
    """

    def __init__(self, route: Route) -> None:
        self.route = route
        self.hits: Sequence[Hit] = ()
        self.seconds = 0.0
        self.is_over = False
        self.problem: TutorError | None = None
        self._so_far = AnswerSoFar()

    def go_on(self, events: Iterable[Event]) -> Generator[Step, None, None]:
        """Take in what happens until a model is to be asked, or to the end."""
        begun = time.monotonic()
        try:
            for event in events:
                if isinstance(event, Retrieved):
                    self.hits = event.hits
                self._so_far.take(event)
                yield self, event
                if isinstance(event, Waiting) and event.stage is Stage.ASKING:
                    return
        except TutorError as error:
            self.problem = error
        finally:
            self.seconds += time.monotonic() - begun
        self.is_over = True
        yield self, None

    @property
    def answer(self) -> Answer:
        """The answer; if it was not finished, what came of it."""
        ending = Ending.BROKEN if self.problem else Ending.STOPPED
        nothing = Answer("", (), abstained=False, route=self.route, model=EXTRACTIVE, ending=ending)
        return self._so_far.answer(ending) or nothing


def turns_before(question: str, history: Sequence[Turn]) -> Sequence[Turn]:
    """What was said before a question was asked: asked again, it is no follow-up to itself."""
    asked = [place for place, turn in enumerate(history) if turn.question == question]
    return history[: asked[-1]] if asked else history


class SideBySide:
    """A question that both indexes are asked; `id` is that of what was saved of it, or None."""

    def __init__(self, workspace: Workspace, question: str) -> None:
        self.question = question
        self.halves = [Half(route) for route in ROUTES]
        self.id: int | None = None
        self._workspace = workspace

    def steps(self) -> Generator[Step, None, None]:
        """Quote the notes on both sides, then let a model answer: its server writes one at a time.

        Closing it stops the model; what came is saved all the same. Raises `SessionError`.
        """
        conversation = self._workspace.conversation
        history = turns_before(self.question, conversation.history if conversation else [])
        with self._workspace.using() as opened, ExitStack() as begun:
            begun.callback(self._save, opened)
            answers = [
                begun.enter_context(closing(answer(self.question, opened.agent, history, route)))
                for route in ROUTES
            ]
            for _stage in ("quotes", "model"):
                for half, events in zip(self.halves, answers, strict=True):
                    if not half.is_over:
                        yield from half.go_on(events)

    def _save(self, opened: OpenedCourse) -> None:
        """Keep both answers with the conversation, or with a new one, which may go on from them."""
        left, right = (half.answer for half in self.halves)
        if left.text.strip() or right.text.strip():
            conversation = self._workspace.begun_conversation(opened)
            session, add = conversation.session.id, self._workspace.sessions.add_comparison
            self.id = add(session, self.question, left, right)
            said = left if left.text.strip() and not left.abstained else right
            turn = Turn(
                self.question, self.question, said.text, said.abstained, said.remembered_start
            )
            conversation.remember(turn)


def pages_of(hits: Iterable[Hit]) -> Pages:
    """The pages that passages stand on."""
    return frozenset(
        (hit.source.id, page)
        for hit in hits
        for page in range(hit.chunk.first_page, hit.chunk.last_page + 1)
    )


def by_source(pages: Pages, hits: Iterable[Hit]) -> list[tuple[Source, list[int]]]:
    """Pages in order, under their documents in the order in which these were found."""
    sources = {hit.source.id: hit.source for hit in hits}
    return [
        (source, numbers)
        for identity, source in sources.items()
        if (numbers := sorted(page for one, page in pages if one == identity))
    ]
