"""The evaluation of conversations counts what it says it counts, on cases that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

from scripts.part_quality import (
    asked_in_context,
    context_rows,
    conversation_cases,
    one_after_another,
)
from tests.passages import make_hit
from tutor.evaluation.cases import Case, CasePlace, load_cases
from tutor.model import Turn
from tutor.search.contextual import Found

HISTORY = (Turn("¿Qué es A*?", "¿Qué es A*?", "A* es un algoritmo."),)
CASE = Case(
    "x", "¿y su fórmula?", "es", "elsewhere", places=(CasePlace("a.pdf", 2),), history=HISTORY
)
CASES = [
    replace(CASE, split="test"),
    replace(CASE, split="test", question="A* en árbol"),
    replace(CASE, split="dev"),
    replace(CASE, split="dev", kind="switch", question="A* o DFS"),
]
FILES = ("conversations.jsonl", "conversations_public.jsonl")


def ask(question: str, history: Sequence[Turn]) -> Found:
    """The page (`make_hit` spans 1-2) comes fourth for those who name A*, else fifth."""
    said = " ".join([question, *(turn.question for turn in history)])
    others = [make_hit("x", path="b.pdf") for _ in range(3 if "A*" in said else 4)]
    return Found([*others, make_hit("A*", path="a.pdf")], is_follow_up=bool(history))


def test_rates_are_counted_per_kind_and_split() -> None:
    heading, *rows = context_rows(asked_in_context(CASES, ask, 4))
    assert [row[:2] for row in rows] == [
        ["elsewhere, dev", "1"],
        ["elsewhere, test", "2"],
        ["switch, dev", "1"],
    ]
    assert {len(row) for row in rows} == {len(heading)}
    test = dict(zip(heading, rows[1], strict=True))
    assert (test["as typed"], test["behind the question before"]) == ("0.500", "1.000")
    assert (test["in context"], test["read together"]) == ("1.000", "2/2")
    assert test["difference [95 %]"].startswith("+0.500 [")
    assert rows[2][5].startswith("+0.000")


def test_only_the_first_k_passages_count() -> None:
    assert not asked_in_context(CASES, ask, 3)["product"].any()
    assert asked_in_context(CASES, ask, 5)["typed"].all()
    assert len(context_rows(asked_in_context([], ask, 4))) == 1


def test_the_cases_can_be_read_and_are_enough() -> None:
    cases: list[Case] = []
    for name in FILES:
        loaded, problems = load_cases(files("tutor.evaluation") / "data" / name)
        assert problems == []
        cases += loaded
    counted = Counter((case.kind, case.split) for case in cases)
    assert all(
        counted[kind, split] >= 30 for kind in ("elsewhere", "switch") for split in ("dev", "test")
    )
    english = Counter(case.kind for case in cases if case.language == "en")
    assert min(english["elsewhere"], english["switch"]) >= 15
    assert all(case.history and case.places for case in cases)
    assert all(case.needs_rewriting == (case.kind == "elsewhere") for case in cases)


def test_a_course_is_asked_about_its_own_documents() -> None:
    found = conversation_cases({"nacheteam_AA/diapositivaspractica3.pdf": 20})
    assert {place.file for case in found for place in case.places[:1]} <= {
        "nacheteam_AA/diapositivaspractica3.pdf"
    }
    assert conversation_cases({"otro.pdf": 1}) == []


def test_single_questions_follow_those_about_other_documents() -> None:
    cases = [
        Case(name, f"¿Qué es {name}?", places=(CasePlace(f"{name[0]}.pdf", 1),))
        for name in ("a1", "a2", "b1")
    ]
    following = one_after_another([*cases, Case("c", "¿Qué es c?", answerable=False)])
    assert [case.question for case in following] == ["¿Qué es a1?", "¿Qué es a2?", "¿Qué es b1?"]
    before = [case.history[0].question for case in following]
    assert before[:2] == ["¿Qué es b1?"] * 2
    assert before[2] in {"¿Qué es a1?", "¿Qué es a2?"}
    assert one_after_another(cases[:2]) == []


def test_conversations_as_students_type_them_can_be_read() -> None:
    cases: list[Case] = []
    for name in ("conversations_typed.jsonl", "conversations_typed_public.jsonl"):
        loaded, problems = load_cases(files("tutor.evaluation") / "data" / name)
        assert problems == []
        cases += loaded
    assert Counter(case.kind for case in cases) == {"typed follow-up": 80, "typed switch": 40}
    assert all(case.history and case.snippet for case in cases)
