"""How the app puts things into words."""

from __future__ import annotations

import pytest

from tests.passages import make_hit
from tutor.i18n import set_language
from tutor.model import Answer, Citation, Route, Usage
from tutor.tui.marks import Mark
from tutor.tui.texts import answered_from, figures_text
from tutor.tui.widgets.sources import card_content, cards_of


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


@pytest.mark.parametrize(("seconds", "told"), [(50.0, "0,6 tokens/s"), (2.0, "15 tokens/s")])
def test_a_slow_model_is_not_said_to_write_nothing(seconds: float, told: str) -> None:
    set_language("es")
    usage = Usage(answer_tokens=30, answer_s=seconds)
    assert figures_text(Answer("", (), False, Route.FIXED, "small", usage=usage)) == [told]
