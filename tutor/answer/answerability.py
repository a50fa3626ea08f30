"""Whether the notes answer a question, decided from its passages before anything is generated.

A logistic model adds up plain signals: how near the best passage is, compared with how near the
course's chunks are to each other and to the question, and which of the question's words the notes
hold. `scripts/fit_answerability.py` fits the coefficients and the threshold, and measures both.

What is found is then read together with the question by a cross-encoder (`is_read_there`), and
whether what is quoted has what is asked for is looked at by `details`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tutor.model import Answerability, Chunk, Hit, Vectors
from tutor.search.hybrid import DENSE, LEAST_SPREAD, SENTENCE
from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.terms import (
    content_words,
    is_numbered,
    passage_terms,
    question_language,
)
from tutor.text.words import RAREST, zipf

if TYPE_CHECKING:
    from tutor.embedding.cross_encoder import CrossEncoder
    from tutor.index.lexical import LexicalIndex, QuestionTerm

DEPTH = 6
"""Passages that are looked at, the best ones; the model was fitted with as many."""
BIAS = -0.507
WEIGHTS: Mapping[str, float] = {
    "nearness": 0.947,
    "first": 4.023,
    "unknown": -4.184,
    "foreign": 1.099,
}
"""Fitted before unknown everyday words counted for less. A new fit was worse: it gave `unknown` a
greater weight, which undid that change."""
THRESHOLD = 0.035
"""Below this probability lie .3 % of the answerable questions used for fitting, and 2 % of those
over courses that nothing was fitted on."""
SURE = 0.174
"""Below this one lie 4 % of those that courses answer, and 8 to 11 % over courses that nothing was
fitted on: what is found is said to be near, not to be the answer."""

READ = 4
"""Passages, the best ones, that are read together with the question, beside the quotes."""
TOLD = -0.95
"""Log odds below which none of what was read seems to answer. Of the answerable `dev` questions
that were not hedged already 5 % lie there."""
_FEWEST = 4
"""With fewer chunks a course does not tell how near they are to each other: words decide alone."""
_USUAL_NEARNESS = -0.69
_EVERYDAY = 6.0
"""Zipf frequency of a word of which it tells nothing that the notes lack it: "gran", "gracias"."""
_KIND_ASKED_FOR = re.compile(
    r"(?:\A\W*|[¿,;:(] ?|\b(?:y|and|a|con|de|en|por|in|of|to|with) )"
    r"(?:que|cual(?:es)?(?: son l[oa]s)?|which|what) ([^\W\d_]{3,}s|(?<=\bpor que )[^\W\d_]{4,})"
    r"(?= \w)"
)
"""Of what kind the answer is to be: "con qué elementos se dopa", which no note may say; or what is
to be explained. "Qué quark …" asks for what the notes may lack."""
_DID = re.compile(r"\b(?:quien(?:es)?|who) ([^\W\d_]{4,})")
"""What somebody did: of who invented something the notes say that they presented it, in 1958."""


def is_read_there(
    question: str, hits: Sequence[Hit], quotes: Sequence[str], encoder: CrossEncoder
) -> bool:
    """Whether a passage, each with its heading, or a quote seems to answer a question to one who
    reads both. Raises `EmbedderError`.
    """
    passages = [_headed(hit.chunk) for hit in hits[:READ]]
    return float(encoder.logits(question, [*passages, *quotes]).max(initial=-math.inf)) >= TOLD


def _headed(chunk: Chunk) -> str:
    heading = chunk.section.strip()
    return chunk.text if heading in chunk.text else f"{heading}\n{chunk.text}"


@dataclass(frozen=True)
class Reference:
    """What a question is measured against.

    `background` are vectors of chunks all over the course, shape (m, dim); `lexical` is the index
    of its words.
    """

    background: Vectors
    lexical: LexicalIndex

    @cached_property
    def neighbours(self) -> tuple[float, float]:
        """The mean cosine of a chunk to its nearest one, and the spread of all their cosines."""
        cosines = self.background @ self.background.T
        pairs = cosines[np.triu_indices(len(cosines), 1)]
        np.fill_diagonal(cosines, -1.0)
        return float(cosines.max(axis=1).mean()), max(float(pairs.std()), LEAST_SPREAD)


def by_words(lexical: LexicalIndex) -> Reference:
    """What a question is measured against while a course has no vectors: its words decide alone."""
    return Reference(np.empty((0, 0), np.float32), lexical)


def judge(question: str, hits: Sequence[Hit], reference: Reference) -> Answerability:
    """Whether the notes answer a question, from the passages found for it, best first.

    Looks at the first `DEPTH` hits, so as many should be retrieved even when fewer are wanted;
    embeds nothing.
    """
    if not hits:
        return Answerability(answerable=False, evidence=0.0, threshold=THRESHOLD)
    evidence = probability(signals(question, hits, reference))
    answerable = evidence >= THRESHOLD
    return Answerability(answerable, evidence, THRESHOLD, near=answerable and evidence < SURE)


def probability(
    values: Mapping[str, float], bias: float = BIAS, weights: Mapping[str, float] = WEIGHTS
) -> float:
    """The probability that a question with these signals is answerable, a priori one of two."""
    total = bias + sum(weight * values[name] for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def signals(question: str, hits: Sequence[Hit], reference: Reference) -> dict[str, float]:
    """The signals by name, from the first `DEPTH` hits.

    `nearness` is how far the best cosine of a hit's best sentence, of its chunk where that is not
    known, lies above that of neighbouring chunks, in standard deviations of the course's.
    `first` and `unknown` are the shares of the question's terms, weighted by their idf, that the
    first passage and that no passage of the course holds, everyday words for less. `foreign` is 1
    where a passage is in another language than the question: words are found then as the dictionary
    has them, which lacks many, so that what is unknown says nothing.
    """
    hits, terms = hits[:DEPTH], reference.lexical.score(question).terms
    terms = [term for term in terms if not is_numbered(term.forms[0])]
    plain = folded(question)
    kinds = content_words(" ".join([*_KIND_ASKED_FOR.findall(plain), *_DID.findall(plain)]))
    terms = [term for term in terms if len(term.holders) or kinds.isdisjoint(term.forms)]
    language = question_language(question)
    spoken = [detect_language(hit.chunk.text) for hit in hits]
    held = frozenset(passage_terms(hits[0].chunk.text, spoken[0]))
    foreign = any(own != language for own in spoken)
    whole = sum(term.idf for term in terms) or 1.0
    unknown = 0.0 if foreign else sum(t.idf * _told_by(t) for t in terms if not len(t.holders))
    nearness = _USUAL_NEARNESS
    if len(reference.background) >= _FEWEST:
        near, spread = reference.neighbours
        best = (hit.retrievers.get(SENTENCE) or hit.retrievers.get(DENSE) or hit for hit in hits)
        nearness = (max(one.score for one in best) - near) / spread
    return {
        "nearness": nearness,
        "first": sum(t.idf for t in terms if not held.isdisjoint(t.forms)) / whole,
        "unknown": unknown / whole,
        "foreign": float(foreign),
    }


def _told_by(lacking: QuestionTerm) -> float:
    """How much it tells, from 0 to 1, that the notes lack a term: little where it is an everyday
    word ("conviene"), which they say otherwise.
    """
    known = max(map(zipf, lacking.forms))
    return min(1.0, max(0.0, (_EVERYDAY - known) / (_EVERYDAY - RAREST)))
