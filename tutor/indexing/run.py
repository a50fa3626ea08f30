"""One run of the indexer: plan, read and embed at the same time, commit."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import filelock

from tutor.chunking import CHUNKING_VERSION, chunks_of
from tutor.cleaning import CLEANING_VERSION
from tutor.courses import note_files
from tutor.errors import StoreError
from tutor.i18n import _
from tutor.indexing import events
from tutor.indexing.embedded import EmbeddingQueue
from tutor.indexing.plan import Plan, hash_files, make_plan
from tutor.indexing.preparing import Prepared, preparing
from tutor.reading import reader_identity
from tutor.store import Indexed, Recipe, Skipped, VectorSpace, check_space, read_manifest
from tutor.store.writer import (
    Update,
    commit,
    is_intact,
    load_contents,
    remove_leftovers,
    writer_lock,
)
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tutor.config import Config, ReadingConfig
    from tutor.courses import Course
    from tutor.ports import Embedder
    from tutor.store import Manifest
    from tutor.types import Chunk, CleanText, SourceId

_LOCK_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What is asked of a run.

    `rebuild` reads and embeds everything anew; `repair` fills Chroma anew from the stored
    vectors; `strategies` are the ones to bring up to date.
    """

    rebuild: bool = False
    repair: bool = False
    strategies: tuple[Strategy, ...] = tuple(Strategy)


def recipe_for(embedder: Embedder, reading: ReadingConfig) -> Recipe:
    """The recipe that the settings in force make."""
    return Recipe(
        space=VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION),
        cleaning=CLEANING_VERSION,
        reading=f"{reader_identity(reading.backend, reading.ocr)}/"
        f"{reading.max_pages}p/{reading.timeout_s:g}s",
    )


def index_course(
    course: Course, config: Config, embedder: Embedder, options: IndexOptions
) -> Iterator[events.IndexEvent]:
    """Bring a course's index up to date with its notes, yielding what happens.

    Only new and changed files are read, only new texts embedded. Closing the generator stops the
    run: the index in force stays, and what was embedded is not embedded again.
    Raises `NotesError`, `StoreError`, `EmbedderError`.
    """
    lock = writer_lock(course.store)
    yield from _wait_for(lock)
    try:
        yield from _Run(course, config, embedder, options).work()
    finally:
        lock.release()


def _wait_for(lock: filelock.FileLock) -> Iterator[events.IndexEvent]:
    timeout = 0.0
    while True:
        try:
            lock.acquire(timeout=timeout)
        except filelock.Timeout:
            timeout = _LOCK_POLL_S
            yield events.Waiting()
        else:
            return


@dataclass
class _Outcome:
    """What the documents of this run became."""

    indexed: list[Indexed] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    chunks: dict[Strategy, list[Chunk]] = field(default_factory=dict)
    texts: dict[SourceId, CleanText] = field(default_factory=dict)
    pages: int = 0
    files: int = 0


