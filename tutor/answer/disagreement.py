"""Notes that do not agree: a sentence of another document that says a quoted one in other words."""

from __future__ import annotations

from gettext import NullTranslations

from tutor.answer.agent import Inquiry
from tutor.answer.outline import passage_of
from tutor.answer.quoting import Quote
from tutor.answer.quoting.excerpts import Span
from tutor.answer.quoting.scoring import Scored
from tutor.answer.verification.contradiction import contradicts
from tutor.index.store import StoreReader
from tutor.model import BlockKind, CleanText, Source, SourceId, Statement
from tutor.text.language import detect_language
from tutor.text.terms import content_words

NEAREST = 16
"""Chunks that are looked through, those of the quoted document among them."""
SHARED = 0.6
"""Share of the words of both sentences from which they are about the same."""
FEWEST = 5
"""Words that carry meaning; what has fewer is no claim."""
SWAPPED = 1
"""Words of each that the other has not: what differs in more says something else."""
_NO_CLAIM = (BlockKind.HEADING, BlockKind.CAPTION, BlockKind.CODE)


def otherwise(
    entry: Scored, inquiry: Inquiry, store: StoreReader, say: NullTranslations
) -> Quote | None:
    """What another document says otherwise, with both documents named; None where none does.

    The sentence that answers best is looked at first, then the others that are quoted with it.
    Only documents that are asked count. Raises `EmbedderError`, `StoreError`.
    """
    first, document = entry.statement, entry.excerpt.document
    for said in (first, *(other for other in entry.company if other != first)):
        for source, (start, end) in _nearest_elsewhere(said, document, inquiry, store):
            text = store.text(source.id)
            if differs(document.text[said.start : said.end], text.text[start:end]):
                line = say.gettext(
                    "The notes do not agree. The first quote is from %(one)s;"
                    " in %(other)s it reads:"
                ) % {"one": _named(entry.excerpt.hit.source), "other": _named(source)}
                shown = " ".join(text.text[start:end].split())
                hit = passage_of(source, text, start, end, 0)
                return Quote(hit, text, start, end, f"{line}\n\n> {shown}", 1.0)
    return None


def _nearest_elsewhere(
    said: Statement, own: CleanText, inquiry: Inquiry, store: StoreReader
) -> list[tuple[Source, Span]]:
    """Of each other document the sentence that is nearest, the nearest one first.

    A document that says it word for word is no rival, whatever else it says.
    """
    block = own.block_at(said.start)
    if store.sentences is None or block is None or block.kind in _NO_CLAIM:
        return []
    strategy = inquiry.strategy
    vector = inquiry.embedder.embed_passages([said.words])[0]
    among = None if inquiry.only is None else store.rows_in(strategy, inquiry.only)
    rows = store.dense(strategy).nearest(vector, NEAREST, among)
    sources = [chunk.source_id for chunk in store.fetch(strategy, rows)]
    best = zip(sources, store.sentences.best(strategy, rows, vector), strict=True)
    nearest: dict[SourceId, Span] = {}
    for _cosine, span, source in sorted(
        ((*one, source) for source, one in best if one), reverse=True
    ):
        if source != own.source_id:
            nearest.setdefault(source, span)
    return [(store.sources[source], span) for source, span in nearest.items()]


def differs(one: str, other: str) -> bool:
    """Whether two sentences say something of the same, and not the same."""
    words, others = content_words(one), content_words(other)
    if min(len(words), len(others)) < FEWEST or len(words & others) < SHARED * len(words | others):
        return False
    if detect_language(one) != detect_language(other):
        return False
    if 0 < len(words - others) <= SWAPPED and 0 < len(others - words) <= SWAPPED:
        return True
    return contradicts(one, other)


def _named(source: Source) -> str:
    """A document as a reader tells it from others: title, who wrote it, day, version."""
    day = source.date.isoformat() if source.date else ""
    version = f"v{source.version}" if source.version else ""
    told = ", ".join(filter(None, (*source.authors, day, version)))
    return f"**{source.title}** ({told})" if told else f"**{source.title}**"
