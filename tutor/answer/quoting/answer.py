"""The best parts of the notes, quoted whole, the best one first."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from tutor.answer.quoting.excerpts import Excerpt, excerpts
from tutor.answer.quoting.quote import (
    SHORT_REST,
    Quote,
    headed,
    listing,
    overlap,
    readable,
    stands_out,
    with_announced,
    with_rest,
    with_subsection,
    with_surroundings,
    within,
)
from tutor.answer.quoting.scoring import OF_ANY, scored
from tutor.answer.quoting.told import SAME, near_first
from tutor.model import AnswerLength, Block, BlockKind, ChunkId, Citation, CleanText, Hit, SourceId
from tutor.text import markdown
from tutor.text.terms import content_words

if TYPE_CHECKING:
    from tutor.answer.quoting.scoring import Scored
    from tutor.embedding.embedder import Embedder

    DocumentOf: TypeAlias = Callable[[SourceId], CleanText]

NEAR_BEST = 0.04
"""Excerpts whose evidence is this much below the best one's are nearly as good."""
LONGEST = 1000
"""Characters of blocks that are quoted together: of longer ones a part is, with shorter ones what
stands around them."""
LONGEST_TABLE = 800
"""Characters of a table that is quoted whole; twice as many where it compares, or several things
are asked for.
"""
MOST_ROWS = 4
"""Of a longer one."""
SHORT = 200
"""Characters of a part that may be a fragment of what it tells."""
SHORT_AROUND = 350
"""Characters of such a part, beside the best one and nearly as good, with what stands around it."""


@dataclass(frozen=True, slots=True)
class Size:
    """At most so many parts of the notes and so many characters, unless the first alone has more.

    Parts whose evidence is `near` the best one's count, no others. Of one with more than `whole`
    characters `part` are taken; of a list that is asked for, or whose opening answers best, the
    beginnings of its `items`. With what stands around it under its heading the best one has up to
    `around` characters.
    """

    parts: int
    characters: int
    near: float
    whole: int = LONGEST
    part: int = LONGEST
    items: bool = True
    around: int = LONGEST


QUOTED = {
    AnswerLength.SHORT: Size(1, 1000, NEAR_BEST),
    AnswerLength.NORMAL: Size(3, 2000, 1.5 * NEAR_BEST),
    AnswerLength.LONG: Size(6, 2500, 4 * NEAR_BEST, around=2500),
}
"""What an answer quotes; the normal one is read at a glance."""
READ = {
    AnswerLength.SHORT: Size(4, 1700, math.inf, 1200, 600, items=False),
    AnswerLength.NORMAL: Size(4, 1700, math.inf, 1200, 600, items=False),
    AnswerLength.LONG: Size(6, 2800, math.inf, 1200, 600, items=False),
}
"""What a model reads of the notes: a small one takes a second for some 40 tokens."""
READ_FAST = Size(12, 5000, math.inf, items=False)
"""At most, where the model reads that much soon."""


def ranked_excerpts(
    questions: Sequence[str],
    hits: Sequence[Hit],
    embedder: Embedder,
    document_of: DocumentOf,
    said: Sequence[str] = (),
    *,
    before: str = "",
) -> list[Scored]:
    """What stands in the passages, the part that answers best first.

    `questions` are the forms of the question that count, as typed and in its conversation. Parts
    that stand in what was `said` before come behind those that are about as good; those near what
    the answer `before` began with count more. Raises `EmbedderError`.
    """
    parts = excerpts(hits, document_of)
    ranked = scored(questions, parts, embedder)
    if before:
        ranked = near_first(ranked, before, content_words(questions[-1]) - OF_ANY)
    if not said:
        return ranked
    told = "\n\n".join(said)
    return sorted(ranked, key=lambda one: NEAR_BEST * (one.excerpt.text in told) - one.evidence)


