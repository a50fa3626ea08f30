"""Tells a model's reasoning from its answer where both come in one text."""

from __future__ import annotations

from collections.abc import Iterator

from tutor.events import Reasoning, Token

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkingSplitter:
    """Splits off what a text says between `<think>` and `</think>` at its very beginning.

    The text comes in pieces of any length, so a tag may be split over several of them; only
    what may still become a tag is held back. Elsewhere in the text the tags are plain text.
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = self._beginning

    def feed(self, text: str) -> Iterator[Reasoning | Token]:
        """What is certain after the next piece."""
        self._held += text
        state = None
        while state is not self._state:
            state = self._state
            yield from state()

    def flush(self) -> Iterator[Reasoning | Token]:
        """What was still held back, when no more will come."""
        rest, self._held = self._held, ""
        if rest:
            yield Reasoning(rest) if self._state == self._thinking else Token(rest)

    def _beginning(self) -> Iterator[Reasoning | Token]:
        text = self._held.lstrip()
        if text.startswith(_OPEN):
            self._held = text[len(_OPEN) :]
            self._state = self._thinking
        elif not _OPEN.startswith(text):
            self._state = self._answer
        yield from ()

    def _thinking(self) -> Iterator[Reasoning | Token]:
        before, close, after = self._held.partition(_CLOSE)
        if close:
            self._held = after
            self._state = self._gap
        else:
            certain = len(self._held) - _tail_of_tag(self._held)
            before, self._held = self._held[:certain], self._held[certain:]
        if before:
            yield Reasoning(before)

    def _gap(self) -> Iterator[Reasoning | Token]:
        self._held = self._held.lstrip()
        if self._held:
            self._state = self._answer
        yield from ()

    def _answer(self) -> Iterator[Reasoning | Token]:
        text, self._held = self._held, ""
        if text:
            yield Token(text)


def _tail_of_tag(text: str) -> int:
    """How many of the last characters may be the beginning of the closing tag."""
    longest = min(len(text), len(_CLOSE) - 1)
    return next((n for n in range(longest, 0, -1) if _CLOSE.startswith(text[-n:])), 0)
