"""The further sets of questions: whole, halved by hash, and apart from the sample questions."""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from pathlib import Path

import pytest

from tutor.evaluation.cases import Case, load_cases, sample_questions, shipped_cases

DATA = Path(__file__).resolve().parent.parent.parent / "tutor" / "evaluation" / "data"
SETS = {name: shipped_cases(name) for name in ("questions_near.jsonl", "questions_public.jsonl")}
ALL = [case for cases in SETS.values() for case in cases]
KINDS = {
    *("definition", "formula", "fact", "procedure", "comparison", "example", "list", "why"),
    *("near", "far"),
}


@pytest.mark.parametrize("name", SETS)
def test_every_line_is_a_whole_case(name: str) -> None:
    cases, problems = load_cases(DATA / name)
    assert problems == []
    assert cases == SETS[name]
    assert len(cases) == len((DATA / name).read_text(encoding="utf-8").splitlines())
    for case in cases:
        assert case.kind in KINDS, case.id
        assert case.language in {"es", "en"}, case.id
        assert case.answer, case.id
        assert case.answerable is (30 <= len(case.snippet) <= 300), case.id
        assert case.answerable is bool(case.places), case.id
        assert len(set(case.places)) == len(case.places), case.id
        assert case.answerable is (case.kind not in {"near", "far"}), case.id
        assert case.near is (case.kind == "near"), case.id


def test_ids_and_questions_are_new() -> None:
    everything = [*sample_questions(), *ALL]
    assert len({case.id for case in everything}) == len(everything)
    assert len({case.question.casefold() for case in everything}) == len(everything)


@pytest.mark.parametrize("name", SETS)
def test_each_group_is_halved_in_the_order_of_a_hash(name: str) -> None:
    groups = defaultdict[tuple[str, bool, bool], list[Case]](list)
    for case in SETS[name]:
        groups[case.language, case.answerable, case.near].append(case)
    for group in groups.values():
        ordered = sorted(group, key=lambda case: sha256(case.id.encode()).hexdigest())
        assert {case.split for case in ordered[::2]} == {"dev"}
        assert {case.split for case in ordered[1::2]} == {"test"}


def test_questions_are_not_copied_from_the_notes() -> None:
    for case in ALL:
        question, snippet = (
            [word.strip(".,;:¿?¡!()«»").lower() for word in text.split()]
            for text in (case.question, case.snippet)
        )
        runs = {tuple(question[i : i + 6]) for i in range(len(question) - 5)}
        copied = runs & {tuple(snippet[i : i + 6]) for i in range(len(snippet) - 5)}
        assert not copied, case.id
