"""A turn while it is written: it only grows, and its reader stays where they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import App
from textual.containers import VerticalScroll
from textual.widgets.markdown import MarkdownBlock

from tests.passages import make_hit
from tests.tui.stage import until
from tutor.events import Finished, Token, Verified, Writing
from tutor.model import Answer, Citation, Route
from tutor.tui.widgets.turn import TurnView

if TYPE_CHECKING:
    from textual.app import ComposeResult

HIT = make_hit("Una red neuronal es un modelo formado por capas de neuronas.", path="n.pdf")
PIECES = [
    *("Una red **neuronal** es un modelo.", "\n\n- uno", "\n- dos\n\n"),
    *("```python\n", "x = 1\n", "y = 2\n```", "\n\n| a | b |\n", "|---|---|\n", "| 1 | 2 |\n"),
    *("| 3 | 4 |", "\n\nSea $$", "x^2", "$$ y fin."),
]


class Talk(App[None]):
    """One turn in a conversation."""

    CSS = "TurnView, AnswerText { height: auto; } #above { height: 40; }"

    def __init__(self) -> None:
        super().__init__()
        self.turn = TurnView("¿[red]Qué[/red] es?")

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield self.turn

    def tell(self, text: str) -> None:
        self.turn.call_later(self.turn.take, Token(text))


async def test_the_turn_never_shrinks_while_it_is_written() -> None:
    app, heights = Talk(), [0]
    async with app.run_test(size=(80, 24)) as pilot:
        await app.turn.take(Writing("m", 0))
        for piece in PIECES:
            app.tell(piece)
            await until(pilot, lambda: app.turn.markdown.source == app.turn.text)
            await pilot.pause()
            heights.append(app.turn.size.height)
    assert heights == sorted(heights)


async def test_what_comes_before_a_model_writes_is_shown_to_the_letter() -> None:
    app = Talk()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.turn.take(Token(r"Se escribe \$ y `x' para 2*3*4."))
        await app.turn.take(Writing("m", 32))
        await app.turn.take(Token(r" Es $x^2$."))
        await app.turn.markdown.end_writing()
        await pilot.pause()
        shown = "".join(str(block._content) for block in app.turn.markdown.query(MarkdownBlock))
        assert shown == r"Se escribe \$ y `x' para 2*3*4. Es x²."


async def test_a_reader_who_scrolled_up_stays_there() -> None:
    app = Talk()
    async with app.run_test(size=(80, 24)) as pilot:
        scroll = app.query_one(VerticalScroll)
        scroll.anchor()
        app.tell("Una línea.\n\n" * 40)
        await until(pilot, lambda: scroll.max_scroll_y > 10)
        scroll.scroll_to(y=5, animate=False)
        await pilot.pause()
        end = scroll.max_scroll_y
        app.tell("Otra línea.\n\n" * 10)
        await until(pilot, lambda: scroll.max_scroll_y > end)
        assert scroll.scroll_y == 5


async def test_marks_come_with_their_sentence_and_stay_when_the_turn_ends() -> None:
    text = "Una red neuronal es un modelo. Nadie lo sabe."
    citation = Citation(0, 30, HIT, 0, 20, 1, 1, 0.9)
    answer = Answer(text, (citation,), False, Route.FIXED, "m", unsupported=((31, 45),))

    app = Talk()
    async with app.run_test() as pilot:
        for event in (
            Token(text[:30]),
            Verified(0, 30, citation),
            Token(text[30:]),
            Verified(31, 45, None),
            Finished(answer),
        ):
            app.turn.call_later(app.turn.take, event)
        app.turn.call_later(app.turn.end, 7)
        await until(pilot, lambda: app.turn.is_over)
        await pilot.pause()
        shown = "".join(strip.text for strip in app.screen._compositor.render_strips())
        assert "modelo. [1] Nadie lo sabe. [?]" in shown
        assert "¿[red]Qué[/red] es?" in shown
        assert app.turn.turn_id == 7
