"""Whatever is asked, the decision is a probability, and the words' shares are shares."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.passages import make_hit
from tutor.chunking import detect_language, split_sentences
from tutor.coverage import Calibration, Scale, TextReader, judge
from tutor.coverage.calibration import Level
from tutor.coverage.wording import wording
from tutor.lexical import passage_terms, question_terms
from tutor.types import LegScore

READER = TextReader(split_sentences, detect_language, passage_terms, question_terms)
DIM = 8
LEVEL = Level(0.89, 0.02)
TEXTS = st.text(max_size=120) | st.sampled_from(
    ["¿Cuántos parámetros tiene GPT-4?", "A* C++ f(n)", "What is BM25?", "¿Quién?", "ßİ", "1 2 3"]
)
COSINES = st.floats(-1, 1)


def _calibration(seed: int) -> Calibration:
    background = np.random.default_rng(seed).normal(size=(5, DIM)).astype(np.float16)
    return Calibration(
        {"dense": Scale(LEVEL, LEVEL, Level(5, 1))},
        -0.04,
        background.astype(np.float32),
        7,
        {"parametr": 2, "gpt-4": 1},
        {"es": 7},
    )


@given(TEXTS, st.lists(st.tuples(TEXTS, COSINES), max_size=9), st.integers(0, 9))
def test_the_evidence_is_a_probability_and_decides(
    question: str, passages: list[tuple[str, float]], seed: int
) -> None:
    hits = [
        replace(make_hit(text, rank=rank), legs={"dense": LegScore(rank, cosine)})
        for rank, (text, cosine) in enumerate(passages, start=1)
    ]
    vector = np.full(DIM, DIM**-0.5, np.float32)
    coverage = judge(question, hits, vector, _calibration(seed), READER)
    assert 0 <= coverage.evidence <= 1
    assert coverage.covered == (coverage.evidence >= coverage.threshold)


@given(COSINES, COSINES)
def test_a_nearer_passage_is_never_less_evidence(one: float, other: float) -> None:
    vector = np.full(DIM, DIM**-0.5, np.float32)
    low, high = (
        judge(
            "¿Qué es la entropía?",
            [replace(make_hit("La entropía mide."), legs={"dense": LegScore(1, cosine)})],
            vector,
            _calibration(1),
            READER,
        ).evidence
        for cosine in sorted((one, other))
    )
    assert low <= high


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_shares_are_shares(question: str, passages: list[str]) -> None:
    found = wording(question, passages, READER, {"entropi": 1}, 5)
    assert all(-1e-9 <= share <= 1 + 1e-9 for share in astuple(found))
    assert found.first <= found.any + 1e-9


@given(st.dictionaries(TEXTS, st.integers(1, 99)), st.integers(0, 9))
def test_json_keeps_everything(holders: dict[str, int], seed: int) -> None:
    before = replace(_calibration(seed), holders=holders)
    after = Calibration.from_json(before.to_json())
    assert after.to_json() == before.to_json()
    assert after.holders == holders
    assert (after.background == before.background).all()
