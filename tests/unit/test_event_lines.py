"""What a reader is told of an answer's events: no names of the program."""

from __future__ import annotations

import pytest

from tutor.answer.ways.forms import Way
from tutor.events import Routed
from tutor.model import Route
from tutor.presentation.answers import event_line


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("command:/web", "Searching the web."),
        ("option", "Searching the web."),
        ("keyword:internet", "Searching the web: the question says “internet”."),
    ],
)
def test_a_search_of_the_web_says_which_word_asked_for_it(rule: str, told: str) -> None:
    assert event_line(Routed(Route.WEB, rule)) == told


@pytest.mark.parametrize("way", Way)
def test_an_answer_of_the_map_says_what_it_was_asked(way: Way) -> None:
    assert event_line(Routed(Route.MAP, f"form:{way}")).startswith("From the map of the course: ")


@pytest.mark.parametrize("rule", ["command:/mapa", "option"])
def test_what_is_sent_to_the_map_is_not_yet_answered_by_it(rule: str) -> None:
    assert event_line(Routed(Route.MAP, rule)) == ""


def test_that_the_notes_answer_in_place_of_the_web_is_told() -> None:
    assert event_line(Routed(Route.FIXED, "fallback:web")) == "Your notes are asked instead."
    assert event_line(Routed(Route.FIXED, "fallback:map")) == ""  # a notice has said so
