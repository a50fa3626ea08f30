"""The notes folder: which courses it holds, and which PDF files each course has."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.errors import NotesError, command
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEFAULT_COURSE = "default"


@dataclass(frozen=True, slots=True)
class Course:
    """A course: its notes (with all sub-folders, unless it is the default one) and its store."""

    name: str
    notes: Path
    store: Path

    @property
    def has_subfolders(self) -> bool:
        """Whether folders below the notes belong to it; below the default course others live."""
        return self.name != DEFAULT_COURSE


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A PDF of a course. `relative` is its path within the course, with forward slashes."""

    path: Path
    relative: str


def list_courses(notes: Path, stores: Path) -> list[Course]:
    """Every course with PDFs or with a store, the default course first.

    PDFs directly in the notes folder are the default course, each sub-folder is one.
    """
    names = {folder.name for folder in _folders(notes) if _has_pdfs(folder)}
    if DEFAULT_COURSE in names:
        raise NotesError(
            _("A course cannot be called `%(name)s`.") % {"name": DEFAULT_COURSE},
            _("Rename the folder %(path)s: that name is kept for the PDFs beside it.")
            % {"path": notes / DEFAULT_COURSE},
        )
    names |= {folder.name for folder in _folders(stores) if (folder / "manifest.json").is_file()}
    if DEFAULT_COURSE not in names and any(True for _file in _pdf_paths(notes, deep=False)):
        names.add(DEFAULT_COURSE)
    return [
        _course(notes, stores, name)
        for name in sorted(names, key=lambda name: (name != DEFAULT_COURSE, name))
    ]


def choose_course(notes: Path, stores: Path, name: str | None) -> Course:
    """The course of that name; without a name the default one, or the only one there is.

    Raises `NotesError` that lists the courses.
    """
    courses = {course.name: course for course in list_courses(notes, stores)}
    if name is not None and name in courses:
        return courses[name]
    if name is None and DEFAULT_COURSE in courses:
        return courses[DEFAULT_COURSE]
    if name is None and len(courses) == 1:
        return next(iter(courses.values()))
    if not courses:
        raise no_notes(notes)
    listed = ", ".join(courses)
    if name is None:
        raise NotesError(
            _("There are several courses: %(courses)s.") % {"courses": listed},
            _("Say which one: --course NAME"),
        )
    raise NotesError(
        _("There is no course called `%(name)s`.") % {"name": name},
        _("The courses are: %(courses)s. A course is a folder of PDFs in %(notes)s.")
        % {"courses": listed, "notes": notes},
    )


def no_notes(notes: Path) -> NotesError:
    """What to say when there is nothing to index."""
    if not notes.is_dir():
        return NotesError(
            _("The notes folder %(path)s does not exist.") % {"path": notes},
            _("Create it and put PDFs into it, or set `notes_dir` to where they are."),
        )
    return NotesError(
        _("There are no PDFs in %(path)s.") % {"path": notes},
        _("Copy your course's PDFs there and index again: %(command)s")
        % {"command": command("index")},
    )


def note_files(course: Course) -> list[NoteFile]:
    """The course's PDF files in order of path. Raises `NotesError` when there are none."""
    files = [
        NoteFile(path, _printable(path.relative_to(course.notes).as_posix()))
        for path in _pdf_paths(course.notes, deep=course.has_subfolders)
    ]
    if not files:  # an index whose notes are out of reach is kept, not emptied
        raise no_notes(course.notes)
    return sorted(files, key=lambda file: file.relative)


def _course(notes: Path, stores: Path, name: str) -> Course:
    return Course(name, notes if name == DEFAULT_COURSE else notes / name, stores / name)


def _folders(parent: Path) -> Iterator[Path]:
    if parent.is_dir():
        yield from (path for path in parent.iterdir() if path.is_dir() and _visible(path.name))


def _has_pdfs(folder: Path) -> bool:
    return any(True for _path in _pdf_paths(folder, deep=True))


def _pdf_paths(folder: Path, *, deep: bool) -> Iterator[Path]:
    for parent, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if deep and _visible(name))
        for name in names:
            if name.lower().endswith(".pdf") and _visible(name):
                yield folder.joinpath(parent, name)


def _printable(path: str) -> str:
    """File names need not be valid Unicode; what is written to an index must be."""
    return os.fsencode(path).decode("utf-8", "replace")


def _visible(name: str) -> bool:
    return not name.startswith((".", "~$"))
