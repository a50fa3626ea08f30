"""What `tutor cards` and `tutor study` share: the file of cards, and which of them are chosen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from tutor.app import read_course
from tutor.cli import diagnostics
from tutor.cli.output import folded, wrapped, write
from tutor.cli.prompting import next_line
from tutor.config import Config
from tutor.courses import Course
from tutor.errors import StoreError, StudyError
from tutor.errors import command as typed
from tutor.i18n import _, ngettext
from tutor.index.store import find_manifest, read_manifest
from tutor.presentation.cards import answer_text, place_text, question_text
from tutor.search.filters import FilterChoice, chosen_filter
from tutor.study.card import Card
from tutor.study.changes import Change
from tutor.study.notes import Notes
from tutor.study.refreshing import documents, is_outdated, make
from tutor.study.store import FILE_NAME, Merged, Selection, StudyStore
from tutor.text.terminal import plain

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


def write_answer(card: Card) -> None:
    """Print a card's answer, and where it stands."""
    write(wrapped(answer_text(card), "  "))
    if place := place_text(card):
        write(wrapped(f"— {place}", "  "))


def new_texts(card: Card) -> tuple[str, str]:
    """A card's question and answer, each as it is typed anew, or as it was."""
    diagnostics.line(_("New question; Enter keeps it:") + f" {card.question}")
    question = next_line()
    diagnostics.line(_("New answer; Enter keeps it:") + f" {card.answer}")
    answer = next_line()
    return (question or "").strip() or card.question, (answer or "").strip() or card.answer


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
    """The file of cards; made of the notes where there are none, or those changed.

    A course without cards is indexed, if need be. Raises `StudyError`, and what indexing raises.
    """
    path = study_path(config)
    if not path.exists():
        index_if_new(config, course)  # before a file is begun
    with StudyStore(path) as store:
        counts = store.counts(course.name)
        if not counts.cards:
            index_if_new(config, course)
            _tell_made(make_cards(config, course, store))
        elif counts.cards > counts.own:
            try:
                manifest = read_manifest(course.store)
                if manifest and is_outdated(store, course.name, manifest):
                    _tell_made(make_cards(config, course, store))
            except StoreError as error:  # what was learned is reviewed without the notes
                diagnostics.failure(error)
        yield store


def index_if_new(config: Config, course: Course) -> None:
    """Index a course that never was, as before a question. Raises what indexing raises."""
    if read_manifest(course.store) is None:
        from tutor.cli.session import make_index  # noqa: PLC0415 - an index is there nearly always

        make_index(config, course)


def _tell_made(merged: Merged) -> None:
    if merged.added:
        told = ngettext(
            "%(n)d card was made of the notes.", "%(n)d cards were made of the notes.", merged.added
        )
        diagnostics.line(told % {"n": merged.added})
    if merged.stale:
        diagnostics.line(stale_told(merged.stale))


def stale_told(n: int) -> str:
    """How many cards stand on what the notes no longer say, and what to do about it."""
    told = ngettext(
        "%(n)d card stood on what the notes no longer say: %(command)s",
        "%(n)d cards stood on what the notes no longer say: %(command)s",
        n,
    )
    return wrapped(told % {"n": n, "command": typed("cards changes")})


def make_cards(config: Config, course: Course, store: StudyStore) -> Merged:
    """Make a course's cards anew, with progress on standard error. Raises `StoreError`."""
    progress = diagnostics.ProgressLine()
    try:
        with read_course(config, course) as reader:
            return make(store, course.name, reader, partial(_show, progress))
    finally:
        progress.clear()


@contextmanager
def cards_to_change(config: Config, course: Course) -> Iterator[tuple[StudyStore, list[Change]]]:
    """The file of cards, and those that stood on what the notes no longer say, as these are now.

    Raises `StudyError` and `StoreError`.
    """
    with opened_cards(config, course) as store, read_course(config, course) as reader:
        if is_outdated(store, course.name, reader.manifest):
            _tell_made(make_cards(config, course, store))
        yield store, store.changes.of_course(course.name, Notes(documents(reader)))


def _show(progress: diagnostics.ProgressLine, n: int, of_all: int) -> None:
    progress.show(_("%(n)d of %(all)d documents …") % {"n": n, "all": of_all})


def no_cards(course: Course) -> StudyError:
    """There is nothing to review yet."""
    return StudyError(
        _("The course `%(course)s` has no cards yet.") % {"course": course.name},
        _("Make them from the notes: %(command)s") % {"command": typed("cards make")},
    )


def selection(course: Course, choice: FilterChoice, topic: str) -> Selection:
    """The cards that the options choose. Raises `FilterError`, `StoreError`."""
    if choice == FilterChoice():
        return Selection(None, topic)
    sources = list(find_manifest(course.store).sources.values())
    return Selection(chosen_filter(choice, sources).select(sources), topic)
