"""Notes that do not agree: a sentence of another document that says a quoted one in other words."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import NullTranslations
from typing import TYPE_CHECKING

from tutor.answer.outline import passage_of
from tutor.answer.quoting import Quote
from tutor.answer.quoting.words import content_words
from tutor.answer.verification.polarity import opposed
from tutor.model import BlockKind, CleanText, Source, SourceId, Statement, Strategy
from tutor.text.language import detect_language

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Span
    from tutor.answer.quoting.scoring import Scored
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import StoreReader

NEAREST = 16
"""Chunks that are looked through, those of the quoted document among them."""
SHARED = 0.6
"""Share of the words of both sentences from which they are about the same."""
FEWEST = 5
"""Words that carry meaning; what has fewer is no claim."""
SWAPPED = 1
"""Words of each that the other has not: what differs in more says something else."""
_NO_CLAIM = (BlockKind.HEADING, BlockKind.CAPTION, BlockKind.CODE)


@dataclass(frozen=True, slots=True)
class DisagreementFinder:
    """Looks in an index for what says a quoted sentence otherwise, with the vectors that it has.

    `only` names the documents that are asked; None asks all.
    """

    store: StoreReader
    strategy: Strategy
    embedder: Embedder
    only: frozenset[SourceId] | None = None

    def otherwise(self, entry: Scored, say: NullTranslations) -> Quote | None:
        """What another document says otherwise, with both documents named; None where none does.

        The sentence that answers best is looked at first, then the others that are quoted with it.
        Raises `EmbedderError`, `StoreError`.
        """
        first = entry.statement
        for said in (first, *(one for one in entry.company if one != first)):
            if found := self._rival(said, entry.excerpt.document):
                source, (start, end) = self.store.sources[found[0]], found[1]
                text = self.store.text(source.id)
                line = say.gettext(
                    "The notes do not agree. The first quote is from %(one)s;"
                    " in %(other)s it reads:"
                ) % {"one": _named(entry.excerpt.hit.source), "other": _named(source)}
                shown = " ".join(text.text[start:end].split())
                hit = passage_of(source, text, start, end, 0)
                return Quote(hit, text, start, end, f"{line}\n\n> {shown}", 1.0)
        return None

    def _rival(self, said: Statement, own: CleanText) -> tuple[SourceId, Span] | None:
        """The nearest sentence of another document that says the same thing otherwise.

        What is nearest in its document counts: a document that says it word for word is no rival.
        """
        block = own.block_at(said.start)
        if self.store.sentences is None or block is None or block.kind in _NO_CLAIM:
            return None
        vector = self.embedder.embed_passages([said.words])[0]
        among = None if self.only is None else self.store.rows_in(self.strategy, self.only)
        rows = self.store.dense(self.strategy).nearest(vector, NEAREST, among)
        sources = [chunk.source_id for chunk in self.store.fetch(self.strategy, rows)]
        best = zip(sources, self.store.sentences.best(self.strategy, rows, vector), strict=True)
        found = sorted(((*one, source) for source, one in best if one), reverse=True)
        nearest: dict[SourceId, Span] = {}
        for _cosine, span, source in found:
            if source != own.source_id:
                nearest.setdefault(source, span)
        claim = own.text[said.start : said.end]
        return next(
            (
                (source, span)
                for source, span in nearest.items()
                if differs(claim, self.store.text(source).text[slice(*span)])
            ),
            None,
        )


def differs(one: str, other: str) -> bool:
    """Whether two sentences say something of the same, and not the same."""
    words, others = content_words(one), content_words(other)
    if min(len(words), len(others)) < FEWEST or len(words & others) < SHARED * len(words | others):
        return False
    if detect_language(one) != detect_language(other):
        return False
    if 0 < len(words - others) <= SWAPPED and 0 < len(others - words) <= SWAPPED:
        return True
    return opposed(one, other)


def _named(source: Source) -> str:
    """A document as a reader tells it from others: title, who wrote it, day, version."""
    day = source.date.isoformat() if source.date else ""
    version = f"v{source.version}" if source.version else ""
    told = ", ".join(filter(None, (*source.authors, day, version)))
    return f"**{source.title}** ({told})" if told else f"**{source.title}**"
