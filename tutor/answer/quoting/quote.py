"""A quote: a part of the notes as Markdown, with its heading, what stands around it, what it
announces, and the rest of what it lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tutor.answer.quoting.excerpts import surroundings
from tutor.map.lesson import ENDS, Item, drawings, items_of, topic_of
from tutor.model import Block, BlockKind, CleanText, Hit
from tutor.text.folding import folded
from tutor.text.markdown import fenced, table
from tutor.text.paragraphs import unnumbered
from tutor.text.sentences import split_sentences
from tutor.text.terms import content_words

if TYPE_CHECKING:
    from gettext import NullTranslations

    from tutor.answer.quoting.scoring import Scored

SHORT_REST = 600
"""Characters of a list's rest that are quoted with it, of what another quote announces, and of a
short one with what stands around it."""
SHORT_INTRODUCTION = 300
"""Characters of what stands above the subsections of a section, if that tells little."""
STANDS_OUT = 0.6
"""The best sentence of a quote is marked where it is at most this share of it."""
_LABEL = 40
"""Characters of a definition in which it names itself."""
_FARTHEST = 3000
"""Characters within which a numbered list may go on."""
_NUMBER = re.compile(r"\(?(\d{1,2})(?:\.(\d{1,2})\.?|[.)])(?=\s)")
_SIGNED = re.compile(r"\(([^()]*[^\W\d_]{3}[^()]*\b(?:1\d|20)\d\d)\)")
"""By whom and when, in a heading: "Problema del cartero chino (Guan, 1962)"."""
_EXAMPLE = re.compile(r"\W*(?:ejemplo|ejercicio|example|exercise)")
_SHOWN = (BlockKind.FORMULA, BlockKind.CODE, BlockKind.TABLE)


@dataclass(frozen=True, slots=True)
class Quote:
    """`text` says what `document.text[start:end]` says; `support` is a cosine, of its statement.

    `best` is where that statement, or its first line, stands in `text`; empty where it is all
    that is said, or a row of a table. `heading` is what it stands under in the notes. `beyond` is
    where what it lists goes on, if that is not quoted.
    """

    hit: Hit
    document: CleanText
    start: int
    end: int
    text: str
    support: float
    best: tuple[int, int] = (0, 0)
    heading: str = ""
    beyond: int | None = None


def signed(quotes: Sequence[Quote], say: NullTranslations) -> list[Quote]:
    """The quotes, each of a list that goes on with the page on which it does."""
    sign = say.gettext("… goes on, p. %(page)d")
    return [
        quote
        if quote.beyond is None
        else replace(
            quote,
            text=f"{quote.text}\n\n{sign % {'page': quote.document.page_at(quote.beyond)}}",
        )
        for quote in quotes
    ]


def with_surroundings(quote: Quote, around: int) -> Quote:
    """A quote with what goes on below it in its section, up to `around` characters in all."""
    _start, end = surroundings(quote.document, (quote.start, quote.end), around)
    below = readable(quote.document, quote.end, end)
    return replace(quote, end=end, text=f"{quote.text}\n\n{below}") if below else quote


def with_subsection(quote: Quote, room: int) -> Quote:
    """A short quote right above its section's first subsection, with what that begins with.

    "There are several ways to …" is told there, in about `room` characters at most; not with an
    example.
    """
    document = quote.document
    below = [block for block in document.blocks if block.start >= quote.end][:2]
    if len(quote.text) > SHORT_INTRODUCTION or not below[1:]:
        return quote
    heading, first = below
    sections = document.sections
    over = any(s.start <= quote.start and heading.end <= s.end for s in sections)
    inner = next((s for s in sections if s.start == heading.start), None)
    if inner is None or not over or _EXAMPLE.match(folded(inner.title)):
        return quote
    wanted = room - len(quote.text)
    span = surroundings(document, (first.start, first.end), wanted)
    told = readable(document, *span)
    if first.kind is BlockKind.HEADING or not 0 < len(told) <= room:
        return quote
    return replace(
        quote, end=span[1], text=f"{quote.text}\n\n**{unnumbered(inner.title)}**\n\n{told}"
    )


def with_announced(quote: Quote, room: int) -> Quote:
    """A quote with what its last words announce, if that has at most `room` characters."""
    document, end = quote.document, quote.end
    if not quote.text.endswith(":"):
        return quote
    while document.text[end - 1] == ":" and (told := _following(document, end)):
        end = told
    return _reaching(quote, end) if quote.end < end <= quote.end + room else quote


def with_rest(quote: Quote, entry: Scored) -> Quote:
    """A quote with the rest of what it lists, if that is numbered, asked for, or answers nearly as
    well, and is short; else with where it goes on.
    """
    document = quote.document
    rest = rest_of_numbered(document, quote.start, quote.end)
    answers = any(statement.start >= quote.end for statement in entry.company)
    if rest is None and (entry.several or answers):
        rest = rest_of_list(document, quote.end)
    if rest is None:
        return quote
    if rest.end - quote.end <= SHORT_REST:
        return _reaching(quote, rest.end)
    return replace(quote, beyond=rest.start)


def _reaching(quote: Quote, end: int) -> Quote:
    """A quote with what stands below it up to `end`."""
    below = quote.document.text[quote.end : end]
    gap = below[: len(below) - len(below.lstrip())]
    parted = gap if gap in (" ", "\n") else "\n\n"
    text = readable(quote.document, quote.end, end)
    return replace(quote, end=end, text=f"{quote.text}{parted}{text}")


def _under(above: str, quote: Quote) -> Quote:
    """A quote with this text above its own."""
    first, last = (place + len(above) + 2 for place in quote.best)
    best = (first, last) if any(quote.best) else (0, 0)
    return replace(quote, text=f"{above}\n\n{quote.text}", best=best)


def headed(quote: Quote) -> Quote:
    """A quote below the heading under which it stands, if it does not itself say of what it is.

    The document's title is named beside its page.
    """
    title = unnumbered(quote.heading)
    words = content_words(title)
    line = quote.text.partition("\n")[0]
    block = quote.document.block_at(quote.start)
    defined = block is not None and block.kind is BlockKind.DEFINITION
    named = (
        title == quote.hit.source.title
        or (defined and ":" not in line[:_LABEL])  # "Ventajas: …" has no name
        or 2 * len(words & content_words(line)) >= len(words)
    )
    made = _SIGNED.search(title)
    named = named and (made is None or made[1] in quote.text)
    return quote if named else _under(f"**{topic_of(_headings(quote, title))}**", quote)


def _headings(quote: Quote, title: str) -> tuple[str, ...]:
    """The document's title and the headings over a quote, down to the one right above it."""
    over = (s.title for s in quote.document.sections if s.start <= quote.start < s.end)
    above = (unnumbered(one) for one in over if one != quote.heading)
    return (quote.hit.source.title, *above, title)


