"""Questions from a course's own notes, for whoever has none: proposed, filtered, spread.

A question is kept if its source can be found again, by another way of cutting and searching than
the one that made it; if the source supports its answer; and if it does not just repeat the
source. The filter favours what plain search can find: such questions compare settings, they are
no measure of how hard a student's own questions are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice, pairwise, zip_longest
from random import Random
from typing import TYPE_CHECKING

from tutor.evaluation.cases import Case, Place
from tutor.evaluation.generated_cases import GeneratedCase, Tally
from tutor.evaluation.question_model import proposed_by_model
from tutor.evaluation.question_rules import Proposal, proposals
from tutor.grounding import Verdict, verify
from tutor.grounding.words import content_words, fold
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tutor.ports import ChatModel, Embedder
    from tutor.store import StoreReader
    from tutor.types import Chunk, SourceId, Vectors

    Splitter = Callable[[str], list[tuple[int, int]]]

RULES = "rules/1"
MADE_FROM = Strategy.SEMANTIC
FOUND_OVER = Strategy.FIXED
"""Plain cosine over the other strategy's chunks looks for the source."""
FOUND_WITHIN = 10
"""The first so many chunks must hold a part of the source's page."""
MOST_COPIED = 0.5
"""The share of the source sentence's word pairs that a question may repeat."""
LONGEST_COPY = 8
"""Words in a row that it may repeat."""
SAME_QUESTION = 0.97
"""The cosine from which two questions are one, or question and source one text."""
_ASKING = frozenset(
    word.stem
    for word in content_words(
        "explíqueme explica definición define defined entiende llama llamada significa meant"
        " fórmula formula cuál cuáles propuso proposed viene"
    )
)
_TRIES = 4
"""Chunks that a model is shown for each question wanted, at most."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    chunk: Chunk
    proposal: Proposal
    generated_by: str


def generate(
    store: StoreReader,
    embedder: Embedder,
    split: Splitter,
    language_of: Callable[[str], str],
    n: int,
    *,
    model: ChatModel | None = None,
    seed: int = 0,
    tally: Tally | None = None,
) -> Iterator[GeneratedCase]:
    """Up to `n` cases, fewer where the notes give no more, spread over documents and kinds.

    The same seed gives the same cases (by rules). Raises `StoreError`, `EmbedderError`,
    `EngineError`.
    """
    tally = Tally() if tally is None else tally
    chunks = store.chunks(MADE_FROM).chunks
    random = Random(seed)  # noqa: S311 - a sample, no secret
    if model is None:
        candidates = _by_rules(chunks, split, language_of, random, tally)
    else:
        shown = _in_turn(chunks, random, _TRIES * n)
        candidates = _by_model(shown, model, split, language_of, tally)
    kept = _Filter(
        store, embedder, split=split, language_of=language_of, chunks=chunks, tally=tally
    )
    for candidate in candidates:
        if tally.kept >= n:
            return
        tally.proposed += 1
        case = kept.case(candidate)
        if case is not None:
            tally.kept += 1
            tally.kinds[case.kind] += 1
            tally.documents[case.places[0].file] += 1
            yield GeneratedCase(case, candidate.generated_by)


def copies(question: str, source: str) -> bool:
    """Whether a question repeats its source: a long run of words, or most of its word pairs."""
    asked, said = _words(question), _words(source)
    pairs = set(pairwise(said))
    shared = len(pairs & set(pairwise(asked)))
    if pairs and shared / len(pairs) > MOST_COPIED:
        return True
    runs = {tuple(said[i : i + LONGEST_COPY + 1]) for i in range(len(said) - LONGEST_COPY)}
    return any(
        tuple(asked[i : i + LONGEST_COPY + 1]) in runs for i in range(len(asked) - LONGEST_COPY)
    )


class _Filter:
    """Makes a case of a proposal, or counts why it is none."""

    def __init__(
        self,
        store: StoreReader,
        embedder: Embedder,
        *,
        split: Splitter,
        language_of: Callable[[str], str],
        chunks: Sequence[Chunk],
        tally: Tally,
    ) -> None:
        self._store, self._embedder = store, embedder
        self._split, self._language_of = split, language_of
        self._chunks, self._tally = chunks, tally
        self._asked: dict[str, Vectors] = {}
        self._quoted: set[str] = set()

    def case(self, candidate: _Candidate) -> Case | None:
        """The case; None, and counted, where the proposal is of no use."""
        chunk, proposal, tally = candidate.chunk, candidate.proposal, self._tally
        snippet = chunk.text[proposal.start : proposal.end].strip()
        key = _topic(proposal)
        if not key or key in self._asked or snippet in self._quoted:
            tally.repeated += 1
            return None
        vector = self._embedder.embed_queries([proposal.question])[0]
        if any(float(vector @ other) >= SAME_QUESTION for other in self._asked.values()):
            tally.repeated += 1
            return None
        text = self._embedder.embed_queries([snippet])[0]
        if copies(proposal.question, snippet) or float(vector @ text) >= SAME_QUESTION:
            tally.copied += 1
            return None
        if not self._supported(proposal.answer, chunk):
            tally.unsupported += 1
            return None
        place = self._place(chunk, proposal.start + _indent(chunk.text, proposal.start), snippet)
        if place is None or not self._found(vector, chunk.source_id, place.page):
            tally.not_found += 1
            return None
        self._asked[key] = vector
        self._quoted.add(snippet)
        return Case(
            id=_identity(place, snippet, proposal.question),
            question=proposal.question,
            language=self._language_of(proposal.question),
            kind=proposal.kind,
            answer=proposal.answer,
            places=(place, *self._other_places(place, snippet)),
            snippet=snippet,
            standalone=proposal.question,
        )

    def _supported(self, answer: str, chunk: Chunk) -> bool:
        if " ".join(answer.split()) in " ".join(chunk.text.split()):
            return True
        found = verify(answer, [chunk.text], self._embedder, self._split, self._language_of)
        verdicts = {statement.verdict for statement in found}
        return Verdict.SUPPORTED in verdicts and Verdict.UNSUPPORTED not in verdicts

    def _place(self, chunk: Chunk, offset: int, snippet: str) -> Place | None:
        """Where the snippet stands; None where it runs over a page's end."""
        begin = chunk.start + offset
        page = self._store.page_at(chunk.source_id, begin)
        if self._store.page_at(chunk.source_id, begin + len(snippet) - 1) != page:
            return None
        return Place(self._store.sources[chunk.source_id].path, page)

    def _found(self, vector: Vectors, source: SourceId, page: int) -> bool:
        return any(
            found.source_id == source and found.first_page <= page <= found.last_page
            for found, _score in self._store.search(FOUND_OVER, vector, FOUND_WITHIN)
        )

    def _other_places(self, first: Place, snippet: str) -> list[Place]:
        """Where else the same words stand: other versions of the notes."""
        places: dict[Place, None] = {}
        for chunk in self._chunks:
            at = chunk.text.find(snippet)
            if at >= 0:
                place = self._place(chunk, at, snippet)
                if place is not None and place != first:
                    places[place] = None
        return list(places)


