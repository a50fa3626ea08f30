"""Which documents are versions of one lesson, and which of them counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tutor.model import Source, SourceId


def newest_first(sources: Iterable[Source]) -> list[list[Source]]:
    """The documents by lesson, the versions of each from the newest to the oldest.

    Documents of one week and day are versions of a lesson; what bears no version is none.
    """
    lessons: defaultdict[tuple[object, ...], list[Source]] = defaultdict(list)
    for source in sorted(sources, key=age, reverse=True):
        versioned = source.version and source.date
        lessons[(source.week, source.date) if versioned else (source.path,)].append(source)
    return list(lessons.values())


def newest_versions(sources: Iterable[Source]) -> set[SourceId]:
    """The last version of the notes of each lesson."""
    return {versions[0].id for versions in newest_first(sources)}


def age(source: Source) -> tuple[str, str, str]:
    """Sorts documents from the oldest version to the newest."""
    day = source.date.isoformat() if source.date else ""
    return day, source.version or "", source.path


def in_course_order(sources: Iterable[Source]) -> list[Source]:
    """The documents as a student meets them: by week and day, those without them by path last."""
    return sorted(
        sources,
        key=lambda source: (
            source.week is None,
            source.week or 0,
            source.date.isoformat() if source.date else "~",
            source.version or "",
            source.path,
        ),
    )
