"""How the app puts things into words."""

from __future__ import annotations

from datetime import date

import pytest

from tests.passages import make_hit
from tutor.i18n import set_language
from tutor.model import Answer, Citation, Route, Usage
from tutor.presentation.answers import figures_text
from tutor.tui.answer_markdown import Mark
from tutor.tui.widgets.sources import card_content, cards_of, sources_line
from tutor.tui.widgets.state_line import answered_from


def test_every_route_is_told_by_a_name_of_its_own() -> None:
    told = [answered_from(route) for route in Route]
    assert len(set(told)) == len(told)
    assert answered_from(Route.MAP) == "map of the course"


def test_a_card_says_nothing_twice() -> None:
    hit = make_hit("Una red aprende de datos. Otra cosa.")
    marks = [
        Mark("[1]", "", 1, Citation(0, 1, hit, start, end, 1, 1, 1.0))
        for start, end in ((8, 25), (0, 36), (26, 36))
    ]
    (card,) = cards_of(marks)
    shown = card_content(card).plain
    assert shown == "[1] «Una red aprende de datos. Otra cosa.»\nApuntes · p. 1\n"


def test_a_card_leaves_the_rows_of_a_table_to_the_page() -> None:
    hit = make_hit("Tabla 1: Partes\nParte | Nombre\nP(H) | prior")
    (card,) = cards_of([Mark("[1]", "", 1, Citation(0, 1, hit, 0, 43, 1, 1, 1.0))])
    assert card_content(card).plain.splitlines()[0] == "[1] «Tabla 1: Partes …»"
    (row,) = cards_of([Mark("[1]", "", 1, Citation(0, 1, hit, 31, 43, 1, 1, 1.0))])
    assert card_content(row).plain.splitlines()[0] == "[1] «P(H) | prior»"


def test_a_card_leaves_out_what_is_written_in_a_drawing() -> None:
    """Within a quote, that is: the answer that quotes it has not said that."""
    text = "• El máximo es 1 bit.\n\n1\nentropía\nGini 0.5\n\nFigura 1: Medidas"
    cited = Citation(0, 1, make_hit(text), 0, len(text), 1, 1, 1.0)
    shown = "- El máximo es **1 bit**.\n\nFigura 1: Medidas"
    (card,) = cards_of([Mark("[1]", shown, 1, cited)])
    first = card_content(card).plain.splitlines()[:2]
    assert first == ["[1] «• El máximo es 1 bit.", "Figura 1: Medidas …»"]
    (card,) = cards_of([Mark("[1]", "Un bit: más no hay.", 1, cited)])
    assert "entropía\nGini 0.5\n" in card_content(card).plain  # in other words: all of it


def test_a_document_is_named_once_in_the_line_of_its_pages() -> None:
    hit = make_hit("Una red aprende de datos. Otra cosa.")
    marks = [
        Mark(f"[{page}]", "", 1, Citation(0, 1, hit, 0, 8, page, page, 1.0)) for page in (1, 3)
    ]
    assert sources_line(marks).plain == "[1] Apuntes, p. 1 · [3] p. 3"


def test_versions_of_a_day_that_are_cited_together_are_told_apart() -> None:
    day, words = date(2025, 9, 29), "Una red aprende."
    hits = [
        make_hit(words, path="2.pdf", day=day, version="2"),
        make_hit(words, path="1.pdf", day=day, version="1"),
        make_hit(words, path="3.pdf", day=date(2025, 10, 2), version="1", title="Otra"),
    ]
    marks = [
        Mark(f"[{n}]", "", n, Citation(0, 1, hit, 0, 8, 1, 1, 1.0)) for n, hit in enumerate(hits)
    ]
    told = "[0] Apuntes, version 2, p. 1 · [1] Apuntes, version 1, p. 1 · [2] Otra, p. 1"
    assert sources_line(marks).plain == told
    assert "\nApuntes, version 1 · p. 1\n" in card_content(cards_of(marks)[1]).plain
    assert sources_line(marks[1:]).plain == "[1] Apuntes, p. 1 · [2] Otra, p. 1"


@pytest.mark.parametrize(("seconds", "told"), [(50.0, "0,6 tokens/s"), (2.0, "15 tokens/s")])
def test_a_slow_model_is_not_said_to_write_nothing(seconds: float, told: str) -> None:
    set_language("es")
    usage = Usage(answer_tokens=30, answer_s=seconds)
    assert figures_text(Answer("", (), False, Route.FIXED, "small", usage=usage)) == [told]
