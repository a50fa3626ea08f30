"""The nearest heading over a place that names what is told there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.map.lesson import Item, items_of
from tutor.map.wording import key_words, topic
from tutor.model import Block, BlockKind
from tutor.study.making.labels import is_generic, is_of_section
from tutor.study.making.material import CardMaterial

_OPENS = re.compile(r"(?:se|hay|existen|puede[n]?) \w", re.IGNORECASE)
_LABELLED = re.compile(r"([^\n.:;?¿]{2,70}?):\s+\S")
_LONGEST = 60
"""Characters of a line that heads what stands below it."""
_MOST_WORDS = 7
_ENDS = (".", "!", "?", ";", ",")
_TELLS = re.compile(
    r"(?:se|hay|existen?|son|tienen?|there|(?:el|la|los|las|the)\s(?:\S+\s){3})", re.IGNORECASE
)
"""How a line begins that is a sentence, however short."""


@dataclass(frozen=True, slots=True)
class Above:
    """What stands over an item of a list: `title` is empty where no words name it.

    `told` is whether that is an item of which something is said, so that the items below it go on
    about it.
    """

    title: str
    told: bool


def above(material: CardMaterial, block: Block, start: int) -> Above | None:
    """The item of an outer level over a place in a block."""
    over: list[tuple[str, Item]] = []
    for item in items_of(material.text, block) if block.kind is BlockKind.LIST else ():
        level = _level_of(item.mark)
        levels = [one for one, _item in over]
        if level in levels:
            del over[levels.index(level) :]
        if item.start >= start:
            break
        over.append((level, item))
    return _above(over[-1][1].text) if over else None


def _above(text: str) -> Above:
    labelled = _LABELLED.match(text)
    if labelled:
        return Above(labelled[1] if _is_short(labelled[1]) else "", told=True)
    title = text.rstrip(" :")
    return Above(title if _may_head(title) else "", told=False)


def titles_over(material: CardMaterial, start: int) -> Iterator[str]:
    """The headings over a place, the innermost first, and the document's title; no generic one."""
    inner = [topic(one.title) for one in reversed(material.sections_over(start))]
    title = (material.source.title,) if not inner or material.is_titled(start) else ()
    titles = dict.fromkeys((*inner, *title))
    return (title for title in titles if not is_generic(title))


def named_topic(material: CardMaterial, title: str, start: int) -> str:
    """The topic of a place; where its title fits any subject, the nearest heading that does not,
    with the title below it if that says what is told of the matter: "Redes › Beneficios".

    "Se clasifican en" says nothing beside the heading over it.
    """
    above, _separator, last = title.partition(" › ")
    title = above if _OPENS.match(last) else title
    if not is_generic(title.split(" › ", 1)[0]):
        return title
    near, own = next(titles_over(material, start), ""), title.rsplit(" › ", 1)[-1]
    return f"{near} › {own}" if near and own != near and is_of_section(own) else near


def _level_of(mark: str) -> str:
    """What the marks of one level have in common."""
    first = mark.strip("(")[:1]
    return "1" if first.isdigit() else "a" if first.isalpha() else first


def _may_head(line: str) -> bool:
    """Whether a line can head what stands below it: it is short and no sentence."""
    return _is_short(line) and not line.endswith(_ENDS) and not _TELLS.match(line)


def _is_short(line: str) -> bool:
    """Whether a line has some words, and few."""
    few = len(line) <= _LONGEST and len(line.split()) <= _MOST_WORDS
    return few and "\n" not in line and bool(key_words(line))
