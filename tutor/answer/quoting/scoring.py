"""How well a statement answers a question: meaning by its vector, wording by its words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tutor.answer.asked import AnswerKind, AskedTerm, sides
from tutor.answer.quoting.excerpts import RELATES, answering
from tutor.model import BlockKind
from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.paragraphs import unnumbered
from tutor.text.terms import (
    content_words,
    content_words_of_both,
    numbered,
    question_language,
    question_numbers,
    question_words,
)
from tutor.text.words import OF_ANY_SUBJECT

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Excerpt
    from tutor.embedding.embedder import Embedder
    from tutor.model import Statement


class Signals(NamedTuple):
    """What is known of a statement as an answer; all but the cosine from 0 to 1."""

    cosine: float
    """Of the question's vector and the statement's, raised by `FOREIGN` across languages."""
    here: float
    """The share of the question's words, by their rarity, that the statement holds."""
    near: float
    """The share that stands only beside it in its excerpt, or in the heading above."""
    title: float
    """How alike the words of the heading and of the question are (Jaccard index)."""
    rank: float
    """1 / (1 + r) in the passage of rank r."""
    code: float
    """Whether the excerpt is nothing but code, whose words coincide by chance, and none is asked
    for."""
    called: float
    """Whether the question calls the statement by its number ("exercise 4")."""
    formula: float
    """Whether the excerpt holds a formula where one is asked for."""
    example: float
    """Whether the excerpt is called an example where one is asked for."""
    listed: float
    """Whether the excerpt holds a list where steps, types, advantages … are asked for."""
    above: float
    """The share of the question's words that stand only in the title of the document, or in the
    headings over that above the excerpt."""
    coded: float
    """Whether the excerpt holds code where code is asked for."""
    headed: float
    """Whether the excerpt or the statement is a definition headed by the term asked for."""


# Cosines of E5 models live in a narrow band, about 0.75 to 0.92.
WEIGHTS = Signals(1, 0.08, 0.15, 0.06, 0.13, -0.07, 0.2, 0.04, 0.08, 0.03, 0.1, 0.1, 0.2)
"""How much a statement says for its excerpt: fitted by `scripts/fit_quotes.py`."""
OPENING = 0.1
"""What begins the section of what is asked for comes first if it is at most so far behind."""
WORDS = 0.12
"""What its words weigh where a statement's cosine weighs 1, beside the others of its excerpt."""
BESIDE = 300
"""Characters: what stands farther away in a long list or table tells nothing of a statement."""
OF_ANY = content_words(" ".join(OF_ANY_SUBJECT))
_STEPS = content_words("paso punto inciso apartado step point item")
"""What the items of any list may be called."""
_PARTS = content_words("seccion capitulo apartado tema punto parte section chapter part")
"""What stands under a heading with a number may be called."""
_MARK = re.compile(r"\(?(\d{1,2}(?:\.\d{1,2})*)[.)]? ")
_LABEL = re.compile(r"\W*([^\W\d_]+ [\w.]+)")
_EXAMPLE = re.compile(r"\b(?:ejemplos?|examples?)\b")
_LABELLED = re.compile(rf"\W*{_EXAMPLE.pattern}")
_SEVERAL = re.compile(r"[^\W\d_]+s\b")
FOREIGN = 0.02
"""What statements in another language than the question's are behind by for that alone: E5 models
put texts of one language nearer to each other."""
NEAR = 0.045
"""Statements of an excerpt whose evidence is this much below its best one's go with it."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An excerpt, its best statement, the evidence of the excerpt and the statement's cosine.

    `company` are the statements that are nearly as good, in their order, the best one among them.
    `listed`: whether several things are asked for, and the excerpt lists some; `several`: whether
    they are; `compared`: whether things are.
    """

    excerpt: Excerpt
    statement: Statement
    evidence: float
    cosine: float
    company: tuple[Statement, ...]
    listed: bool
    several: bool
    compared: bool


def scored(
    questions: Sequence[str], excerpts: Sequence[Excerpt], embedder: Embedder
) -> list[Scored]:
    """The excerpts with their evidence, the best first. Raises `EmbedderError`.

    Of several forms of a question, as typed and in its conversation, the mean counts.
    """
    asked = [_Question(question, excerpts) for question in questions]
    found = _signals(asked, questions, excerpts, embedder)
    several = any(AnswerKind.of(question).several for question in questions)
    compared = any(map(sides, questions))
    entries = [
        _scored(excerpt, own, several=several, compared=compared)
        for excerpt, own in zip(excerpts, found, strict=True)
        if own
    ]
    return sorted(_openings_first(asked, entries), key=lambda entry: -entry.evidence)


