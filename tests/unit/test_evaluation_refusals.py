"""Precision, recall and false refusals of a list of decisions."""

from __future__ import annotations

import math

import pytest

from tutor.evaluation.cases import Case
from tutor.evaluation.refusals import evaluate, rows
from tutor.types import Coverage

CASES = [
    *(Case(f"y{n}", f"yes {n}", "es", split="test") for n in range(8)),
    *(Case(f"n{n}", f"no {n}", "en", answerable=False, near=n < 2, split="test") for n in range(4)),
    Case("d", "yes d", "es", split="dev"),
]
REFUSED = {"yes 0", "no 0", "no 2", "no 3"}


def _covers(question: str) -> Coverage:
    return Coverage(question not in REFUSED, float(question not in REFUSED), 0.5)


def test_the_figures_are_those_of_the_counts() -> None:
    report = evaluate(CASES, _covers)
    dev, test, english, spanish = report.results
    assert (test.split, test.language, test.cases, test.unanswerable) == ("test", "all", 12, 4)
    assert test.precision.estimate == pytest.approx(3 / 4)
    assert test.recall.estimate == pytest.approx(3 / 4)
    assert test.f1.estimate == pytest.approx(3 / 4)
    assert test.near_recall.estimate == pytest.approx(1 / 2)
    assert test.false_refusals.estimate == pytest.approx(1 / 8)
    assert test.precision.low <= 3 / 4 <= test.precision.high
    assert (english.language, english.recall.estimate) == ("en", test.recall.estimate)
    assert english.false_refusals.n == 0
    assert spanish.precision.estimate == 0
    assert math.isnan(dev.recall.estimate)
    assert len(report.judgements) == len(CASES)


def test_the_rows_make_a_table_without_nan() -> None:
    table = rows(evaluate(CASES, _covers))
    assert len({len(row) for row in table}) == 1
    assert [row[0] for row in table[1:]] == ["dev, all", "test, all", "test, en", "test, es"]
    assert not any("nan" in cell for row in table[1:] for cell in row)


def test_the_question_that_stands_alone_is_judged() -> None:
    asked: list[str] = []

    def covers(question: str) -> Coverage:
        asked.append(question)
        return Coverage(covered=True, evidence=1, threshold=0.5)

    evaluate([Case("f", "¿y su fórmula?", standalone="¿Cuál es la fórmula de Bayes?")], covers)
    assert asked == ["¿Cuál es la fórmula de Bayes?"]
