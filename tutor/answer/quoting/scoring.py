"""How well a statement answers a question: meaning by its vector, wording by its words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tutor.answer.quoting.definitions import DefinitionQuestion
from tutor.answer.quoting.excerpts import ADDRESS, LEAST_LETTERS
from tutor.answer.quoting.kinds import AnswerKind
from tutor.answer.quoting.words import content_words, question_words
from tutor.model import BlockKind
from tutor.text.language import detect_language
from tutor.text.rows import BETWEEN_CELLS, cells_of
from tutor.text.translations import question_language

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Excerpt
    from tutor.embedding.embedder import Embedder
    from tutor.model import Statement


class Signals(NamedTuple):
    """What is known of a statement as an answer; all but the cosine from 0 to 1."""

    cosine: float
    """Of the question's vector and the statement's."""
    here: float
    """The share of the question's words, by their rarity, that the statement holds."""
    near: float
    """The share that stands only elsewhere in its excerpt, or in the heading above."""
    title: float
    """How alike the words of the heading and of the question are (Jaccard index)."""
    foreign: float
    """Whether the excerpt is in another language: E5 puts texts of one language nearer to each
    other, and words are not shared between two."""
    rank: float
    """1 / (1 + r) in the passage of rank r."""
    code: float
    """Whether the excerpt is nothing but code, whose words coincide by chance."""
    headed: float
    """Whether the excerpt is the definition, headed by the term, of what is asked for."""
    says: float
    """Whether the statement says of what is asked for what it is."""
    reason: float
    """Whether it gives a reason where one is asked for."""
    formula: float
    """Whether the excerpt holds a formula where one is asked for."""
    named: float
    """Whether it is a table's row whose first cell the question names."""
    example: float
    """Whether the excerpt is called an example where one is asked for."""
    listed: float
    """Whether the excerpt holds a list where steps, types, advantages … are asked for."""
    above: float
    """The share of the question's words that stand only in the title of the document, or in the
    headings over that above the excerpt."""


# Cosines of E5 models live in a narrow band, about 0.75 to 0.92.
WEIGHTS = Signals(1, 0.08, 0.15, 0.06, 0.07, 0.13, -0.07, 0.2, 0.03, 0.05, 0.04, 0, 0.08, 0.03, 0.1)
"""How much a statement says for its excerpt: fitted by `scripts/fit_quotes.py`. What heads a
definition is made to weigh more than any likeness."""
OWN_WEIGHTS = Signals(1, 0.12, 0, 0, 0, 0, 0, 0.2, 0.03, 0.05, 0.04, 0.05, 0, 0, 0)
"""How much it says beside the other statements of its excerpt."""
OPENING = 0.1
"""What begins the section of what is asked for comes first if it is at most so far behind."""
NEAR = 0.045
"""Statements of an excerpt whose evidence is this much below its best one's go with it."""
_SHOWN = frozenset({BlockKind.CODE, BlockKind.TABLE, BlockKind.CAPTION})
MOST_CHARS = 1200
"""A longer statement is a listing."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An excerpt, its best statement, the evidence of the excerpt and the statement's cosine.

    `company` are the statements that are nearly as good, in their order, the best one among them.
    """

    excerpt: Excerpt
    statement: Statement
    evidence: float
    cosine: float
    company: tuple[Statement, ...]


def scored(
    questions: Sequence[str], excerpts: Sequence[Excerpt], embedder: Embedder
) -> list[Scored]:
    """The excerpts with their evidence, the best first. Raises `EmbedderError`.

    Of several forms of a question, as typed and in its conversation, the mean counts.
    """
    found = signals(questions, excerpts, embedder)
    entries = [
        _scored(excerpt, [statement for statement, _values in told], [v for _s, v in told])
        for excerpt, told in zip(excerpts, found, strict=True)
        if told
    ]
    return sorted(_openings_first(questions, entries), key=lambda entry: -entry.evidence)


def _openings_first(questions: Sequence[str], entries: Sequence[Scored]) -> Iterator[Scored]:
    """The entries; what begins to tell what something is, if asked for, is as good as the best."""
    asked = list(filter(None, map(DefinitionQuestion.asked_for, questions)))
    best = max((entry.evidence for entry in entries), default=0.0)
    for entry in entries:
        part, raised = entry.excerpt, entry.evidence + OPENING
        opens = part.opens and not part.kinds <= _SHOWN and raised > best
        if opens and any(definition.names(part.title) for definition in asked):
            yield replace(entry, evidence=float(np.nextafter(best, np.inf)))
        else:
            yield entry


