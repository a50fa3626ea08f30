"""The sentences of the passages that may be quoted, each once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tutor.extractive.words import content_words, word_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tutor.types import Hit

SentenceSplitter: TypeAlias = "Callable[[str], list[tuple[int, int]]]"

MIN_WORDS = 5
MIN_LETTERS = 0.6
"""Share of letters among the visible characters below which a sentence is a formula or a table."""
SAME_SENTENCE = 0.8
"""Share of common words from which two sentences count as one (versions, overlapping windows)."""

_TERMINAL = (".", "!", "…", "»", '"', "”", ";", ".)")
LABEL = re.compile(
    r"(?:Definici[oó]n|Teorema|Proposici[oó]n|Lema|Propiedad|Regla|Definition|Theorem|Property)"
    r"[ \d.]*\(([^()\n]{2,80})\)[.:]"
)
"""What announces a statement; its group is what the statement is about."""
_OPENING = re.compile(r"[\W\d_]*[A-ZÁÉÍÓÚÜÑ]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a passage: `hit.chunk.text[start:end]`.

    `words` are its content words, `before` those of the sentence or heading before it, which
    often names what it speaks of.
    """

    hit: Hit
    start: int
    end: int
    words: frozenset[str]
    before: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The sentence as it stands in the passage."""
        return self.hit.chunk.text[self.start : self.end]


def quotable_sentences(hits: Sequence[Hit], split: SentenceSplitter) -> Iterator[Sentence]:
    """The whole statements of the passages, in their order."""
    for hit in hits:
        text = hit.chunk.text
        before, words = frozenset[str](), frozenset[str]()
        for start, end in _with_labels(text, split(text)):
            sentence = text[start:end]
            before, words = words, content_words(sentence)
            cut_before = start == 0 and hit.chunk.start > 0 and not _OPENING.match(sentence)
            if not cut_before and _is_quotable(sentence):
                yield Sentence(hit, start, end, words, before)


def _with_labels(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, a label such as "Definición (Entropía)." joined to what it announces."""
    labelled: int | None = None
    for start, end in spans:
        if LABEL.fullmatch(text, start, end):
            labelled = start if labelled is None else labelled
            continue
        yield (start if labelled is None else labelled), end
        labelled = None


def distinct(sentences: Iterable[Sentence]) -> list[Sentence]:
    """One of each group of sentences that say the same; of two versions the newer one stays."""
    kept: list[Sentence] = []
    for sentence in sentences:
        twin = next((i for i, other in enumerate(kept) if _same(sentence, other)), None)
        if twin is None:
            kept.append(sentence)
        elif _age(sentence.hit) > _age(kept[twin].hit):
            kept[twin] = sentence
    return kept


def _is_quotable(sentence: str) -> bool:
    """A whole statement: not a heading, a question, a formula's debris or a fragment."""
    letters = sum(map(str.isalpha, sentence))
    return (
        word_count(sentence) >= MIN_WORDS
        and letters >= MIN_LETTERS * len("".join(sentence.split()))
        and (sentence.endswith(_TERMINAL) or LABEL.match(sentence) is not None)
    )


def _same(one: Sentence, other: Sentence) -> bool:
    if one.text == other.text:
        return True
    union = len(one.words | other.words)
    return union > 0 and len(one.words & other.words) >= SAME_SENTENCE * union


def _age(hit: Hit) -> tuple[str, str]:
    day = hit.source.date
    return (day.isoformat() if day else "", hit.source.version or "")
