"""The map of a course put into words: what a concept is, how close two are, what was asked."""

from __future__ import annotations

from tutor.i18n import _
from tutor.map.model import Kind

_CLOSE = 0.4
_NEAR = 0.2
"""Weights: of the relations in the sample course a tenth are as close, a third as near."""


def kind_name(kind: Kind) -> str:
    """What a concept is, in a word."""
    return {
        Kind.CONCEPT: _("concept"),
        Kind.METHOD: _("method"),
        Kind.PERSON: _("person"),
        Kind.FORMULA: _("formula"),
    }[kind]


def closeness(weight: float) -> str:
    """How much two concepts hang together."""
    if weight >= _CLOSE:
        return _("nearly always together")
    return _("often together") if weight >= _NEAR else _("sometimes together")


def way_told(way: str) -> str:
    """What the map was asked, by the name of the way; empty for another one."""
    return {
        "places": _("where it is treated"),
        "lessons": _("which lessons there are"),
        "around": _("which lesson comes before or after"),
        "count": _("how many there are"),
        "versions": _("which versions there are"),
        "relation": _("what things have to do with each other"),
        "prerequisites": _("what comes before it"),
        "topic": _("what the course says of a topic"),
        "broad": _("what several documents say together"),
        "query": _("by a query that the model wrote"),
    }.get(way, "")
