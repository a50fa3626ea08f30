"""What `tutor cards` and `tutor study` share: the file of cards, and which of them are chosen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from tutor.cli import diagnostics
from tutor.cli.output import folded
from tutor.errors import StoreError, StudyError
from tutor.errors import command as typed
from tutor.i18n import _, ngettext
from tutor.index.store import StoreReader, read_manifest
from tutor.presentation.cards import question_text
from tutor.search.filters import FilterChoice, chosen_filter
from tutor.study.making import course_cards
from tutor.study.store import FILE_NAME, Selection, StudyStore
from tutor.study.writing.keeping import still_said
from tutor.text.terminal import plain

if TYPE_CHECKING:
    from pathlib import Path

    from tutor.config import Config
    from tutor.courses import Course
    from tutor.index.store import Manifest
    from tutor.model import CleanText, Source, SourceId
    from tutor.study.card import Card
    from tutor.study.store import Merged

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


@contextmanager
def cards_to_ask(config: Config, course: Course) -> Iterator[StudyStore]:
    """The file of cards; where the course has none, those of its notes are made.

    Raises `StudyError`, and `StoreError` where there is no index to make them of.
    """
    path = study_path(config)
    if not path.exists():
        indexed(course)  # before a file is begun
    with StudyStore(path) as store:
        if not store.counts(course.name).cards:
            made = make_cards(config, course, store).added
            told = ngettext(
                "%(n)d card was made of the notes.", "%(n)d cards were made of the notes.", made
            )
            diagnostics.line(told % {"n": made})
        yield store


def make_cards(config: Config, course: Course, store: StudyStore) -> Merged:
    """Make a course's cards anew, with progress on standard error. Raises `StoreError`."""
    manifest = indexed(course)
    with StoreReader(course.store, manifest, config.chroma) as reader:
        given = list(documents(reader, manifest))
    written = still_said(store.written(course.name), given)
    return store.merge(course.name, [*course_cards(given), *written])


def documents(
    reader: StoreReader, manifest: Manifest, wanted: frozenset[SourceId] | None = None
) -> Iterator[tuple[Source, CleanText]]:
    """The documents (or those `wanted`) by their weeks, with progress on standard error."""
    progress = diagnostics.ProgressLine()
    sources = sorted(
        (one for one in manifest.sources.values() if wanted is None or one.id in wanted),
        key=lambda source: (source.week is None, source.week, source.path),
    )
    try:
        for number, source in enumerate(sources, 1):
            progress.show(_("%(n)d of %(all)d documents …") % {"n": number, "all": len(sources)})
            yield source, reader.text(source.id)
    finally:
        progress.clear()


def no_cards(course: Course) -> StudyError:
    """There is nothing to review yet."""
    return StudyError(
        _("The course `%(course)s` has no cards yet.") % {"course": course.name},
        _("Make them from the notes: %(command)s") % {"command": typed("cards make")},
    )


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
