"""A model's words, as they come: first held back until they are an answer (`Opening`), then
without the model's own marks, each sentence checked once it is whole (`SentenceStream`).

What is released is never taken back: the text of all tokens is the text of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tutor.answer.verification.markers import strip_markers
from tutor.answer.verification.remarks import declares_not_covered
from tutor.answer.verification.verify import CheckedSentence
from tutor.text.folding import folded
from tutor.text.sentences import split_sentences

_MAY_DECLINE = re.compile(
    r"\W*(?:no?|(?:lo\w*|la\w*|th\w*|el)(?:\s+(?:ap|pas|not|text|prov)\w*.*)?)?\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of "NO.", or of a sentence on what "the passages" or "the notes" say."""
_SENTENCE = re.compile(r"[.!?]\s|\n")
_WORD = re.compile(r"\w+")
_WHOLE_WORD = re.compile(r"\w+(?=\W)")
_LONGEST = 300
_FENCE = "```"
_SOURCES_WORDS = ("fuente", "fuentes", "referencia", "referencias", "source", "sources")
_SOURCES_LINE = re.compile(
    rf"\n(?:[^\w\n]|_)*(?:{'|'.join(_SOURCES_WORDS)})[^\w:\n]*(?::|$)", re.IGNORECASE
)
"""Where a list of sources may begin that a model writes under its answer; ours replaces it."""
_LINE_BEGUN = re.compile(r"\n(?:[^\w\n]|_)*(\w+)$")
_BEGUN = (
    re.compile(r"[\[(【][^\])】\n]{0,40}$"),
    re.compile(r"\n[^\S\n]*\S{0,20}$"),
)
"""What may become a mark, and the first characters of a line, which may become the next item of a
list: that ends the sentence before it.
"""


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


class SentenceStream:
    """Turns pieces into released text and checked statements.

    `check` compares the sentences of a text with the passages. `text` is everything released,
    `statements` what was found of its sentences, with offsets in `text`.
    """

    def __init__(self, check: Callable[[str], Sequence[CheckedSentence]]) -> None:
        self._check = check
        self.text = ""
        self.statements: list[CheckedSentence] = []
        self._raw = ""  # since the last boundary
        self._shown = 0  # characters of the stripped `_raw` that were released
        self._consumed = 0  # characters of `_raw` that they stand for

    def feed(self, piece: str) -> Iterator[str | CheckedSentence]:
        """Take in a piece; yields the text to show, and statements once theirs was yielded."""
        self._raw += piece
        while (boundary := self._boundary()) is not None:
            yield from self._release(boundary)
        yield from self._show(self._raw[: self._safe_end()])

    def close(self) -> Iterator[str | CheckedSentence]:
        """The model has ended."""
        yield from self._release(len(self._raw.rstrip()) if self._raw.strip() else 0)

    def _fences_closed(self) -> bool:
        return self._raw.count(_FENCE) % 2 == 0

    def _sources_begin(self) -> int:
        """Where a list of sources may begin in what is not released yet; its end if nowhere."""
        line_break = "" if self.text else "\n"
        found = _SOURCES_LINE.search(line_break + self._raw)
        begun = _LINE_BEGUN.search(line_break + self._raw)
        if begun and any(word.startswith(begun[1].lower()) for word in _SOURCES_WORDS):
            found = found or begun
        return max(0, found.start() - len(line_break)) if found else len(self._raw)

    def _safe_end(self) -> int:
        """Up to where nothing that comes can change what is there."""
        if not self._fences_closed():
            return len(self._raw)
        begun = [found for begin in _BEGUN if (found := begin.search(self._raw))]
        end = min(*(found.start() for found in begun), self._sources_begin(), len(self._raw))
        return len(self._raw[:end].rstrip())

    def _boundary(self) -> int | None:
        """Where the first whole sentence ends, if the next one has begun.

        What was shown of it stays in it, whatever the text after it makes of it.
        """
        if not self._fences_closed() or self._sources_begin() < len(self._raw):
            return None
        ends = (end for _start, end in split_sentences(self._raw)[:-1])
        return next((end for end in ends if end >= self._consumed), None)

    def _release(self, end: int) -> Iterator[str | CheckedSentence]:
        segment, self._raw = self._raw[:end], self._raw[end:]
        start = len(self.text) - self._shown
        yield from self._show(segment)
        if self._consumed < len(segment):
            rest = _clean(segment[self._consumed :])
            if rest:
                self.text += rest
                yield rest
        self._shown = self._consumed = 0
        sentence = self.text[start:]
        for statement in self._check(sentence) if sentence.strip() else ():
            moved = replace(statement, start=statement.start + start, end=statement.end + start)
            self.statements.append(moved)
            yield moved

    def _show(self, raw: str) -> Iterator[str]:
        """Release what the raw text adds to what was shown of this sentence."""
        clean = _clean(raw)
        shown = self.text[len(self.text) - self._shown :] if self._shown else ""
        if len(clean) > self._shown and clean.startswith(shown):
            new = clean[self._shown :]
            self._shown, self._consumed = len(clean), len(raw)
            self.text += new
            yield new


def _clean(raw: str) -> str:
    """Without the model's marks; the white space that parts it from what came before stays."""
    text = raw.lstrip()
    return raw[: len(raw) - len(text)] + strip_markers(text).rstrip() if text else ""
