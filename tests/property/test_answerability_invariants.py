"""Whatever is asked, the decision is a probability, and the words' shares are shares."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.passages import make_hit
from tutor.answer.answerability import Reference, judge, signals
from tutor.index.lexical import LexicalIndex
from tutor.model import RetrieverScore

DIM = 8
TEXTS = st.text(max_size=120) | st.sampled_from(
    ["¿Cuántos parámetros tiene GPT-4?", "A* C++ f(n)", "What is BM25?", "¿Quién?", "ßİ", "1 2 3"]
)
COSINES = st.floats(-1, 1)
LEXICAL = LexicalIndex.build(["La entropía mide.", "GPT-4 tiene parámetros."])


def _reference(seed: int, chunks: int = 40) -> Reference:
    background = np.random.default_rng(seed).normal(size=(chunks, DIM))
    return Reference(background.astype(np.float32), LEXICAL)


@given(
    TEXTS,
    st.lists(st.tuples(TEXTS, COSINES), max_size=9),
    st.integers(0, 9),
    st.sampled_from([0, 1, 40]),
)
def test_the_evidence_is_a_probability_and_decides(
    question: str, passages: list[tuple[str, float]], seed: int, chunks: int
) -> None:
    hits = [
        replace(make_hit(text, rank=rank), retrievers={"dense": RetrieverScore(rank, cosine)})
        for rank, (text, cosine) in enumerate(passages, start=1)
    ]
    judged = judge(question, hits, _reference(seed, chunks))
    assert 0 <= judged.evidence <= 1
    assert judged.answerable == (judged.evidence >= judged.threshold)


@given(COSINES, COSINES)
def test_a_nearer_passage_is_never_less_evidence(one: float, other: float) -> None:
    low, high = (
        judge(
            "¿Qué es la entropía?",
            [
                replace(
                    make_hit("La entropía mide."), retrievers={"dense": RetrieverScore(1, cosine)}
                )
            ],
            _reference(1),
        ).evidence
        for cosine in sorted((one, other))
    )
    assert low <= high


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4))
def test_shares_are_shares(question: str, passages: list[str]) -> None:
    values = signals(question, [make_hit(text) for text in passages], _reference(1))
    shares = [value for name, value in values.items() if name != "nearness"]
    assert all(-1e-9 <= share <= 1 + 1e-9 for share in shares)
