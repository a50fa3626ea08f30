"""Formulas as the page shows them: cut out of its picture, for decks.

The text of a formula on lines of its own is its parts in a row; where fractions, indices and
matrices were, the page tells more.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256

from PIL import Image

from tutor.ingest.reading.rendering import PagePicture
from tutor.study.card import Card, CardId, CardKind, Origin
from tutor.text.paragraphs import is_formula

SIZE = (1200, 1700)
"""Pixels into which a page is drawn."""
_MARGIN = 14
_TALLEST = 900


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG under a name that follows from its place, so that it stays when it is made anew."""

    name: str
    content: bytes


def formula_pictures(
    cards: Iterable[Card], draw: Callable[[Origin], PagePicture | None]
) -> dict[CardId, Picture]:
    """A picture for each card that stands on a formula; none where its words are not found.

    `draw` draws the page of a place into `SIZE`, with the boxes of its words.
    """
    made: dict[str, Picture | None] = {}
    found = {}
    for card in cards:
        origin = card.origin
        if origin is None or card.kind is CardKind.CODE or not _has_formula(origin):
            continue
        name = _name(origin)
        if name not in made:
            made[name] = _cut_out(draw(origin), name)
        if picture := made[name]:
            found[card.id] = picture
    return found


def _has_formula(origin: Origin) -> bool:
    on_one_page = origin.first_page == origin.last_page
    return on_one_page and any(is_formula(line) for line in origin.text.split("\n"))


def _name(origin: Origin) -> str:
    key = "\x1f".join((origin.path, str(origin.first_page), origin.text))
    return f"tutor-{sha256(key.encode()).hexdigest()[:20]}.png"


def _cut_out(page: PagePicture | None, name: str) -> Picture | None:
    """What is around the words, over the width of the page's text."""
    if page is None or not page.boxes:
        return None
    left, top, right, bottom = (
        edge(sides)
        for edge, sides in zip((min, min, max, max), zip(*page.boxes, strict=True), strict=True)
    )
    if bottom - top > _TALLEST:
        return None
    image = Image.frombytes("RGB", (page.width, page.height), page.pixels)
    cut = image.crop((
        max(0, left - _MARGIN),
        max(0, top - _MARGIN),
        min(page.width, right + _MARGIN),
        min(page.height, bottom + 2 * _MARGIN),  # limits of integrals hang lower
    ))  # fmt: skip
    content = io.BytesIO()
    cut.convert("L").quantize(16).save(content, "PNG", optimize=True)
    return Picture(name, content.getvalue())
