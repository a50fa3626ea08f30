"""Whatever a model writes is shown as text: nothing leads anywhere but our own marks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App
from textual.widgets import Markdown
from textual.widgets._markdown import MarkdownTableCellContents
from textual.widgets.markdown import MarkdownBlock

from tutor.model import (
    Answer,
    Chunk,
    ChunkId,
    Citation,
    Hit,
    Route,
    Source,
    SourceId,
    Strategy,
)
from tutor.tui import app as tutor_app
from tutor.tui.answer_markdown import Mark, answer_parser, best, marked, marks_of, readable, written
from tutor.tui.widgets.answer_text import AnswerText
from tutor.tui.wrapping import shared

if TYPE_CHECKING:
    from markdown_it.token import Token
    from textual.app import ComposeResult
    from textual.strip import Strip

CHAT_STYLE = Path(tutor_app.__file__).with_name("app.tcss")
HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://x\x07link\x1b]8;;\x07",
    "\u202egnp.exe",
    "\ue0000\ue001",
    "\ue002bold\ue003",
    "\ue004\ue005",
    "[link](http://x)",
    "[ref][1]\n\n[1]: http://x",
    "<http://x>",
    "http://example.com",
    "www.example.com",
    "![image](http://x/y.png)",
    "<b onclick='x'>html</b>",
    "<!-- html -->",
    "&#27;[31m",
    "&lt;&#x202e;",
    "[red]x[/red]",
    "[@click=app.quit]quit[/]",
    "[link='http://x']y[/link]",
    "```python\nunclosed [@click=app.quit]x[/]",
    "> " * 200 + "deep",
    "- " * 60 + "deep",
    "$\\href{http://x}{y}$",
    "$\\frac{[@click=app.quit]}{\x1b}$",
    "\x07\x00\x9b31m",
)
PLACES = (
    "{}",
    "# {}",
    "- {}",
    "1. {}",
    "> {}",
    "**{}**",
    "`{}`",
    "```\n{}\n```",
    "    {}",
    "| a | b |\n|---|---|\n| {} | x |",
    "| {} | b |\n|---|---|\n| a | x |",
    "${}$",
)


class Shown(App[None]):
    """An answer by itself."""

    def __init__(self, text: str, marks: list[Mark]) -> None:
        super().__init__()
        self.answer = AnswerText(marks, text)
        self.pressed: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.answer

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        self.pressed.append(int(event.href.removeprefix("mark-")))

    def strips(self) -> list[Strip]:
        return self.screen._compositor.render_strips()

    def line_with(self, text: str) -> tuple[int, Strip]:
        return next((y, strip) for y, strip in enumerate(self.strips()) if text in strip.text)

    def styled(self, text: str, style: str) -> str:
        """The characters of the line with `text` that have a style."""
        _y, strip = self.line_with(text)
        return "".join(
            segment.text for segment in strip if segment.style and getattr(segment.style, style)
        ).strip()


def all_tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from all_tokens(token.children or [])


def mark(sentence: str, label: str = "[?]") -> Mark:
    return Mark(label, sentence, 0, None)


def is_harmless(text: str) -> bool:
    return not any(
        ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\ue000\ue001\ue002\ue003" for c in text
    )


@given(
    st.sampled_from(PLACES), st.lists(st.sampled_from(HOSTILE) | st.text(max_size=12), max_size=4)
)
def test_a_parsed_answer_leads_nowhere_and_smuggles_nothing(place: str, pieces: list[str]) -> None:
    source = readable(place.replace("{}", " ".join(pieces)))
    for token in all_tokens(answer_parser(str).parse(source)):
        assert not token.type.startswith(("link", "image", "html"))
        assert is_harmless(token.content.replace("\n", ""))


async def test_hostile_text_in_every_place_is_only_text() -> None:
    source = "\n\n".join(place.replace("{}", bad) for place in PLACES[:-1] for bad in HOSTILE[:18])

    app = Shown(readable(source), [])
    async with app.run_test(size=(100, 400)) as pilot:
        await pilot.pause()
        for strip in app.strips():
            assert is_harmless(strip.text)
            for segment in strip:
                assert not (segment.style and segment.style.link)
                assert not (segment.style and "@click" in segment.style.meta)
        cells = app.answer.query(MarkdownTableCellContents)
        assert cells
        assert all(cell.tooltip is None for cell in cells)


async def test_long_columns_of_a_table_have_equal_parts_of_the_room() -> None:
    row = "| Pensar | Modelado de los pasos del razonamiento | Leyes: lógica y silogismos antes |"
    app = Shown(f"| | Como los humanos | Racionalmente |\n| - | - | - |\n{row}", [])
    async with app.run_test(size=(70, 30)) as pilot:
        await pilot.pause()
        short, *long = [cell.size.width for cell in app.query(".cell")]
        assert short < min(long)
        assert max(long) - min(long) <= 1


def test_no_column_is_wider_than_it_wants_while_another_one_lacks_room() -> None:
    assert shared([6, 65, 60], [6, 12, 7], 60) == [6, 27, 27]
    assert shared([6, 20, 60], [6, 12, 7], 60) == [6, 20, 34]
    assert shared([30, 30], [28, 5], 40) == [28, 12]


async def test_a_table_of_many_columns_shows_all_of_every_cell() -> None:
    heads = "Verdadera Pred.A Pred.B Pred.C Total Precisión Recall F1".split()
    cells = "A 50 8 2 60 0.909 0.833 0.870".split()
    rows = [f"| {' | '.join(row)} |" for row in (heads, ["---"] * 8, cells)]

    app = Shown("\n".join(rows), [])
    app.stylesheet.read(CHAT_STYLE)
    async with app.run_test(size=(66, 12)) as pilot:
        await pilot.pause()
        shown = " ".join(strip.text for strip in app.strips()).split("│")
        assert {*heads, *cells} <= {text.strip() for text in shown}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("La suma es finita. ", " Y ya."),
        ("- uno\n- dos. ", "\n- tres"),
        ("A* y B* son nombres. ", " C* también."),
        ("Un *título* y `código`. ", "\n\nOtro párrafo."),
    ],
)
async def test_what_is_best_of_a_quote_is_bold_and_nothing_else(before: str, after: str) -> None:
    said = "A* usa `g + h` y *nada* más:\nse ve."

    app = Shown(before + best(said) + after, [])
    async with app.run_test(size=(100, 20)) as pilot:
        await pilot.pause()
        assert app.styled("nada", "bold") == "A* usa g + h y nada más:"
        assert app.styled("se ve.", "bold") == "se ve."
        if after.startswith(" "):
            assert app.styled(after, "bold") == "se ve."


def test_the_best_item_of_a_numbered_list_stays_an_item() -> None:
    first, third = "1. uno.\n2. dos.\n", "\n4. cuatro."
    said = "3. tres: no daña nada."
    chunk = Chunk(ChunkId("c"), SourceId("s"), Strategy.FIXED, said, 0, len(said), 1, 1, 0)
    source = Source(SourceId("s"), "a.pdf", "A", "", 1)
    citation = Citation(
        0,
        len(first + said + third),
        Hit(chunk, source, 1.0, 1),
        0,
        len(said),
        1,
        1,
        1.0,
        best=(len(first), len(first + said)),
    )
    saved = Answer(first + said + third, (citation,), False, Route.FIXED, "m")

    async def scenario(text: str, marks: list[Mark]) -> None:
        app = Shown(text, marks)
        async with app.run_test(size=(60, 10)) as pilot:
            await pilot.pause()
            lines = [strip.text.strip() for strip in app.strips() if strip.text.strip()]
            assert lines[2:] == ["3. tres: no daña nada.", lines[-1]]
            assert lines[-1].startswith("4. cuatro.")
            assert app.styled("tres", "bold") == "tres: no daña nada."

    asyncio.run(scenario(first + best(said) + third, []))
    marks = marks_of(saved)
    asyncio.run(scenario(marked(saved.text, marks), marks))


async def test_items_of_the_notes_are_a_list_whose_lines_stand_below_each_other() -> None:
    text = "Hay dos:\n• uno, que es largo\n" + best("• dos, que es mejor") + "\n\nFin."
    app = Shown(text, [])
    async with app.run_test(size=(20, 12)) as pilot:
        await pilot.pause()
        lines = [strip.text.rstrip() for strip in app.strips() if strip.text.strip()]
        first = next(at for at, line in enumerate(lines) if "uno" in line)
        assert lines[first + 1].index("largo") == lines[first].index("uno")
        assert lines[first + 2].index("dos") == lines[first].index("uno")
        assert app.styled("dos", "bold") in "dos, que es mejor"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Heurísticas y A* (2025)** y más", "Heurísticas y A* (2025) y más"),
        ("**A***: el algoritmo", "A*: el algoritmo"),
        ("A* es *óptimo* y B* no.", "A* es óptimo y B* no."),
    ],
)
async def test_the_star_of_a_name_is_shown(text: str, shown: str) -> None:
    app = Shown(text, [])
    async with app.run_test(size=(60, 6)) as pilot:
        await pilot.pause()
        assert shown in [strip.text.strip() for strip in app.strips()]


async def test_bold_ends_with_its_paragraph() -> None:
    app = Shown(best("uno\n\ndos"), [])
    async with app.run_test(size=(40, 8)) as pilot:
        await pilot.pause()
        assert app.styled("uno", "bold") == "uno"
        assert app.styled("dos", "bold") == ""


async def test_deep_nesting_and_unclosed_blocks_do_not_break_the_app() -> None:
    app = Shown("\n\n".join(HOSTILE[-6:]).replace("\x1b", ""), [])
    async with app.run_test() as pilot:
        await pilot.pause()
        assert app.answer.children


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Una frase sin *apoyo* aquí.", "\n\nOtra."),
        ("- uno", "\n- dos"),
        ("1. uno\n   - dentro", "\n2. tres"),
        ("# Un título", "\n\nTexto."),
        ("| a | b |\n|---|---|\n| x | celda |", "\n| y | z |\n"),
        ("> cita", "\n\nTexto."),
        ("usa `código`", " y más."),
        ("sea $x^2$", " y más."),
    ],
)
async def test_a_mark_stands_behind_its_sentence_and_can_be_pressed(
    before: str, after: str
) -> None:
    said = before.replace("*", "").replace("`", "").replace("$x^2$", "x²").rstrip("| ")
    last = said.split("\n")[-1].split("| ")[-1].lstrip("#->0123456789. ")

    app = Shown("", [mark(before), mark("dos")])
    async with app.run_test(size=(100, 24)) as pilot:
        await app.answer.append(before)
        await app.answer.append(written(0, before))
        await app.answer.append(after)
        await pilot.pause()
        y, strip = app.line_with("[?]")
        assert f"{last} [?]" in strip.text
        app.answer.point_at(0)
        await pilot.pause()
        assert app.styled("[?]", "reverse") == "[?]"
        await pilot.click(offset=(strip.text.index("[?]") + 1, y))
        await pilot.pause()
        assert app.pressed == [0]
        app.answer.point_at(1)
        await pilot.pause()
        assert app.styled("[?]", "reverse") == ""


async def test_writing_has_ended_once_all_of_it_stands_there() -> None:
    app = Shown("", [])
    async with app.run_test():
        async with app.answer.lock:  # as while what came before is laid out
            await app.answer.write("uno")
            ending = asyncio.create_task(app.answer.end_writing())
            await asyncio.sleep(0.01)
            assert not ending.done()
        await ending
        assert [block.source for block in app.answer.query(MarkdownBlock)] == ["uno"]


async def test_a_sentence_without_support_is_underlined_and_no_other() -> None:
    first, second = "Esto **está** apoyado.", "Esto *no* lo está $x^2$."
    text = f"{first} {second}{written(0)} Y más."

    app = Shown(text, [mark(second)])
    async with app.run_test(size=(100, 24)) as pilot:
        await pilot.pause()
        line = app.styled("[?]", "underline").removesuffix("[?]").strip()
        assert line == "Esto no lo está x²."


async def test_marks_at_one_place_are_both_shown() -> None:
    app = Shown(f"Uno.{written(0)}{written(1)}", [mark("Uno.", "[1]"), mark("Uno.", "[2]")])
    async with app.run_test() as pilot:
        await pilot.pause()
        assert "Uno. [1] [2]" in app.line_with("Uno")[1].text


@pytest.mark.parametrize("fence", ["```", "~~~"])
async def test_a_mark_behind_code_does_not_keep_the_code_open(fence: str) -> None:
    code = f"Así:\n\n{fence}\nx = 1\n{fence}"
    text = marked(f"{code}\n\nFin.", [Mark("[1]", code, len(code), None)])

    app = Shown(text, [Mark("[1]", code, len(code), None)])
    async with app.run_test() as pilot:
        await pilot.pause()
        texts = [strip.text.strip() for strip in app.strips() if strip.text.strip()]
        assert texts == ["Así:", "x = 1", "[1]", "Fin."]


async def test_all_of_a_long_line_of_code_is_read_further_in() -> None:
    code = "def f():\n    return t_test(x = uno, y = dos, paired = FALSE, mu = 0)\n    done()"
    app = Shown(f"Así:\n\n```r\n{code}\n```", [])
    app.stylesheet.read(CHAT_STYLE)
    async with app.run_test(size=(40, 14)) as pilot:
        for width in (40, 30):
            await pilot.resize_terminal(width, 14)
            await pilot.pause()
            lines = [strip.text.rstrip() for strip in app.strips() if strip.text.strip()][1:]
            assert "".join("".join(lines).split()) == "".join(code.split())
            indents = [len(line) - len(line.lstrip()) - 4 for line in lines]
            assert indents == [0, 4, *[6] * (len(lines) - 3), 4]
            assert len(lines) > 3


@pytest.mark.parametrize(
    ("code", "is_lit"),
    [
        ("def f(x):\n    return x + 1", True),
        ("modelo <- lm(y ~ x)\nmientras no vacía(cola):", False),
        (r"re.sub('\d', '', x)", True),
        ("(" * 9999, False),
        ("x\0", False),
    ],
)
def test_code_of_an_unnamed_language_is_lit_as_python_or_not_at_all(
    code: str, is_lit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("textual.highlight.guess_language")  # half a second, and mostly wrong
    shown = AnswerText.BLOCKS["fence"].highlight(code, "")  # pyrefly: ignore[missing-attribute]
    assert shown.plain == code
    assert any(span.style for span in shown.spans if span.style != "$text") == is_lit
