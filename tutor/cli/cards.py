"""What `tutor cards` and `tutor study` share: the file of cards, and which of them are chosen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from tutor.cli.output import folded
from tutor.errors import StoreError, StudyError
from tutor.errors import command as typed
from tutor.i18n import _
from tutor.index.store import read_manifest
from tutor.presentation.cards import question_text
from tutor.search.filters import FilterChoice, chosen_filter
from tutor.study.store import FILE_NAME, Selection, StudyStore
from tutor.text.terminal import plain

if TYPE_CHECKING:
    from pathlib import Path

    from tutor.config import Config
    from tutor.courses import Course
    from tutor.index.store import Manifest
    from tutor.study.card import Card

TOPIC = click.option(
    "--topic",
    default="",
    metavar=_("WORDS"),
    help=_("Only cards about this: words of their question, section or document."),
)


def asked(card: Card) -> str:
    """A question as it is printed: wrapped, each line with the indentation that it has."""
    lines = plain(question_text(card)).split("\n")
    return "\n".join(
        folded(line.lstrip(), line[: len(line) - len(line.lstrip())]) for line in lines
    )


def study_path(config: Config) -> Path:
    """Where the file of cards is, or will be."""
    return config.stores_path / FILE_NAME


@contextmanager
def opened_cards(config: Config, course: Course) -> Iterator[StudyStore]:
    """The file of cards; none is begun where there is none. Raises `StudyError`."""
    path = study_path(config)
    if not path.exists():
        raise no_cards(course)
    with StudyStore(path) as store:
        yield store


def no_cards(course: Course) -> StudyError:
    """There is nothing to review yet."""
    return StudyError(
        _("The course `%(course)s` has no cards yet.") % {"course": course.name},
        _("Make them from the notes: %(command)s") % {"command": typed("cards make")},
    )


def none_fits() -> StudyError:
    """There are cards, but not of what was chosen."""
    return StudyError(_("No card fits."), _("Choose other weeks, documents or words."))


def indexed(course: Course) -> Manifest:
    """What is known of the course's index. Raises `StoreError` where it has none."""
    manifest = read_manifest(course.store)
    if manifest is None:
        raise StoreError(
            _("The course `%(course)s` has no index yet.") % {"course": course.name},
            _("Build it: %(command)s") % {"command": typed("index")},
        )
    return manifest


def selection(course: Course, choice: FilterChoice, topic: str) -> Selection:
    """The cards that the options choose. Raises `FilterError`, `StoreError`."""
    if choice == FilterChoice():
        return Selection(None, topic)
    sources = list(indexed(course).sources.values())
    return Selection(chosen_filter(choice, sources).select(sources), topic)
