"""What every asking command does first: find the course, index it if need be, open it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tutor.app import find_course, make_embedder, open_course
from tutor.cli import diagnostics
from tutor.i18n import _
from tutor.index.store import read_manifest
from tutor.text.terminal import one_line

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import StoreReader


@contextmanager
def opened(config: Config) -> Iterator[tuple[StoreReader, Embedder]]:
    """The course's index, built now where there is none, and the embedder that fits it.

    Raises `NotesError`, `StoreError`, `EmbedderError`.
    """
    course = find_course(config)
    embedder, why = make_embedder(config)
    if read_manifest(course.store) is None:
        # Imported here, since an existing index is asked without the tools that make one.
        from tutor.cli.indexed import run_index  # noqa: PLC0415
        from tutor.index.build import IndexOptions  # noqa: PLC0415

        diagnostics.line(
            _("The course `%(name)s` has no index yet.") % {"name": one_line(course.name)}
        )
        diagnostics.line(why)
        run_index(course, config, embedder, IndexOptions())
    with open_course(config, course, embedder) as store, ThreadPoolExecutor(1) as threads:
        threads.submit(store.warm_up)
        yield store, embedder
        if store.degraded:
            diagnostics.warning(
                _("Chroma could not be used; the vector files were searched instead. %(reason)s")
                % {"reason": store.degraded}
            )