def stands_out(quote: Quote) -> bool:
    """Whether what answers best is little enough of a quote to be marked in it."""
    start, end = quote.best
    return end - start <= STANDS_OUT * len(quote.text)


def within(quote: Quote, other: Quote) -> bool:
    """Whether another quote says all of it."""
    same = quote.hit.source.id == other.hit.source.id
    return same and other.start <= quote.start and quote.end <= other.end


def overlap(quote: Quote, other: Quote) -> bool:
    """Whether two quotes say something of the same."""
    same = quote.hit.source.id == other.hit.source.id
    return same and quote.start < other.end and other.start < quote.end


@dataclass(frozen=True, slots=True)
class Rest:
    """What belongs to a quote and stands below it: from `start` to `end`."""

    start: int
    end: int


def _following(document: CleanText, end: int) -> int | None:
    """Where what stands right below ends; None at a heading or a drawing."""
    for block, drawn in zip(document.blocks, drawings(document), strict=True):
        if block.end <= end:
            continue
        if block.kind is BlockKind.HEADING or drawn == block.start:
            return None
        text = document.text[max(end, block.start) : drawn]
        scraps = block.kind not in _SHOWN and not any(map(str.isalpha, text))
        if block.kind is BlockKind.CAPTION or scraps:
            continue
        return drawn
    return None


