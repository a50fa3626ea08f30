"""Sentences belong to the chunks that hold them, whatever the text."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.index.store.sentences import LEAST_SENTENCE_LETTERS, chunk_ranges, sentence_spans
from tutor.ingest.chunking import chunks_of
from tutor.model import CleanText, Strategy, source_id

SOURCE = source_id("a.pdf")
SENTENCE = st.sampled_from(
    [
        "La búsqueda en anchura visita los nodos por niveles.",
        "¿Y la búsqueda en profundidad?",
        "12",
        "Véase la fig. 3 de la página anterior, donde se compara todo lo dicho hasta aquí.",
        "palabra " * 40,
    ]
)
TEXTS = st.lists(SENTENCE, max_size=60).map(" ".join)


@given(TEXTS)
@settings(deadline=None)
def test_spans_are_in_order_and_worth_their_vector(text: str) -> None:
    spans = sentence_spans(CleanText.plain(SOURCE, text))
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(spans))
    assert all(sum(map(str.isalpha, text[a:b])) >= LEAST_SENTENCE_LETTERS for a, b in spans)


@given(TEXTS, st.sampled_from(list(Strategy)))
@settings(deadline=None)
def test_a_chunk_has_the_sentences_of_which_it_holds_at_least_half(
    text: str, strategy: Strategy
) -> None:
    spans = sentence_spans(CleanText.plain(SOURCE, text))
    chunks = chunks_of(CleanText.plain(SOURCE, text), strategy)
    where = np.array(spans, np.int64).reshape(-1, 2)
    ranges = chunk_ranges(chunks, where, {SOURCE: (0, len(spans))})
    for chunk, (first, last) in zip(chunks, ranges, strict=True):
        inside = {n for n, (a, b) in enumerate(spans) if chunk.start <= (a + b) / 2 < chunk.end}
        assert set(range(first, last)) == inside
    assert set(range(len(spans))) == {n for a, b in ranges for n in range(a, b)}
