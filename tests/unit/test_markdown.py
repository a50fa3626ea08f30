"""Words of the notes within Markdown: what a reader of Markdown shows is what the notes say."""

from __future__ import annotations

import pytest

from tests.passages import make_hit
from tutor.model import Answer, Citation, Route
from tutor.model.marks import marked_text
from tutor.text.markdown import literal
from tutor.tui.answer_markdown import answer_parser

TEX = (
    r"\$ debe producir $ y \\ salta la línea",
    r"$\backslash$ da \, y \(x\) es una fórmula",
    "`texto' y ``entre comillas'' y `otro'",
    "n * (n - 1), 2*3*4, f_(X) y _x_, ~o y ~~nada~~, A* y h*(n)",
)


def _shown(markdown: str) -> str:
    """All words that the app's parser finds."""
    tokens = answer_parser(str).parse(markdown)
    return "".join(t.content for token in tokens for t in token.children or [token])


@pytest.mark.parametrize("text", TEX)
def test_what_the_notes_say_is_shown_to_the_letter(text: str) -> None:
    assert _shown(literal(text)) == text
    assert _shown(text) != text, "without that it would not be"


def test_a_conversation_as_markdown_says_what_the_notes_say_and_lets_a_model_use_markup() -> None:
    text = r"Se escribe \$. En breve: *así*."
    hit = make_hit(text[:14])
    citation = Citation(0, 14, hit, 0, 14, 1, 1, 1.0)
    answer = Answer(text, (citation,), False, Route.FIXED, "m", written=15)
    assert marked_text(answer, as_markdown=True) == r"Se escribe \\\$. [1] En breve: *así*."
    assert marked_text(answer) == r"Se escribe \$. [1] En breve: *así*."


def test_code_tables_and_what_is_bold_stay_what_they_are() -> None:
    code = "Así:\n\n```\nx = \\$ * `b`\n```\n\nFin \\!"
    assert literal(code) == code.replace("Fin \\!", "Fin \\\\!")
    assert literal("x = \\$\n```", before="```\n") == "x = \\$\n```"
    kept = "**Definición**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n* uno"
    assert literal(kept) == kept
