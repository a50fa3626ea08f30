"""What every asking command does first: find the course, index it if need be, open it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

from tutor.app import find_course, make_embedder, open_course
from tutor.cli import diagnostics
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding import OnnxEmbedder
from tutor.embedding.embedder import Embedder
from tutor.i18n import _
from tutor.index.store import StoreReader, read_manifest
from tutor.text.terminal import one_line


@contextmanager
def opened(config: Config, *, by_words: bool = False) -> Iterator[tuple[StoreReader, Embedder]]:
    """The course's index, built now where there is none, and the embedder that fits it.

    With `by_words` the block is entered as soon as the index can be searched by words, before it
    has vectors, whether this process makes it or another one does. The rest of our own run follows
    when the block is left. Raises `NotesError`, `StoreError`, `EmbedderError`.
    """
    course = find_course(config)
    embedder, why = make_embedder(config, course)
    manifest = read_manifest(course.store)
    if manifest and manifest.vectors:
        with reopened(config, course, embedder) as both:
            yield both
        return
    if manifest is None:
        told = _("The course `%(name)s` has no index yet.")
        diagnostics.line(told % {"name": one_line(course.name)})
    diagnostics.line(why)
    with closing(_indexing(config, course, embedder, by_words=by_words)) as steps:
        next(steps, None)
        with reopened(config, course, embedder) as both:
            yield both
        next(steps, None)


def index_if_new(config: Config, course: Course) -> None:
    """Index a course that has no index yet, as `opened` does. Raises as it does."""
    if read_manifest(course.store) is None:
        with opened(config):
            pass


def _indexing(
    config: Config, course: Course, embedder: Embedder, *, by_words: bool
) -> Generator[None]:
    """Make the index, step by step; with `by_words` it pauses once words can be searched."""
    # Imported here, since an existing index is asked without the tools that make one.
    from tutor.cli.indexing import shown_run  # noqa: PLC0415
    from tutor.index.build import IndexOptions, Searchable, WaitingForLock  # noqa: PLC0415

    paused = False
    with closing(shown_run(course, config, embedder, IndexOptions())) as run:
        for event in run:
            if by_words and isinstance(event, Searchable):
                paused = True
                yield
            elif by_words and isinstance(event, WaitingForLock) and event.searchable:
                return  # the other process goes on by itself
    if paused:
        diagnostics.line(_("The index is complete: from now on it is searched by meaning, too."))


@contextmanager
def reopened(
    config: Config, course: Course, embedder: Embedder
) -> Iterator[tuple[StoreReader, Embedder]]:
    """The course's index as it is by now, with the embedder that was chosen. Raises `StoreError`.

    Nothing is indexed: whoever has put it in force makes what it lacks.
    """
    with open_course(config, course, embedder) as store, ThreadPoolExecutor(2) as threads:
        if isinstance(embedder, OnnxEmbedder) and not store.words_only:
            threads.submit(embedder.load)  # what goes wrong is met again when it is used
        threads.submit(store.warm_up)
        yield store, embedder
        if store.degraded:
            told = _("Chroma could not be used; the vector files were searched instead. %(reason)s")
            diagnostics.warning(told % {"reason": store.degraded})
