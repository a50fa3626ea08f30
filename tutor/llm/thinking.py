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
        self._text = ""
        self._thought = ""
        self._answering = False

    def feed(self, text: str) -> Iterator[Reasoning | Token]:
        """What is certain after the next piece."""
        if not self._answering:
            self._text += text
            yield from self._new(*_parted(self._text, is_complete=False))
        elif text:
            yield Token(text)

    def flush(self) -> Iterator[Reasoning | Token]:
        """What was still held back, when no more will come."""
        if not self._answering:
            yield from self._new(*_parted(self._text, is_complete=True))

    def _new(self, thought: str, answer: str) -> Iterator[Reasoning | Token]:
        if added := thought[len(self._thought) :]:
            self._thought = thought
            yield Reasoning(added)
        if answer:
            self._answering = True
            yield Token(answer)


def _parted(text: str, *, is_complete: bool) -> tuple[str, str]:
    """What is certainly reasoning and what is certainly the answer."""
    beginning = text.lstrip()
    if not beginning.startswith(_OPEN):
        may_become_tag = _OPEN.startswith(beginning) and not is_complete
        return "", "" if may_become_tag else text
    thought, close, answer = beginning.removeprefix(_OPEN).partition(_CLOSE)
    if not close and not is_complete:
        longest = min(len(thought), len(_CLOSE) - 1)
        held = next((n for n in range(longest, 0, -1) if _CLOSE.startswith(thought[-n:])), 0)
        return thought[: len(thought) - held], ""
    return thought, answer.lstrip()