def rest_of_numbered(document: CleanText, start: int, end: int) -> Rest | None:
    """What a numbered list, of which a quote holds the first items, goes on with below it."""
    told = [
        number
        for block in document.blocks_in(start, end)
        for at, number in _numbers(document, block)
        if start <= at < end
    ]
    if not told or told[0] > (1, 1):
        return None
    last, first, reached = told[-1], 0, end
    below = [
        block for block in document.blocks if end < block.end and block.start < end + _FARTHEST
    ]
    for block, after in pairwise((*below, None)):
        if block is None or block.kind is BlockKind.HEADING:
            break
        for at, number in _numbers(document, block):
            if at >= end and not _follows(number, last):
                return Rest(first, reached) if first else None
            if at >= end:
                first, last, reached = first or at, number, block.end
        opens = reached == block.end and not document.text[:reached].endswith(ENDS)
        if opens and after and after.kind in _SHOWN:
            reached = after.end
    return Rest(first, reached) if first else None


def _numbers(document: CleanText, block: Block) -> Iterator[tuple[int, tuple[int, int]]]:
    """Where the numbered items of a block begin, and their numbers: of "3.1" 3 and 1."""
    starts: list[int] = []
    if block.kind is BlockKind.LIST:
        starts = [item.start for item in items_of(document, block)]
    elif block.kind is BlockKind.PARAGRAPH:
        starts = [block.start]
    for start in starts:
        if match := _NUMBER.match(document.text, start, block.end):
            yield start, (int(match[1]), int(match[2] or 0))


def _follows(number: tuple[int, int], last: tuple[int, int]) -> bool:
    """Whether an item comes after the `last` one, as 3.1 and 4 do after 3."""
    nested = number[0] == last[0] and number[1] == last[1] + 1
    return nested or number == (last[0] + 1, 0)


def rest_of_list(document: CleanText, end: int) -> Rest | None:
    """The items of a list of which a quote holds only the first ones."""
    block = document.block_at(end - 1)
    if block is None or block.kind is not BlockKind.LIST or end == block.end:
        return None
    below = document.text[end : block.end]
    return Rest(block.end - len(below.lstrip()), block.end)


def readable(document: CleanText, start: int, end: int) -> str:
    """A part of a document, its tables and code as Markdown, its drawings left out."""
    told, read = [], start
    for block, drawn in zip(document.blocks, drawings(document), strict=True):
        if start <= drawn < block.end <= end:
            told.append(document.text[read:drawn].strip())
            read = block.end
            continue
        first, last = max(start, block.start), min(end, block.end)
        whole = (first, last) == (block.start, block.end)
        if block.kind is BlockKind.CODE and first < last:
            first = document.text.rfind("\n", block.start, first) + 1 or first  # its indentation
            text = fenced(document.text[first:last])
        elif block.kind is BlockKind.TABLE and whole and any(document.rows(block)):
            text = table(document.text[first:last].split("\n"))
        else:
            continue
        told += [document.text[read:first].strip(), text]
        read = last
    told.append(document.text[read:end].strip())
    return "\n\n".join(filter(None, told))


def listing(document: CleanText, blocks: Sequence[Block], answers: int = -1) -> str:
    """A list with the first sentence of each of its items, and what stands around it; the item at
    the offset of what `answers` is whole.
    """
    lines = []
    for block in blocks:
        if block.kind is BlockKind.LIST:
            items = items_of(document, block)
            lines.append("\n".join(_shown(one, one.start <= answers < one.end) for one in items))
        else:
            lines.append(readable(document, block.start, block.end))
    return "\n\n".join(lines)


def _shown(item: Item, whole: bool) -> str:
    (start, end), *others = split_sentences(item.text)
    text = item.text if whole else f"{item.text[start:end]}{' …' if others else ''}"
    return f"{item.mark} {text}"
