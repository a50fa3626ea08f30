"""Text that comes in pieces is wrapped as if it had come at once."""

from __future__ import annotations

import sys

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.cli.answers import AnswerPrinter, StreamWrapper
from tutor.cli.output import Styled, rendered
from tutor.events import Notice, Stage, Token, Waiting

TEXT = st.text(st.sampled_from("ab á\n "), max_size=120)


def _wrapped(pieces: list[str], width: int) -> str:
    written: list[str] = []
    wrapper = StreamWrapper(written.append, width)
    for piece in pieces:
        wrapper.feed(piece)
    wrapper.close()
    return rendered(*written)


@given(TEXT, st.integers(1, 40), st.lists(st.integers(1, 9), max_size=40))
def test_how_the_pieces_are_cut_makes_no_difference(text: str, width: int, cuts: list[int]) -> None:
    pieces, rest = [], text
    for cut in cuts:
        pieces.append(rest[:cut])
        rest = rest[cut:]
    assert _wrapped([*pieces, rest], width) == _wrapped([text], width)


@given(TEXT, st.integers(1, 40))
def test_no_word_is_lost_and_only_long_words_exceed_the_width(text: str, width: int) -> None:
    shown = _wrapped([text], width)
    assert shown.split() == text.split()
    for line in shown.split("\n"):
        assert len(line) <= width or len(line.split()) <= 1


def test_a_mark_stays_on_the_line_of_its_sentence_where_it_fits() -> None:
    assert (
        _wrapped(["Una red", " neuronal.", " [1]", " Otra."], 20) == "Una red neuronal.\n[1] Otra."
    )
    assert _wrapped(["Una red.", " [1]", " Otra."], 20) == "Una red. [1] Otra."


def test_only_words_of_bold_text_are_bold() -> None:
    written: list[str] = []
    wrapper = StreamWrapper(written.append, 20)
    wrapper.feed("La suma. ")
    wrapper.feed("Es un", bold=True)
    wrapper.feed("o. Y ya")
    wrapper.close()
    assert [piece for piece in written if isinstance(piece, Styled)] == [
        click.style("Es", bold=True)
    ]
    assert rendered(*written) == f"La suma. {click.style('Es', bold=True)} uno. Y\nya"


def test_a_pause_ends_the_line_once() -> None:
    written: list[str] = []
    wrapper = StreamWrapper(written.append, 20)
    wrapper.feed("una línea")
    wrapper.pause()
    wrapper.pause()
    wrapper.feed("\n\notra")
    wrapper.pause()
    wrapper.feed(" sigue")
    wrapper.close()
    assert rendered(*written) == "una línea\n\notra\nsigue"


def test_what_is_drawn_while_waiting_covers_no_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    printer = AnswerPrinter()
    printer.show(Token("La última línea de la cita."))
    printer.show(Waiting(Stage.LOADING))
    printer.show(Token("\n\nEn palabras del modelo:"))
    printer.show(Notice("aviso"))
    assert capsys.readouterr().out == "La última línea de la cita.\n\nEn palabras del modelo:\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_a_heading_is_bold_on_a_terminal_and_markdown_elsewhere(
    monkeypatch: pytest.MonkeyPatch, *, terminal: bool
) -> None:
    written: list[str | Styled] = []
    monkeypatch.setattr("tutor.cli.answers.sys.stdout.isatty", lambda: terminal, raising=False)
    monkeypatch.setattr("tutor.cli.answers.write", lambda text="", **_options: written.append(text))
    AnswerPrinter().show(Token("**Poda y corte**\n\nQuita ramas. "))
    heading = "".join(map(str, written)).partition("\n")[0]
    assert any(isinstance(part, Styled) for part in written) is terminal
    assert ("**" in heading) is not terminal
