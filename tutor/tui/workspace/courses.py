"""What is known of every course: its notes and its index. Reads disks, for worker threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from tutor.config import Config
from tutor.courses import Course, list_courses, note_files
from tutor.errors import NotesError, StoreError
from tutor.index.store import Manifest, Skipped, read_manifest
from tutor.model import Strategy


@dataclass(frozen=True, slots=True)
class CourseInfo:
    """One course. `pdfs` are in its folder; `documents`, `pages` and `chunks` in its index.

    `changed` counts files that an update would touch, None where nobody has looked yet.
    """

    name: str
    pdfs: int
    has_index: bool = False
    documents: int = 0
    pages: int = 0
    chunks: int = 0
    indexed_at: datetime | None = None
    changed: int | None = None
    problem: str = ""
    skipped: tuple[Skipped, ...] = ()


def survey(config: Config, changes: Callable[[Course, Manifest], int] | None) -> list[CourseInfo]:
    """All courses; `changes` counts the files of each that have changed. Raises `NotesError`."""
    return [
        _info(course, changes) for course in list_courses(config.notes_path, config.stores_path)
    ]


def _info(course: Course, changes: Callable[[Course, Manifest], int] | None) -> CourseInfo:
    try:
        pdfs = len(note_files(course))
    except NotesError:
        pdfs = 0
    try:
        manifest = read_manifest(course.store)
    except StoreError as error:
        return CourseInfo(course.name, pdfs, has_index=True, problem=error.message)
    if manifest is None:
        return CourseInfo(course.name, pdfs)
    return CourseInfo(
        course.name,
        pdfs,
        has_index=True,
        documents=len(manifest.indexed),
        pages=sum(entry.source.pages for entry in manifest.indexed),
        chunks=sum(manifest.chunk_count(one) for one in Strategy),
        indexed_at=_time(manifest.created),
        changed=changes(course, manifest) if changes else None,
        skipped=manifest.skipped,
    )


def _time(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        return None
