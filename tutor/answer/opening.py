"""The first words of a model's reply, held back until they are an answer: neither a refusal nor
what the quotes above it say already.
"""

from __future__ import annotations

import re

from tutor.answer.verification.remarks import declares_not_covered
from tutor.text.folding import folded

_MAY_DECLINE = re.compile(
    r"\W*(?:no?|(?:lo\w*|la\w*|th\w*|el)(?:\s+(?:ap|pas|not|text|prov)\w*.*)?)?\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of "NO.", or of a sentence on what "the passages" or "the notes" say."""
_SENTENCE = re.compile(r"[.!?]\s|\n")
_WORD = re.compile(r"\w+")
_WHOLE_WORD = re.compile(r"\w+(?=\W)")
_LONGEST = 300


class Opening:
    """Lets a reply through once it is plain that it neither declines nor repeats the quotes.

    `quoted` is what stands above it; a word that is not there lets it through, or its length.
    """

    def __init__(self, quoted: str = "") -> None:
        self._held: str | None = ""
        self._quoted = frozenset(_WORD.findall(folded(quoted)))
        self._longest = len(quoted)

    def feed(self, piece: str) -> str:
        """Take in the next piece; returns what can be shown."""
        if self._held is None:
            return piece
        self._held += piece
        undecided = _MAY_DECLINE.match(self._held) and not _SENTENCE.search(self._held)
        if (undecided or self.declines) and len(self._held) < _LONGEST:
            return ""
        said = _WHOLE_WORD.findall(folded(self._held))
        if len(self._held) <= self._longest and self._quoted.issuperset(said):
            return ""
        return self.rest()

    def rest(self) -> str:
        """What is still held back, which is let through."""
        held, self._held = self._held or "", None
        return held

    @property
    def declines(self) -> bool:
        """Whether all there is says that there is no answer."""
        said = (self._held or "").strip(" \n\t.\"'«»*!¡").casefold()
        return said == "no" or (bool(said) and declares_not_covered(self._held or ""))

    @property
    def repeated(self) -> str:
        """All there is, where each of its words stands in the quotes; empty otherwise."""
        held = self._held or ""
        return held if self._quoted.issuperset(_WORD.findall(folded(held))) else ""
