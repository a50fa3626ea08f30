"""The notes folder: which courses it holds, and which PDF files each course has."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from tutor.errors import NotesError, StoreError, command, reason_of
from tutor.i18n import _
from tutor.model import SourceId, readable_name, source_id
from tutor.text.terminal import one_line

DEFAULT_COURSE = "default"
_OF_THE_SYSTEM = frozenset({"lost+found", "System Volume Information"})
"""Folders of a disk's own, which its owner may not read."""


@dataclass(frozen=True, slots=True)
class Course:
    """A course: its notes (with all sub-folders, unless it is the default one) and its store.

    `name` is the folder's, made readable where it is no valid Unicode; so is the store's.
    """

    name: str
    notes: Path
    store: Path

    @property
    def has_subfolders(self) -> bool:
        """Whether folders below the notes belong to it; below the default course others live."""
        return self.name != DEFAULT_COURSE


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A PDF of a course, or a folder of it that may not be read.

    `relative` is its path within the course, with forward slashes and readable names.
    """

    path: Path
    relative: str

    @property
    def id(self) -> SourceId:
        """The document's identity, made of the names as they are on the disk."""
        depth = self.relative.count("/") + 1
        return source_id("/".join(self.path.parts[-depth:]))


def course_command(arguments: str, course: str) -> str:
    """A command of ours on that course, as it can be typed whichever courses there are.

    The default course is the one that is meant where none is named.
    """
    if course == DEFAULT_COURSE:
        return command(arguments)
    return f"{command('--course', course)} {arguments}"


def index_command(course: str, *options: str) -> str:
    """The command that indexes that course, whatever course the settings name."""
    return command(" ".join(("index", *options, "--course")), course)


def list_courses(notes: Path, stores: Path) -> list[Course]:
    """Every course with PDFs or with a store, the default course first.

    PDFs directly in the notes folder are the default course, each sub-folder is one.
    Raises `NotesError`, and `StoreError` where no index can be stored.
    """
    _refuse_unreadable(stores)
    folders = {
        readable_name(path.name): path
        for path in _subfolders(notes)
        if next(_pdf_paths(path, deep=True), None)
    }
    if DEFAULT_COURSE in folders:
        raise NotesError(
            _("A course cannot be called `%(name)s`.") % {"name": DEFAULT_COURSE},
            _("Rename the folder %(path)s: that name is kept for the PDFs beside it.")
            % {"path": notes / DEFAULT_COURSE},
        )
    names = set(folders)
    names |= {folder.name for folder in _subfolders(stores) if _may_hold_index(folder)}
    if DEFAULT_COURSE not in names and next(_pdf_paths(notes, deep=False), None):
        names.add(DEFAULT_COURSE)
    return [
        Course(
            name,
            notes if name == DEFAULT_COURSE else folders.get(name, notes / name),
            stores / name,
        )
        for name in sorted(names, key=lambda name: (name != DEFAULT_COURSE, name))
    ]


class UnnamedCourseError(NotesError):
    """There are several courses, and nobody has said which is meant."""


def choose_course(notes: Path, stores: Path, name: str | None) -> Course:
    """The course of that name; without a name the default one, or the only one there is.

    `name` may be as it is on the disk, too; how its accents are encoded does not matter. Raises
    `NotesError` that lists the courses, and `StoreError` as `list_courses` does.
    """
    courses = {course.name: course for course in list_courses(notes, stores)}
    name = None if name is None else readable_name(name)
    if name is not None:
        alike = (course for course in courses.values() if _is_same_name(course.name, name))
        if course := courses.get(name) or next(alike, None):
            return course
    if name is None and DEFAULT_COURSE in courses:
        return courses[DEFAULT_COURSE]
    if name is None and len(courses) == 1:
        return next(iter(courses.values()))
    if not courses:
        raise no_notes(notes)
    listed = ", ".join(map(one_line, courses))
    if name is None:
        raise UnnamedCourseError(
            _("There are several courses: %(courses)s.") % {"courses": listed},
            _("Say which one: --course NAME"),
        )
    raise NotesError(
        _("There is no course called `%(name)s`.") % {"name": name},
        _("The courses are: %(courses)s. A course is a folder of PDFs in %(notes)s.")
        % {"courses": listed, "notes": notes},
    )


def _is_same_name(one: str, other: str) -> bool:
    """Whether names print alike: a Mac has accents in folders' names apart from their letters."""
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def no_notes(notes: Path, course: str = DEFAULT_COURSE) -> NotesError:
    """What to say when there is nothing to index, in all of them or in a course."""
    reason = why_closed(notes)
    if reason:
        return NotesError(
            _("The notes folder %(path)s cannot be read: %(reason)s.")
            % {"path": notes, "reason": reason},
            _("Give yourself the right to read it, or set `notes_dir` to another folder."),
        )
    if not notes.is_dir():
        return NotesError(
            _("The notes folder %(path)s does not exist.") % {"path": notes},
            _("Create it and put PDFs into it, or set `notes_dir` to where they are."),
        )
    return NotesError(
        _("There are no PDFs in %(path)s.") % {"path": notes},
        _("Copy your course's PDFs there and index again: %(command)s")
        % {"command": course_command("index", course)},
    )


