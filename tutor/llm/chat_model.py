"""What every language model offers, as a protocol; its whole answer for who needs no pieces."""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from typing import Any, Protocol

from tutor.events import Reasoning, Token, Waiting
from tutor.model import Message, Usage

_LONGEST = 20_000
"""Characters."""


class ChatModel(Protocol):
    """A language model that answers in pieces."""

    @property
    def name(self) -> str:
        """The model's name on its server."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and answer may have together, the same in every request."""
        ...

    @property
    def parameters(self) -> int:
        """How many it has; 0 where that is not known."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        """Yield the answer piece by piece; closing the generator stops the model.

        While there is nothing new, `Waiting` comes a few times a second, so that whoever listens
        can stop it. `max_tokens` is the longest answer (None: as configured), `schema` a JSON
        schema that the whole answer must obey. Returns the server's own figures.
        Raises `EngineError`, also in mid-answer; `ContextOverflowError` when the prompt is too
        long.
        """
        ...


def whole_reply(
    model: ChatModel,
    messages: Sequence[Message],
    *,
    max_tokens: int,
    schema: Mapping[str, Any] | None = None,
    longest_s: float = math.inf,
) -> str:
    """All that a model says, stopped soon after `_LONGEST` characters; nothing where it takes more
    than `longest_s` seconds. Raises `EngineError`.
    """
    text, until = "", time.monotonic() + longest_s
    with closing(model.stream(messages, max_tokens=max_tokens, schema=schema)) as events:
        for event in events:
            text += event.text if isinstance(event, Token) else ""
            if time.monotonic() > until:
                return ""
            if len(text) > _LONGEST:
                break
    return text
