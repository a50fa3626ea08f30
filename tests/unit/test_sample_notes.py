"""The sample course is what its sources say, and what the README promises."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from tutor.ingest.cleaning.document import clean
from tutor.ingest.metadata import describe_source, parse_file_name, spacy_name_finder
from tutor.model import Document

REPO = Path(__file__).resolve().parent.parent.parent
NOTES = sorted((REPO / "notes").glob("*.pdf"))


def test_every_pdf_is_what_its_source_gives() -> None:
    command = [sys.executable, str(REPO / "scripts" / "build_sample_notes.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=REPO)
    assert done.returncode == 0, done.stdout + done.stderr
    sources = {path.stem for path in (REPO / "scripts" / "sample_notes").glob("[0-9]*.typ")}
    assert sources == {path.stem for path in NOTES}


def test_twelve_weeks_and_several_versions_of_some_days(
    sample_documents: dict[str, Document],
) -> None:
    fields = [parse_file_name(name) for name in sample_documents]
    assert {field.week for field in fields} == set(range(1, 13))
    assert all(field.date and field.version for field in fields)
    versions = Counter(field.date for field in fields)
    assert sum(count > 1 for count in versions.values()) >= 2
    assert len(sample_documents) >= 18
    assert sum(len(document.pages) for document in sample_documents.values()) >= 70


def test_titles_and_authors_are_found_and_the_lecturer_is_none(
    sample_documents: dict[str, Document],
) -> None:
    names = spacy_name_finder()
    for name, document in sample_documents.items():
        source = describe_source(name, "", document, clean(document), names)
        assert source.title == document.info.title, name
        assert set(source.authors) == set(document.info.author.split(", ")), name
        assert not any("Ibarra" in author for author in source.authors), name


def test_slides_have_pages_with_almost_no_text(sample_documents: dict[str, Document]) -> None:
    nearly_empty = [
        page.number
        for document in sample_documents.values()
        for page in document.pages
        if len(page.text.split()) < 15
    ]
    assert len(nearly_empty) >= 4
