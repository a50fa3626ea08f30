"""Texts of strangers as a terminal and a program may have them."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.text.terminal import one_line, plain, to_json

ANY_TEXT = st.text(st.characters(categories=None))  # lone surrogates, too


@given(ANY_TEXT)
def test_plain_text_can_only_be_read(text: str) -> None:
    shown = plain(text)
    assert plain(shown) == shown
    assert not [c for c in shown if c not in "\n\t" and unicodedata.category(c)[0] == "C"]
    assert not {"\u2028", "\u2029"} & set(shown)
    shown.encode("utf-8")


@given(ANY_TEXT)
def test_one_line_is_one_line(text: str) -> None:
    line = one_line(text)
    assert one_line(line) == line == line.strip()
    assert len(line.splitlines()) <= 1
    assert "\t" not in line
    assert "  " not in line


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_what_can_be_read_stays(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("sí\tno\n", "sí\tno\n"),
        ("a\r\nb\x85c\u2028d\x0ce\rf", "a\nb\nc\nd\ne\nf"),
        ("\x1b[31mrojo\x1b[0m \x9b2J \x1b]0;título\x07", "[31mrojo[0m 2J ]0;título"),
        ("\u202eoculto\u2066\u200e\u200f\u200b", "oculto"),
        ("Ex\udce1men.pdf", "Ex\ufffdmen.pdf"),
    ],
)
def test_what_plain_makes_of_it(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_a_line_holds_its_words() -> None:
    assert one_line(" dos\n\n  líneas\x0b\u2029 y \x1bmás ") == "dos líneas y más"


@given(st.recursive(ANY_TEXT, lambda below: st.lists(below) | st.dictionaries(ANY_TEXT, below)))
def test_json_loses_nothing_and_hides_nothing(record: object) -> None:
    written = to_json(record)
    assert json.loads(written) == json.loads(json.dumps(record))  # which joins halves of pairs
    assert not [c for c in written if c != "\n" and unicodedata.category(c)[0] == "C"]
    assert not {"\u2028", "\u2029"} & set(written)


def test_json_escapes_what_is_not_seen_and_keeps_accents() -> None:
    text = "ñandú 😀 \x9b \u202e \u2028 \x7f \udce1 \U000e0001"
    expected = r"ñandú 😀 \u009b \u202e \u2028 \u007f \udce1 \udb40\udc01"
    assert to_json(text) == f'"{expected}"'
