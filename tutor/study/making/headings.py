"""The nearest heading over a place that names what is told there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tutor.map.lesson import items_of
from tutor.map.wording import stands_alone
from tutor.model import Block, BlockKind
from tutor.study.making.labels import is_generic
from tutor.study.making.material import CardMaterial
from tutor.text.paragraphs import joined_lines, unnumbered

_LABELLED = re.compile(r"([^\n.:;?¿]{2,70}?):\s+\S")
_OPENING = re.compile(r"[❒❑□\s]*(?:\w+[aei]mos\s)?(.{1,100}):\s*\Z")


def above(material: CardMaterial, block: Block, start: int) -> str:
    """The label of the item of an outer level over a place in a block; empty if there is none."""
    over: list[tuple[str, str]] = []
    for item in items_of(material.text, block) if block.kind is BlockKind.LIST else ():
        level = _level_of(item.mark)
        levels = [one for one, _text in over]
        if level in levels:
            del over[levels.index(level) :]
        if item.start >= start:
            break
        over.append((level, item.text))
    labelled = _LABELLED.match(over[-1][1]) if over else None
    return labelled[1] if labelled else ""


def opening(material: CardMaterial, block: Block) -> str:
    """The line that opens a list, where it is short and clear: "Tenemos tres zonas:"."""
    found = _OPENING.match(joined_lines(material.slice(block.lead, block.start)))
    return found[0].strip("❒❑□ :\n") if found and stands_alone(found[1]) else ""


def titles_over(material: CardMaterial, start: int) -> Iterator[str]:
    """The headings over a place, the innermost first, and the document's title; no generic one."""
    inner = [unnumbered(one.title) for one in reversed(material.sections_over(start))]
    title = (material.source.title,) if not inner or material.is_titled(start) else ()
    titles = dict.fromkeys((*inner, *title))
    return (title for title in titles if not is_generic(title))


def named_topic(material: CardMaterial, title: str, start: int) -> str:
    """The topic of a place; where its title fits any subject, the nearest heading that does not,
    with the title below it, which says what is told of the matter: "Redes › Beneficios".
    """
    if not is_generic(title.split(" › ", 1)[0]):
        return title
    near, own = next(titles_over(material, start), ""), title.rsplit(" › ", 1)[-1]
    return f"{near} › {own}" if near and own != near else near


def _level_of(mark: str) -> str:
    """What the marks of one level have in common."""
    first = mark.strip("(")[:1]
    return "1" if first.isdigit() else "a" if first.isalpha() else first
