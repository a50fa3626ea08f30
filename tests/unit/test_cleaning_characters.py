"""Debris of fonts, invisible and unsafe characters; lines that are safe to print."""

from __future__ import annotations

import pytest

from tutor.ingest.cleaning.characters import (
    plain_hyphens,
    readable,
    without_ligatures,
)
from tutor.text.terminal import (
    unified_newlines,
    visible,
    visible_line,
    without_escapes,
    without_orphan_marks,
)


def test_every_line_break_is_a_newline() -> None:
    assert unified_newlines("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h") == "a\nb\nc\nd\ne\nf\ng\nh"


@pytest.mark.parametrize(
    "escape",
    [
        "\x1b[31m",
        "\x1b[38;2;255;0;0m",
        "\x1b[2J",
        "\x1b[?25l",
        "\x9b1;31m",
        "\x1b]0;título\x07",
        "\x1b]8;;https://example.org\x1b\\",
        "\x1bPq#0;2;0;0;0\x1b\\",
        "\x1b_carga\x1b\\",
        "\x1b(B",
        "\x1bc",
    ],
)
def test_terminal_escapes_go_whole(escape: str) -> None:
    assert without_escapes(f"uno{escape}dos") == "unodos"
    assert visible_line(f"uno{escape}dos") == "unodos"


def test_the_text_around_an_unfinished_escape_stays() -> None:
    assert visible_line("antes \x1b]0;título\ndespués") == "antes ]0;título después"


def test_ligatures_are_letters() -> None:
    assert (
        without_ligatures("ﬁn ﬂor eﬀect oﬃcina aﬄuent ﬆ") == "fin flor effect officina affluent st"
    )


def test_bullets_of_symbol_fonts_are_bullets() -> None:
    assert without_ligatures("\uf0b7 uno\n\uf0a7 dos") == "• uno\n• dos"
    assert without_ligatures("\x88 uno\n\ue123 dos") == "• uno\n• dos"


def test_hyphens() -> None:
    assert plain_hyphens("in\xad\nuno a\u2010b c\u2011d") == "in-\nuno a-b c-d"
    assert plain_hyphens("di\ufffe\nvide di\x02\nvide") == "di-\nvide di-\nvide"


@pytest.mark.parametrize(
    "char",
    [
        "\x00",
        "\x08",
        "\x7f",
        "\x9a",
        "\xad",
        "\u061c",
        "\u200b",
        "\u200d",
        "\u200e",
        "\u202e",
        "\u2066",
        "\u2069",
        "\ufeff",
        "\ufe0f",
        "\ufffd",
        "\ufdd0",
        "\uffff",
        "\U0010ffff",
        "\ue000",
        "\U000f0000",
        "\U000e0041",
        "\u3164",
    ],
)
def test_the_invisible_goes(char: str) -> None:
    assert visible(f"ab{char}cd") == "abcd"
    assert visible_line(f"ab{char}cd") == "abcd"


def test_lone_surrogates_go() -> None:
    assert visible("ab\ud800\udfffcd") == visible_line("ab\udc80cd") == "abcd"


@pytest.mark.parametrize("space", ["\xa0", "\u2003", "\u202f", "\u3000", "\u2800"])
def test_every_space_is_a_space(space: str) -> None:
    assert visible(f"a{space}b") == "a b"


def test_letters_of_every_script_and_signs_stay() -> None:
    text = "ñ Ω ∑ → € 你好 مرحبا 🙂 x² ∂f/∂x ≤ 5′ «»"
    assert visible(text) == text


def test_marks_pile_up_to_a_limit() -> None:
    assert len(visible("a" + "\u0301" * 10_000)) < 10
    assert visible("e\u0301\u0302") == "e\u0301\u0302"


def test_marks_need_a_letter() -> None:
    assert without_orphan_marks("\u0301a \u0303b e\u0301") == "a b e\u0301"


def test_a_plain_line_is_one_line() -> None:
    assert visible_line("  uno\r\n\tdos\u2028tres\x0b ") == "uno dos tres"
    assert visible_line("") == ""


def test_mathematical_alphabets_become_letters_one_can_type() -> None:
    assert readable("𝑏 + 𝑂(𝑏𝑑) ≤ 𝛼ℎ, 𝐱 ∈ ℝ") == "b + O(bd) ≤ αh, x ∈ ℝ"
