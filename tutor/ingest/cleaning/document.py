"""Pages as read -> the display text of the document, with its blocks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from tutor.ingest.cleaning.blocks import Draft, blocks_of
from tutor.ingest.cleaning.characters import readable, repaired_accents
from tutor.ingest.cleaning.running_headers import body_lines
from tutor.ingest.cleaning.units import body_size, plain_lines, units_of
from tutor.model import Block, CleanText, Document, PageLine
from tutor.text.paragraphs import LEADER
from tutor.text.terminal import without_orphan_marks

_TITLE = 1.3
"""On the first page, type of so many times the body's is the title, whatever other pages repeat."""
_PAGE_BREAK = "\n\f\n"
_EDIT = re.compile(r"(?<=\S) \[(?:editar|edit)(?: [|·] [^\]]{4,20})?\]\Z")
"""What a wiki prints behind each of its headings."""
_DECIMAL = re.compile(r"(?<![\w.,;:(\[{])(?<![,;(\[{] )0, (?=\d{2}(?![\d ]*[,)\]}]))")
"""A decimal comma as TeX sets it in a formula, as if it parted two numbers."""


def clean(document: Document) -> CleanText:
    """The display text: what the pages say, in NFC, without the traces of the page and the font.

    Blocks are set apart by an empty line; pages are joined where a sentence plainly goes on.
    """
    return _assembled(document, blocks_of(units_of(body_of(document))))


def body_of(document: Document) -> list[list[PageLine]]:
    """Each page's lines, mended, without those that it has in common with other pages."""
    pages = _readable([page.lines or tuple(plain_lines(page.text)) for page in document.pages])
    kept = body_lines([[line.text.replace("\t", " ") for line in page] for page in pages])
    body = body_size(line for page in pages for line in page)
    return [
        [
            line
            for index, line in enumerate(page)
            if line.text.strip()
            and (index in indexes or (number == 0 and line.size > _TITLE * body > 0))
        ]
        for number, (page, indexes) in enumerate(zip(pages, map(set, kept), strict=True))
    ]


def _readable(pages: Sequence[Sequence[PageLine]]) -> list[list[PageLine]]:
    """The same lines with their characters mended, which takes the whole document to judge."""
    whole = _PAGE_BREAK.join(
        "\n".join(" ".join(line.text.splitlines()) for line in page) for page in pages
    )
    whole = _PAGE_BREAK.join(map(readable, whole.split(_PAGE_BREAK)))
    whole = unicodedata.normalize("NFC", without_orphan_marks(repaired_accents(whole)))
    texts = [page.split("\n") for page in whole.split(_PAGE_BREAK)]
    return [
        [
            replace(line, text=_spaced(text, line))
            for line, text in zip(page, page_texts, strict=bool(page))
        ]
        for page, page_texts in zip(pages, texts, strict=bool(pages))
    ]


def _spaced(text: str, line: PageLine) -> str:
    """Spaces folded, but for the cells of a row and the columns of code."""
    if line.mono:
        return text.replace("\t", " ").rstrip()
    text = _DECIMAL.sub("0,", _EDIT.sub("", text))
    cells = [" ".join(LEADER.sub(" ... ", cell).split()) for cell in text.split("\t")]
    return "\t".join(cells) if any(cells) else ""


def _assembled(document: Document, drafts: Sequence[Draft]) -> CleanText:
    parts: list[str] = []
    blocks: list[Block] = []
    starts: dict[int, int] = {}
    length = 0
    for draft in drafts:
        if parts:
            parts.append("\n\n")
            length += 2
        start = length
        for number, unit in enumerate(draft.units):
            if number:
                parts.append("\n")
                length += 1
            starts.update({page: length + offset for page, offset in unit.starts})
            parts.append(unit.text)
            length += len(unit.text)
        lead = start if draft.lead is None else blocks[-1].start + draft.lead
        blocks.append(Block(draft.kind, start, length, lead, draft.level))
    page_starts, following = [], length
    for page in reversed(range(len(document.pages))):
        following = starts.get(page, following)
        page_starts.append(following)
    return CleanText(
        document.source_id, "".join(parts), tuple(reversed(page_starts)), tuple(blocks)
    )
