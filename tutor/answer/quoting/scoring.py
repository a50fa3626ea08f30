"""How well a statement answers a question: meaning by its vector, wording by its words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tutor.answer.quoting.definitions import Definition
from tutor.answer.quoting.words import content_words
from tutor.model import BlockKind
from tutor.text.language import detect_language

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Excerpt
    from tutor.embedding.embedder import Embedder
    from tutor.model import Statement

LEXICAL_WEIGHT = 0.12
"""Cosines of E5 models live in a narrow band, about 0.75 to 0.92; this makes the share of shared
words (0 to 1) worth about as much."""
CONTEXT_SHARE = 0.5
"""What a word counts that stands not in the statement but elsewhere in its excerpt, or above it."""
FOREIGN_GAIN = 0.04
"""What an excerpt in another language than the question gains: E5 puts texts of one language
nearer to each other, and words are not shared between two."""
CODE_LOSS = 0.06
"""What code loses: it is quoted where nothing is nearly as good, seldom because words coincide."""
RANK_WEIGHT = 0.08
"""What it is worth to stand in the passage of rank r: this, divided by 1 + r."""
LEAST_LETTERS = 16
"""What has fewer is no evidence by itself."""
NEAR = 0.045
"""Statements of an excerpt whose evidence is this much below its best one's go with it."""
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
"""A list of them answers nothing."""
MOST_CHARS = 1200
"""A longer statement is a listing."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An excerpt, its best statement and the evidence of both.

    `company` are the statements that are nearly as good, in their order, the best one among them.
    """

    excerpt: Excerpt
    statement: Statement
    evidence: float
    company: tuple[Statement, ...]


def scored(
    questions: Sequence[str], excerpts: Sequence[Excerpt], embedder: Embedder
) -> list[Scored]:
    """The excerpts with their evidence, the best first. Raises `EmbedderError`.

    Of several forms of a question, as typed and in its conversation, the mean counts.
    """
    stated = [
        (excerpt, statement)
        for excerpt in excerpts
        for statement in excerpt.statements()
        if _is_evidence(statement)
    ]
    if not stated:
        return []
    vectors = embedder.embed_passages([statement.words for _excerpt, statement in stated])
    asked = [_Question(question, excerpts) for question in questions]
    told: dict[int, list[tuple[float, Statement]]] = {}
    cosines = [np.einsum("ij,j->i", vectors, v) for v in embedder.embed_queries(questions)]
    for place, (excerpt, statement) in enumerate(stated):
        values = [
            question.evidence(excerpt, statement, float(of_question[place]))
            for question, of_question in zip(asked, cosines, strict=True)
        ]
        told.setdefault(id(excerpt), []).append((sum(values) / len(values), statement))
    entries = [_scored(e, told[id(e)]) for e in excerpts if id(e) in told]
    return sorted(entries, key=lambda entry: -entry.evidence)


class _Question:
    """A question, and how much each of its words tells among the given excerpts."""

    def __init__(self, text: str, excerpts: Sequence[Excerpt]) -> None:
        self._words = content_words(text)
        self._definition = Definition.asked_for(text)
        language = detect_language(text)
        self._foreign = {id(e): detect_language(e.text) != language for e in excerpts}
        held = [content_words(f"{e.title}\n{e.text}") for e in excerpts]
        # Inverse document frequency over the excerpts: a word that none of them has weighs most.
        self._weights = {
            word: math.log(1 + len(excerpts) / (0.5 + sum(word in words for words in held)))
            for word in self._words
        }
        self._held = dict(zip(map(id, excerpts), held, strict=True))

    def evidence(self, excerpt: Excerpt, statement: Statement, cosine: float) -> float:
        """How well a statement answers, given the cosine of both."""
        foreign = FOREIGN_GAIN if self._foreign[id(excerpt)] else 0.0
        rank = RANK_WEIGHT / (1 + excerpt.hit.rank)
        code = CODE_LOSS if excerpt.kinds == {BlockKind.CODE} else 0.0
        overlap = LEXICAL_WEIGHT * self._overlap(excerpt, statement)
        defining = self._definition.gain(excerpt.text, statement.words) if self._definition else 0.0
        return cosine + overlap + foreign + rank + defining - code

    def _overlap(self, excerpt: Excerpt, statement: Statement) -> float:
        whole = sum(self._weights.values())
        here = self._words & content_words(statement.words)
        near = (self._words & self._held[id(excerpt)]) - here
        shared = sum(self._weights[word] for word in here)
        shared += CONTEXT_SHARE * sum(self._weights[word] for word in near)
        return shared / whole if whole else 0.0


def _scored(excerpt: Excerpt, told: Sequence[tuple[float, Statement]]) -> Scored:
    evidence, best = max(told, key=lambda entry: entry[0])
    near = tuple(s for value, s in told if value >= evidence - NEAR)
    return Scored(excerpt, best, evidence, near)


def _is_evidence(statement: Statement) -> bool:
    """Whether a statement can answer anything."""
    letters = sum(map(str.isalpha, _ADDRESS.sub("", statement.words)))
    told = letters >= LEAST_LETTERS and len(statement.words) <= MOST_CHARS
    return told and not statement.words.endswith("?")
