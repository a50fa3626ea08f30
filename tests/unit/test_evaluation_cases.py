"""Files of cases, good and bad."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tutor.errors import NotesError
from tutor.evaluation.cases import Case, CasePlace, load_cases
from tutor.model import Turn


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
