"""Whom and what a document cites: authors with a year in parentheses, and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.model import CleanText

_SURNAME = (
    r"\b(?:(?:van|von)(?: der| den)? )?(?:Mc|Mac|Le|De|La|O['’])?[A-ZÁÉÍÓÚÑ][a-záéíóúñüöä]+\b"
)
_PEOPLE = rf"{_SURNAME}(?:(?:, | y | and | & |-){_SURNAME})*(?: (?:y otros|and others|et al\.?))?"
_YEAR = r"(1[5-9]\d\d|20\d\d)"
_CITED = re.compile(
    rf"\((?:[^()]*?[;,] )?({_PEOPLE}),? {_YEAR}[a-z]?\)"
    rf"|({_PEOPLE}) \({_YEAR}[a-z]?\)"
)
"""In parentheses, or as the subject of a sentence."""
_ADDRESS = re.compile(r"https?://[^\s<>()\"'»”]+[^\s<>()\"'»”.,;:]")
_ACTING = re.compile(rf"({_PEOPLE}) (?:publican?|proponen?|presentan?|ganan?|inventan?|dan?)\b")
_TITLED = re.compile(r"[A-Z][\w-]* (?:of |de )?\Z|\bof \Z")
_BETWEEN = re.compile(r", | y | and | & | et al\.?")
_OTHERS = frozenset(("otros", "others"))


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation at `text[start:end]`: what it says, and its year or its address."""

    title: str
    start: int
    end: int
    year: int | None = None
    url: str = ""
    people: tuple[str, ...] = ()


def people_in(sentence: str) -> tuple[str, ...]:
    """Who does something, at the beginning of a sentence: "McCulloch y Pitts publican …"."""
    found = _ACTING.match(sentence)
    return _names(found[1]) if found else ()


def _names(people: str) -> tuple[str, ...]:
    return tuple(name for name in _BETWEEN.split(people) if name and name not in _OTHERS)


def cited(text: CleanText) -> Iterator[Cited]:
    """What a document cites, in order of kind and place."""
    for found in _CITED.finditer(text.text):
        if found[3] and _TITLED.search(text.text, max(0, found.start() - 40), found.start()):
            continue  # the last word of a longer name
        who, year = " ".join((found[1] or found[3]).split()), int(found[2] or found[4])
        yield Cited(f"{who}, {year}", found.start(), found.end(), year, people=_names(who))
    for found in _ADDRESS.finditer(text.text):
        yield Cited(found[0], found.start(), found.end(), url=found[0])
