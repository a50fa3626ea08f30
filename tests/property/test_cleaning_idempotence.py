"""Cleaning what is clean changes nothing: neither paragraphs nor words are taken for debris."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.ingest.cleaning.document import body_of, clean
from tutor.model import Document, Page, SourceId

SOURCE = SourceId("s")
unhurried = settings(deadline=None)

PIECES = (
    "La red neuronal aprende de los datos ", "y generaliza a ejemplos que nunca ha visto",
    "El error baja. ", "El gradiente", "aprendi-\nzaje ", "self-\nattention ", "2020-\n2021 ",
    "canci´on", "DEMOSTRACI´ON", "a˜no ", "\n", "\n\n", " ", ": ", ", ", "• ", "1. ", "a) ",
    "Tema 1", "def f(x):", "x <- 3", "y = 2 x + 1", "ﬁn ", "\xad", "\x1b[31m",
    ". . . . . . . 7", "…", "α ∈ ℝ", "\x12", "\x13", "\ue000 ", "12", "Ana Pérez Soto",
)  # fmt: skip
"""What one document holds: it draws its accents in one way only."""


def cleaned(text: str) -> str:
    return clean(Document(SOURCE, (Page(SOURCE, 1, text),))).text


@unhurried
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_the_reading_form_is_its_own_reading_form(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once


@unhurried
@given(st.text("abcáéñ ,.;0123456789\n", max_size=200))
def test_plain_text_loses_no_letter(text: str) -> None:
    kept = [char for char in cleaned(text) if char.isalpha()]
    assert kept == [char for char in text if char.isalpha()]


def test_a_real_document_loses_no_further_line_and_no_further_hyphen(
    sample_documents: dict[str, Document],
) -> None:
    """What was a running header under the first ones, or a word still divided, would show here."""
    for name, document in sample_documents.items():
        once = clean(document)
        pages = [
            Page.of_lines(page.source_id, page.number, lines)
            for page, lines in zip(document.pages, body_of(document), strict=True)
        ]
        assert clean(replace(document, pages=tuple(pages))) == once, name
        # Without the layout its lines may be set apart otherwise, but they say the same.
        starts = (*once.page_starts, len(once.text))
        plain = [once.text[start:stop] for start, stop in pairwise(starts)]
        for texts in ([once.text], plain):
            again = clean(Document(SOURCE, tuple(Page(SOURCE, n, t) for n, t in enumerate(texts))))
            assert "".join(again.text.split()) == "".join(once.text.split()), name
