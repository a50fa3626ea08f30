"""The work of an update: read, cut and embed at the same time, then commit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from tutor.index.build import events
from tutor.index.build.embedding_queue import EmbeddingQueue, chunk_vectors, kept_sentences
from tutor.index.build.mishaps import check_something_is_left
from tutor.index.build.reading_processes import Awaited, ReadingEvent
from tutor.index.build.tally import Tally
from tutor.index.store import Indexed, Skipped
from tutor.index.store.sentences import Sentences
from tutor.index.store.writer import (
    IndexChanges,
    commit,
    load_contents,
    next_generation,
    words_of,
)
from tutor.ingest.chunking import chunks_of
from tutor.ingest.prepared import Prepared
from tutor.model import Chunk, CleanText, Source, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.courses import Course
    from tutor.embedding.embedder import Embedder
    from tutor.index.build.plan import IndexPlan
    from tutor.index.lexical import LexicalIndex
    from tutor.index.store import Manifest, Recipe


class IndexUpdate:
    """One update of a course's index, under the writer's lock; `base` is what it builds upon.

    `batch_ready` is set while a full batch of texts waits for the embedder.
    """

    def __init__(
        self,
        course: Course,
        config: Config,
        embedder: Embedder,
        recipe: Recipe,
        plan: IndexPlan,
        *,
        base: Manifest | None,
        batch_ready: Event,
    ) -> None:
        self._course = course
        self._config = config
        self._recipe = recipe
        self._plan = plan
        self._base = base
        self._batch_ready = batch_ready
        self._tally = Tally({hashed.file.relative: hashed.size for hashed in plan.to_read})
        self._sentences = Sentences() if config.retrieval.sentences else None
        self._contents = load_contents(course.store, base, embedder.dim)
        known = chunk_vectors(self._contents)
        if base and self._sentences:
            texts = self._contents.texts
            known = kept_sentences(course.store, base, self._sentences, texts) | known
        self._queue = EmbeddingQueue(course.store, embedder, known, self._tally.chunks)
        self._later: dict[bytes, str] = {}
        """Sentences of what was read, to be embedded when all chunks are."""
        self._indexed: list[Indexed] = []
        self._skipped: list[Skipped] = []
        self._chunks: dict[Strategy, list[Chunk]] = {strategy: [] for strategy in plan.strategies}
        self._texts: dict[SourceId, CleanText] = {}
        self._out_of_reach: list[Indexed] = []
        """Documents whose former version stays, since reading them failed for a passing reason."""

    def run(
        self,
        read: Iterable[ReadingEvent],
        in_force: Manifest | None,
        *,
        refill: bool,
    ) -> Iterator[events.IndexEvent]:
        """Do the work. `read` is what comes of the plan's files, as `prepare_files` gives it.

        `refill` fills Chroma anew. Where no index is in force, one that can be asked by words is
        committed before anything waits for the embedder.
        """
        with ThreadPoolExecutor(1) as beside:
            # Chroma is loaded by this thread, since one that hears Ctrl-C could be torn by it.
            beside.submit(_load_chroma)
            for entry in self._plan.to_cut:
                wanted = self._plan.strategies
                missing = [strategy for strategy in wanted if strategy not in entry.chunks]
                cut = self._cut(self._contents.texts[entry.source.id], missing)
                self._indexed.append(replace(entry, chunks={**entry.chunks, **cut}))
            if self._plan.to_read:
                yield from self._take_all(read, reading_first=in_force is None)
                self._keep_former()
                if not refill and self._changes_nothing(self._base):
                    self._queue.committed()
                    yield self._completed(self._base, changed=False)
                    return
            skipped = (*self._plan.skipped, *self._skipped)
            check_something_is_left(self._course.name, self._entries, skipped)
            words = beside.submit(words_of, self._contents, self._changes(self._without_vectors()))
            if in_force is None and (self._queue.waiting or self._later):
                in_force = self._commit_words(words)
                yield events.Searchable()
            yield from self._embed_all()
            vectors = {
                strategy: (chunks, self._queue.vectors(chunks))
                for strategy, chunks in self._chunks.items()
            }
            with next_generation(
                self._course.store,
                in_force,
                self._contents,
                self._changes(vectors),
                self._config.chroma,
                refill=refill or self._base is None,
                sentences=self._sentences,
                words=words.result(),
            ) as put_in_force:
                if self._sentences:
                    yield from self._embed_sentences(self._sentences)
                yield events.Committing()
                manifest = put_in_force(self._queue.known)
            self._queue.committed()
            yield self._completed(manifest, changed=True)

    def _take_all(
        self, read: Iterable[ReadingEvent], *, reading_first: bool
    ) -> Iterator[events.IndexEvent]:
        """Take what was read as it comes; embed full batches between, unless reading goes first."""
        for result in read:
            path = result.source.path if isinstance(result, Prepared) else result.path
            if isinstance(result, Prepared | Skipped):
                self._tally.file_done(path)
            if isinstance(result, Skipped):
                self._skipped.append(result)
                yield result
            elif isinstance(result, Prepared):
                self._take(result)
            elif isinstance(result, Source):
                self._indexed = [
                    replace(entry, source=result) if entry.source.id == result.id else entry
                    for entry in self._indexed
                ]
            yield self._progress(path, result.seconds if isinstance(result, Awaited) else 0.0)
            if self._batch_ready.is_set():
                self._queue.embed_batch()
                yield self._progress(path)
            if self._queue.has_batch and not reading_first:
                self._batch_ready.set()
            else:
                self._batch_ready.clear()

    def _take(self, prepared: Prepared) -> None:
        text = prepared.text
        self._tally.pages += prepared.source.pages
        self._texts[prepared.source.id] = text
        self._indexed.append(
            Indexed(
                prepared.source,
                self._cut(text, self._plan.strategies),
                text.page_starts,
                prepared.pages_without_text,
                prepared.pages_by_ocr,
            )
        )
        if self._sentences:
            self._later |= self._queue.unknown(self._sentences.collect([text]))

    def _cut(self, text: CleanText, strategies: Iterable[Strategy]) -> dict[Strategy, int]:
        counts = {}
        for strategy in strategies:
            chunks = chunks_of(text, strategy)
            self._chunks[strategy] += chunks
            self._queue.add([chunk.text for chunk in chunks])
            counts[strategy] = len(chunks)
        return counts

    def _keep_former(self) -> None:
        """Leave in the index what was in it and could not be read this time."""
        passing = {file.path for file in self._skipped if file.is_passing}
        indexed = self._base.indexed if self._base else ()
        former = {entry.source.path: entry for entry in indexed}
        self._out_of_reach = [former[path] for path in former.keys() & passing]

    def _changes_nothing(self, base: Manifest | None) -> TypeGuard[Manifest]:
        """Whether all that was tried has failed just as it had before."""
        return (
            base is not None
            and not self._indexed
            and not self._plan.outdated
            and {entry.source.id for entry in self._entries} == base.sources.keys()
            and set(self._plan.skipped) | set(self._skipped) == set(base.skipped)
        )

    def _commit_words(self, words: Future[dict[Strategy, LexicalIndex]]) -> Manifest:
        """Put in force what can be asked without vectors."""
        return commit(
            self._course.store,
            None,
            load_contents(self._course.store, None, 0),
            self._changes(self._without_vectors()),
            self._config.chroma,
            vectors=False,
            words=words.result(),
        )

    def _without_vectors(self) -> dict[Strategy, tuple[list[Chunk], Vectors]]:
        return {
            strategy: (cut, np.empty((len(cut), 0), np.float32))
            for strategy, cut in self._chunks.items()
        }

    def _embed_all(self) -> Iterator[events.Progress]:
        """Embed whatever waits."""
        while self._queue.waiting:
            self._queue.embed_batch()
            yield self._progress("")

    def _embed_sentences(self, sentences: Sentences) -> Iterator[events.IndexEvent]:
        """Embed the sentences of all documents, the shortest first."""
        left = {entry.source.id for entry in self._entries} - sentences.sources
        kept = sentences.collect(self._contents.texts[key] for key in sorted(left))
        self._queue.count_in(self._tally.sentences)
        self._queue.add(sorted([*self._later.values(), *kept], key=len))
        self._later = {}
        yield from self._embed_all()

    @property
    def _entries(self) -> tuple[Indexed, ...]:
        """All documents there will be."""
        return (*self._plan.kept, *self._out_of_reach, *self._indexed)

    def _changes(self, added: dict[Strategy, tuple[list[Chunk], Vectors]]) -> IndexChanges:
        """What changes from the index in force to the next, with these chunks."""
        return IndexChanges(
            recipe=self._recipe,
            indexed=tuple(sorted(self._entries, key=lambda entry: entry.source.path)),
            skipped=(*self._plan.skipped, *self._skipped),
            replaced={hashed.id for hashed in self._plan.to_read}
            - {entry.source.id for entry in self._out_of_reach},
            added=added,
            texts=self._texts,
        )

    def _progress(self, path: str, awaited_s: float = 0.0) -> events.Progress:
        left = self._queue.waiting_chars + sum(map(len, self._later.values()))
        return self._tally.progress(self._queue.waiting, left, path, awaited_s)

    def _completed(self, manifest: Manifest, *, changed: bool) -> events.Completed:
        chunks, sentences = self._tally.chunks, self._tally.sentences
        return events.Completed(
            changed=changed,
            read=len(self._texts),
            unchanged=len(self._plan.kept) + len(self._out_of_reach),
            removed=len(self._plan.removed),
            embedded=chunks.embedded,
            reused=chunks.found - chunks.embedded,
            documents=len(manifest.indexed),
            pages=manifest.pages,
            seconds=self._tally.seconds,
            seconds_chunks=chunks.seconds,
            seconds_sentences=sentences.seconds,
        )


def _load_chroma() -> None:
    import tutor.index.store.chroma  # noqa: F401, PLC0415 - 0.45 s of processor time
