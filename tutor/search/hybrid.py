"""Candidates by meaning and by words, ranked by both and by their best sentence.

Ranks are not fused but scores, since a rank hides that a retriever has nothing to say: the words
of a question in another language than the notes are rare in them or missing, their share of the
question is small then, and the best of such passages gets little for being first. What vectors
say of language alone is taken off again.

Of passages that say the same (overlapping windows, versions of the same notes) one is kept: where
the shorter shares most of its runs of words with the longer (containment of shingles; Broder, "On
the resemblance and containment of documents", 1997).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tutor.index.lexical import LexicalIndex
from tutor.index.store import StoreReader
from tutor.index.store.rows import DenseRows, largest
from tutor.model import Hit, RetrieverScore, Source, SourceId, Strategy, Vectors
from tutor.timing import Stopwatch

DENSE = "dense"
LEXICAL = "lexical"
SENTENCE = "sentence"
LEXICAL_WEIGHT = 2.0
"""What all the question's words are worth, in standard deviations of its cosines."""
SENTENCE_WEIGHT = 2.0
"""What the best sentence's cosine counts where the whole chunk's counts 1."""
HEADING_WEIGHT = 0.9
"""What the title and the headings over a chunk count by their cosine, where the chunk counts 1."""
OWN_LANGUAGE = 1.0
"""What passages in the question's language are ahead by where most speak another, whatever they
say, in standard deviations of the question's cosines. E5 models put texts of one language nearer to
each other; by more than this such passages are lost where they do hold the answer."""
LEAST_SPREAD = 1e-3
"""Of a course with hardly any chunks, or chunks that hardly differ."""
DENSE_CANDIDATES = 20
LEXICAL_CANDIDATES = 10
SHINGLE_WORDS = 4
SAME = 0.5
"""Share of the shorter passage's shingles from which two passages count as one."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Hybrid:
    """The parts of hybrid retrieval.

    `lexical_of` opens a strategy's index of words, or gives None where there is none.
    """

    store: StoreReader
    lexical_of: Callable[[Strategy], LexicalIndex | None]


def cosine_std(background: Vectors, vector: Vectors) -> float:
    """How much the cosines of a question differ over the course: their standard deviation.

    `background` has shape (m, dim). It makes the weights hold for every embedder: cosines of E5
    models lie within 0.1, those of others over a range of 1.
    """
    if not len(background):
        return 1.0
    # Not `@`: on a busy machine its threads wait longer for each other than one takes for all.
    return max(float(np.std(np.einsum("ij,j->i", background, vector))), LEAST_SPREAD)


def semantic_scores(
    cosines: NDArray[np.float32], sentences: NDArray[np.float32], headings: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Chunk and best sentence together, on the scale of cosines, shape (n,).

    What stands over it raises or lowers this as far as it is nearer or farther than most; NaN,
    where nothing does, counts as what is usual.
    """
    combined = (cosines + SENTENCE_WEIGHT * sentences) / (1 + SENTENCE_WEIGHT)
    known = headings[~np.isnan(headings)]
    if len(known):
        usual = known.mean()
        apart = np.nan_to_num(headings - usual)
        combined = combined + HEADING_WEIGHT / (1 + SENTENCE_WEIGHT) * apart
    return combined.astype(np.float32, copy=False)


def fused(
    semantic: NDArray[np.float32],
    lexical: NDArray[np.float32],
    favoured: NDArray[np.bool_],
    deviation: float,
) -> NDArray[np.float32]:
    """Meaning and words together: a cosine, raised by the evidence of the words.

    That of passages `favoured` by their language alone is lowered by as much.
    """
    ahead = LEXICAL_WEIGHT * lexical - OWN_LANGUAGE * favoured
    return (semantic + deviation * ahead).astype(np.float32, copy=False)


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question as it is searched for; `vector` has shape (dim,), the others (chunks,).

    `evidence` is what its words say of every chunk, `favoured` are those near by their language.
    """

    vector: Vectors
    evidence: NDArray[np.float32]
    favoured: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows and what each retriever says of them, every array of shape (n,).

    `evidence`, of shape (chunks,), is what the words say of the whole index.
    """

    rows: NDArray[np.intp]
    cosines: NDArray[np.float32]
    sentences: NDArray[np.float32]
    scores: NDArray[np.float32]
    evidence: NDArray[np.float32]

    def retrievers(self, place: int) -> dict[str, RetrieverScore]:
        """What the retrievers say of one candidate; the lexical one only if it says anything."""
        retrievers = {
            name: RetrieverScore(1 + int(np.count_nonzero(own > own[place])), float(own[place]))
            for name, own in ((DENSE, self.cosines), (SENTENCE, self.sentences))
        }
        words = self.evidence[self.rows[place]]
        if words > 0:
            better = int(np.count_nonzero(self.evidence > words))
            retrievers[LEXICAL] = RetrieverScore(1 + better, float(words))
        return retrievers


