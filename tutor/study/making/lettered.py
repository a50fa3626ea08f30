"""Lines with a letter or number that stand alone over blocks, as "B. Monopolio"."""

from __future__ import annotations

import re

from tutor.map.lesson import Item, items_of
from tutor.map.wording import key_words
from tutor.model import BlockKind, CleanText

_LONGEST = 60
"""Characters of a line that heads what stands below it."""
_MOST_WORDS = 7
_ENDS = (".", "!", "?", ";", ",")
_TELLS = re.compile(
    r"(?:se|hay|existen?|son|tienen?|there|(?:el|la|los|las|the)\s(?:\S+\s){3})", re.IGNORECASE
)
"""How a line begins that is a sentence, however short."""


def lettered_over(text: CleanText) -> dict[int, Item]:
    """Of each block, by its start, the nearest such line over it in its section, if there is one.

    It is read as a list of one item, not as a heading.
    """
    over: dict[int, Item] = {}
    nearest = None
    for block in text.blocks:
        if nearest:
            over[block.start] = nearest
        if block.kind is BlockKind.HEADING:
            nearest = None
        elif block.kind is BlockKind.LIST:
            items = list(items_of(text, block))
            if len(items) == 1 and level_of(items[0].mark) in "1a" and may_head(items[0].text):
                nearest = items[0]
    return over


def level_of(mark: str) -> str:
    """What the marks of one level have in common."""
    first = mark.strip("(")[:1]
    return "1" if first.isdigit() else "a" if first.isalpha() else first


def may_head(line: str) -> bool:
    """Whether a line can head what stands below it: it is short and no sentence."""
    return is_short(line) and not line.endswith(_ENDS) and not _TELLS.match(line)


def is_short(line: str) -> bool:
    """Whether a line has some words, and few."""
    few = len(line) <= _LONGEST and len(line.split()) <= _MOST_WORDS
    return few and "\n" not in line and bool(key_words(line))
