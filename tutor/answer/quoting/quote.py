"""A quote: a part of the notes, with what stands around it, what it announces and its heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tutor.answer.quoting import markdown
from tutor.answer.quoting.ends import announced, rest_of_list, rest_of_numbered, rest_of_section
from tutor.answer.quoting.excerpts import surroundings
from tutor.map.lesson import topic_of
from tutor.map.wording import topic
from tutor.model import BlockKind, CleanText, Hit
from tutor.text.terms import content_words

if TYPE_CHECKING:
    from gettext import NullTranslations

    from tutor.answer.quoting.scoring import Scored

SHORT_REST = 600
"""Characters of a list's rest that are quoted with it, and of what another quote announces."""
SECTION = 1800
"""Characters of a section that is quoted whole where it lists what is asked for."""
STANDS_OUT = 0.6
"""The best sentence of a quote is marked where it is at most this share of it."""
_LABEL = 40
"""Characters of a definition in which it names itself."""


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


def with_surroundings(
    quote: Quote, said: Sequence[str], around: int, *, first_of_all: bool
) -> Quote:
    """A quote with up to `around` characters of its section, as far as they were not `said`.

    Nothing stands above what is to stand `first_of_all`.
    """
    document, span = quote.document, (quote.start, quote.end)
    start, end = surroundings(document, span, around, said, first_of_all=first_of_all)
    above = markdown.readable(document, start, quote.start)
    below = markdown.readable(document, quote.end, end)
    below = f"\n\n{below}" if below else ""
    whole = replace(quote, start=start, end=end, text=quote.text + below)
    return _under(above, whole) if above else whole


def with_announced(quote: Quote, room: int) -> Quote:
    """A quote with what its last words announce, or without these if that is not to be quoted."""
    document = quote.document
    if not quote.text.endswith(":") or document.text[quote.end - 1] != ":":
        return quote
    end = announced(document, quote.start, quote.end, room)
    if end > quote.end:
        longer = _reaching(quote, end)
        rest = rest_of_list(document, end)
        return replace(longer, beyond=rest.start) if rest else longer
    told = quote.text.removesuffix(document.text[end : quote.end].strip()).rstrip()
    dropped = end > quote.start and quote.best[1] <= len(told) < len(quote.text)
    return replace(quote, end=end, text=told) if dropped else quote


def with_rest(quote: Quote, entry: Scored) -> Quote:
    """A quote with the rest of what it lists, if that is short; else with where it goes on."""
    document = quote.document
    rest, room = rest_of_numbered(document, quote.start, quote.end), SHORT_REST
    if rest is None and entry.several:
        rest = rest_of_list(document, quote.end)
        if rest is None and entry.titled:
            rest, room = rest_of_section(document, quote.end), SECTION - len(quote.text)
    if rest is None or quote.beyond is not None:
        return quote
    if rest.end - quote.end <= room:
        return _reaching(quote, rest.end)
    return replace(quote, beyond=rest.start)


def _reaching(quote: Quote, end: int) -> Quote:
    """A quote with what stands below it up to `end`."""
    below = quote.document.text[quote.end : end]
    gap = below[: len(below) - len(below.lstrip())]
    parted = gap if gap in (" ", "\n") else "\n\n"
    text = markdown.readable(quote.document, quote.end, end)
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
    title = topic(quote.heading)
    words = content_words(title)
    line = quote.text.partition("\n")[0]
    block = quote.document.block_at(quote.start)
    defined = block is not None and block.kind is BlockKind.DEFINITION
    named = (
        title == quote.hit.source.title
        or (defined and ":" not in line[:_LABEL])  # "Ventajas: …" has no name
        or 2 * len(words & content_words(line)) >= len(words)
    )
    heading = topic_of((quote.hit.source.title, title))
    return quote if named else _under(f"**{heading}**", quote)


def stands_out(quote: Quote) -> bool:
    """Whether what answers best is little enough of a quote to be marked in it."""
    start, end = quote.best
    return end - start <= STANDS_OUT * len(quote.text)


def within(quote: Quote, other: Quote) -> bool:
    """Whether another quote says all of it."""
    same = quote.hit.source.id == other.hit.source.id
    return same and other.start <= quote.start and quote.end <= other.end
