"""One run of the indexer, from the lock to the commit."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import filelock

from tutor.config import ReadingConfig
from tutor.courses import note_files
from tutor.ending import interrupts_held
from tutor.errors import StoreError
from tutor.index.build import events
from tutor.index.build.plan import hash_files, make_plan
from tutor.index.build.reading_processes import prepare_files
from tutor.index.store import Recipe, VectorSpace, check_space, read_manifest
from tutor.index.store.derived import derived_versions
from tutor.index.store.manifest import FILE_NAME
from tutor.index.store.upkeep import (
    explained_disk_errors,
    forget_journal,
    is_intact,
    remove_leftovers,
    writer_lock,
)
from tutor.ingest.chunking import CHUNKING_VERSION
from tutor.ingest.cleaning import CLEANING_VERSION
from tutor.ingest.reading import reader_identity
from tutor.model import Strategy

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.courses import Course
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import Manifest

_LOCK_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What is asked of a run.

    `rebuild` reads and embeds everything anew; `repair` fills Chroma anew from the stored
    vectors; `strategies` are made beside those that the index has.
    """

    rebuild: bool = False
    repair: bool = False
    strategies: tuple[Strategy, ...] = tuple(Strategy)


def recipe_for(embedder: Embedder, reading: ReadingConfig) -> Recipe:
    """The recipe that the settings in force make."""
    reader = reader_identity(reading.backend, reading.ocr)
    limits = f"{reading.max_pages} pages/{reading.timeout_s:g} s/{reading.memory_mb} MB"
    return Recipe(
        space=VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION),
        cleaning=CLEANING_VERSION,
        reading=f"{reader}/{limits}",
    )


def index_course(
    course: Course,
    config: Config,
    embedder: Embedder,
    options: IndexOptions,
) -> Iterator[events.IndexEvent]:
    """Bring a course's index up to date with its notes, yielding what happens.

    Only new and changed files are read, only new texts embedded. Closing the generator stops the
    run: the index in force stays, and what was embedded is not embedded again.
    Raises `NotesError`, `StoreError`, `EmbedderError`.
    """
    files = note_files(course)
    lock = writer_lock(course.store)
    yield from _wait_for(course.store, lock)
    try:
        started = time.perf_counter()
        recipe = recipe_for(embedder, config.reading)
        in_force, base = _manifests(course.store, recipe, options)
        hashed, unreadable = hash_files(files)
        derived = derived_versions(sentences=config.retrieval.sentences)
        strategies = _strategies(options, in_force)
        plan = make_plan(base, hashed, unreadable, recipe, strategies, derived=derived)
        yield events.Planned(
            course.name,
            len(plan.to_read) + len(plan.to_cut),
            len(plan.kept),
            len(plan.removed),
        )
        yield from plan.skipped
        intact = base is not None and is_intact(course.store, base, config.chroma)
        if base and intact and not plan.changed and not options.repair:
            if base.chroma_server and len(list(course.store.glob("generation-*"))) > 1:
                from tutor.index.store.writer import remove_former  # noqa: PLC0415 - Chroma, 0.7 s

                remove_former(course.store, base, config.chroma)
            remove_leftovers(course.store, base)
            forget_journal(course.store)
            yield _nothing_to_do(base, started)
            return
        batch_ready = Event()
        with closing(prepare_files(plan.to_read, config.reading, batch_ready)) as read:
            next(read)  # the first file is being read while Arrow is loaded
            with interrupts_held():
                from tutor.index.build.update import IndexUpdate  # noqa: PLC0415

            update = IndexUpdate(
                course, config, embedder, recipe, plan, base=base, batch_ready=batch_ready
            )
            yield from update.run(read, in_force, refill=options.repair or not intact)
    finally:
        lock.release()


def _wait_for(store: Path, lock: filelock.FileLock) -> Iterator[events.IndexEvent]:
    timeout = 0.0
    while True:
        try:
            lock.acquire(timeout=timeout)
        except filelock.Timeout:
            timeout = _LOCK_POLL_S
            yield events.WaitingForLock((store / FILE_NAME).is_file())
        except OSError:
            with explained_disk_errors(store):
                raise
        else:
            return


def _manifests(
    store: Path, recipe: Recipe, options: IndexOptions
) -> tuple[Manifest | None, Manifest | None]:
    """The manifest in force, and the one to build upon: none where all is built anew."""
    if options.rebuild:
        try:
            return read_manifest(store), None
        except StoreError:  # what a rebuild is there to replace
            return None, None
    manifest = read_manifest(store)
    if manifest:
        check_space(store, manifest.recipe.space, recipe.space)
        if not manifest.vectors:
            return manifest, manifest.texts_only()
    return manifest, manifest


def _strategies(options: IndexOptions, in_force: Manifest | None) -> tuple[Strategy, ...]:
    """Those that are asked for, and those that the index has: what is read anew leaves none."""
    wanted = set(options.strategies)
    if in_force and in_force.vectors:
        wanted |= set(filter(in_force.chunk_count, Strategy))
    return tuple(one for one in Strategy if one in wanted)


def _nothing_to_do(manifest: Manifest, started: float) -> events.Completed:
    return events.Completed(
        changed=False,
        unchanged=len(manifest.indexed),
        documents=len(manifest.indexed),
        pages=manifest.pages,
        seconds=time.perf_counter() - started,
    )
