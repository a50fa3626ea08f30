"""How well a sentence answers a question: meaning by its vector, wording by its words."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.extractive.sentences import LABEL
from tutor.extractive.words import content_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tutor.extractive.sentences import Sentence
    from tutor.ports import Embedder

SHORTLIST = 12
"""Sentences that are embedded to answer one question; each costs some 15 ms on a laptop's CPU."""
LEXICAL_WEIGHT = 0.12
"""Cosines of E5 models live in a narrow band, about 0.75 to 0.92; this makes the share of shared
words (0 to 1) worth about as much."""
CONTEXT_SHARE = 0.5
"""What a word counts that stands not in the sentence but in the one before it."""
DEFINITION_BONUS = 0.04

_DEFINING = re.compile(
    r"\b(es (un|una|el|la|aquel|aquella)|son (un|una|los|las)|se (define|llama|denomina|conoce)|"
    r"consiste en|is (a|an|the)|are (a|the)|refers to|is (called|defined))\b",
    re.IGNORECASE,
)
_ASKS_FOR_DEFINITION = re.compile(
    r"^\W*(qu[eé] (es|son|significa|se entiende)|defin|what (is|are|does)|define)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence and its evidence. `overlap` is the weighted share of the question's words.

    `foreign` sentences are in another language than the question: their words say little.
    """

    sentence: Sentence
    foreign: bool
    cosine: float
    overlap: float
    bonus: float

    @property
    def evidence(self) -> float:
        """What sentences are ranked by."""
        return self.cosine + LEXICAL_WEIGHT * self.overlap + self.bonus


class Question:
    """A question, and how much each of its words tells among the given sentences."""

    def __init__(
        self, text: str, sentences: Sequence[Sentence], language_of: Callable[[str], str]
    ) -> None:
        self._text = text
        language = language_of(text)
        self._foreign = {
            s.hit.chunk.id: language_of(s.hit.chunk.text) != language for s in sentences
        }
        self._words = content_words(text)
        self._definition = bool(_ASKS_FOR_DEFINITION.match(text))
        # Inverse document frequency over the passages: a word that none of them has weighs most.
        self._weights = {
            word: math.log(1 + len(sentences) / (0.5 + sum(word in s.words for s in sentences)))
            for word in self._words
        }

    def shortlist(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences worth embedding: that share words with the question or are foreign to it.

        Those that share most come first, then those of the better passages. All of them serve
        where there is none such.
        """
        worth = [s for s in sentences if s.words & self._words or self._foreign[s.hit.chunk.id]]
        worth.sort(key=lambda sentence: -self._overlap(sentence))
        return (worth or list(sentences))[:SHORTLIST]

    def score(self, sentences: Sequence[Sentence], embedder: Embedder) -> list[Scored]:
        """The sentences with their evidence, in the order given. Raises `EmbedderError`."""
        if not sentences:
            return []
        asked = embedder.embed_queries([self._text])[0]
        cosines = embedder.embed_passages([sentence.text for sentence in sentences]) @ asked
        return [
            Scored(
                sentence,
                self._foreign[sentence.hit.chunk.id],
                float(cosine),
                self._overlap(sentence),
                self._bonus(sentence),
            )
            for sentence, cosine in zip(sentences, cosines, strict=True)
        ]

    def _overlap(self, sentence: Sentence) -> float:
        whole = sum(self._weights.values())
        here = self._words & sentence.words
        near = (self._words & sentence.before) - here if here else frozenset[str]()
        shared = sum(self._weights[word] for word in here)
        shared += CONTEXT_SHARE * sum(self._weights[word] for word in near)
        return shared / whole if whole else 0.0

    def _bonus(self, sentence: Sentence) -> float:
        """A question for a definition is answered by a sentence that begins with its subject."""
        if not self._definition or not self._words:
            return 0.0
        label = LABEL.match(sentence.text)
        defining = label or _DEFINING.search(sentence.text)
        if not defining:
            return 0.0
        subject = content_words(label[1] if label else sentence.text[: defining.start()])
        fits = self._words <= subject and len(subject) <= len(self._words) + 3
        return DEFINITION_BONUS if fits else 0.0
