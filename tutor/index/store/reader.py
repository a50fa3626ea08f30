"""A store opened for asking. Opening never writes; what is not asked for is not loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from tutor.courses import index_command
from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store.manifest import (
    Manifest,
    VectorSpace,
    check_space,
    find_manifest,
    is_replaced,
    repair_command,
)
from tutor.index.store.rows import ChunkRecords, DenseRows, RowsByDocument
from tutor.index.store.sentences import SENTENCES, SentenceTable, read_sentences
from tutor.index.store.upkeep import (
    CHEAP_BYTES,
    CHROMA_FOLDER,
    damage,
    damaged_files,
    has_database,
    server_address,
)
from tutor.model import Chunk, CleanText, Source, SourceId, Strategy, Vectors

T = TypeVar("T")

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from numpy.typing import NDArray

    from tutor.config import ChromaConfig
    from tutor.index.store.tables import ChunkTable


class StoreReader:
    """One generation of a course's index.

    Hybrid retrieval, the default, takes vectors, words and sentences from the generation's own
    files. `search` is that of `retrieval.mode = "dense"`: it asks Chroma, and `degraded` says, in
    the user's language, why it runs over the vector files instead where Chroma cannot be used (a
    read-only disk, damage); it is empty otherwise. `store_folder` is `Course.store`.
    """

    def __init__(self, store: Path, manifest: Manifest, chroma: ChromaConfig) -> None:
        self.manifest = manifest
        self.degraded = ""
        self.store_folder = store
        self._chroma = chroma
        self._resources = ExitStack()
        self._dense: dict[Strategy, DenseRows] = {}
        self._records: dict[Strategy, ChunkRecords] = {}
        self._tables: dict[Strategy, ChunkTable] = {}
        self._texts: dict[SourceId, CleanText] = {}
        self._stated: dict[SourceId, list[str]] = {}
        self._checked: set[str] = set()
        self._opening = Lock()
        self._loading = Lock()
        self._opened: ClientAPI | StoreError | None = None
        self._generation_folder = store / manifest.folder
        self._held = self._resources.enter_context(_held_files(self._generation_folder))

    @property
    def words_only(self) -> bool:
        """Whether this is a course's first generation, whose vectors are still being made."""
        return not self.manifest.vectors

    @cached_property
    def sources(self) -> dict[SourceId, Source]:
        """The documents by their identity."""
        return self.manifest.sources

    @cached_property
    def _row_numbers(self) -> RowsByDocument:
        return RowsByDocument(self.manifest.indexed)

    def check_built(self, strategy: Strategy) -> None:
        """Raise `StoreError` where documents were not cut by that strategy."""
        if self.manifest.indexed and not self._row_numbers.count(strategy):
            raise StoreError(
                _("The index has no chunks of the strategy `%(strategy)s`.")
                % {"strategy": strategy.value},
                index_command(self.store_folder.name, f"--strategy {strategy.value}"),
            )

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        """The `k` chunks nearest to a vector of shape (dim,), with their cosine, best first.

        `only` names the documents that are searched, over the vector files then: Chroma's graph
        finds fewer than there are where few of its nodes are wanted. Raises `StoreError` where
        that strategy was not built, or its vectors are not there yet.
        """
        self.check_built(strategy)
        if self.words_only:
            raise StoreError(
                _("The course `%(course)s` has no vectors yet.")
                % {"course": self.store_folder.name},
                _("Make them: %(command)s") % {"command": index_command(self.store_folder.name)},
            )
        k = min(k, self._row_numbers.count(strategy))
        if k == 0:
            return []
        if only is not None:
            return self._exact(strategy, vector, k, self.rows_in(strategy, only))

        found = self._by_chroma(strategy, vector, k)
        return self._exact(strategy, vector, k) if found is None else found

    def rows_in(self, strategy: Strategy, only: frozenset[SourceId]) -> NDArray[np.intp]:
        """The rows of the chunks of these documents, ascending."""
        return self._row_numbers.of(strategy, only)

    def fetch(self, strategy: Strategy, rows: Sequence[int]) -> Sequence[Chunk]:
        """The chunks of these rows of `dense(strategy)`, in the order given."""
        from tutor.index.store.tables import read_records  # noqa: PLC0415 - pyarrow, 0.15 s

        with self._loading:
            if strategy not in self._records:
                self._check(f"vectors_{strategy.value}.parquet")
                self._records[strategy] = read_records(
                    self._generation_folder, strategy, self._held
                )
            records = self._records[strategy]
        return records.chunks(rows)

    def warm_up(self) -> None:
        """Load now, in another thread, what a question needs, while it is being embedded."""
        for strategy in Strategy:
            with suppress(StoreError):  # the search meets it again, and knows what to do
                if self._row_numbers.count(strategy):
                    self.fetch(strategy, [0])
                self.dense(strategy)

    def page_at(self, source: SourceId, offset: int) -> int:
        """The page that holds the character at `offset` of a document's display text."""
        return CleanText(source, "", self._page_starts[source]).page_at(offset)

    def chunks(self, strategy: Strategy) -> ChunkTable:
        """Every chunk of a strategy with its vector."""
        if strategy not in self._tables:
            from tutor.index.store.tables import read_chunks  # noqa: PLC0415 - pyarrow, 0.15 s

            self._check(f"vectors_{strategy.value}.parquet")
            self._tables[strategy] = read_chunks(
                self._generation_folder, strategy, self._dim, self._held
            )
        return self._tables[strategy]

    def text(self, source: SourceId) -> CleanText:
        """A document's display text with its blocks and sections, read once."""
        from tutor.index.store.tables import read_texts  # noqa: PLC0415 - pyarrow, 0.15 s

        if source not in self._texts:
            self._check("texts.parquet")
            self._check("blocks.parquet")
            self._texts |= read_texts(self._generation_folder, source, self._held)
        return self._texts[source]

    def derived(self, name: str, load: Callable[[Path], T]) -> T | None:
        """What `load` makes of this generation's derived folder; None if it has none.

        Raises `StoreError` where it is missing, or damaged, which `load` says by a built-in error.
        """
        if name not in self.manifest.derived:
            return None
        self._check(name)
        try:
            return load(self._generation_folder / name)
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            raise damage(self.store_folder, self.manifest, name) from error

    def dense(self, strategy: Strategy) -> DenseRows:
        """The chunks' vectors, of length 0 if words only. Raises `StoreError` on damage."""
        with self._loading:  # by one thread, the others wait: of many chunks it takes 0.5 s
            if strategy not in self._dense:
                from tutor.index.store.tables import read_dense  # noqa: PLC0415 - pyarrow, 0.15 s

                self._check(f"vectors_{strategy.value}.parquet")
                self._dense[strategy] = read_dense(
                    self._generation_folder, strategy, self._dim, self._held
                )
            return self._dense[strategy]

    @cached_property
    def sentences(self) -> SentenceTable | None:
        """The sentences with their vectors; None where none were made."""
        return self.derived(SENTENCES, read_sentences)

    def statements(self, source: SourceId) -> tuple[list[str], Vectors]:
        """What a document's statements say and their vectors, shape (n, dim); none where none are.

        Raises `StoreError` on damage.
        """
        if self.sentences is None:
            return [], np.zeros((0, self._dim), np.float32)
        spans, vectors = self.sentences.of_source(source)
        if source not in self._stated:
            stated = self.text(source).words_at((start, end) for start, end in spans.tolist())
            self._stated[source] = stated
        return self._stated[source], vectors

    def close(self) -> None:
        """Let go of files and connections."""
        self._resources.close()

    def __enter__(self) -> StoreReader:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @cached_property
    def _page_starts(self) -> dict[SourceId, tuple[int, ...]]:
        return {entry.source.id: entry.page_starts for entry in self.manifest.indexed}

    def _by_chroma(
        self, strategy: Strategy, vector: Vectors, k: int
    ) -> list[tuple[Chunk, float]] | None:
        """What Chroma answers; None when it cannot be used, and the files must do."""
        if self.degraded:
            return None
        from tutor.index.store.chroma import query_collection  # noqa: PLC0415 - 0.7 s to import

        try:
            name = self.manifest.collections[strategy]
            return query_collection(
                self._client, strategy, name, vector, k, store=self.store_folder
            )
        except StoreError as error:
            if self.manifest.chroma_server:
                raise
            if not is_replaced(self.store_folder, self.manifest):
                self.degraded = error.message
        return None

    def _check(self, names: str) -> None:
        """Raise `StoreError` where a file whose name begins so is not what was written.

        A large one is only looked at whether it is whole; each is checked once.
        """
        if names in self._checked:
            return
        for name in damaged_files(
            self.store_folder, self.manifest, names, largest=CHEAP_BYTES, held=self._held
        ):
            raise damage(self.store_folder, self.manifest, name)
        self._checked.add(names)

    @property
    def _dim(self) -> int:
        return 0 if self.words_only else self.manifest.recipe.space.dim

    @property
    def _client(self) -> ClientAPI:
        """Chroma's client, opened once: after a failure Chroma's own cache is broken."""
        with self._opening:
            if self._opened is None:
                try:
                    self._opened = self._open()
                except StoreError as error:
                    self._opened = error
            if isinstance(self._opened, StoreError):
                raise self._opened
            return self._opened

    def _open(self) -> ClientAPI:
        from tutor.index.store import chroma  # noqa: PLC0415 - 0.7 s to import

        if self.manifest.chroma_server is None:
            path = self._generation_folder / CHROMA_FOLDER
            if not has_database(path):  # Chroma would make an empty one
                raise StoreError(
                    _("The folder %(path)s is missing or damaged.") % {"path": path},
                    repair_command(self.store_folder),
                )
            return self._resources.enter_context(chroma.local_client(path))
        server = self._chroma
        return self._resources.enter_context(
            chroma.server_client(server.host or "127.0.0.1", server.port, ssl=server.ssl)
        )

    def _exact(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        among: NDArray[np.intp] | None = None,
    ) -> list[tuple[Chunk, float]]:
        dense = self.dense(strategy)
        best = dense.nearest(vector, k, among)
        scores = dense.cosines(best, vector)
        return list(zip(self.fetch(strategy, best), map(float, scores), strict=True))


@contextmanager
def _held_files(folder: Path) -> Iterator[dict[str, int]]:
    """The generation's own files, kept open: they can be read when a newer one has replaced it.

    Not on Windows, where an open file could not be removed.
    """
    with ExitStack() as files:
        held = {}
        for path in [] if os.name == "nt" else sorted(folder.glob("*.parquet")):
            with suppress(OSError):  # whoever reads it says what is wrong with it
                held[path.name] = os.open(path, os.O_RDONLY)
                files.callback(os.close, held[path.name])
        yield held


def open_store(store: Path, configured: VectorSpace, chroma: ChromaConfig) -> StoreReader:
    """Open a course's index for asking.

    Raises `StoreError` when it is missing or of another kind than configured.
    """
    manifest = find_manifest(store)
    check_space(store, manifest.recipe.space, configured)
    server = server_address(chroma)
    if manifest.chroma_server != server:
        raise StoreError(
            _("The index of `%(course)s` is on %(found)s, the settings say %(configured)s.")
            % {
                "course": store.name,
                "found": manifest.chroma_server or _("this disk"),
                "configured": server or _("this disk"),
            },
            _("Move it there, without embedding again: %(command)s")
            % {"command": repair_command(store)},
        )
    return StoreReader(store, manifest, chroma)
