"""Questions from a course's own notes, for whoever has none: proposed, filtered, spread.

The cards of what the notes define ask. A question is kept if its source can be found again, by
another way of cutting and searching than the product's; and if it does not just repeat the source.
The filter favours what plain search can find: such questions compare settings, they are no measure
of how hard a student's own questions are.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from hashlib import sha256
from itertools import zip_longest
from random import Random

from tutor.embedding.embedder import Embedder
from tutor.evaluation.cases import Case, CasePlace
from tutor.index.store import StoreReader
from tutor.model import SourceId, Strategy, Vectors
from tutor.study.card import Card, CardKind, Origin, bare
from tutor.study.making import course_cards
from tutor.study.refreshing import documents
from tutor.text.language import detect_language

RULES = "rules/4"
FOUND_OVER = Strategy.FIXED
"""Plain cosine over this strategy's chunks looks for the source."""
FOUND_WITHIN = 10
"""The first so many chunks must hold a part of the source's page."""
SAME_QUESTION = 0.97
"""The cosine from which two questions are one, or question and source one text."""

Tally = Counter[str]
"""How many questions were proposed, kept, repeated, copied, or not found again."""


def generate(
    store: StoreReader, embedder: Embedder, n: int, *, seed: int = 0, tally: Tally | None = None
) -> Iterator[Case]:
    """Up to `n` cases, fewer where the notes give no more, spread over documents.

    The same seed gives the same cases. Raises `StoreError`, `EmbedderError`.
    """
    tally = Tally() if tally is None else tally
    sieve = _Sieve(store, embedder)
    random = Random(seed)  # noqa: S311 - a sample, no secret
    for card, origin in _in_turn(course_cards(documents(store)), random):
        if tally["kept"] >= n:
            return
        tally["proposed"] += 1
        outcome = sieve.judged(card, origin)
        tally["kept" if isinstance(outcome, Case) else outcome] += 1
        if isinstance(outcome, Case):
            yield outcome


def case_line(case: Case) -> str:
    """A case as a line of a file, to be edited and read by `load_cases`."""
    first, *others = case.places
    record = {
        "id": case.id,
        "accepted": True,
        "lang": case.language,
        "kind": case.kind,
        "question": case.question,
        "answer": case.answer,
        **asdict(first),
        "also": [asdict(place) for place in others],
        "snippet": case.snippet,
        "generated_by": RULES,
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def _in_turn(cards: Iterable[Card], random: Random) -> Iterator[tuple[Card, Origin]]:
    """The cards that ask what something is, drawn from one document after the other."""
    asking = [
        (card, card.origin) for card in cards if card.kind is CardKind.DEFINITION and card.origin
    ]
    by_source: dict[SourceId, list[tuple[Card, Origin]]] = {}
    for card, origin in random.sample(asking, len(asking)):
        by_source.setdefault(origin.source_id, []).append((card, origin))
    return (one for drawn in zip_longest(*by_source.values()) for one in drawn if one)


class _Sieve:
    """Makes a case of a card, or says why it is none: a name that `Tally` counts."""

    def __init__(self, store: StoreReader, embedder: Embedder) -> None:
        self._store, self._embedder = store, embedder
        self._asked: list[Vectors] = []
        self._quoted: set[str] = set()

    def judged(self, card: Card, origin: Origin) -> Case | str:
        question = bare(card.question)
        snippet = self._store.text(origin.source_id).text[origin.start : origin.end].strip()
        vector, source = self._embedder.embed_queries([question, snippet])
        same = any(float(vector @ other) >= SAME_QUESTION for other in self._asked)
        if same or snippet in self._quoted:
            return "repeated"
        if float(vector @ source) >= SAME_QUESTION:
            return "copied"
        place = self._place(origin.source_id, snippet)
        if place is None or not self._found(vector, origin.source_id, place.page):
            return "not_found"
        self._asked.append(vector)
        self._quoted.add(snippet)
        # Other versions of the notes hold the same words.
        also = [self._place(other, snippet) for other in self._store.sources]
        places = dict.fromkeys(one for one in (place, *also) if one)
        key = "\x1f".join((place.file, str(place.page), snippet, question))
        return Case(
            id=f"gen-{sha256(key.encode()).hexdigest()[:10]}",
            question=question,
            language=detect_language(question),
            kind=card.kind.value,
            answer=" ".join(card.answer.split()),
            places=tuple(places),
            snippet=snippet,
            standalone=question,
        )

    def _place(self, source: SourceId, snippet: str) -> CasePlace | None:
        """Where the snippet stands in a document; None where it does not, or on several pages."""
        begin = self._store.text(source).text.find(snippet)
        if begin < 0:
            return None
        page = self._store.page_at(source, begin)
        if self._store.page_at(source, begin + len(snippet) - 1) != page:
            return None
        return CasePlace(self._store.sources[source].path, page)

    def _found(self, vector: Vectors, source: SourceId, page: int) -> bool:
        return any(
            found.source_id == source and found.first_page <= page <= found.last_page
            for found, _score in self._store.search(FOUND_OVER, vector, FOUND_WITHIN)
        )