def _by_rules(
    chunks: Sequence[Chunk],
    split: Splitter,
    language_of: Callable[[str], str],
    random: Random,
    tally: Tally,
) -> Iterator[_Candidate]:
    """Every proposal once, from the document and of the kind that has given fewest cases."""
    left = [
        _Candidate(chunk, proposal, RULES)
        for chunk in chunks
        for proposal in proposals(chunk.text, split(chunk.text), language_of(chunk.text), random)
    ]
    random.shuffle(left)
    names = {chunk.source_id: str(chunk.source_id) for chunk in chunks}
    used: Counter[str] = Counter()

    def load(candidate: _Candidate) -> tuple[int, int]:
        return used[names[candidate.chunk.source_id]], tally.kinds[candidate.proposal.kind]

    while left:
        best = min(range(len(left)), key=lambda place: load(left[place]))
        candidate = left.pop(best)
        before = tally.kept
        yield candidate
        used[names[candidate.chunk.source_id]] += 1 if tally.kept > before else 0


def _in_turn(chunks: Sequence[Chunk], random: Random, most: int) -> Iterator[Chunk]:
    """Chunks drawn from one document after the other, again and again."""
    by_source: dict[SourceId, list[Chunk]] = {}
    for chunk in random.sample(list(chunks), len(chunks)):
        by_source.setdefault(chunk.source_id, []).append(chunk)
    rounds = zip_longest(*by_source.values())
    yield from islice((chunk for drawn in rounds for chunk in drawn if chunk), most)


def _by_model(
    chunks: Iterable[Chunk],
    model: ChatModel,
    split: Splitter,
    language_of: Callable[[str], str],
    tally: Tally,
) -> Iterator[_Candidate]:
    """One proposal per chunk."""
    for chunk in chunks:
        text = chunk.text
        proposal = proposed_by_model(model, text, split(text), language_of(text))
        if proposal is None:
            tally.failed += 1
        else:
            yield _Candidate(chunk, proposal, model.name)


def _topic(proposal: Proposal) -> str:
    """What a question is about, however it is asked."""
    words = [w.stem for w in content_words(proposal.question) if w.stem not in _ASKING]
    return " ".join((proposal.kind, *sorted(words))) if words else ""


def _identity(place: Place, snippet: str, question: str) -> str:
    key = "\x1f".join((place.file, str(place.page), snippet, question))
    return f"gen-{sha256(key.encode()).hexdigest()[:10]}"


def _indent(text: str, start: int) -> int:
    """Blanks that a snippet begins with."""
    return len(text[start:]) - len(text[start:].lstrip())


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in fold(text)).split()
