"""The sample questions are right about the sample course; files of cases, good and bad."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tutor.errors import NotesError
from tutor.evaluation.cases import (
    Case,
    CasePlace,
    load_cases,
    sample_followups,
    sample_questions,
    shipped_cases,
)
from tutor.model import CleanText, Turn

REPO = Path(__file__).resolve().parent.parent.parent
DATA = REPO / "tutor" / "evaluation" / "data"
QUESTIONS = sample_questions()
FOLLOW_UPS = sample_followups()
BOTH = [*QUESTIONS, *FOLLOW_UPS]
NEAR = shipped_cases("questions_near.jsonl")
ENGLISH_NOTES = shipped_cases("questions_english_notes.jsonl")


def page_text(text: CleanText, page: int) -> str:
    starts = (*text.page_starts, len(text.text))
    return text.text[starts[page - 1] : starts[page]]


def test_no_line_of_the_sample_sets_is_left_out(sample_texts: dict[str, CleanText]) -> None:
    pages = {name: len(text.page_starts) for name, text in sample_texts.items()}
    sets = {
        "questions": QUESTIONS,
        "followups": FOLLOW_UPS,
        "questions_near": NEAR,
        "questions_english_notes": ENGLISH_NOTES,
    }
    for name, cases in ((f"{name}.jsonl", cases) for name, cases in sets.items()):
        loaded, problems = load_cases(DATA / name, pages)
        assert problems == []
        assert loaded == cases
        assert len(cases) == len((DATA / name).read_text(encoding="utf-8").splitlines())


def test_every_snippet_stands_on_its_page(sample_texts: dict[str, CleanText]) -> None:
    for case in [*BOTH, *NEAR, *ENGLISH_NOTES]:
        if case.answerable:
            place = case.places[0]
            assert 30 <= len(case.snippet) <= 300, case.id
            assert case.snippet in page_text(sample_texts[place.file], place.page), case.id


def test_every_page_that_holds_the_snippet_is_among_the_places(
    sample_texts: dict[str, CleanText],
) -> None:
    flat = {
        (name, page): " ".join(page_text(text, page).split())
        for name, text in sample_texts.items()
        for page in range(1, len(text.page_starts) + 1)
    }
    for case in [*BOTH, *NEAR, *ENGLISH_NOTES]:
        if case.answerable:
            snippet = " ".join(case.snippet.split())
            holding = {place for place, text in flat.items() if snippet in text}
            assert holding <= set(case.pages), case.id


def test_ids_questions_and_places_are_not_repeated() -> None:
    assert len({case.id for case in BOTH}) == len(BOTH)
    assert len({case.question for case in QUESTIONS}) == len(QUESTIONS)
    for case in BOTH:
        assert len(set(case.places)) == len(case.places), case.id


def test_development_and_test_share_no_document() -> None:
    files = {
        split: {place.file for case in BOTH if case.split == split for place in case.places}
        for split in ("dev", "test")
    }
    assert not files["dev"] & files["test"]
    assert {case.split for case in BOTH} == {"dev", "test"}
    assert len(files["dev"]) + len(files["test"]) == 28
    shares = Counter(case.split for case in QUESTIONS)
    assert min(shares.values()) >= 0.4 * len(QUESTIONS)


def test_there_are_as_many_questions_of_each_kind_as_promised() -> None:
    answerable = [case for case in QUESTIONS if case.answerable]
    kinds = Counter(case.kind for case in answerable)
    assert len(answerable) >= 170
    assert set(kinds) == {
        *("definition", "fact", "formula", "procedure", "comparison", "concept", "technique")
    }
    assert min(kinds.values()) >= 10
    english_notes = "12_SEMANA_AI_20251023_1.pdf"
    over_spanish = [
        case
        for case in answerable
        if case.language == "en" and case.places[0].file != english_notes
    ]
    assert len(over_spanish) >= 40
    assert all(case.answer and case.language in {"es", "en"} for case in QUESTIONS)


def test_unanswerable_questions_have_no_place_and_come_near_and_far() -> None:
    unanswerable = [case for case in QUESTIONS if not case.answerable]
    assert len(unanswerable) >= 45
    assert all(case.places == () and case.snippet == "" for case in unanswerable)
    assert all((case.kind == "unanswerable") is not case.answerable for case in QUESTIONS)
    groups = Counter((case.split, case.near) for case in unanswerable)
    assert len(groups) == 4
    assert min(groups.values()) >= 10
    assert {case.language for case in unanswerable} == {"es", "en"}


def test_questions_are_not_copied_from_the_notes() -> None:
    for case in QUESTIONS:
        question, snippet = (
            [word.strip(".,;:¿?¡!()«»").lower() for word in text.split()]
            for text in (case.question, case.snippet)
        )
        runs = {tuple(question[i : i + 6]) for i in range(len(question) - 5)}
        copied = runs & {tuple(snippet[i : i + 6]) for i in range(len(snippet) - 5)}
        assert not copied, (case.id, copied)


def test_follow_ups_lean_on_a_conversation_and_some_only_look_so() -> None:
    leaning = [case for case in FOLLOW_UPS if case.needs_rewriting]
    others = [case for case in FOLLOW_UPS if not case.needs_rewriting]
    assert len(leaning) >= 48
    assert sum(case.language == "en" for case in leaning) >= 12
    assert len(others) >= 10
    assert all(case.history and case.answerable for case in FOLLOW_UPS)
    assert all(case.standalone != case.question for case in leaning)
    assert all(case.standalone == case.question for case in others)
    assert any(len(case.history) > 1 for case in leaning)


def record(**changes: object) -> str:
    fields = {"id": "a", "question": "¿Qué es A*?", "file": "a.pdf", "page": 2, **changes}
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def loaded(folder: Path, *lines: str | bytes) -> tuple[list[Case], list[str]]:
    path = folder / "cases.jsonl"
    path.write_bytes(b"\n".join(x if isinstance(x, bytes) else x.encode() for x in lines))
    return load_cases(path, {"a.pdf": 3, "semana 1/b.pdf": 1})


def test_a_case_with_all_its_fields(tmp_path: Path) -> None:
    line = record(
        lang="es",
        kind="follow-up",
        answer="Una búsqueda.",
        snippet="A* expande",
        split="dev",
        also=[{"file": "semana 1/b.pdf", "page": 1}],
        history=[{"question": "¿Y BFS?", "answer": "En anchura."}],
        standalone="¿Qué es A*?",
        needs_rewriting=True,
    )
    (case,), problems = loaded(tmp_path, line)
    assert problems == []
    assert case.places == (CasePlace("a.pdf", 2), CasePlace("semana 1/b.pdf", 1))
    assert case.history == (Turn("¿Y BFS?", "¿Y BFS?", "En anchura."),)
    assert case.language == "es"
    assert case.needs_rewriting


def test_few_fields_are_enough(tmp_path: Path) -> None:
    (case,), problems = loaded(tmp_path, record())
    assert problems == []
    assert case.answerable
    assert case.standalone == case.question
    assert not case.needs_rewriting


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ('{"page": 1' + "0" * 10_000 + "}", "not valid JSON"),
        ("[1]", "not a JSON object"),
        (b'{"id": "\xff"}', "not valid JSON"),
        (record(question="\ud800"), "not valid JSON"),
        (record(id=None), "the field id is missing"),
        (record(question=" "), "the field question is missing"),
        (record(question=["a"]), 'the field question is not as expected: ["a"]'),
        (record(answerable="no"), 'the field answerable is not as expected: "no"'),
        (record(file=None), "the field file is missing"),
        (record(page=None), "the field page is missing"),
        (record(page="2"), 'the field page is not as expected: "2"'),
        (record(page=True), "the field page is not as expected: true"),
        (record(page=-1), "the field page is not as expected: -1"),
        (record(page=1.5), "the field page is not as expected: 1.5"),
        (record(file=7), "the field file is not as expected: 7"),
        (record(also="b.pdf"), 'the field also is not as expected: "b.pdf"'),
        (record(also=["b.pdf"]), 'the field also.0 is not as expected: "b.pdf"'),
        (record(also=[{"file": "a.pdf"}]), "the field page is missing"),
        (record(history="no"), 'the field history is not as expected: "no"'),
        (record(history=["no"]), 'the field history.0 is not as expected: "no"'),
        (record(answerable=False), "a question without answer cannot have a place"),
        (record(file="c.pdf"), "the course has no document c.pdf"),
        (record(file="\x1b[31m" + "c" * 90), "the course has no document [31m" + "c" * 35 + "…"),
        (record(page=4), "a.pdf has no page 4"),
        (record(also=[{"file": "semana 1/b.pdf", "page": 2}]), "semana 1/b.pdf has no page 2"),
        (record(id="first"), "the id first is taken already"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_loaded(
    tmp_path: Path, line: str | bytes, reason: str
) -> None:
    cases, problems = loaded(tmp_path, record(id="first"), "", line, record(id="last"))
    assert [case.id for case in cases] == ["first", "last"]
    assert problems == [f"line 3: {reason}"]


def test_unknown_fields_are_named_and_the_case_is_kept(tmp_path: Path) -> None:
    cases, problems = loaded(tmp_path, record(anwser="x", comment="y"))
    assert len(cases) == 1
    assert problems == ["line 1: unknown fields, ignored: anwser, comment"]


def test_a_file_as_windows_editors_save_it(tmp_path: Path) -> None:
    bom = "\N{ZERO WIDTH NO-BREAK SPACE}"
    cases, problems = loaded(tmp_path, bom + record() + "\r", record(id="b") + "\r", "\r")
    assert problems == []
    assert [case.id for case in cases] == ["a", "b"]


def test_separators_within_a_question_do_not_end_the_line(tmp_path: Path) -> None:
    line = record(question="a\u2028b").replace("\\u2028", "\u2028")
    (case,), problems = loaded(tmp_path, line)
    assert problems == []
    assert case.question == "a\u2028b"


def test_without_a_course_places_are_not_looked_up(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text(record(file="c.pdf", page=99), encoding="utf-8")
    cases, problems = load_cases(path)
    assert problems == []
    assert cases[0].pages == (("c.pdf", 99),)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotesError, match="cannot be read") as caught:
        load_cases(tmp_path / name)
    assert caught.value.remedy
