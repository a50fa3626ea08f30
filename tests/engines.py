"""A scripted language model."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from tutor.errors import EngineError
from tutor.events import Reasoning, Token, Waiting
from tutor.model import Message, Usage


class ScriptedEngine:
    """A language model that says what it is told to; an exception among the pieces is raised."""

    name = "scripted"
    context_tokens = 4096
    parameters = 0

    def __init__(self, *events: Waiting | Reasoning | Token | EngineError) -> None:
        self._events = events
        self.asked: list[tuple[Sequence[Message], int | None, Any]] = []
        self.stopped = False

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        self.asked.append((messages, max_tokens, schema))
        try:
            for event in self._events:
                if isinstance(event, EngineError):
                    raise event
                yield event
        except GeneratorExit:
            self.stopped = True
            raise
        return Usage("length", prompt_tokens=12, answer_tokens=5)
