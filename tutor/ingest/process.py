"""What a process that prepares PDFs is asked to do.

It loads what that takes, 0.1 s, and who asks does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor.ingest.prepared import HashedFile, Prepared, ReadingOptions
    from tutor.model import Source


def prepare(hashed: HashedFile, options: ReadingOptions) -> Prepared:
    """As `tutor.ingest.prepare.prepare`."""
    from tutor.ingest import prepare  # noqa: PLC0415 - in that process only

    return prepare.prepare(hashed, options)


def describe_again(hashed: HashedFile, prepared: Prepared, options: ReadingOptions) -> Source:
    """As `tutor.ingest.prepare.describe_again`."""
    from tutor.ingest import prepare  # noqa: PLC0415 - as above

    return prepare.describe_again(hashed, prepared, options)
