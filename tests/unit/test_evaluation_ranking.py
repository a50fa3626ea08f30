"""Our measures are those of an independent library."""

from __future__ import annotations

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.evaluation.metrics import hit_at, ndcg_at, recall_at, reciprocal_rank


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 4), st.integers(1, 10))
def test_every_measure_agrees_with_ir_measures(relevant: list[bool], missed: int, k: int) -> None:
    total = sum(relevant) + missed
    if not total:
        return
    judged = [ir_measures.Qrel("q", str(n), int(hit)) for n, hit in enumerate(relevant)]
    judged += [ir_measures.Qrel("q", f"missed{n}", 1) for n in range(missed)]
    run = [ir_measures.ScoredDoc("q", str(n), -float(n)) for n in range(len(relevant))]
    measures = {
        ir_measures.Success @ k: hit_at(relevant, k),
        ir_measures.R @ k: recall_at(relevant, k, total),
        ir_measures.RR @ k: reciprocal_rank(relevant, k),
        ir_measures.nDCG @ k: ndcg_at(relevant, k, total),
    }
    theirs = ir_measures.calc_aggregate(list(measures), judged, run)
    for measure, ours in measures.items():
        assert ours == pytest.approx(theirs[measure]), measure


def test_nothing_relevant_scores_nothing() -> None:
    assert recall_at([False], 5, 0) == ndcg_at([False], 5, 0) == reciprocal_rank([False], 5) == 0
