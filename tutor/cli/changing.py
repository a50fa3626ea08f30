"""`tutor cards changes`: cards that stood on what the notes no longer say."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence
from typing import Any

import click

from tutor.cli import diagnostics
from tutor.cli.cards import cards_to_change, new_texts
from tutor.cli.invocation import Invocation
from tutor.cli.options import JSON
from tutor.cli.output import MAX_WIDTH, Styled, wrapped, write, write_json
from tutor.cli.prompting import edit_lines, next_line
from tutor.errors import StudyError
from tutor.i18n import _, ngettext
from tutor.presentation.amounts import counted
from tutor.presentation.cards import origin_text
from tutor.presentation.changed import compared, in_plain_text, side_by_side
from tutor.study.changes import Change, ChangeAction
from tutor.study.exporting import card_record
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
    """Go through the cards that have changed."""
    config, course = invocation.course()
    with cards_to_change(config, course) as (store, found):
        numbers = {store.find(course.name, card).number for card in cards}
        chosen = [one for one in found if not cards or one.saved.number in numbers]
        if choice:
            _settle(store, chosen, _CHOICES[choice], as_json=as_json)
        elif as_json:
            write_json([_record(one) for one in chosen])
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
    left = len(chosen) - len(doable)
    if as_json:
        write_json({"done": len(doable), "left": left})
        return
    write(
        counted(ngettext("%(n)d card settled.", "%(n)d cards settled.", len(doable)), len(doable))
    )
    if left:
        told = ngettext(
            "%(n)d has no card in its place: rewrite, keep or delete it.",
            "%(n)d have no card in their place: rewrite, keep or delete them.",
            left,
        )
        write(counted(told, left))


def _ask(store: StudyStore, chosen: Sequence[Change]) -> None:
    """Ask about one after the other until they, or the input, end."""
    edit_lines()
    for number, change in enumerate(chosen, 1):
        _show(change, f"{number}/{len(chosen)}")
        try:
            while (line := _read(change)) not in (None, "", "q"):
                if _done(store, change, str(line)):
                    break
        except KeyboardInterrupt:
            diagnostics.line("")
            return
        if line in (None, "q"):
            return


def _read(change: Change) -> str | None:
    update = _("u update") + " · " if change.successor else ""
    diagnostics.line(update + _("e rewrite · k keep · d delete · Enter: later · q ends"))
    line = next_line()
    return line if line is None else line.strip().lower()


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


def _show(change: Change, number: str) -> None:
    card = change.saved.card
    write(Styled(number, "cyan"))
    write(Styled(wrapped(card.question), bold=True))
    write(wrapped(card.answer, "  "))
    old, new = compared(change.old.text, change.new.text if change.new else "")
    before = [_("Before") + f" ({origin_text(change.old)})", in_plain_text(old, "[--]")]
    after = [_("The notes no longer have it.")]
    if change.new:
        after = [_("Now") + f" ({origin_text(change.new)})", in_plain_text(new, "{++}")]
    width = (min(MAX_WIDTH, shutil.get_terminal_size().columns) - 3) // 2
    write("\n".join(side_by_side(_wrapped(before, width), _wrapped(after, width), width)))
    if heir := change.successor:
        write(wrapped(_("Its card now: %(question)s") % {"question": heir.card.question}))
        write(wrapped(heir.card.answer, "  "))


def _wrapped(texts: Sequence[str], width: int) -> list[str]:
    lines = [line for text in texts for line in plain(text).split("\n")]
    return [part for line in lines for part in textwrap.wrap(line, width) or [""]]


def _record(change: Change) -> dict[str, Any]:
    new, heir = change.new, change.successor
    return {
        **card_record(change.saved),
        "old_text": change.old.text,
        "new_text": new.text if new else None,
        "new_file": new.path if new else None,
        "new_page": new.first_page if new else None,
        "update": {"front": one_line(heir.card.question), "back": heir.card.answer}
        if heir
        else None,
    }
