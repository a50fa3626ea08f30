"""The evaluation counts what it says it counts: pages found, false alarms, missed follow-ups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.passages import make_hit
from tutor.cli.output import table
from tutor.evaluation.followups import evaluate, rows
from tutor.types import Turn

if TYPE_CHECKING:
    from tutor.types import Hit

HISTORY = (Turn("¿Qué es A*?", "¿Qué es A*?", "A* es un algoritmo."),)


@dataclass(frozen=True)
class Case:
    question: str
    needs_rewriting: bool = True
    id: str = "x"
    language: str = "es"
    split: str = "test"
    history: tuple[Turn, ...] = HISTORY
    pages: frozenset[tuple[str, int]] = frozenset({("a.pdf", 2)})


CASES = [
    Case("¿y su fórmula?"),
    Case("dame un ejemplo"),
    Case("fórmula de la heurística"),  # leans on nothing that the rules can see
    Case("¿Qué es DFS?", needs_rewriting=False),
    Case("¿y su complejidad?", needs_rewriting=False),
    Case("and its formula?", language="en"),
    Case("¿por qué?", split="dev"),
]


def ask(question: str) -> list[Hit]:
    """The page (`make_hit` spans 1-2) comes fourth for those who name A*, else fifth."""
    others = [make_hit("x", path="b.pdf") for _ in range(3 if "A*" in question else 4)]
    return [*others, make_hit("A*", path="a.pdf")]


def test_rates_and_alarms_are_counted_per_split_and_language() -> None:
    report = evaluate(CASES, ask, k=4)
    groups = {(r.split, r.language): r for r in report.results}
    assert set(groups) == {("dev", "all"), ("test", "all"), ("test", "en"), ("test", "es")}
    everything = groups["test", "all"]
    assert (everything.needed, everything.standing) == (4, 2)
    assert everything.without.estimate == 0
    assert everything.with_rewriting.estimate == pytest.approx(0.75)
    assert everything.difference.estimate == pytest.approx(0.75)
    assert everything.difference.low <= 0.75 <= everything.difference.high
    assert (everything.false_positives, everything.false_negatives) == (1, 1)


def test_only_the_first_k_passages_count() -> None:
    assert evaluate(CASES, ask, k=3).results[0].with_rewriting.estimate == 0
    assert evaluate(CASES, ask, k=5).results[0].without.estimate == 1


def test_another_way_of_rewriting_is_measured_alike() -> None:
    report = evaluate(CASES, ask, rewrite=lambda question, history: question)
    assert all(r.difference.estimate == 0 for r in report.results)


def test_the_table_has_a_row_per_group() -> None:
    shown = rows(evaluate(CASES, ask))
    assert {len(row) for row in shown} == {7}
    assert len(table(shown).splitlines()) == 5


def test_no_cases_give_no_groups() -> None:
    assert evaluate([], ask).results == ()