def _openings_first(asked: Sequence[_Question], entries: Sequence[Scored]) -> Iterator[Scored]:
    """The entries; what begins the section of what is asked for is as good as the best."""
    best = max((entry.evidence for entry in entries), default=0.0)
    for entry in entries:
        opens = entry.excerpt.opens and entry.evidence + OPENING > best
        title = unnumbered(entry.excerpt.title)
        if opens and any(one.term and one.term.names(title) for one in asked):
            yield replace(entry, evidence=float(np.nextafter(best, np.inf)))
        else:
            yield entry


def signals(
    questions: Sequence[str], excerpts: Sequence[Excerpt], embedder: Embedder
) -> list[list[tuple[Statement, Signals]]]:
    """Of each excerpt the statements that can answer anything, and their signals.

    Raises `EmbedderError`.
    """
    asked = [_Question(question, excerpts) for question in questions]
    return _signals(asked, questions, excerpts, embedder)


def _signals(
    asked: Sequence[_Question],
    questions: Sequence[str],
    excerpts: Sequence[Excerpt],
    embedder: Embedder,
) -> list[list[tuple[Statement, Signals]]]:
    stated = [
        answering(
            excerpt, [s for s in excerpt.statements() if any(q.called(excerpt, s) for q in asked)]
        )
        for excerpt in excerpts
    ]
    words = [statement.words for own in stated for statement in own]
    if not words:
        return [[] for _excerpt in excerpts]
    vectors = embedder.embed_passages(words)
    cosines = np.stack(
        [np.einsum("ij,j->i", vectors, vector) for vector in embedder.embed_queries(questions)]
    )
    found, start = [], 0
    for excerpt, own in zip(excerpts, stated, strict=True):
        end = start + len(own)
        forms = [
            question.signals(excerpt, own, values[start:end].tolist())
            for question, values in zip(asked, cosines, strict=True)
        ]
        means = (Signals(*map(fmean, zip(*same, strict=True))) for same in zip(*forms, strict=True))
        found.append(list(zip(own, means, strict=True)))
        start = end
    return found


def _is_example(excerpt: Excerpt) -> bool:
    """Whether an excerpt, or the heading above it, is called an example."""
    titled = _EXAMPLE.search(folded(excerpt.title)) is not None
    return titled or _LABELLED.match(folded(excerpt.text)) is not None


