"""What is known of every course: its notes and its index. Reads disks, for worker threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tutor.config import Config
from tutor.courses import Course, list_courses, note_files
from tutor.errors import NotesError, StoreError
from tutor.index.store import Manifest, read_manifest


@dataclass(frozen=True, slots=True)
class CourseInfo:
    """One course with so many `pdfs`. `problem` says why its `manifest` cannot be read.

    `changed` counts files that an update would touch, None where nobody has looked yet.
    """

    name: str
    pdfs: int
    manifest: Manifest | None = None
    changed: int | None = None
    problem: str = ""


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
        return CourseInfo(course.name, pdfs, problem=error.message)
    changed = changes(course, manifest) if changes and manifest else None
    return CourseInfo(course.name, pdfs, manifest, changed)
