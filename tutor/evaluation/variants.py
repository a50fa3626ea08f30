"""Settings made ready to be asked, those included that need another index than there is.

Another chunk size, cleaning form or embedder gets an index in memory, made from the reading form
that the store keeps: nothing is read again, and every vector is remembered in the run's folder.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from tutor.assembly import make_agent, make_embedder
from tutor.chunking import chunks_of, detect_language
from tutor.cleaning import index_form
from tutor.coverage import calibrate
from tutor.errors import ConfigError
from tutor.evaluation.rankings import PRODUCT, RANKINGS
from tutor.evaluation.runner import Subject
from tutor.i18n import _
from tutor.indexing.derivations import READER
from tutor.indexing.embedded import EmbeddingQueue, chunk_vectors
from tutor.indexing.sentences import sentence_spans
from tutor.lexical import LexicalIndex
from tutor.store.dense import DenseRows
from tutor.store.journal import text_key
from tutor.store.sentences import SentenceTable, chunk_ranges, read_known
from tutor.store.writer import Contents

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from tutor.answering import Agent
    from tutor.config import Config
    from tutor.evaluation.settings import Setting
    from tutor.ports import Embedder
    from tutor.store import StoreReader
    from tutor.types import Chunk, CleanText, Source, SourceId, Strategy, Vectors

_SENTENCES = "sentences"


@dataclass(frozen=True, slots=True)
class Workshop:
    """What settings are made from. `vectors` is a folder that may be filled and emptied.

    `embedding` is told how many texts are left while vectors are computed.
    """

    config: Config
    store: StoreReader
    embedder: Embedder
    vectors: Path
    answers: bool
    embedding: Callable[[int], None] = lambda _left: None

    def subjects(self, settings: Sequence[Setting]) -> list[Subject]:
        """The settings, ready to be asked.

        Where one needs an index in memory all get one: times would not be comparable else.
        Raises `ConfigError`, `EmbedderError`, `EngineError`, `StoreError`.
        """
        in_memory = any(_needs_index(setting) for setting in settings)
        return [self._subject(setting, in_memory=in_memory) for setting in settings]

    def _subject(self, setting: Setting, *, in_memory: bool) -> Subject:
        config = setting.config(self.config)
        if not self.answers:  # without answers no model is asked for
            config = config.varied({"engine": "extractive"})
        agent = make_agent(config, self.store, self.embedder)
        self._check_ranking(setting, agent)
        chunks: Sequence[Chunk] = self.store.chunks(config.strategy).chunks
        if in_memory:
            agent, chunks = self._variant(setting, config, agent)
        return Subject(setting.name, agent, chunks, RANKINGS[setting.ranking])

    def _check_ranking(self, setting: Setting, agent: Agent) -> None:
        """Another ranking than the product's has no answers, and needs the index of words."""
        if setting.ranking != PRODUCT and (self.answers or agent.hybrid is None):
            raise ConfigError(
                _("`%(name)s` ranks passages only, and needs words as well as vectors.")
                % {"name": setting.name},
                _("Compare it without --answers and without retrieval.mode=dense."),
            )

    def _variant(
        self, setting: Setting, config: Config, agent: Agent
    ) -> tuple[Agent, Sequence[Chunk]]:
        embedder = self.embedder
        if any(name.startswith("embedder.") for name in setting.changes):
            embedder, _why = make_embedder(config)
        known = self._known() if embedder.identity == self.embedder.identity else {}
        if setting.form == "index":
            embedder, known = IndexForm(embedder), {}
        table = self.store.chunks(config.strategy)
        texts = {key: self.store.text(key) for key in self.store.sources}
        chunks = table.chunks
        if setting.chunk_chars:
            parts = (chunks_of(t, config.strategy, setting.chunk_chars) for t in texts.values())
            chunks = tuple(chunk for part in parts for chunk in part)
        vectors = self._embedded([chunk.text for chunk in chunks], embedder, known)
        sentences = None
        if config.retrieval.mode == "hybrid" and config.retrieval.sentences:
            sentences = self._sentences(texts, chunks, config.strategy, embedder, known)
        store = MemoryStore(self.store, config.strategy, chunks, vectors, sentences)
        return self._agent(agent, store, embedder), chunks

    def _agent(self, agent: Agent, store: MemoryStore, embedder: Embedder) -> Agent:
        hybrid = agent.hybrid and replace(
            agent.hybrid, store=store, lexical=cache(lambda _strategy: store.lexical)
        )
        calibrations = {}
        if self.answers:
            best = partial(store.sentences.best, agent.strategy) if store.sentences else None
            calibrations[agent.strategy] = calibrate(
                store.chunks, store.vectors, embedder, READER, best
            )
        return replace(
            agent, store=store, embedder=embedder, hybrid=hybrid, calibrations=calibrations
        )

    def _known(self) -> dict[bytes, Vectors]:
        """The vectors that the index itself has."""
        tables = {one: self.store.chunks(one) for one in self.store.manifest.collections}
        sentences = self.store.derived(_SENTENCES, read_known) or {}
        return {**sentences, **chunk_vectors(Contents(tables, {}))}

    def _embedded(
        self, texts: Sequence[str], embedder: Embedder, known: Mapping[bytes, Vectors]
    ) -> Vectors:
        """Vectors of texts, shape (n, dim); what was computed once is read back."""
        folder = self.vectors / sha256(embedder.identity.encode()).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        queue = EmbeddingQueue(folder, embedder, known)
        queue.add(texts)
        for _batch in queue.work(to_the_end=True):
            self.embedding(queue.waiting)
        rows = [queue.known[text_key(text)] for text in texts]
        return np.stack(rows) if rows else np.empty((0, embedder.dim), np.float32)

    def _sentences(
        self,
        texts: Mapping[SourceId, CleanText],
        chunks: Sequence[Chunk],
        strategy: Strategy,
        embedder: Embedder,
        known: Mapping[bytes, Vectors],
    ) -> SentenceTable:
        spans: list[tuple[int, int]] = []
        words: list[str] = []
        sources: dict[SourceId, tuple[int, int]] = {}
        for key, text in texts.items():
            own = sentence_spans(text.text)
            sources[key] = (len(spans), len(spans) + len(own))
            spans += own
            words += [text.text[start:end] for start, end in own]
        where = np.array(spans, np.int64).reshape(-1, 2)
        vectors = self._embedded(words, embedder, known).astype(np.float16)
        ranges = {strategy: chunk_ranges(chunks, where, sources)}
        return SentenceTable(where, vectors, sources, ranges)


