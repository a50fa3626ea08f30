"""The sentences of a course on their way to vectors, and into the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tutor.index.store.dense import (
    MOST_CHARS,
    SENTENCES,
    SentenceTable,
    chunk_headings,
    chunk_ranges,
    read_known,
    read_sentences,
    write_sentences,
)
from tutor.index.store.journal import text_key
from tutor.model import CleanText, SourceId, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.index.store.dense import Span
    from tutor.index.store.tables import Contents

SENTENCES_VERSION = "3"
LEAST_LETTERS = 12
"""Page numbers and scraps of formulas are no evidence of their own."""


class SentenceFiles:
    """Collects the sentences of all documents; `vectors` has to know them all before the commit."""

    name = SENTENCES
    version = f"{SENTENCES_VERSION}/{LEAST_LETTERS}-{MOST_CHARS}"

    def __init__(self) -> None:
        self.vectors: Mapping[bytes, Vectors] = {}
        self._sentences: dict[SourceId, tuple[list[Span], list[bytes]]] = {}
        self._headings: dict[SourceId, list[tuple[int, str]]] = {}

    def collect(
        self,
        texts: Iterable[CleanText],
        former: Mapping[SourceId, list[Span]] = MappingProxyType({}),
    ) -> list[str]:
        """The sentences and headings of these documents, each text once, the shortest first.

        `former` gives those of documents whose text is the same as in the generation before.
        """
        found: dict[str, None] = {}
        for text in texts:
            known = former.get(text.source_id)
            spans = sentence_spans(text) if known is None else known
            words = text.words_at(spans)
            self._sentences[text.source_id] = (spans, [text_key(said) for said in words])
            self._headings[text.source_id] = headings = text.headings()
            found.update(dict.fromkeys([*words, *(title for _start, title in headings)]))
        return sorted(found, key=len)  # a batch is padded to its longest text

    def write(self, path: Path, contents: Contents) -> None:
        """Write the sentences of all documents that were collected."""
        headings = {source: self._headings[source] for source in contents.texts}
        titles = [text_key(title) for own in headings.values() for _start, title in own]
        table, keys = self._table(contents, headings, titles)
        write_sentences(path, table, keys, titles)

    def _table(
        self,
        contents: Contents,
        headings: Mapping[SourceId, list[tuple[int, str]]],
        titles: Sequence[bytes],
    ) -> tuple[SentenceTable, Sequence[bytes]]:
        spans: list[Span] = []
        keys: list[bytes] = []
        sources: dict[SourceId, Span] = {}
        for source in contents.texts:
            first = len(spans)
            own_spans, own_keys = self._sentences[source]
            spans += own_spans
            keys += own_keys
            sources[source] = (first, len(spans))
        where: NDArray[np.int64] = np.array(spans, np.int64).reshape(-1, 2)
        dim = next(iter(contents.tables.values())).vectors.shape[1]
        vectors, over = (
            np.array([self.vectors[key] for key in wanted], np.float16).reshape(-1, dim)
            for wanted in (keys, titles)
        )
        starts = {source: [start for start, _title in own] for source, own in headings.items()}
        ranges, headed = {}, {}
        for strategy, table in contents.tables.items():
            ranges[strategy] = chunk_ranges(table.chunks, where, sources)
            headed[strategy] = chunk_headings(table.chunks, starts)
        return SentenceTable(where, vectors, sources, ranges, over, headed), keys


def sentence_spans(document: CleanText) -> list[Span]:
    """The statements of a document's blocks that can be evidence, in order."""
    return [
        (said.start, said.end)
        for block in document.blocks
        for said in document.statements(block)
        if len(said.words) <= MOST_CHARS and sum(map(str.isalpha, said.words)) >= LEAST_LETTERS
    ]


class FormerSentences(NamedTuple):
    """What the generation before knows: vectors by the `text_key` of their texts, and spans."""

    vectors: Mapping[bytes, Vectors] = MappingProxyType({})
    spans: Mapping[SourceId, list[Span]] = MappingProxyType({})


def former_sentences(folder: Path, version: str) -> FormerSentences:
    """Read them; nothing where the files are damaged, and no spans that another version chose."""
    try:
        vectors, table = read_known(folder), read_sentences(folder)
    except (OSError, EOFError, ValueError):
        return FormerSentences()
    if version != SentenceFiles.version:
        return FormerSentences(vectors)
    spans = [(start, end) for start, end in table.spans.tolist()]
    own = {source: spans[first:last] for source, (first, last) in table.sources.items()}
    return FormerSentences(vectors, own)
