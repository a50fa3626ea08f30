"""What the main process has its workers do: these functions are sent to them by name.

The work is in `tutor.ingest.worker`. Loading that takes 0.1 s, which only the workers spend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor.ingest.prepared import HashedFile, Prepared, ReadingOptions
    from tutor.model import Source


def prepare(hashed: HashedFile, options: ReadingOptions) -> Prepared:
    """In a worker: `tutor.ingest.worker.prepare`."""
    from tutor.ingest import worker  # noqa: PLC0415 - in a worker only

    return worker.prepare(hashed, options)


def describe_again(hashed: HashedFile, prepared: Prepared, options: ReadingOptions) -> Source:
    """In a worker: `tutor.ingest.worker.describe_again`."""
    from tutor.ingest import worker  # noqa: PLC0415 - in a worker only

    return worker.describe_again(hashed, prepared, options)
