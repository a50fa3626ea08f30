"""The nearest heading over a place that names what is told there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.map.lesson import Lesson, items_of
from tutor.map.wording import topic
from tutor.model import Block, BlockKind
from tutor.study.making.labels import is_generic
from tutor.study.making.lettered import is_short, level_of, may_head
from tutor.study.making.material import CardMaterial

_OPENS = re.compile(r"(?:se|hay|existen|puede[n]?) \w", re.IGNORECASE)
_LABELLED = re.compile(r"([^\n.:;?¿]{2,70}?):\s+\S")


@dataclass(frozen=True, slots=True)
class Above:
    """What stands over an item of a list: `title` is empty where no words name it.

    `told` is whether that is an item of which something is said, so that the items below it go on
    about it.
    """

    title: str
    told: bool


def above(material: CardMaterial, block: Block, start: int) -> Above | None:
    """The item of an outer level over a place in a block, or the lettered line over its block."""
    lettered = material.lettered.get(block.start)
    over = [(level_of(lettered.mark), lettered)] if lettered else []
    for item in items_of(material.text, block) if block.kind is BlockKind.LIST else ():
        level = level_of(item.mark)
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
        return Above(labelled[1] if is_short(labelled[1]) else "", told=True)
    title = text.rstrip(" :")
    return Above(title if may_head(title) else "", told=False)


def line_above(lesson: Lesson, block: Block) -> str:
    """The short line over a list, where it is no sentence; empty if there is none."""
    before = next(reversed(lesson.text.blocks_in(0, block.start)), None)
    if before is None or before.kind is not BlockKind.PARAGRAPH:
        return ""
    line = lesson.slice(before.start, before.end).rstrip(" :")
    return topic(line) if may_head(line) else ""


def titles_over(material: CardMaterial, start: int) -> Iterator[str]:
    """The headings over a place, the innermost first, and the document's title; no generic one."""
    inner = [topic(one.title) for one in reversed(material.sections_over(start))]
    titles = dict.fromkeys((*inner, material.title))
    return (title for title in titles if not is_generic(title))


def named_topic(material: CardMaterial, title: str, start: int) -> str:
    """The topic of a place; where its title fits any subject, the nearest heading that does not.

    "Se clasifican en" says nothing beside the heading over it.
    """
    above, _separator, last = title.partition(" › ")
    title = above if _OPENS.match(last) else title
    if not is_generic(title.split(" › ", 1)[0]):
        return title
    return next(titles_over(material, start), "")