def quotes_of(
    ranked: Sequence[Scored],
    length: AnswerLength = AnswerLength.NORMAL,
    openings: Sequence[Scored] = (),
    compared: Sequence[Scored] = (),
) -> list[Quote]:
    """The parts of the notes that answer best, best first, given that the notes have an answer.

    Whether they do is decided before, in the same way for every engine. With the best part goes
    what goes on below it under its heading, unless the answer is to be short. Of several
    questions in one, `openings` answer all but the last, or each: they stand above. What each of
    the things is that are `compared` stands below.
    """
    size = QUOTED[length]
    chosen = _chosen(ranked, size)
    quotes = [quote for _entry, quote in chosen]
    if quotes and length is not AnswerLength.SHORT:
        quotes = _with_contexts(chosen, size)
        if openings:
            above = [_quoted(opening, size) for opening in openings]
            quotes = _with_above(above, quotes)[: max(size.parts, len(above))]
        for quote in (_quoted(entry, size) for entry in compared):
            if not any(within(quote, other) for other in quotes):
                quotes.append(quote)
    quotes = [with_announced(quote, SHORT_REST) for quote in quotes]
    quotes = [
        quote if place or stands_out(quote) else replace(quote, best=(0, 0))
        for place, quote in enumerate(quotes)
    ]
    named = [(quote.hit.source.id, quote.heading) for quote in quotes]
    return [
        quote if name in named[:place] else headed(quote)
        for place, (quote, name) in enumerate(zip(quotes, named, strict=True))
    ]


def _with_contexts(chosen: Sequence[tuple[Scored, Quote]], size: Size) -> list[Quote]:
    """The best quote with what belongs to it, and those others that it leaves room for: what is
    nearly as good with what goes on below it, too.
    """
    (first, best), *others = chosen
    best = with_surroundings(best, size.around)
    best = with_subsection(best, size.around)
    quotes = [best]
    room = size.characters - len(best.text)
    for entry, quote in others:
        told = any(within(quote, above) for above in quotes) or _repeats(quote, quotes)
        if told or len(quote.text) > room:
            continue
        alone = NEAR_BEST < first.evidence - entry.evidence <= size.near
        quotes.append(quote if alone else _with_context(quote, quotes))
        room -= len(quotes[-1].text)
    whole = with_rest(with_announced(best, size.around), first)
    return [whole, *(quote for quote in quotes[1:] if not within(quote, whole))]


def _with_context(quote: Quote, others: Sequence[Quote]) -> Quote:
    """A short quote with what goes on below it, unless another says that, or that is long."""
    if len(quote.text) > SHORT:
        return quote
    wider = with_surroundings(quote, SHORT_AROUND)
    added = content_words(wider.text) - content_words(quote.text)
    told = _is_covered(added, others) or any(overlap(wider, other) for other in others)
    return quote if told or len(wider.text) > SHORT_REST else wider


def _repeats(quote: Quote, others: Sequence[Quote]) -> bool:
    """Whether what is quoted of another document says the same, as another version of it does."""
    elsewhere = [other for other in others if other.hit.source.id != quote.hit.source.id]
    return _is_covered(content_words(quote.text), elsewhere)


def _is_covered(words: frozenset[str], quotes: Sequence[Quote]) -> bool:
    """Whether one of the quotes has nearly all of these words."""
    return any(len(words & content_words(quote.text)) >= SAME * len(words) for quote in quotes)


