"""Questions for the map and marked sections: whole, halved, and true to the sample notes."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from scripts.map_cases import (
    Contents,
    MapCase,
    MapKind,
    MarkedSection,
    map_questions,
    marked_sections,
)
from tutor.evaluation.cases import sample_followups, sample_questions, shipped_cases
from tutor.ingest.metadata import parse_file_name
from tutor.model import CleanText, Document
from tutor.text.folding import folded

REPO = Path(__file__).resolve().parent.parent.parent
SAMPLE, PUBLIC = map_questions("sample"), map_questions("public")
SETS = {"sample": SAMPLE, "public": PUBLIC}
BOTH = [*SAMPLE, *PUBLIC]
SECTIONS = marked_sections()
MARKED_HERE = [section for section in SECTIONS if section.course == "sample"]
KINDS: tuple[MapKind, ...] = ("fact", "overview", "relation", "broad")


def plain(text: str) -> str:
    """Folded, with single spaces."""
    return " ".join(folded(text).split())


def page_text(text: CleanText, page: int) -> str:
    starts = (*text.page_starts, len(text.text))
    return plain(text.text[starts[page - 1] : starts[page]])


def contents(case: MapCase) -> tuple[Contents, ...]:
    return case.expected, case.accepted, case.wrong


def test_as_many_questions_of_each_kind_as_documented() -> None:
    assert Counter(case.kind for case in SAMPLE) == dict.fromkeys(KINDS, 15)
    assert Counter(case.kind for case in PUBLIC) == dict.fromkeys(KINDS, 10)
    forms = Counter(case.form for case in SAMPLE if case.kind == "relation")
    assert forms == {"relation": 6, "prerequisite": 6, "path": 3}
    assert Counter(case.lang for case in BOTH) == {"es": 85, "en": 15}


def test_ids_and_questions_are_new() -> None:
    others = [*sample_questions(), *sample_followups()]
    others += [*shipped_cases("questions_near.jsonl"), *shipped_cases("questions_public.jsonl")]
    ids = [case.id for case in others] + [case.id for case in BOTH]
    ids += [section.id for section in SECTIONS]
    assert len(set(ids)) == len(ids)
    asked = [plain(case.question) for case in BOTH]
    assert len(set(asked)) == len(asked)
    assert not {plain(case.question) for case in others} & set(asked)


@pytest.mark.parametrize("name", SETS)
def test_kinds_forms_and_languages_are_halved(name: str) -> None:
    cases = SETS[name]
    assert Counter(case.split for case in cases) == dict.fromkeys(("dev", "test"), len(cases) // 2)
    for group in ("kind", "form", "lang"):
        halves = defaultdict[str, list[str]](list)
        for case in cases:
            halves[getattr(case, group)].append(case.split)
        for splits in halves.values():
            assert abs(splits.count("dev") - splits.count("test")) <= 1


def test_what_is_expected_fits_the_kind() -> None:
    for case in BOTH:
        expected, wrong = case.expected, case.wrong
        facts = any(
            (expected.weeks, expected.documents, expected.authors, expected.dates, expected.numbers)
        )
        if case.kind == "fact":
            assert facts, case.id
            assert not any((expected.sections, expected.concepts, expected.places)), case.id
        elif case.kind == "relation":
            joins = case.form == "relation"
            assert bool(expected.places) is joins, case.id
            assert bool(expected.concepts) is bool(wrong.concepts) is not joins, case.id
            assert not facts, case.id
        else:
            named = (expected.weeks, expected.documents, expected.sections, expected.concepts)
            assert any(named), case.id
        assert bool(case.form) is (case.kind == "relation"), case.id
        assert case.kind not in case.also, case.id


def test_nothing_is_both_expected_and_something_else() -> None:
    for case in BOTH:
        named = defaultdict[str, list[object]](list)
        for part in contents(case):
            for name in ("weeks", "documents", "authors", "dates", "numbers", "places", "sections"):
                named[name] += getattr(part, name)
            named["concepts"] += [plain(name) for names in part.concepts for name in names]
        for values in named.values():
            twice = [value for value, times in Counter(values).items() if times > 1]
            assert not twice, case.id


def test_documents_pages_and_headings_are_those_of_the_sample_course(
    sample_texts: dict[str, CleanText],
) -> None:
    for part in (part for case in SAMPLE for part in contents(case)):
        assert set(part.documents) <= set(sample_texts)
        for file, page in part.pages:
            assert 1 <= page <= len(sample_texts[file].page_starts), file
        for section in part.sections:
            shown = page_text(sample_texts[section.file], section.page)
            assert plain(section.title) in shown, section


def test_weeks_dates_and_authors_are_those_of_the_sample_course(
    sample_documents: dict[str, Document],
) -> None:
    names = [parse_file_name(name) for name in sample_documents]
    authors = {
        author
        for document in sample_documents.values()
        for author in document.info.author.split(", ")
    }
    for part in (part for case in SAMPLE for part in contents(case)):
        assert set(part.weeks) <= {name.week for name in names}
        assert set(part.dates) <= {name.date for name in names}
        assert set(part.authors) <= authors


def test_what_is_expected_of_a_week_stands_in_that_week() -> None:
    for case in SAMPLE:
        weeks = {parse_file_name(section.file).week for section in case.expected.sections}
        if case.expected.weeks:
            weeks |= {parse_file_name(name).week for name in case.expected.documents}
            assert weeks <= set(case.expected.weeks), case.id


def test_concepts_stand_somewhere_in_the_sample_course(sample_texts: dict[str, CleanText]) -> None:
    everything = plain("\n".join(text.text for text in sample_texts.values()))
    for case in SAMPLE:
        for names in (*case.expected.concepts, *case.accepted.concepts, *case.wrong.concepts):
            assert any(plain(name) in everything for name in names), (case.id, names)


def test_public_questions_name_documents_that_other_questions_have() -> None:
    known = {
        place.file for case in shipped_cases("questions_public.jsonl") for place in case.places
    }
    for case in PUBLIC:
        for part in contents(case):
            assert {*part.documents, *(file for file, _page in part.pages)} <= known, case.id


def test_sections_are_as_many_as_documented() -> None:
    assert Counter(section.course for section in SECTIONS) == {"sample": 9, "public": 6}
    assert Counter(section.split for section in SECTIONS) == {"dev": 8, "test": 7}
    for section in SECTIONS:
        assert bool(section.begins) is (section.course == "sample"), section.id
        assert len(section.sha256) == (0 if section.begins else 64), section.id


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.id)
def test_relations_are_between_marked_concepts(section: MarkedSection) -> None:
    names = [concept.name for concept in section.concepts]
    assert len(set(names)) == len(names)
    ends = {end for relation in section.relations for end in (relation.subject, relation.object)}
    assert ends <= set(names)
    pairs = [(one.subject, one.relation, one.object) for one in section.relations]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("marked", MARKED_HERE, ids=lambda section: section.id)
def test_marked_concepts_stand_in_their_section(
    marked: MarkedSection, sample_texts: dict[str, CleanText]
) -> None:
    text = sample_texts[marked.file]
    (section,) = (
        one
        for one in text.sections
        if one.title == marked.heading and text.page_at(one.start) == marked.page
    )
    words = plain(text.text[section.start : section.end])
    assert 400 <= section.end - section.start <= 2500
    assert words.startswith(plain(f"{marked.heading} {marked.begins}"))
    assert [one.name for one in marked.concepts if plain(one.name) not in words] == []


@pytest.mark.parametrize(
    "change",
    [{"weks": [1]}, {"weeks": ["1"]}, {"weeks": [0]}, {"concepts": [[]]}, {"dates": ["1.8.2025"]}],
)
def test_a_line_that_is_no_case_is_refused(change: dict[str, object]) -> None:
    line = {"id": "a", "kind": "fact", "lang": "es", "question": "¿?", "split": "dev"}
    adapter = TypeAdapter(MapCase)
    assert adapter.validate_json(json.dumps({**line, "expected": {"weeks": [1]}})).expected.weeks
    with pytest.raises(ValidationError):
        adapter.validate_json(json.dumps({**line, "expected": change}))
