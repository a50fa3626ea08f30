"""How the app puts things into words."""

from __future__ import annotations

from tutor.model import Route
from tutor.tui.texts import answered_from


def test_every_route_is_told_by_a_name_of_its_own() -> None:
    told = [answered_from(route) for route in Route]
    assert len(set(told)) == len(told)
    assert answered_from(Route.MAP) == "map of the course"