def signals(
    questions: Sequence[str], excerpts: Sequence[Excerpt], embedder: Embedder
) -> list[list[tuple[Statement, Signals]]]:
    """Of each excerpt the statements that can answer anything, and their signals.

    Raises `EmbedderError`.
    """
    stated = [[s for s in excerpt.statements() if _is_evidence(s)] for excerpt in excerpts]
    words = [statement.words for own in stated for statement in own]
    if not words:
        return [[] for _excerpt in excerpts]
    asked = [_Question(question, excerpts) for question in questions]
    vectors = embedder.embed_passages(words)
    cosines = np.stack(
        [np.einsum("ij,j->i", vectors, vector) for vector in embedder.embed_queries(questions)]
    )
    columns = iter(cosines.T)
    return [
        [(said, _mean(asked, excerpt, said, next(columns))) for said in own]
        for excerpt, own in zip(excerpts, stated, strict=True)
    ]


def _mean(
    asked: Sequence[_Question], excerpt: Excerpt, said: Statement, cosines: Sequence[float]
) -> Signals:
    forms = [
        question.signals(excerpt, said, float(cosine))
        for question, cosine in zip(asked, cosines, strict=True)
    ]
    return forms[0] if len(forms) == 1 else Signals(*map(fmean, zip(*forms, strict=True)))


class _Question:
    """A question, and how much each of its words tells among the given excerpts."""

    def __init__(self, text: str, excerpts: Sequence[Excerpt]) -> None:
        language = question_language(text)
        self._forms = question_words(text, language)
        self._words = frozenset(self._forms.values())
        self._definition = DefinitionQuestion.asked_for(text)
        self._asked = AnswerKind(text)
        self._foreign = {id(e): detect_language(e.text) != language for e in excerpts}
        held = [self._words_in(f"{e.title}\n{e.text}") for e in excerpts]
        # Inverse document frequency over the excerpts: a word that none of them has weighs most.
        self._weights = {
            word: math.log(1 + len(excerpts) / (0.5 + sum(word in words for words in held)))
            for word in self._words
        }
        self._held = dict(zip(map(id, excerpts), held, strict=True))

    def signals(self, excerpt: Excerpt, statement: Statement, cosine: float) -> Signals:
        """Those of a statement, given its cosine."""
        here = self._words_in(statement.words)
        near = self._held[id(excerpt)] - here
        titled, title = self._words_in(excerpt.title), content_words(excerpt.title)
        definition = self._definition
        headed = definition is not None and definition.heads(excerpt.text)
        return Signals(
            cosine=cosine,
            here=self._share(here),
            near=self._share(near),
            title=len(titled) / max(1, len(self._words) + len(title) - len(titled)),
            foreign=self._foreign[id(excerpt)],
            rank=1 / (1 + excerpt.hit.rank),
            code=excerpt.kinds == {BlockKind.CODE},
            headed=headed,
            says=not headed and definition is not None and definition.says(statement.words),
            reason=self._asked.for_reason(statement.words),
            formula=self._asked.for_formula(excerpt.text),
            named=self._names(excerpt, statement),
            example=self._asked.for_example(excerpt.title, excerpt.text),
            listed=self._asked.for_list(excerpt.kinds),
            above=self._share(self._words_in(excerpt.above) - self._held[id(excerpt)]),
        )

    def _share(self, words: Iterable[str]) -> float:
        return sum(self._weights[word] for word in words) / (sum(self._weights.values()) or 1.0)

    def _names(self, excerpt: Excerpt, statement: Statement) -> bool:
        if BETWEEN_CELLS not in statement.words:
            return False
        first, *_rest = cells_of(excerpt.document.text[statement.start : statement.end])
        return bool(self._words_in(first))

    def _words_in(self, text: str) -> frozenset[str]:
        """Those of the question's words that a text holds."""
        return frozenset(self._forms[form] for form in content_words(text) & self._forms.keys())


def _scored(excerpt: Excerpt, statements: Sequence[Statement], values: Sequence[Signals]) -> Scored:
    table = np.array(values)
    own = table @ np.array(OWN_WEIGHTS)
    near = tuple(s for s, value in zip(statements, own, strict=True) if value >= own.max() - NEAR)
    evidence = float((table @ np.array(WEIGHTS)).max())
    best = int(own.argmax())
    return Scored(excerpt, statements[best], evidence, values[best].cosine, near)


def _is_evidence(statement: Statement) -> bool:
    """Whether a statement can answer anything."""
    letters = sum(map(str.isalpha, ADDRESS.sub("", statement.words)))
    told = letters >= LEAST_LETTERS and len(statement.words) <= MOST_CHARS
    row = BETWEEN_CELLS in statement.words
    return told and (row or not statement.words.endswith("?"))
