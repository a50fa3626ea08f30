"""Our measures are those of an independent library."""

from __future__ import annotations

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.evaluation.metrics import DEPTH, relevance_measures


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.integers(0, 4), st.integers(1, 10))
def test_every_measure_agrees_with_ir_measures(relevant: list[bool], missed: int, k: int) -> None:
    total = sum(relevant) + missed
    if not total:
        return
    judged = [ir_measures.Qrel("q", str(n), int(hit)) for n, hit in enumerate(relevant)]
    judged += [ir_measures.Qrel("q", f"missed{n}", 1) for n in range(missed)]
    run = [ir_measures.ScoredDoc("q", str(n), -float(n)) for n in range(len(relevant))]
    ours_by_name = relevance_measures(relevant, k, total)
    measures = {
        ir_measures.Success @ 1: ours_by_name["hit@1"],
        ir_measures.Success @ 3: ours_by_name["hit@3"],
        ir_measures.Success @ k: ours_by_name["hit@k"],
        ir_measures.R @ k: ours_by_name["recall@k"],
        ir_measures.RR @ DEPTH: ours_by_name["mrr@10"],
        ir_measures.nDCG @ k: ours_by_name["ndcg@k"],
    }
    theirs = ir_measures.calc_aggregate(list(measures), judged, run)
    for measure, ours in measures.items():
        assert ours == pytest.approx(theirs[measure]), measure


def test_nothing_relevant_scores_nothing() -> None:
    assert set(relevance_measures([False], 5, 0).values()) == {0}
