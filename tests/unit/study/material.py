"""Notes of a few blocks, for tests of the cards that are made of them."""

from __future__ import annotations

from datetime import date

from tutor.model import Block, BlockKind, CleanText, Source, SourceId
from tutor.study.card import Card, CardKind
from tutor.study.making import course_cards

SIGNS = {
    "#": BlockKind.HEADING,
    "D": BlockKind.DEFINITION,
    "P": BlockKind.PARAGRAPH,
    "L": BlockKind.LIST,
    "T": BlockKind.TABLE,
    "F": BlockKind.FORMULA,
    "C": BlockKind.CODE,
    "K": BlockKind.CAPTION,
}
OPENED = (BlockKind.LIST, BlockKind.TABLE, BlockKind.FORMULA, BlockKind.CODE)


def notes(
    *parts: str,
    path: str = "notas.pdf",
    title: str = "Apuntes",
    version: str | None = None,
    week: int | None = None,
) -> tuple[Source, CleanText]:
    """A document of blocks, each written as a sign of its kind, a space and its text.

    Two signs are a heading of the second level. What follows a caption or a paragraph that ends in
    a colon is opened by it.
    """
    text, blocks = "", list[Block]()
    for part in parts:
        level = len(part) - len(part.lstrip("#"))
        kind, words = SIGNS[part[0]], part[max(level, 1) + 1 :]
        start = lead = len(text)
        before = blocks[-1] if blocks else None
        opens = before and (before.kind is BlockKind.CAPTION or text.rstrip().endswith(":"))
        if before and opens and kind in OPENED and before.kind is not BlockKind.HEADING:
            lead = before.start
        blocks.append(Block(kind, start, start + len(words), lead, level))
        text += f"{words}\n\n"
    identity = SourceId(path)
    day = date(2025, 9, 1) if version else None
    source = Source(identity, path, title, "", 1, week, day, version)
    return source, CleanText(identity, text, (0,), tuple(blocks))


def cards(*parts: str, kind: CardKind | None = None, title: str = "Apuntes") -> list[Card]:
    """The cards of such a document, all or of one kind."""
    made = course_cards([notes(*parts, title=title)])
    return [card for card in made if kind in (None, card.kind)]
