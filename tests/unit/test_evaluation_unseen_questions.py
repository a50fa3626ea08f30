"""The unseen questions: whole, new, all of the test split, and their words stand where they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.quotes import read_questions
from tutor.model import CleanText

DATA = Path(__file__).resolve().parent.parent.parent / "tutor" / "evaluation" / "data"
UNSEEN = ("questions_unseen.jsonl", "questions_unseen_public.jsonl")


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", UNSEEN)
def test_the_file_holds_what_the_documentation_says(name: str) -> None:
    cases = read_questions(DATA / name)
    assert len(cases) == 60
    assert sum(case.language == "en" for case in cases) == 10
    assert all(snippet for case in cases for place in case.places for snippet in place)
    everything = records(name)
    assert {record["split"] for record in everything} == {"test"}
    assert all(record["answer"] for record in everything)
    for kind in ("near", "far"):
        group = [record for record in everything if record["kind"] == kind]
        assert len(group) == 10
        assert not any(record["answerable"] for record in group)


def test_no_other_set_asks_the_same() -> None:
    asked = [
        str(record.get("question", "")).casefold()
        for path in DATA.glob("questions*.jsonl")
        for record in records(path.name)
    ]
    new = [str(record["question"]).casefold() for name in UNSEEN for record in records(name)]
    assert [question for question in new if asked.count(question) != 1] == []


def test_the_words_stand_on_their_pages(sample_texts: dict[str, CleanText]) -> None:
    for record in records(UNSEEN[0]):
        if record.get("answerable", True):
            for place in (record, *record.get("alternatives", ())):
                text = sample_texts[place["file"]]
                starts = (*text.page_starts, len(text.text))
                page = text.text[starts[place["page"] - 1] : starts[place["page"]]]
                assert all(snippet in page for snippet in place["snippets"]), record["id"]