def note_files(course: Course) -> list[NoteFile]:
    """The course's PDF files in order of path, and the folders below it that may not be read.

    Raises `NotesError` when there are none, or its own folder may not be read.
    """
    closed: list[Path] = []
    paths = [*_pdf_paths(course.notes, deep=course.has_subfolders, closed=closed), *closed]
    if not paths or course.notes in closed:  # an index whose notes are out of reach is kept
        raise no_notes(course.notes, course.name)
    files = [
        NoteFile(path, "/".join(map(readable_name, path.relative_to(course.notes).parts)))
        for path in paths
    ]
    return sorted(files, key=lambda file: file.relative)


def find_note(notes: Path, relative: str) -> Path:
    """Where a PDF of a course lies whose `NoteFile` had that `relative`, be it there or not."""
    path = notes
    for name in relative.split("/"):
        folder, path = path, path / name
        if not path.exists():
            with suppress(OSError):  # it may be the readable form of a name
                alike = (file for file in folder.iterdir() if readable_name(file.name) == name)
                path = next(alike, path)
    return path


def note_path(notes: Path, relative: str) -> Path:
    """The PDF of a course at its relative path, as an index or a saved answer has it.

    Raises `NotesError` for a path that leads out of the notes, is no PDF or does not exist.
    """
    parts = PurePosixPath(relative)
    leads_out = parts.is_absolute() or ".." in parts.parts or bool(PureWindowsPath(relative).anchor)
    if leads_out or parts.suffix.lower() != ".pdf":
        raise NotesError(
            _("%(path)s is no PDF of these notes.") % {"path": relative},
            _("Index the course again, and ask once more."),
        )
    path = notes.absolute() / parts
    try:
        path = find_note(notes.absolute(), parts.as_posix())
        is_file = path.is_file()
    except (OSError, ValueError):  # too long a name, a null character
        is_file = False
    if not is_file:
        raise NotesError(
            _("%(path)s is no longer there.") % {"path": path},
            _("If it was renamed or moved, update the index."),
        )
    return path


def _refuse_unreadable(stores: Path) -> None:
    """Chroma and Arrow take paths as UTF-8 only."""
    try:
        str(stores.absolute()).encode()
    except UnicodeEncodeError:
        raise StoreError(
            _("The name of the folder %(path)s is not valid UTF-8: no index can be stored there.")
            % {"path": stores.absolute()},
            _("Rename it, or set `stores_dir` (TUTOR_STORES_DIR) to another folder."),
        ) from None
    reason = why_closed(stores)
    if reason:
        raise unreadable_index(stores, reason)


def unreadable_index(path: Path, reason: object) -> StoreError:
    """What to say of an index, or a file of it, that is there and may not be read."""
    return StoreError(
        _("The index in %(path)s cannot be read: %(reason)s.") % {"path": path, "reason": reason},
        _("Check that the folder may be read."),
    )


def why_closed(folder: Path) -> str:
    """Why a folder may not be read; empty where it may, or where there is none."""
    try:
        with os.scandir(folder):
            return ""
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return reason_of(error)


def _subfolders(parent: Path) -> list[Path]:
    """The folders in a folder; none where it is missing, or may not be read."""
    _folder, below, _names = next(os.walk(parent), ("", [], []))
    return [parent / name for name in below if _visible(name)]


def _may_hold_index(folder: Path) -> bool:
    try:
        return (folder / "manifest.json").is_file()
    except OSError:  # whoever opens it says why it cannot be read
        return True


def _pdf_paths(folder: Path, *, deep: bool, closed: list[Path] | None = None) -> Iterator[Path]:
    """The PDFs in a folder; `closed` gets the folders that may not be read, or are out of reach."""

    def note(error: OSError) -> None:
        if closed is not None and not isinstance(error, FileNotFoundError | NotADirectoryError):
            closed.append(Path(error.filename))

    walked: list[Path] = []
    for parent, below, names in os.walk(folder, onerror=note, followlinks=True):
        walked = walked or [folder.resolve()]
        wanted = sorted(filter(_visible, below)) if deep else []
        below[:] = [name for name in wanted if _leads_elsewhere(Path(parent, name), walked)]
        for name in filter(_visible, names):
            path = Path(parent, name)
            if name.lower().endswith(".pdf"):
                yield path  # a pipe or a device, too: whoever hashes it says why it is left out
            elif deep and not path.suffix and _is_link(path) and not path.exists():
                note(OSError(0, "", str(path)))  # a link to what may be on another disk


def _leads_elsewhere(path: Path, walked: list[Path]) -> bool:
    """Whether a folder is no link to where one gets otherwise; what it leads to is noted."""
    if not _is_link(path):
        return True
    target = path.resolve()
    if any(target.is_relative_to(one) or one.is_relative_to(target) for one in walked):
        return False
    walked.append(target)
    return True


def _is_link(path: Path) -> bool:
    return os.path.islink(path)  # noqa: PTH114 - false in a folder that may not be read


def _visible(name: str) -> bool:
    return not name.startswith((".", "~$", "$")) and name not in _OF_THE_SYSTEM
