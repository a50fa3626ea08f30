"""What the words of a follow-up stand for: one of several things by its place ("el segundo")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from tutor.answer.asked import AnswerKind, sides, term_of
from tutor.model import Turn
from tutor.search.follow_ups import (
    ONLY_JOINS,
    PICKED,
    PLACES,
)
from tutor.text.folding import as_typed, fold, folded
from tutor.text.numerals import ORDINALS
from tutor.text.terms import content_words

_PLURAL = re.compile(
    r"\b(?:l[oa]s|cuales(?: son)?(?: l[oa]s)?|which|the) [^\W\d_]{3,}s\b|\A\W*[^\W\d_]{4,}s de\b"
)
"""Asks for several things: "pilares de …", "dime los algoritmos"."""
_COUNTED = re.compile(rf"\b(?:{'|'.join(ORDINALS)})(?= \w)")
"""Where a question counts what it asks about: "la primera forma normal"."""
_ITEM = re.compile(r"\s*([•◦○■▪‣*-]|\d{1,2}[.)])\s+(\S.*)")
_NAMED = re.compile(r": | \(| [–—-] ")
"""What stands behind the name of an item."""
_MOST_OF_ITEM = 8
"""Words by which an item is called that has no name of its own."""


def in_full(question: str, before: Sequence[Turn]) -> str:
    """A question with what was compared or listed `before` in the place of the words that stand for
    it; empty for one without such words, or where nothing tells what they mean.
    """
    return picked(question, _several(before), before[-1].standalone or before[-1].question)


def picked(question: str, items: Sequence[str], earlier: str = "") -> str:
    """A question that means one of the `items` by its place ("explica el segundo"), with its name;
    or that asks what the `earlier` one did of another place: "qué es la segunda forma normal" for
    "¿y la segunda?" behind "qué es la primera forma normal". Empty for any other.
    """
    plain = fold(question)
    found = PICKED.search(plain)
    if found is None:
        return ""
    which = found["which"]
    counted = _COUNTED.search(fold(earlier))
    if counted and which in PLACES and ONLY_JOINS.fullmatch(plain[: found.start()]):
        short = which.removesuffix("o") if which in ("primero", "tercero") else which
        return f"{earlier[: counted.start()]}{short}{earlier[counted.end() :]}"
    place = int(which[0]) if which[0].isdigit() else PLACES.get(which, len(items))
    if not 0 < place <= len(items):
        return ""
    before = f"{question[: found.start()]}{_preposition(found['the'])}"
    return f"{before}{items[place - 1]}{question[found.end() :]}"


def listed(answer: str, asked: str = "") -> list[str]:
    """What the items of the first list of an answer are called, without those below them; or those
    below the item that is what was `asked` for ("reference groups types").
    """
    items, words = _items(answer), content_words(asked)
    if not items:
        return []
    names = [content_words(name) for _mark, name in items]
    begun = (n for n in _opening_others(items) if names[n - 1] and names[n - 1] <= words)
    place = next(begun, 0)
    outer = {mark for mark, _name in items[:place]}
    below = takewhile(lambda item: item[0] not in outer, items[place:])
    return [name for mark, name in below if mark == items[place][0]]


def _items(answer: str) -> list[tuple[str, str]]:
    """The items of the first list of an answer: the sign before each, and what it is called."""
    items: list[tuple[str, str]] = []
    for line in answer.split("\n"):
        if item := _ITEM.match(line):
            name, *told = _NAMED.split(item[2], maxsplit=1)
            called = name if told else " ".join(item[2].split()[:_MOST_OF_ITEM])
            items.append((item[1].strip("0123456789"), called))
        elif items and line.strip():
            break
    return items


def _opening_others(items: Sequence[tuple[str, str]]) -> list[int]:
    """The places of items with which a list below another item begins."""
    marks = [mark for mark, _name in items]
    return [place for place in range(1, len(marks)) if marks[place] not in marks[:place]]


def _several(before: Sequence[Turn]) -> list[str]:
    """What was compared last, or listed where several things were asked for."""
    for turn in reversed(before):
        asked = turn.standalone or turn.question
        if compared := [as_typed(asked, side) for side in sides(asked)]:
            return compared
        several = AnswerKind.of(asked).several or _PLURAL.search(folded(asked))
        if several and (items := listed(turn.answer, asked)):
            return items
        if term_of(turn.question):
            return []
    return []


def _preposition(article: str | None) -> str:
    return {"del": "de ", "al": "a "}.get(article or "", "")
