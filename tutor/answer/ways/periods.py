"""Stretches of time that the words of a question name: a month, between two days, before one.

Single days beside lessons, ranges within a month and weeks are found by `tutor.search.filters`,
which is asked here for the ends.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, timedelta

from tutor.model import Source
from tutor.search.filters import Recogniser
from tutor.text.folding import fold
from tutor.text.numerals import MONTHS

_DAY = timedelta(days=1)
Days = tuple[date, date]
"""The first and the last day, both included."""

_LEAD = re.compile(
    r"(?:(?:en|durante|entre|del?|desde|el|la|los|mes|todo|in|during|between|from|on|of|the|month"
    r"|all)\s+)*"
)
_NAMES_A_TIME = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b|\d[/-]\d")
"""Short forms are words of their own: "set", "mar"."""
_BOUND = re.compile(
    r"(?:(?P<before>antes\s+del?|before)|(?P<until>hasta|until|up\s+to)"
    r"|(?P<after>despues\s+del?|after)|(?P<since>desde|a\s+partir\s+del?|since))\s+"
)
_TO = re.compile(r"\s+(?:y|al?|hasta|and|to|until|through)\s+")
_REST = re.compile(r"(?:del?|of|,|\s)*(\d{4})?")


def days_of(said: str, sources: Collection[Source]) -> list[Days]:
    """The days that these words name and nothing else, one stretch for each year of the notes.

    Empty where they name none.
    """
    text = " ".join(fold(said).split())
    if not _NAMES_A_TIME.search(text):
        return []
    bound = _BOUND.match(text)
    rest = text[bound.end() :] if bound else text
    ends = _ends(rest, sources)
    if bound is None or (bound["since"] and not _named(_without_lead(rest), sources)):
        return ends  # "desde agosto hasta octubre" has two of them
    return [_open(bound.lastgroup, first, last) for first, last in ends]


def _open(side: str | None, first: date, last: date) -> Days:
    if side in ("before", "until"):
        return date.min, first - _DAY if side == "before" else last
    return last + _DAY if side == "after" else first, date.max


def _ends(text: str, sources: Collection[Source]) -> list[Days]:
    """A day, a month, or from one to another."""
    text = _without_lead(text)
    if found := _named(text, sources):
        return found
    for link in _TO.finditer(text):
        firsts = _named(text[: link.start()], sources)
        lasts = _named(_without_lead(text[link.end() :]), sources)
        pairs = [(one[0], other[1]) for one in firsts for other in lasts]
        return [(first, last) for first, last in pairs if first.year == last.year]
    return []


def _without_lead(text: str) -> str:
    return _LEAD.sub("", text, count=1)


def _named(text: str, sources: Collection[Source]) -> list[Days]:
    found = Recogniser(sources).recognise(f"clases de {text}")
    rest = _REST.fullmatch(found.rest)
    if rest is None:
        return []
    return [days for days in found.filter.dates if not rest[1] or days[0].year == int(rest[1])]
