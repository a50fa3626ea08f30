"""`tutor cards`: cards made from the notes, listed, shown, exported, imported, counted."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from tutor.cli import diagnostics
from tutor.cli.cards import (
    asked,
    make_cards,
    none_chosen,
    opened_cards,
    selection,
    stale_told,
    study_path,
    write_answer,
)
from tutor.cli.commands.cards_changes import changes
from tutor.cli.commands.cards_progress import progress
from tutor.cli.commands.cards_write import write_command
from tutor.cli.invocation import Invocation
from tutor.cli.options import FILE, FORCE, JSON, TOPIC, filter_options
from tutor.cli.output import check_place, facts, save_document, table, wrapped, write, write_json
from tutor.cli.session import index_if_new
from tutor.config import Config
from tutor.courses import Course, course_command, note_path
from tutor.errors import StudyError, TutorError
from tutor.i18n import _, plural
from tutor.index.store import find_manifest
from tutor.presentation.cards import kind_name, remarks
from tutor.search.filters import FilterChoice
from tutor.study.card import Origin, bare
from tutor.study.exporting import card_record, cards_csv, cards_markdown
from tutor.study.saved import SavedCard
from tutor.study.store import StudyStore
from tutor.study.topics import without_cards
from tutor.text.terminal import one_line, shortened

_WIDTH = 60
_SHORT_ID = 8
_MOST_NAMES = 12
_STATES = ("new", "due", "stale", "leech", "suspended", "edited", "deleted")
_ID = click.argument("card", metavar=_("ID"))


@click.group(name="cards", help=_("Make cards from the notes; list, show, export and import them."))
def command() -> None:
    """Hold the commands."""


for subcommand in (changes, progress, write_command):
    command.add_command(subcommand)


@command.command(help=_("Make cards from the notes; those that are there keep their schedule."))
@JSON
@click.pass_obj
def make(invocation: Invocation, as_json: bool) -> None:
    config, course = invocation.course()
    index_if_new(config, course)  # before a file is begun
    with StudyStore(study_path(config)) as store:
        merged = make_cards(config, course, store)
        sources = find_manifest(course.store).sources.values()
        without = [one.path for one in without_cards(sources, store.cards(course.name))]
    if as_json:
        write_json({"course": course.name, **asdict(merged), "without_cards": without})
        return
    write(plural("%(n)d new card.", "%(n)d new cards.", merged.added))
    if merged.kept:
        write(plural("%(n)d was there already.", "%(n)d were there already.", merged.kept))
    if merged.stale:
        write(stale_told(merged.stale, course))
    if without:
        more = ["…"] if without[_MOST_NAMES:] else []
        told = plural(
            "%(n)d document makes no cards, without definitions, lists or tables: %(names)s",
            "%(n)d documents make no cards, without definitions, lists or tables: %(names)s",
            len(without),
            names=one_line(", ".join([*without[:_MOST_NAMES], *more])),
        )
        write(wrapped(told))
    if merged.added:
        review = course_command("study", course.name)
        diagnostics.line(_("Review them: %(command)s") % {"command": review})


@command.command(name="list", help=_("List the cards of the course."))
@filter_options
@TOPIC
@click.option("--state", type=click.Choice(_STATES), help=_("Only cards in this state."))
@JSON
@click.pass_obj
def list_(
    invocation: Invocation, topic: str, state: str | None, as_json: bool, choice: FilterChoice
) -> None:
    config, course = invocation.course()
    which = selection(course, choice, topic)
    with opened_cards(config, course) as store:
        found = store.cards(course.name, which, deleted=state == "deleted")
        due = set(store.due(course.name, which)) if state == "due" else set()
        none = "" if found else none_chosen(course, which, store).message
    found = [card for card in found if _is_in(card, state, due)]
    if as_json:
        write_json([card_record(card) for card in found])
    elif found:
        write(_table(found))
    else:
        diagnostics.line(none or _("No card fits."))


def _is_in(card: SavedCard, state: str | None, due: set[int]) -> bool:
    return {
        "new": card.schedule is None,
        "due": card.number in due,
        "stale": card.has_changed,
        "leech": card.leech,
        "suspended": card.suspended,
        "edited": card.is_edited,
    }.get(state or "", True)


@command.command(help=_("Show a card with its answer and its page."))
@_ID
@JSON
@click.pass_obj
def show(invocation: Invocation, card: str, as_json: bool) -> None:
    config, course = invocation.course()
    with opened_cards(config, course) as store:
        found = store.find(course.name, card)
    if as_json:
        origin = found.card.origin
        write_json({**card_record(found), "quote": origin.text if origin else None})
        return
    write(asked(found.card))
    write_answer(found.card)
    if found.has_changed and found.card.origin:
        write(wrapped(_("It stood on: %(text)s") % {"text": found.card.origin.text}, "  "))
    for remark in remarks(found):
        write(wrapped(remark))


@command.command(help=_("Take a card back that was deleted or set aside."))
@_ID
@click.pass_obj
def restore(invocation: Invocation, card: str) -> None:
    config, course = invocation.course()
    with opened_cards(config, course) as store:
        found = store.find(course.name, card)
        store.delete(found.number, deleted=False)
        store.suspend(found.number, suspended=False)
    write(_("Brought back: %(title)s") % {"title": one_line(found.card.question)})


@command.command(help=_("Write cards for Anki (.apkg), as CSV (.csv) or as Markdown (.md)."))
@click.argument("file", metavar=_("FILE"), type=FILE)
@filter_options
@TOPIC
@FORCE
@click.pass_obj
def export(
    invocation: Invocation, file: Path, topic: str, force: bool, choice: FilterChoice
) -> None:
    config, course = invocation.course()
    form = file.suffix.lower()
    if form not in {".apkg", ".csv", ".md"}:
        raise StudyError(
            _("%(path)s: the name says no known format.") % {"path": file},
            _("Let it end in .apkg, .csv or .md."),
        )
    check_place(file, force=force)
    which = selection(course, choice, topic)
    with opened_cards(config, course) as store:
        cards = store.cards(course.name, which)
        if not cards:
            raise none_chosen(course, which, store)
    if form == ".apkg":
        content: str | bytes = _deck(config, course, cards)
    else:
        content = cards_csv(cards) if form == ".csv" else cards_markdown(course.name, cards)
    save_document(content, file, force=force)
    n, name = len(cards), one_line(str(file))
    write(plural("%(n)d card written: %(path)s", "%(n)d cards written: %(path)s", n, path=name))


def _deck(config: Config, course: Course, cards: Sequence[SavedCard]) -> bytes:
    """A deck for Anki, with the pictures of its formulas drawn from the notes.

    A page that cannot be drawn costs its picture only.
    """
    # What makes decks and draws pages, for this format only.
    from tutor.ingest.reading.drawing_process import PageRenderer  # noqa: PLC0415
    from tutor.ingest.reading.rendering import PagePicture, PageRequest  # noqa: PLC0415
    from tutor.study.anki import SIZE, deck_file, formula_pictures  # noqa: PLC0415

    with (
        diagnostics.ProgressLine() as progress,
        closing(PageRenderer(memory_mb=config.reading.memory_mb)) as renderer,
    ):

        def draw(origin: Origin) -> PagePicture | None:
            progress.show(_("Drawing formulas: %(file)s ...") % {"file": origin.path})
            try:
                path = note_path(course.notes, origin.path)
                return renderer.draw(PageRequest(path, origin.first_page, origin.text), *SIZE)
            except TutorError:  # the file is gone or broken: its text is in the deck all the same
                return None

        chosen = [saved.card for saved in cards]
        return deck_file(course.name, chosen, pictures=formula_pictures(chosen, draw))


@command.command(name="import", help=_("Add your own cards from a CSV file or an Anki deck."))
@click.argument("file", metavar=_("FILE"), type=FILE)
@JSON
@click.pass_obj
def import_(invocation: Invocation, file: Path, as_json: bool) -> None:
    from tutor.study.importing import read_cards  # noqa: PLC0415 - for this command only

    config, course = invocation.course()
    path, known = study_path(config), []
    if path.exists():
        with StudyStore(path) as store:
            known = store.cards(course.name)
    # What was exported from here is here.
    read, left_out, incomplete = read_cards(file, but=[saved.made.id for saved in known])
    same = {(saved.card.question, saved.card.answer) for saved in known}
    cards = [card for card in read if (card.question, card.answer) not in same]
    with StudyStore(path) as store:
        added = store.add(course.name, cards)
    if as_json:
        write_json({"course": course.name, "read": len(read) + left_out, "added": added})
        return
    told = plural("%(n)d card added", "%(n)d cards added", added)
    n = len(read) + left_out
    of = plural("(%(n)d read).", "(%(n)d read).", n)
    if n > added:
        of = plural(
            "(%(n)d read; the others are here already, or twice in the file).",
            "(%(n)d read; the others are here already, or twice in the file).",
            n,
        )
    write(f"{told} {of}")
    if incomplete:
        write(
            plural(
                "%(n)d without a front or a back was left out.",
                "%(n)d without a front or a back were left out.",
                incomplete,
            )
        )


@command.command(help=_("Count cards and reviews, and what is due this week."))
@JSON
@click.pass_obj
def stats(invocation: Invocation, as_json: bool) -> None:
    config, course = invocation.course()
    with opened_cards(config, course) as store:
        counts = store.counts(course.name)
    if as_json:
        write_json({"course": course.name, **asdict(counts)})
        return
    share = f"{counts.remembered / counts.reviews:.0%}" if counts.reviews else "-"
    values = {
        _("Cards"): counts.cards,
        _("Never seen"): counts.new,
        _("Being learned"): counts.learning,
        _("Known"): counts.known,
        _("Due now"): counts.due,
        _("Set aside"): counts.suspended,
        _("Often forgotten"): counts.leeches,
        _("Stale"): counts.stale,
        _("Rewritten"): counts.edited,
        _("Own cards"): counts.own,
        _("Reviews"): counts.reviews,
        _("Reviews today"): counts.reviews_today,
        _("Remembered"): share,
        _("Due from today on, by day"): " ".join(map(str, counts.due_by_day)),
    }
    write(facts(values))


def _table(cards: list[SavedCard]) -> str:
    heading = (_("Question"), _("Id"), _("Kind"), _("Page"), _("Due"))
    rows = [
        (
            shortened(bare(saved.card.question), _WIDTH),
            saved.card.id[:_SHORT_ID],
            kind_name(saved.card.kind),
            saved.card.origin.first_page if saved.card.origin else None,
            f"{saved.schedule.due.astimezone():%Y-%m-%d}" if saved.schedule else _("new"),
        )
        for saved in cards
    ]
    return table([heading, *rows])
