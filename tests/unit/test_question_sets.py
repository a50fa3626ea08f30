"""The sets of questions that come with the program: whole, new, and true to the sample notes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from scripts._course import records as read_records
from scripts.map_quality import contents, pages_of
from scripts.quotes import read_questions
from tutor.evaluation.cases import Case, load_cases, sample_questions, shipped_cases
from tutor.ingest.metadata import parse_file_name
from tutor.model import CleanText, Document
from tutor.text.folding import folded

DATA = Path(__file__).resolve().parent.parent.parent / "tutor" / "evaluation" / "data"
SAMPLE = ("questions", "followups", "questions_near", "questions_english_notes")
MAP = {name: read_records(f"map_{name}.jsonl") for name in ("sample", "public")}
SECTIONS = read_records("map_sections.jsonl")
CONTENTS = {"weeks", "documents", "authors", "dates", "numbers", "places", "sections", "concepts"}


def cases_of(name: str) -> list[Case]:
    return load_cases(DATA / f"{name}.jsonl")[0]


def records(name: str) -> list[dict[str, Any]]:
    lines = (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def page_text(text: CleanText, page: int) -> str:
    starts = (*text.page_starts, len(text.text))
    return text.text[starts[page - 1] : starts[page]]


def plain(text: str) -> str:
    """Folded, with single spaces."""
    return " ".join(folded(text).split())


def every_content(cases: list[dict[str, Any]]) -> Iterator[Mapping[str, list[Any]]]:
    for case in cases:
        yield from (contents(case, name) for name in ("expected", "accepted", "wrong"))


@pytest.mark.parametrize("name", [*SAMPLE, "questions_public"])
def test_every_line_is_a_case(name: str, sample_texts: dict[str, CleanText]) -> None:
    pages = {file: len(text.page_starts) for file, text in sample_texts.items()}
    cases, problems = load_cases(DATA / f"{name}.jsonl", pages if name in SAMPLE else None)
    assert problems == []
    assert len(cases) == len(records(name))
    for case in cases:
        assert case.answerable is bool(case.places) is bool(case.snippet), case.id
        assert len(set(case.places)) == len(case.places), case.id


@pytest.mark.parametrize("name", SAMPLE)
def test_every_snippet_stands_on_its_places(name: str, sample_texts: dict[str, CleanText]) -> None:
    flat = {
        (file, page): " ".join(page_text(text, page).split())
        for file, text in sample_texts.items()
        for page in range(1, len(text.page_starts) + 1)
    }
    for case in (case for case in cases_of(name) if case.answerable):
        assert case.snippet in page_text(sample_texts[case.pages[0][0]], case.pages[0][1]), case.id
        snippet = " ".join(case.snippet.split())
        assert {place for place, text in flat.items() if snippet in text} <= set(case.pages)


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("questions_unseen", 60),
        ("questions_unseen_public", 60),
        ("questions_code", 22),
        ("questions_compound", 136),
        ("questions_code_public", 8),
        ("questions_within", 95),
        ("questions_within_public", 84),
        ("questions_numbered", 30),
        ("questions_numbered_public", 30),
        ("questions_synonyms", 45),
        ("questions_synonyms_public", 40),
        ("questions_summary", 164),
        ("questions_summary_public", 115),
    ],
)
def test_unseen_questions_are_read_by_the_scripts(
    name: str, count: int, sample_texts: dict[str, CleanText]
) -> None:
    assert len(read_questions(DATA / f"{name}.jsonl")) == count
    for record in records(name):
        for place in (
            (record, *record.get("alternatives", ())) if record.get("answerable", True) else ()
        ):
            if not name.endswith("_public"):
                page = page_text(sample_texts[place["file"]], place["page"])
                assert all(snippet in page for snippet in place["snippets"]), record["id"]


def test_no_id_stands_twice_and_no_unseen_question() -> None:
    sets = {path.stem: records(path.stem) for path in DATA.glob("questions*.jsonl")}
    ids = [record["id"] for one in sets.values() for record in one]
    ids += [case["id"] for cases in MAP.values() for case in cases]
    assert [value for value, times in Counter(ids).items() if times > 1] == []
    asked = Counter(plain(record["question"]) for one in sets.values() for record in one)
    unseen = [record for name in sets if "unseen" in name for record in sets[name]]
    assert [record["id"] for record in unseen if asked[plain(record["question"])] > 1] == []


def test_development_and_test_share_no_document() -> None:
    cases = [*sample_questions(), *shipped_cases("followups.jsonl")]
    dev, test = (
        {place.file for case in cases if case.split == split for place in case.places}
        for split in ("dev", "test")
    )
    assert dev
    assert test
    assert not dev & test


def test_documents_pages_and_headings_of_map_questions(sample_texts: dict[str, CleanText]) -> None:
    for part in every_content(MAP["sample"]):
        assert set(part["documents"]) <= set(sample_texts)
        for file, page in pages_of(part):
            assert 1 <= page <= len(sample_texts[file].page_starts), file
        for section in part["sections"]:
            shown = plain(page_text(sample_texts[section["file"]], section["page"]))
            assert plain(section["title"]) in shown, section
    known = {place.file for case in cases_of("questions_public") for place in case.places}
    for part in every_content(MAP["public"]):
        assert {*part["documents"], *(file for file, _page in pages_of(part))} <= known


def test_weeks_dates_and_authors_of_map_questions(sample_documents: dict[str, Document]) -> None:
    names = [parse_file_name(name) for name in sample_documents]
    authors = {
        author
        for document in sample_documents.values()
        for author in document.info.author.split(", ")
    }
    for part in every_content(MAP["sample"]):
        assert set(part["weeks"]) <= {name.week for name in names}
        assert set(part["dates"]) <= {str(name.date) for name in names}
        assert set(part["authors"]) <= authors


@pytest.mark.parametrize("marked", SECTIONS, ids=lambda section: section["id"])
def test_marked_sections(marked: dict[str, Any], sample_texts: dict[str, CleanText]) -> None:
    names = [concept["name"] for concept in marked["concepts"]]
    ends = {one[end] for one in marked["relations"] for end in ("subject", "object")}
    assert ends <= set(names)
    assert len(set(names)) == len(names)
    if marked["course"] == "sample":
        text = sample_texts[marked["file"]]
        (section,) = (
            one
            for one in text.sections
            if one.title == marked["heading"] and text.page_at(one.start) == marked["page"]
        )
        words = plain(text.text[section.start : section.end])
        assert words.startswith(plain(f"{marked['heading']} {marked['begins']}"))
        assert [name for name in names if plain(name) not in words] == []


def test_questions_of_the_map_have_known_fields() -> None:
    known = {"id", "kind", "form", "lang", "question", "split", "also"}
    for case in (case for cases in MAP.values() for case in cases):
        assert case.keys() <= known | {"expected", "accepted", "wrong"}, case["id"]
        assert case["kind"] in {"fact", "overview", "relation", "broad"}
        assert case["split"] in {"dev", "test"}
    for part in every_content([case for cases in MAP.values() for case in cases]):
        assert part.keys() <= CONTENTS
        assert all(part.values())
