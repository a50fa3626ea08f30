"""Cleaning what is clean changes nothing: neither paragraphs nor words are taken for debris."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.ingest.cleaning import clean, normalised
from tutor.model import Document, Page, SourceId

SOURCE = SourceId("s")
unhurried = settings(deadline=None)

PIECES = (
    "La red neuronal aprende de los datos ", "y generaliza a ejemplos que nunca ha visto",
    "El error baja. ", "El gradiente", "aprendi-\nzaje ", "self-\nattention ", "2020-\n2021 ",
    "canci´on", "DEMOSTRACI´ON", "a˜no ", "\n", "\n\n", " ", ": ", ", ", "• ", "1. ", "a) ",
    "Tema 1", "def f(x):", "x <- 3", "y = 2 x + 1", "ﬁn ", "\xad", "(cid:12)", "\x1b[31m",
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


@unhurried
@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=80))
def test_the_index_keeps_every_ascii_letter_and_digit(text: str) -> None:
    kept = [char for char in normalised(text) if char != " "]
    assert kept == [char.lower() for char in text if char.isalnum() or char == "_"]
