"""Precision, recall and false refusals of a list of decisions."""

from __future__ import annotations

from scripts._course import records
from scripts.part_quality import decision_rows, refused, verified
from tutor.embedding import BundledEmbedder
from tutor.evaluation.cases import Case
from tutor.model import Answerability

CASES = [
    *(Case(f"y{n}", f"yes {n}", "es", split="test") for n in range(8)),
    *(Case(f"n{n}", f"no {n}", "en", answerable=False, near=n < 2, split="test") for n in range(4)),
    Case("d", "yes d", "es", split="dev"),
]
REFUSED = {"yes 0", "no 0", "no 2", "no 3"}


def _covers(question: str) -> Answerability:
    return Answerability(question not in REFUSED, float(question not in REFUSED), 0.5)


def test_the_figures_are_those_of_the_counts() -> None:
    heading, *rows = decision_rows(
        refused(CASES, _covers), "split, language", "cases", "unanswerable"
    )
    by_name = {row[0]: dict(zip(heading, row, strict=True)) for row in rows}
    assert list(by_name) == ["dev, all", "test, all", "test, es", "test, en"]
    test = by_name["test, all"]
    assert (test["cases"], test["unanswerable"]) == ("12", "4")
    starts = {name: cell.split()[0] for name, cell in test.items()}
    assert starts["precision [95 %]"] == starts["recall [95 %]"] == starts["F1 [95 %]"] == "0.750"
    assert starts["recall, on topic [95 %]"] == "0.500"
    assert starts["wrong yes [95 %]"] == "0.125"
    assert by_name["test, en"]["wrong yes [95 %]"] == "-"
    assert by_name["dev, all"]["recall [95 %]"] == "-"
    assert not any("nan" in cell for row in rows for cell in row)


def test_the_question_that_stands_alone_is_judged() -> None:
    asked: list[str] = []

    def covers(question: str) -> Answerability:
        asked.append(question)
        return Answerability(answerable=True, evidence=1, threshold=0.5)

    refused([Case("f", "¿y su fórmula?", standalone="¿Cuál es la fórmula de Bayes?")], covers)
    assert asked == ["¿Cuál es la fórmula de Bayes?"]


def test_the_verifier_is_held_against_a_person() -> None:
    every = records("support_pairs.jsonl")
    pairs = [p for p in every if p["kind"] in ("quote", "off_topic") and p["split"] == "dev"]
    heading, whole, *kinds = decision_rows(
        verified(pairs, BundledEmbedder()), "split, kind", "pairs", "supported"
    )
    shown = dict(zip(heading, whole, strict=True))
    assert (shown["pairs"], shown["supported"]) == ("16", "10")
    assert shown["precision [95 %]"] == shown["recall [95 %]"] == "1.000 [1.000, 1.000]"
    assert [row[0] for row in kinds] == ["dev, quote", "dev, off_topic"]