@dataclass(frozen=True, slots=True)
class Search:
    """One strategy's index, of which the documents `only` are asked (None: all)."""

    hybrid: Hybrid
    rows: DenseRows
    strategy: Strategy
    stopwatch: Stopwatch
    only: frozenset[SourceId] | None = None

    def hits(self, question: str, vector: Vectors, k: int) -> list[Hit]:
        """The `k` best passages by all retrievers; `vector` is the question's, shape (dim,)."""
        asked = self.query(question, vector)
        found = self.scored(self.candidates(asked, k), asked)
        return self.hits_of(found, np.lexsort((found.rows, -found.scores))[:k])

    def query(self, question: str, vector: Vectors) -> SearchQuery:
        """A question with its vector, shape (dim,), and what its words and language say."""
        evidence, lexical = self.evidence(question), self.hybrid.lexical_of(self.strategy)
        favoured = lexical.speaking_as(question) if lexical else np.zeros(len(evidence), bool)
        return SearchQuery(vector, evidence, favoured)

    def evidence(self, question: str) -> NDArray[np.float32]:
        """What the question's words say of every chunk, shape (chunks,); 0 of what is not asked."""
        with self.stopwatch.stage("lexical"):
            lexical = self.hybrid.lexical_of(self.strategy)
            if lexical is None:
                return np.zeros(len(self.rows.vectors), np.float32)
            evidence = lexical.score(question).evidence
            if self.only is not None:
                evidence, everywhere = np.zeros_like(evidence), evidence
                evidence[self.wanted] = everywhere[self.wanted]
            return evidence

    @property
    def wanted(self) -> NDArray[np.intp] | slice:
        """The rows of the documents that are asked."""
        only = self.only
        return slice(None) if only is None else self.hybrid.store.rows_in(self.strategy, only)

    def candidates(self, asked: SearchQuery, k: int) -> list[int]:
        """Rows that are near by meaning or by words."""
        worded = most_evidence(asked.evidence, max(LEXICAL_CANDIDATES, k))
        among = None if isinstance(wanted := self.wanted, slice) else wanted
        most = max(DENSE_CANDIDATES, k)
        with self.stopwatch.stage("search"):
            near = self.rows.nearest(asked.vector, most, among)  # Chroma's graph needs more memory
        return list(dict.fromkeys([*near, *worded]))

    def scored(self, rows: Sequence[int], asked: SearchQuery) -> Candidates:
        """What the retrievers say of these rows, in the order given."""
        with self.stopwatch.stage("rerank"):
            picked = np.array(rows, np.intp)
            cosines = self.rows.cosines(picked, asked.vector)
            best = cosines
            if sentences := self.hybrid.store.sentences:
                nearest = sentences.sentence_cosines(self.strategy, picked.tolist(), asked.vector)
                best = np.where(np.isnan(nearest), cosines, nearest)
                headings = sentences.heading_cosines(self.strategy, picked.tolist(), asked.vector)
            else:
                headings = np.full_like(cosines, np.nan)
            scores = fused(
                semantic_scores(cosines, best, headings),
                asked.evidence[picked],
                asked.favoured[picked],
                cosine_std(self.rows.background, asked.vector),
            )
            return Candidates(picked, cosines, best, scores, asked.evidence)

    def hits_of(self, found: Candidates, places: NDArray[np.intp]) -> list[Hit]:
        """The candidates at these places with their texts, ranked as given."""
        store = self.hybrid.store
        with self.stopwatch.stage("search"):
            chunks = store.fetch(self.strategy, found.rows[places].tolist())
        return [
            Hit(
                chunk,
                store.sources[chunk.source_id],
                float(found.scores[place]),
                rank,
                found.retrievers(place),
            )
            for rank, (place, chunk) in enumerate(zip(places.tolist(), chunks, strict=True), 1)
        ]


def most_evidence(evidence: NDArray[np.float32], n: int) -> list[int]:
    """The rows with most evidence, best first; rows without any are none."""
    some = largest(evidence, n)
    some = some[evidence[some] > 0]
    return [int(row) for row in some[np.lexsort((some, -evidence[some]))]]


def deduplicated(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The first `k` passages that say different things, ranked anew from 1.

    Of two that say the same the better one stays in its place; but of two versions of the same
    day's notes it is the newer one's passage, with its own score.
    """
    kept: list[tuple[Hit, frozenset[tuple[str, ...]]]] = []
    for hit in hits:
        own = shingles(hit.chunk.text)
        shared = [len(own & runs) / min(len(own), len(runs)) for _hit, runs in kept]
        twin = next((place for place, share in enumerate(shared) if share >= SAME), None)
        if twin is not None:
            if _is_newer_version(hit.source, kept[twin][0].source):
                kept[twin] = hit, own
        elif len(kept) < k:  # a newer version of one that is kept may still come
            kept.append((hit, own))
    return [replace(hit, rank=rank) for rank, (hit, _runs) in enumerate(kept, start=1)]


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """The runs of `SHINGLE_WORDS` words of a text, in lower case; a shorter text is one run."""
    words = _WORD.findall(text.lower())
    runs = zip(*(words[start:] for start in range(SHINGLE_WORDS)), strict=False)
    return frozenset(runs) or frozenset([tuple(words)])


def _is_newer_version(one: Source, other: Source) -> bool:
    """Whether both are the notes of the same day, `one` in a later version."""
    if one.date is None or (one.week, one.date) != (other.week, other.date):
        return False
    return one.version_number > other.version_number
