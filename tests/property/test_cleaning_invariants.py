"""What holds for every text, however hostile: never an error, nothing unsafe, pages in order."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pages import cleaned, without_running_headers
from tutor.ingest.cleaning.characters import repaired_accents
from tutor.ingest.cleaning.document import clean
from tutor.ingest.cleaning.hyphenation import WordCounts, joined_words
from tutor.model import Document, Page, SourceId
from tutor.text.terminal import visible_line

# Wall-clock time on a shared machine says nothing about the text.
unhurried = settings(deadline=None)

SOURCE = SourceId("s")
UNSAFE = {"Cc", "Cf", "Cs", "Co", "Cn"}

_any_character = st.characters(exclude_categories=())
_fragments = st.sampled_from(
    [
        *"aeiouınñAEIOUNsx ´¨˜~`ˆ¸-\n\n  .,:;\u0301\u0303\u0308\u0327",
        "informaci´on",
        "informacio´n",
        "espa˜nol",
        "apren-\ndizaje",
        "self-\nattention",
        "\x1b[31m",
        "\x1b]0;t\x07",
        "\n\f\n",
        "\f",
        "\r\n",
        "\u2028",
        "\u202e",
        "\xad",
        "\ufffe",
        "\x02",
        "ﬁ",
        "• ",
        "\n1. ",
        "\na) ",
        "7",
        "\n3\n",
        "iv",
        "x ~ N(0,1)",
        "f(x) = 2\n",
        " . . . . . . ",
        "La red aprende de los datos ",
        "Página 3 de 9\n",
    ]
)
texts = st.lists(st.one_of(_fragments, _any_character), max_size=40).map("".join)
page_lists = st.lists(texts, max_size=8)


def document(pages: list[str]) -> Document:
    return Document(SOURCE, tuple(Page(SOURCE, n, text) for n, text in enumerate(pages, 1)))


@unhurried
@given(page_lists)
def test_the_reading_form(pages: list[str]) -> None:
    cleaned = clean(document(pages))
    assert len(cleaned.page_starts) == len(pages)
    assert list(cleaned.page_starts) == sorted(cleaned.page_starts)
    assert all(0 <= start <= len(cleaned.text) for start in cleaned.page_starts)
    assert unicodedata.is_normalized("NFC", cleaned.text)
    assert not {unicodedata.category(char) for char in cleaned.text if char != "\n"} & UNSAFE
    assert cleaned.text == cleaned.text.strip()
    assert "  " not in cleaned.text
    assert "\n\n\n" not in cleaned.text
    assert not any(line != line.strip() for line in cleaned.text.split("\n"))
    cleaned.text.encode()


@unhurried
@given(page_lists)
def test_a_page_never_starts_in_white_space(pages: list[str]) -> None:
    cleaned = clean(document(pages))
    for start in cleaned.page_starts:
        assert not cleaned.text[start : start + 1].isspace()


@unhurried
@given(texts)
def test_a_plain_line_is_safe_and_stays(text: str) -> None:
    line = visible_line(text)
    assert not {unicodedata.category(char) for char in line} & (UNSAFE | {"Zl", "Zp"})
    assert unicodedata.is_normalized("NFC", line)
    assert visible_line(line) == line


@unhurried
@given(texts)
def test_accents_leave_lines_and_plain_letters(text: str) -> None:
    repaired = repaired_accents(text)
    assert repaired.count("\n") == text.count("\n")


@unhurried
@given(st.text("abcdefghij \n.,", max_size=200))
def test_a_text_without_accents_is_not_touched(text: str) -> None:
    assert repaired_accents(text) == text


@unhurried
@given(texts)
def test_joining_words_loses_only_hyphens_and_breaks(text: str) -> None:
    joined = joined_words(text, WordCounts(text))
    assert joined.replace("-", "").replace("\n", "") == text.replace("-", "").replace("\n", "")


@unhurried
@given(st.text("abcñ.•-1)= \n", max_size=300))
def test_folding_loses_only_spaces_and_hyphens(text: str) -> None:
    leaders = ("...", " .")
    if not any(leader in text for leader in leaders):
        folded = cleaned(text).text.replace("-", "")
        assert "".join(folded.split()) == "".join(text.replace("-", "").split())


@unhurried
@given(page_lists)
def test_peeling_takes_whole_lines_and_never_all(pages: list[str]) -> None:
    kept = without_running_headers(pages)
    assert len(kept) == len(pages)
    for before, after in zip(pages, kept, strict=True):
        rest = iter(before.split("\n"))
        # Of a page with its number alone nothing is left.
        assert not after or all(line in rest for line in after.split("\n"))
        if any(sum(map(str.isalpha, line[:160])) >= 3 for line in before.split("\n")):
            assert after.strip()


@pytest.mark.parametrize(
    "pattern",
    [
        " ",
        "-",
        "´",
        "´ ",
        " a´",
        "n´a´",
        "`",
        "a-\n",
        "ab-\n",
        "a-b-",
        "palabra ",
        "a",
        ". ",
        "\x1b[",
        "\x1b]",
        "\u0301\u0316",
        "\n",
        "x\n",
        "1\n",
        "\x00a",
        "a(",
        "a = ",
        "a~na",
        "´ı",
        "I A\n",
        "x",
        "aion ´ ",
        "\ud800",
        "•\n",
    ],
)
def test_a_long_text_of_one_pattern(pattern: str) -> None:
    """Quadratic time over these lengths would take minutes."""
    text = pattern * (50_000 // len(pattern))
    cleaned = clean(document([text, text[: len(text) // 2]]))
    assert len(cleaned.page_starts) == 2
    assert len(visible_line(text)) <= len(text)
