"""Filters are recognised about as well as docs/retrieval.md says, and its table can be made."""

from __future__ import annotations

import pytest

from scripts.filter_rules import Rule, baseline, measure, rules, sources_of, without
from tutor.model import Document, Source
from tutor.search.filters import Recogniser


@pytest.fixture(scope="module")
def sources(sample_documents: dict[str, Document]) -> list[Source]:
    return sources_of(sample_documents)


def test_most_filters_are_recognised_and_almost_none_is_made_up(sources: list[Source]) -> None:
    counts = measure(Recogniser(sources).recognise, sources)
    simple = measure(baseline(sources), sources)
    for split in ("dev", "test"):
        assert counts[split, "right"] >= 0.9 * counts[split, "meant"]
        assert counts[split, "wrong"] == 0
        assert counts[split, "false"] <= 1
        assert counts[split, "right"] > 1.5 * simple[split, "right"]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_each_rule_of_the_table_can_be_taken_away(rule: Rule, sources: list[Source]) -> None:
    assert not without(rule, sources)("¿Qué es la poda?").filter
