"""What the commands of cards share: the file of cards, which are chosen, and how one is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tutor.app import read_course
from tutor.cli import diagnostics
from tutor.cli.output import folded, wrapped, write
from tutor.cli.session import index_if_new
from tutor.config import Config
from tutor.courses import Course, course_command
from tutor.errors import StoreError, StudyError
from tutor.i18n import _, plural
from tutor.index.store import find_manifest, read_manifest
from tutor.model import Source
from tutor.presentation.cards import answer_text, place_text, question_text
from tutor.search.filters import FilterChoice, chosen_filter
from tutor.study.card import Card
from tutor.study.practice import cardless_text, documents_of, none_fits
from tutor.study.refreshing import is_outdated, make
from tutor.study.store import FILE_NAME, Merged, StudyStore
from tutor.study.topics import Selection, without_cards
from tutor.text.terminal import plain


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
    question = diagnostics.next_line()
    diagnostics.line(_("New answer; Enter keeps it:") + f" {card.answer}")
    answer = diagnostics.next_line()
    return (question or "").strip() or card.question, (answer or "").strip() or card.answer


def study_path(config: Config) -> Path:
    """Where the file of cards is, or will be."""
    return config.stores_path / FILE_NAME


@contextmanager
def opened_cards(config: Config, course: Course) -> Iterator[StudyStore]:
    """The file of cards; none is begun where there is none. Raises `StudyError`."""
    path = study_path(config)
    if not path.exists():
        raise StudyError(
            _("The course `%(course)s` has no cards yet.") % {"course": course.name},
            _("Make them from the notes: %(command)s")
            % {"command": course_command("cards make", course.name)},
        )
    with StudyStore(path) as store:
        yield store


@contextmanager
def cards_to_ask(config: Config, course: Course) -> Iterator[StudyStore]:
    """The file of cards, filled from the notes first where it has none or the notes have changed.

    A course that was never indexed is indexed. Raises `StudyError`, and what indexing raises.
    """
    path = study_path(config)
    if not path.exists():
        index_if_new(config, course)  # before a file is begun
    with StudyStore(path) as store:
        counts = store.counts(course.name)
        if not counts.cards:
            index_if_new(config, course)
            remake(config, course, store)
        elif counts.cards > counts.own:
            try:
                manifest = read_manifest(course.store)
                if manifest and is_outdated(store, course.name, manifest):
                    remake(config, course, store)
            except StoreError as error:  # what was learned is reviewed without the notes
                diagnostics.failure(error)
        yield store


def remake(config: Config, course: Course, store: StudyStore) -> None:
    """Make a course's cards anew, and tell on standard error what came of it."""
    merged = make_cards(config, course, store)
    if merged.added:
        diagnostics.line(
            plural(
                "%(n)d card was made of the notes.",
                "%(n)d cards were made of the notes.",
                merged.added,
            )
        )
    if merged.stale:
        diagnostics.line(stale_told(merged.stale, course))


def stale_told(n: int, course: Course) -> str:
    """How many cards stand on what the notes no longer say, and what to do about it."""
    return plural(
        "%(n)d card stood on what the notes no longer say: %(command)s",
        "%(n)d cards stood on what the notes no longer say: %(command)s",
        n,
        command=course_command("cards changes", course.name),
    )


def make_cards(config: Config, course: Course, store: StudyStore) -> Merged:
    """Make a course's cards anew, with progress on standard error. Raises `StoreError`."""
    with diagnostics.ProgressLine() as progress, read_course(config, course) as reader:
        told = _("%(n)d of %(all)d documents …")
        return make(
            store,
            course.name,
            reader,
            lambda n, of_all: progress.show(told % {"n": n, "all": of_all}),
        )


def selection(course: Course, choice: FilterChoice, topic: str) -> Selection:
    """The cards that the options choose. Raises `FilterError`, `StoreError`."""
    if choice == FilterChoice():
        return Selection(None, topic)
    sources = list(find_manifest(course.store).sources.values())
    return Selection(chosen_filter(choice, sources).select(sources), topic)


def chosen_documents(course: Course, which: Selection) -> tuple[Source, ...]:
    """The documents that were chosen, or are called as the topic; none where no index tells."""
    with suppress(StoreError):  # cards can be asked without the notes
        if which != Selection() and (manifest := read_manifest(course.store)):
            return documents_of(which, manifest.sources.values())
    return ()


def none_chosen(course: Course, which: Selection, store: StudyStore) -> StudyError:
    """That no card was chosen, and which documents make none."""
    documents = chosen_documents(course, which)
    return none_fits(cardless=without_cards(documents, store.cards(course.name)))


def tell_cardless(documents: Sequence[Source], store: StudyStore, course: Course) -> None:
    """Tell which of these documents make no cards."""
    if cardless := without_cards(documents, store.cards(course.name)):
        diagnostics.line(wrapped(cardless_text(cardless)))