class MemoryStore:
    """An index of one strategy in memory, over the documents of a store."""

    def __init__(
        self,
        base: StoreReader,
        strategy: Strategy,
        chunks: Sequence[Chunk],
        vectors: Vectors,
        sentences: SentenceTable | None,
    ) -> None:
        self.chunks = chunks
        self.vectors = vectors
        self.sentences = sentences
        self._base = base
        self._strategy = strategy

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        """The documents by their identity."""
        return self._base.sources

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        """The `k` chunks nearest to a vector of shape (dim,), with their cosine, best first."""
        among = None if only is None else self.rows_in(strategy, only)
        rows = self.nearest(strategy, vector, k, among)
        return [(self.chunks[row], float(self.vectors[row] @ vector)) for row in rows]

    def page_at(self, source: SourceId, offset: int) -> int:
        """The page that holds the character at `offset` of a document's reading form."""
        return self._base.page_at(source, offset)

    def dense(self, strategy: Strategy) -> DenseRows | None:
        """The chunks' vectors; None for the strategy that this index is not of."""
        return self._rows if strategy is self._strategy else None

    def nearest(
        self,
        strategy: Strategy,  # noqa: ARG002
        vector: Vectors,
        k: int,
        among: NDArray[np.intp] | None = None,
    ) -> list[int]:
        """The rows of the `k` chunks nearest to a vector of shape (dim,), best first."""
        return self._rows.nearest(vector, k, among)

    def rows_in(
        self,
        strategy: Strategy,  # noqa: ARG002
        only: frozenset[SourceId],
    ) -> NDArray[np.intp]:
        """The rows of the chunks of these documents."""
        return np.flatnonzero([chunk.source_id in only for chunk in self.chunks])

    def fetch(self, strategy: Strategy, rows: Sequence[int]) -> list[Chunk]:  # noqa: ARG002
        """The chunks of these rows, in the order given."""
        return [self.chunks[row] for row in rows]

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The index of the chunks' words."""
        return LexicalIndex.build([chunk.text for chunk in self.chunks], detect_language)

    @cached_property
    def _rows(self) -> DenseRows:
        return DenseRows(np.array([c.id.encode() for c in self.chunks], "S24"), self.vectors)


class IndexForm:
    """An embedder that is given the form which an index matches, without accents and capitals."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.identity = f"{embedder.identity}/index form"
        self.device = embedder.device

    @property
    def dim(self) -> int:
        """That of the embedder behind it."""
        return self._embedder.dim

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._embedder.embed_queries([index_form(text) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages."""
        return self._embedder.embed_passages([index_form(text) for text in texts])


def _needs_index(setting: Setting) -> bool:
    made_by = ("embedder.", "retrieval.sentences")
    changed = any(name.startswith(made_by) for name in setting.changes)
    return changed or not setting.has_own_index