class _Question:
    """A question, and how much each of its words tells among the given excerpts."""

    def __init__(self, text: str, excerpts: Sequence[Excerpt]) -> None:
        self._asked = AnswerKind.of(text)
        self.term = AskedTerm.of(text)
        language = question_language(text)
        self._forms = question_words(text, language)
        self._foreign = frozenset(
            id(one) for one in excerpts if detect_language(one.text) != language
        )
        self._is_spanish = language == "es"
        self._numbered = question_numbers(text, self._forms)
        held = []
        for one in excerpts:
            named = one.statements() if self._numbered else ()
            words = self._words_in(f"{one.title}\n{one.text}", one)
            held.append(words.union(*(self.called(one, statement) for statement in named)))
        # Any word may have a number behind it ("2 dados"): where none has it, that tells nothing.
        told = frozenset().union(*held)
        held_numbers = frozenset(map(_in_words, self._numbered.values())) & told
        self._words = held_numbers.union(self._forms.values())
        # Inverse document frequency over the excerpts: a word that none of them has weighs most.
        self._weights = {
            word: math.log(1 + len(excerpts) / (0.5 + sum(word in words for words in held)))
            for word in self._words
        }
        self._subject = bool(told - OF_ANY)
        self._has_section = self.term is not None and any(
            self.term.names(unnumbered(one.title)) for one in excerpts
        )
        self._held = dict(zip(map(id, excerpts), held, strict=True))

    def signals(
        self, excerpt: Excerpt, statements: Sequence[Statement], cosines: Sequence[float]
    ) -> list[Signals]:
        """Those of an excerpt's statements, given their cosines."""
        titled, title = self._words_in(excerpt.title, excerpt), content_words(excerpt.title)
        # Another subject: no words but those that are asked of any ("ventajas"), here and right
        # above, while other excerpts have some of the question's own.
        above = excerpt.document.text[max(0, excerpt.start - BESIDE) : excerpt.start]
        held = self._held[id(excerpt)] | self._words_in(f"{excerpt.above}\n{above}", excerpt)
        if of_another := self._subject and held <= OF_ANY:
            titled = frozenset()
        is_example = self._asked.example and _is_example(excerpt)
        if is_example and self._has_section:  # then the title of the document tells too little
            inner = excerpt.above.removeprefix(excerpt.document.sections[0].title)
            inside = self._words_in(f"{inner}\n{above}", excerpt)
            is_example = not self._held[id(excerpt)] | inside <= OF_ANY
        of_all = {
            "title": len(titled) / max(1, len(self._words) + len(title) - len(titled)),
            "rank": 1 / (1 + excerpt.hit.rank),
            "code": excerpt.is_code and not self._asked.code,
            "formula": self._asked.formula and RELATES.search(excerpt.text) is not None,
            "example": is_example,
            "listed": self._asked.several and BlockKind.LIST in excerpt.kinds and not of_another,
            "coded": self._asked.code and BlockKind.CODE in excerpt.kinds,
            "above": self._share(self._words_in(excerpt.above, excerpt) - self._held[id(excerpt)]),
        }
        headed = self.term is not None and self.term.heads(excerpt.text)
        found = []
        for statement, cosine in zip(statements, cosines, strict=True):
            called = self.called(excerpt, statement)
            here = self._words_in(statement.words, excerpt) | called
            start, end = statement.start - BESIDE, statement.end + BESIDE
            beside = excerpt.document.text[max(excerpt.start, start) : min(excerpt.end, end)]
            near = (titled | self._words_in(beside, excerpt)) - here
            if of_another:
                here = near = frozenset()
            found.append(
                Signals(
                    cosine=cosine + FOREIGN * (id(excerpt) in self._foreign),
                    here=self._share(here),
                    near=self._share(near),
                    called=bool(called),
                    headed=headed or (self.term is not None and self.term.heads(statement.words)),
                    **of_all,
                )
            )
        return found

    def called(self, excerpt: Excerpt, statement: Statement) -> frozenset[str]:
        """What the question calls by its number, if a statement is that: "Teorema 3.1. …", the item
        "4. …" under "Ejercicios", what stands under the heading "Paso 3" or "11.2 …" of a section.
        """
        if not self._numbered:
            return frozenset()
        opening = _LABEL.match(statement.words)
        labelled = numbered(f"{opening[1] if opening else ''}\n{excerpt.title}")
        labelled &= self._numbered.keys()
        names = {self._numbered[form] for form in labelled}
        asked = set(self._numbered.values())
        if heading := _MARK.match(f"{excerpt.title} "):
            names |= {(noun, n) for noun, n in asked if noun in _PARTS and n == heading[1]}
        if mark := _MARK.match(statement.words):
            listed = self._words_in(" ".join(_SEVERAL.findall(excerpt.title)), excerpt) | _STEPS
            names |= {(noun, n) for noun, n in asked if noun in listed and n == mark[1]}
        return frozenset(map(_in_words, names))

    def _share(self, words: Iterable[str]) -> float:
        told = sum(self._weights.get(word, 0.0) for word in words)
        return told / (sum(self._weights.values()) or 1.0)

    def _words_in(self, text: str, excerpt: Excerpt) -> frozenset[str]:
        """Those of the question's words that a text of an excerpt, or above it, holds."""
        held = (
            content_words_of_both(text)
            if id(excerpt) in self._foreign and self._is_spanish
            else content_words(text)
        )
        words = frozenset(self._forms[form] for form in held & self._forms.keys())
        if not self._numbered:
            return words
        names = (self._numbered[name] for name in numbered(text) & self._numbered.keys())
        return words.union(map(_in_words, names))


def _in_words(name: tuple[str, str]) -> str:
    return " ".join(name)


def _scored(
    excerpt: Excerpt, told: Sequence[tuple[Statement, Signals]], *, several: bool, compared: bool
) -> Scored:
    values = [value for _statement, value in told]
    own = np.array([value.cosine + WORDS * value.here for value in values])
    best = int(own.argmax())
    return Scored(
        excerpt,
        told[best][0],
        evidence=float((np.array(values) @ np.array(WEIGHTS)).max()),
        cosine=values[best].cosine,
        company=tuple(
            s for (s, _value), near in zip(told, own >= own.max() - NEAR, strict=True) if near
        ),
        listed=any(value.listed for value in values),
        several=several,
        compared=compared,
    )
