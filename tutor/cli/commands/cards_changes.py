"""`tutor cards changes`: cards that stood on what the notes no longer say."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import click

from tutor.app import read_course
from tutor.cli import diagnostics
from tutor.cli.cards import new_texts, opened_cards, remake
from tutor.cli.invocation import Invocation
from tutor.cli.options import JSON
from tutor.cli.output import Styled, text_width, wrapped, write, write_json
from tutor.errors import StudyError
from tutor.i18n import _, plural
from tutor.presentation.cards import compared, in_plain_text, origin_text, side_by_side
from tutor.study.changes import Change, ChangeAction, Notes
from tutor.study.exporting import card_record
from tutor.study.refreshing import documents, is_outdated
from tutor.study.store import StudyStore
from tutor.text.terminal import one_line, plain

_CHOICES = {choice.name.lower(): choice for choice in ChangeAction}
_LETTERS = {"u": ChangeAction.UPDATE, "k": ChangeAction.KEEP, "d": ChangeAction.DELETE}


@click.command(
    name="changes",
    help=_(
        "Show cards that stood on what the notes no longer say, old and new text side by side:"
        " update, keep or delete them. IDs choose some of them."
    ),
)
@click.argument("cards", nargs=-1, metavar=_("[ID]..."))
@click.option(
    "--do",
    "choice",
    type=click.Choice(list(_CHOICES)),
    help=_("Do this with all of them, without asking."),
)
@JSON
@click.pass_obj
def changes(
    invocation: Invocation, cards: tuple[str, ...], choice: str | None, as_json: bool
) -> None:
    config, course = invocation.course()
    with opened_cards(config, course) as store, read_course(config, course) as reader:
        if is_outdated(store, course.name, reader.manifest):
            remake(config, course, store)
        found = store.changes.of_course(course.name, Notes(documents(reader)))
        numbers = {store.find(course.name, card).number for card in cards}
        chosen = [one for one in found if not cards or one.saved.number in numbers]
        if choice:
            _settle(store, chosen, _CHOICES[choice], as_json=as_json)
        elif as_json:
            write_json(list(map(_record, chosen)))
        elif chosen:
            _ask(store, chosen)
        else:
            diagnostics.line(_("No card stands on what the notes no longer say."))


def _settle(
    store: StudyStore, chosen: Sequence[Change], choice: ChangeAction, *, as_json: bool
) -> None:
    """Do the same with all; what has no card in its place cannot be updated without a person."""
    doable = [one for one in chosen if choice is not ChangeAction.UPDATE or one.successor]
    for one in doable:
        store.settle(one, choice)
    done, left = len(doable), len(chosen) - len(doable)
    if as_json:
        write_json({"done": done, "left": left})
        return
    write(plural("%(n)d card settled.", "%(n)d cards settled.", done))
    if left:
        told = plural(
            "%(n)d has no card in its place: rewrite, keep or delete it.",
            "%(n)d have no card in their place: rewrite, keep or delete them.",
            left,
        )
        write(told)


def _ask(store: StudyStore, chosen: Sequence[Change]) -> None:
    """Ask about one after the other until they, or the input, end."""
    try:
        for number, change in enumerate(chosen, 1):
            write(Styled(f"{number}/{len(chosen)}", "cyan"))
            _show(change)
            settled = False
            while not settled:
                update = _("u update") + " · " if change.successor else ""
                actions = _("e rewrite · k keep · d delete · Enter: later · q ends")
                diagnostics.line(update + actions)
                line = diagnostics.next_line()
                letter = "q" if line is None else line.strip().lower()
                if letter == "q":
                    return
                settled = not letter or _done(store, change, letter)
    except KeyboardInterrupt:
        diagnostics.line("")


def _done(store: StudyStore, change: Change, letter: str) -> bool:
    """Do what a letter stands for; whether that was anything."""
    try:
        if letter == "e":
            store.rewrite(change, *new_texts(change.saved.card))
        elif letter in _LETTERS:
            store.settle(change, _LETTERS[letter])
        else:
            return False
    except StudyError as error:
        diagnostics.failure(error)
        return False
    diagnostics.line(_("Saved."))
    return True


def _show(change: Change) -> None:
    card = change.saved.card
    write(Styled(wrapped(card.question), bold=True))
    write(wrapped(card.answer, "  "))
    old, new = compared(change.old.text, change.new.text if change.new else "")
    before = [_("Before") + f" ({origin_text(change.old)})", in_plain_text(old, "[--]")]
    after = [_("The notes no longer have it.")]
    if change.new:
        after = [_("Now") + f" ({origin_text(change.new)})", in_plain_text(new, "{++}")]
    width = (text_width() - 3) // 2
    write("\n".join(side_by_side(_filled(before, width), _filled(after, width), width)))
    if heir := change.successor:
        write(wrapped(_("Its card now: %(question)s") % {"question": heir.card.question}))
        write(wrapped(heir.card.answer, "  "))


def _filled(texts: Sequence[str], width: int) -> list[str]:
    lines = [line for text in texts for line in plain(text).split("\n")]
    return [part for line in lines for part in textwrap.wrap(line, width) or [""]]


def _record(change: Change) -> dict[str, Any]:
    new, heir = change.new, change.successor
    update = {"front": one_line(heir.card.question), "back": heir.card.answer} if heir else None
    return {
        **card_record(change.saved),
        "old_text": change.old.text,
        "new_text": new.text if new else None,
        "new_file": new.path if new else None,
        "new_page": new.first_page if new else None,
        "update": update,
    }
