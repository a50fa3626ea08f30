"""Index -> calibration: questions made of the course's own sentences, asked with and without them.

A question made of a few rare words of a sentence is one that the course covers. With every
passage hidden that repeats the sentence, it is one on the course's topics that it does not cover.
How far apart the cosines of both lie is what differs between courses and embedders.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tutor.coverage.calibration import Calibration, Level, Scale
from tutor.coverage.probes import PROBES
from tutor.coverage.pseudo import OwnQuestion, own_questions
from tutor.coverage.signals import DENSE, DEPTH, SENTENCE, cosine_signals
from tutor.coverage.wording import term_rarity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from tutor.coverage.reading import TextReader
    from tutor.ports import Embedder
    from tutor.types import Chunk, Vectors

    BestSentences: TypeAlias = (
        "Callable[[Sequence[int], Vectors], Sequence[tuple[float, object] | None]]"
    )

BACKGROUND = 64
MAX_PASSAGES = 20_000
"""Chunks whose words are counted; more are represented by as many, evenly spaced."""
LITTLE = 0.1
"""Up to this share of more or fewer passages a course keeps its scales."""
MIN_QUESTIONS = 8
"""Below this many questions of its own a course says too little of its cosines."""
_CANDIDATES = 24
_WORDED = 10
_LEAST_SPREAD = 1e-3
_WORDS = 2.0
"""What all words of a question are worth in standard deviations, as in hybrid retrieval."""


@dataclass(frozen=True, slots=True)
class _Course:
    vectors: Vectors
    terms: Mapping[int, frozenset[str]]
    holders: Mapping[str, int]
    background: Vectors
    best_sentences: BestSentences | None


def calibrate(
    chunks: Sequence[Chunk],
    vectors: Vectors,
    embedder: Embedder,
    reader: TextReader,
    best_sentences: BestSentences | None = None,
) -> Calibration:
    """Calibrate one strategy's chunks, with their vectors of shape (n, dim) in the same order.

    `best_sentences(rows, vector)` gives, for each of these rows, the cosine of its sentence
    nearest to `vector` (and its span), or None; without it only chunks' cosines are calibrated.
    A course with too few sentences takes over the embedder's scale on general questions. The same
    index always gives the same. Embeds about 120 short questions. Raises `EmbedderError`.
    """
    rows, terms, holders, background = _counted(chunks, vectors, reader)
    course = _Course(vectors, terms, holders, background, best_sentences)
    questions = own_questions(chunks, rows, reader, holders)
    enough = len(questions) >= MIN_QUESTIONS and len(chunks) > DEPTH
    if not enough:
        background = embedder.embed_passages([probe[2] for probe in PROBES])
    scales, shift = _from_probes(embedder, background, sentences=best_sentences is not None)
    if enough:
        asked = embedder.embed_queries([question.text for question in questions])
        scales = _from_course(course, questions, asked)
    return Calibration(
        scales=scales,
        foreign_shift=shift,
        background=background,
        passages=len(rows),
        holders=holders,
        languages=Counter(reader.language_of(chunks[row].text) for row in rows),
        questions=len(questions) if enough else 0,
    )


def refreshed(
    former: Calibration, chunks: Sequence[Chunk], vectors: Vectors, reader: TextReader
) -> Calibration | None:
    """The calibration of a course that has changed little since `former`; None if much.

    The words are counted anew, the scales stay: nothing is embedded.
    """
    rows, _terms, holders, background = _counted(chunks, vectors, reader)
    if not former.questions or abs(len(rows) - former.passages) > LITTLE * former.passages:
        return None
    return replace(former, holders=holders, background=background, passages=len(rows))


def _counted(
    chunks: Sequence[Chunk], vectors: Vectors, reader: TextReader
) -> tuple[list[int], dict[int, frozenset[str]], Counter[str], Vectors]:
    """The rows that stand for all, their terms, how many hold each, and the background."""
    rows = [int(row) for row in _spaced(len(chunks), MAX_PASSAGES)]
    terms = {row: reader.terms(chunks[row].text) for row in rows}
    holders = Counter(term for held in terms.values() for term in held)
    background = np.asarray(vectors[_spaced(len(chunks), BACKGROUND)], np.float32)
    return rows, terms, holders, background


def _from_course(
    course: _Course, questions: Sequence[OwnQuestion], asked: Vectors
) -> dict[str, Scale]:
    kinds = (SENTENCE, DENSE) if course.best_sentences else (DENSE,)
    seen: dict[str, list[tuple[float, float, float]]] = {kind: [] for kind in kinds}
    hidden: dict[str, list[tuple[float, float, float]]] = {kind: [] for kind in kinds}
    for question, vector in zip(questions, asked, strict=True):
        cosines = course.vectors @ vector
        repeated = question.repeated_in(course.terms)
        for found, without in ((seen, frozenset[int]()), (hidden, repeated)):
            for kind, best in _retrieved(course, question, vector, cosines, without).items():
                if best and kind in found:
                    found[kind].append(cosine_signals(best, vector, course.background))
    return {kind: _scale(seen[kind], hidden[kind] or seen[kind]) for kind in kinds}


def _retrieved(
    course: _Course,
    question: OwnQuestion,
    vector: Vectors,
    cosines: NDArray[np.float32],
    without: frozenset[int],
) -> dict[str, list[float]]:
    """The cosines of the passages that retrieval would find if those `without` were not there."""
    shares = question.shares(course.terms, lambda count: term_rarity(count, len(course.terms)))
    worded = sorted(shares, key=lambda row: (-shares[row], row))
    nearest = np.argsort(-cosines, kind="stable")[: _CANDIDATES + len(without)]
    rows = [int(row) for row in nearest if int(row) not in without][:_CANDIDATES]
    rows += [row for row in worded if row not in without and row not in rows][:_WORDED]
    dense = np.array([cosines[row] for row in rows], np.float64)
    best = dense.copy()
    if course.best_sentences and rows:
        for place, sentence in enumerate(course.best_sentences(rows, vector)):
            if sentence:
                best[place] = sentence[0]
    spread = max(float((course.background @ vector).std()), _LEAST_SPREAD)
    words = np.array([shares.get(row, 0.0) for row in rows])
    order = np.argsort(-((dense + 2 * best) / 3 + 2 * _WORDS * spread * words), kind="stable")
    first = order[:DEPTH]
    return {SENTENCE: list(best[first]), DENSE: list(dense[first])}


def _from_probes(
    embedder: Embedder, background: Vectors, *, sentences: bool
) -> tuple[dict[str, Scale], float]:
    """The scale of an embedder on questions of no course, and how a change of language moves it.

    The second is how much lower the cosines of English questions to the course are than those of
    the same questions in Spanish.
    """
    count = len(PROBES)
    asked = embedder.embed_queries([probe[0] for probe in PROBES] + [probe[1] for probe in PROBES])
    told = embedder.embed_passages([probe[2] for probe in PROBES])
    native = asked[:count] @ told.T
    seen, hidden = [], []
    for place, vector in enumerate(asked[:count]):
        others = [float(native[place, other]) for other in range(count) if other != place]
        seen.append(cosine_signals([float(native[place, place]), *others], vector, told))
        hidden.append(cosine_signals(others, vector, told))
    scale = _scale(seen, hidden)
    usual = asked @ background.T
    shift = -abs(float(usual[count:].mean() - usual[:count].mean()))
    return dict.fromkeys((SENTENCE, DENSE) if sentences else (DENSE,), scale), shift


def _scale(
    seen: Sequence[tuple[float, float, float]], hidden: Sequence[tuple[float, float, float]]
) -> Scale:
    with_it, without = np.array(seen), np.array(hidden)
    spread = np.sqrt((with_it.var(axis=0) + without.var(axis=0)) / 2)
    levels = [
        Level(float(covered), max(float(varies), _LEAST_SPREAD))
        for covered, varies in zip(with_it.mean(axis=0), spread, strict=True)
    ]
    return Scale(*levels)


def _spaced(count: int, most: int) -> NDArray[np.intp]:
    """At most `most` of the rows, evenly spaced."""
    return np.arange(count)[:: max(1, -(-count // most))]