def _with_above(parts: Sequence[Quote], quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes, with these parts above the others; a part that one of them holds is that one."""
    above: list[Quote] = []
    for part in parts:
        whole = next((quote for quote in quotes if within(part, quote)), part)
        if whole not in above:
            above.append(whole)
    others = (quote for quote in quotes if quote not in above and not _repeats(quote, above))
    return [*above, *others]


def reading_of(
    ranked: Sequence[Scored], length: AnswerLength = AnswerLength.NORMAL, characters: int = 0
) -> list[Hit]:
    """What a model reads to answer: the best parts as passages, as long as they are not many.

    `characters` are what it reads soon (`Agent.characters_read_soon`), where that is known.
    """
    size = READ[length]
    if characters > size.characters:
        size = replace(READ_FAST, characters=min(characters, READ_FAST.characters))
    return [
        part.hit.spanning(part.document, part.start, part.end)
        for entry, _quote in _chosen(ranked, size)
        for part in [_shortened(entry, size)]
    ]


def best_sentences(
    question: str, hits: Sequence[Hit], embedder: Embedder
) -> dict[ChunkId, tuple[int, int]]:
    """The span, in each hit's chunk, of the sentence that answers the question best."""
    parts = [
        Excerpt(hit, document, 0, len(document.text), document.blocks)
        for hit in hits
        if (document := CleanText.plain(hit.source.id, hit.chunk.text)).text
    ]
    return {
        entry.excerpt.hit.chunk.id: (entry.statement.start, entry.statement.end)
        for entry in scored([question], parts, embedder)
    }


def compose(quotes: Sequence[Quote], separator: str = "\n\n") -> tuple[str, tuple[Citation, ...]]:
    """An answer's text, a paragraph per quote, and its citations.

    The passage of a citation is the one that was found, widened to what is quoted.
    """
    text, citations = "", []
    for quote in quotes:
        text += separator if text else ""
        passage = quote.hit.reaching(quote.document, quote.start, quote.end)
        start = quote.start - passage.chunk.start
        citations.append(
            Citation(
                start=0,
                end=len(quote.text),
                hit=passage,
                quote_start=start,
                quote_end=start + quote.end - quote.start,
                first_page=quote.document.page_at(quote.start),
                last_page=quote.document.page_at(quote.end - 1),
                support=quote.support,
                best=quote.best,
            ).moved(len(text))
        )
        text += quote.text
    return text, tuple(citations)


def _chosen(ranked: Sequence[Scored], size: Size) -> list[tuple[Scored, Quote]]:
    """The best one, and those nearly as good that say something else. Of versions the newest."""
    chosen: list[tuple[Scored, Quote]] = []
    characters = 0
    for entry in ranked:
        behind = ranked[0].evidence - entry.evidence
        if len(chosen) == size.parts or behind > size.near:
            break
        quote = _quoted(entry, size)
        twin = next((i for i, (other, _quote) in enumerate(chosen) if _same(entry, other)), None)
        if twin is not None:
            if _age(quote.hit) > _age(chosen[twin][1].hit):
                chosen[twin] = entry, quote
        elif not chosen or characters + len(quote.text) <= size.characters:
            chosen.append((entry, quote))
            characters += len(quote.text)
    return chosen


def _quoted(entry: Scored, size: Size) -> Quote:
    part = entry.excerpt
    table = part.table_of(entry.statement)
    if table:
        start, end, text = _table(entry, table)
        return _made(entry, start, end, text)
    announces = entry.statement.words.endswith(":") and BlockKind.LIST in part.kinds
    if size.items and (entry.listed or announces) and part.end - part.start > size.whole:
        text = listing(part.document, part.blocks, entry.statement.start)
        if len(text) <= 2 * size.whole:  # a glossary has hundreds of items
            return _made(entry, part.start, part.end, text)
    part = _shortened(entry, size)
    said = entry.statement
    words, *_formula = part.document.text[said.start : said.end].split("\n\n")
    text, start = part.text, said.start - part.start
    if BlockKind.CODE in part.kinds:
        text = readable(part.document, part.start, part.end)
        start = text.find(words)
    quote = _made(entry, part.start, part.end, text)
    block = part.document.block_at(said.start)
    marked = start >= 0 and not (block and block.kind is BlockKind.CODE)
    return replace(quote, best=(start, start + len(words))) if marked else quote


def _table(entry: Scored, table: Block) -> tuple[int, int, str]:
    """A table whole, of a long one the rows that matter; Markdown, with its heads."""
    document = entry.excerpt.document
    lines = document.text[table.start : table.end].split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=table.start))
    rows = range(1, len(lines))
    wanted = entry.several or entry.compared
    if table.end - table.start > (1 + wanted) * LONGEST_TABLE:
        near = [row for row in rows if any(s.start == starts[row] for s in entry.company)] or [1]
        best = next((row for row in near if starts[row] == entry.statement.start), near[0])
        rows = range(near[0], near[-1] + 1)
        rows = rows if len(rows) <= MOST_ROWS else range(best, best + 1)
    text = markdown.table([lines[row] for row in (0, *rows)])
    first, last = table.lead, table.end
    caption = document.text[first : table.start].strip()
    if (below := document.caption_below(table)) and not caption:
        caption, last = document.text[below.start : below.end], below.end
    if len(rows) < len(lines) - 1:
        first, last = starts[rows[0]], starts[rows[-1] + 1] - 1
    return first, last, f"{caption}\n\n{text}" if caption else text


def _shortened(entry: Scored, size: Size) -> Excerpt:
    part = entry.excerpt
    longer = part.end - part.start > size.whole
    return part.around(entry.statement, size.part) if longer else part


def _made(entry: Scored, start: int, end: int, text: str) -> Quote:
    part = entry.excerpt
    return Quote(part.hit, part.document, start, end, text, entry.cosine, heading=part.title)


def _same(one: Scored, other: Scored) -> bool:
    words, others = content_words(one.excerpt.text), content_words(other.excerpt.text)
    fewer = min(len(words), len(others))
    return fewer > 0 and len(words & others) >= SAME * fewer


def _age(hit: Hit) -> tuple[str, tuple[int, ...]]:
    day = hit.source.date
    return day.isoformat() if day else "", hit.source.version_number
