"""Filters are recognised about as well as docs/retrieval.md says, and its table can be made."""

from __future__ import annotations

import pytest

from scripts.filter_rules import (
    SPLITS,
    baseline,
    counts,
    measure,
    rules,
    sources_of,
    without,
)
from tutor.model import Document, Source
from tutor.search.filters import Recogniser


@pytest.fixture(scope="module")
def sources(sample_documents: dict[str, Document]) -> list[Source]:
    return sources_of(sample_documents)


def test_most_filters_are_recognised_and_almost_none_is_made_up(sources: list[Source]) -> None:
    recognised = measure(Recogniser(sources).recognise, sources)
    simple = measure(baseline(sources), sources)
    for split in SPLITS:
        told = counts(recognised, split)
        assert told["right"] >= 0.9 * told["meant"]
        assert told["wrong"] <= 1
        assert told["false"] <= 3
        assert told["right"] > 1.5 * counts(simple, split)["right"]


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule["name"])
def test_each_rule_of_the_table_can_be_taken_away(
    rule: dict[str, str], sources: list[Source]
) -> None:
    assert not without(rule, sources)("¿Qué es la poda?").filter
