"""A model's words are released as they come, without its marks, and checked by sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.answer.streaming import SentenceStream
from tutor.answer.verification.verify import CheckedSentence, SupportVerdict

TEXTS = (
    "Una red neuronal es un modelo formado por capas [1]. Aprende ajustando pesos [2][9].",
    "A* usa f(n) = g(n) + h(n) [1]. Es óptimo si h es admisible (pasaje 2).",
    "Hay dos tipos:\n\n- **Supervisado** [1].\n- No supervisado [2].\n\nFuentes: [1], [2]",
    "Ejemplo:\n```python\nx = a[1]\n```\nLa lista empieza en 0 [1].",
    "El intervalo [0, 1] es cerrado. La p. ej. mediana vale 3.5 [1].",
    "1. Escoger k centroides [1]\n2. Asignar cada punto\n3. Repetir",
    "## Pasos\n* elegir\n  • asignar\n\ta) repetir\n\n1) medir\n$$x = y$$\nFin.",
    "Luego i) uno ii) dos.\n  • punto\n```python\n- x = 1\n1. y\n```\nfin.",
)


class _Recorder:
    """Calls every sentence supported, and keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, sentence: str) -> list[CheckedSentence]:
        self.seen.append(sentence)
        start = len(sentence) - len(sentence.lstrip())
        end = len(sentence.rstrip())
        return [CheckedSentence(start, end, SupportVerdict.SUPPORTED, 0, 0, 1, 0.9)]


def _streamed(pieces: list[str]) -> tuple[SentenceStream, _Recorder, list[str | CheckedSentence]]:
    recorder = _Recorder()
    stream = SentenceStream(recorder)
    items: list[str | CheckedSentence] = []
    for piece in pieces:
        items += stream.feed(piece)
    items += stream.close()
    return stream, recorder, items


@pytest.mark.parametrize("text", TEXTS)
@given(cuts=st.lists(st.integers(1, 7), max_size=60))
def test_what_was_released_is_the_text_however_the_pieces_were_cut(
    text: str, cuts: list[int]
) -> None:
    pieces, rest = [], text
    for cut in cuts:
        pieces.append(rest[:cut])
        rest = rest[cut:]
    stream, recorder, items = _streamed([*pieces, rest])
    assert "".join(item for item in items if isinstance(item, str)) == stream.text
    assert stream.text.split() == _streamed([text])[0].text.split()
    for statement in stream.statements:
        sentence = stream.text[statement.start : statement.end]
        assert sentence.strip() == sentence
        assert any(sentence in seen for seen in recorder.seen)


def test_a_statement_follows_the_last_word_of_its_sentence() -> None:
    _stream, _recorder, items = _streamed(["Una red aprende [1]. Otra", " no aprende."])
    kinds = [item if isinstance(item, str) else "|" for item in items]
    assert "".join(kinds) == "Una red aprende.| Otra no aprende.|"


def test_items_of_a_list_are_sentences_of_their_own_letter_by_letter() -> None:
    _stream, recorder, _items = _streamed(list(TEXTS[5]))
    assert [seen.strip() for seen in recorder.seen] == [
        "1. Escoger k centroides",
        "2. Asignar cada punto",
        "3. Repetir",
    ]


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (TEXTS[0], "Una red neuronal es un modelo formado por capas. Aprende ajustando pesos."),
        (TEXTS[1], "A* usa f(n) = g(n) + h(n). Es óptimo si h es admisible."),
        (TEXTS[3], "Ejemplo:\n```python\nx = a[1]\n```\nLa lista empieza en 0."),
        (TEXTS[4], "El intervalo [0, 1] es cerrado. La p. ej. mediana vale 3.5."),
    ],
)
def test_the_models_own_marks_are_never_shown(raw: str, clean: str) -> None:
    assert _streamed(list(raw))[0].text == clean


def test_a_list_of_sources_that_the_model_adds_is_left_out() -> None:
    assert "Fuentes" not in _streamed(list(TEXTS[2]))[0].text


def test_the_word_source_within_a_sentence_is_no_list() -> None:
    text = "La entropía de la fuente es 2 bits. Fuentes de error hay muchas, y son tres."
    assert _streamed(list(text))[0].text == text


def test_nothing_gives_nothing() -> None:
    assert _streamed(["", "  \n"])[2] == []


def test_empty_lines_without_end_take_no_longer_than_words() -> None:
    stream, _recorder, _items = _streamed(["Una red.", *(["\n\n"] * 2000), "Fin."])
    assert stream.text.split() == ["Una", "red.", "Fin."]