class _Run:
    """The state of one run, under the writer's lock."""

    def __init__(
        self, course: Course, config: Config, embedder: Embedder, options: IndexOptions
    ) -> None:
        self._course = course
        self._config = config
        self._embedder = embedder
        self._options = options
        self._started = time.perf_counter()
        self._recipe = recipe_for(embedder, config.reading)
        self._outcome = _Outcome(chunks={strategy: [] for strategy in options.strategies})

    def work(self) -> Iterator[events.IndexEvent]:
        old, base = self._old_manifests()
        hashed, unreadable = hash_files(note_files(self._course))
        plan = make_plan(base, hashed, unreadable, self._recipe, self._options.strategies)
        yield events.Planned(
            self._course.name,
            len(plan.to_read) + len(plan.to_cut),
            len(plan.kept),
            len(plan.removed),
        )
        yield from (events.FileSkipped(file) for file in plan.skipped)
        intact = base is not None and is_intact(self._store, base, self._config.chroma)
        if base and intact and not plan.changed and not self._options.repair:
            remove_leftovers(self._store, base)
            yield events.Done(self._summary(base, plan, None))
            return
        yield from self._update_index(plan, old, base, fresh=not intact or self._options.repair)

    def _old_manifests(self) -> tuple[Manifest | None, Manifest | None]:
        """The manifest in force, and the one to build upon: none where all is built anew."""
        if not self._options.rebuild:
            old = read_manifest(self._store)
            if old:
                check_space(self._store, old.recipe.space, self._recipe.space)
            return old, old
        try:
            return read_manifest(self._store), None
        except StoreError:  # what a rebuild is there to replace
            return None, None

    @property
    def _store(self) -> Path:
        return self._course.store

    def _update_index(
        self, plan: Plan, old: Manifest | None, base: Manifest | None, *, fresh: bool
    ) -> Iterator[events.IndexEvent]:
        contents = load_contents(self._store, base, self._embedder.dim)
        queue = EmbeddingQueue(self._store, self._embedder, contents)
        for entry in plan.to_cut:
            self._cut_known(entry, contents.texts[entry.source.id], queue)
        total = len(plan.to_read)
        if total:
            yield from self._read(plan, queue)
        for _batch in queue.work(to_the_end=True):
            yield self._progress("", total, queue)
        if not (self._outcome.indexed or plan.kept):
            raise StoreError(
                _nothing_indexed(self._course.name), _first_remedy(self._outcome.skipped, plan)
            )
        yield events.Committing()
        update = self._update(plan, queue)
        manifest = commit(
            self._store, old, contents, update, self._config.chroma, fresh_collections=fresh
        )
        queue.committed()
        yield events.Done(self._summary(manifest, plan, queue))

    def _read(self, plan: Plan, queue: EmbeddingQueue) -> Iterator[events.IndexEvent]:
        total = len(plan.to_read)
        with preparing(plan.to_read, self._config.reading) as results:
            for result in results:
                path = ""
                if isinstance(result, Skipped):
                    self._outcome.files += 1
                    self._outcome.skipped.append(result)
                    yield events.FileSkipped(result)
                elif isinstance(result, Prepared):
                    path = result.source.path
                    self._take(result, queue)
                yield self._progress(path, total, queue)
                for _batch in queue.work(to_the_end=False):
                    yield self._progress(path, total, queue)

    def _take(self, prepared: Prepared, queue: EmbeddingQueue) -> None:
        self._outcome.files += 1
        self._outcome.pages += prepared.source.pages
        self._outcome.texts[prepared.source.id] = prepared.text
        counts = self._cut(prepared.text, self._options.strategies, queue)
        self._outcome.indexed.append(
            Indexed(
                prepared.source,
                counts,
                prepared.text.page_starts,
                prepared.pages_without_text,
                prepared.pages_by_ocr,
            )
        )

    def _cut_known(self, entry: Indexed, text: CleanText, queue: EmbeddingQueue) -> None:
        missing = [one for one in self._options.strategies if one not in entry.chunks]
        counts = {**entry.chunks, **self._cut(text, missing, queue)}
        self._outcome.indexed.append(replace(entry, chunks=counts))

    def _cut(
        self, text: CleanText, strategies: Iterable[Strategy], queue: EmbeddingQueue
    ) -> dict[Strategy, int]:
        counts = {}
        for strategy in strategies:
            chunks = chunks_of(text, strategy)
            self._outcome.chunks[strategy] += chunks
            queue.add(chunks)
            counts[strategy] = len(chunks)
        return counts

    def _update(self, plan: Plan, queue: EmbeddingQueue) -> Update:
        entries = [*plan.kept, *self._outcome.indexed]
        return Update(
            recipe=self._recipe,
            indexed=tuple(sorted(entries, key=lambda entry: entry.source.path)),
            skipped=(*plan.skipped, *self._outcome.skipped),
            replaced={hashed.id for hashed in plan.to_read},
            added={
                strategy: (chunks, queue.vectors(chunks))
                for strategy, chunks in self._outcome.chunks.items()
            },
            texts=self._outcome.texts,
        )

    def _progress(self, path: str, files: int, queue: EmbeddingQueue) -> events.Progress:
        rate = queue.embedded / queue.seconds if queue.seconds else 0.0
        left = None
        if rate and self._outcome.files:
            per_file = queue.waiting + (files - self._outcome.files) * (
                (queue.embedded + queue.waiting) / self._outcome.files
            )
            left = per_file / rate
        return events.Progress(
            path=path,
            files_done=self._outcome.files,
            files=files,
            pages=self._outcome.pages,
            chunks_done=queue.found - queue.waiting,
            chunks_found=queue.found,
            chunks_per_s=rate,
            seconds_left=left,
        )

    def _summary(
        self, manifest: Manifest, plan: Plan, queue: EmbeddingQueue | None
    ) -> events.Summary:
        return events.Summary(
            manifest=manifest,
            read=len(self._outcome.texts),
            unchanged=len(plan.kept),
            removed=len(plan.removed),
            embedded=queue.embedded if queue else 0,
            reused=queue.reused if queue else 0,
            changed=queue is not None,
            seconds={
                "total": time.perf_counter() - self._started,
                "embedding": queue.seconds if queue else 0.0,
            },
        )


def _nothing_indexed(course: str) -> str:
    return _("None of the PDFs of the course `%(course)s` could be read.") % {"course": course}


def _first_remedy(skipped: list[Skipped], plan: Plan) -> str:
    reasons = [f"{file.path}: {file.message} {file.remedy}" for file in (*plan.skipped, *skipped)]
    return "\n".join(reasons[:5])
