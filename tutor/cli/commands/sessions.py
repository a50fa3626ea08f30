"""`tutor sessions`: saved conversations listed, shown, renamed, deleted, exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from tutor.app import find_course, read_course
from tutor.cli import diagnostics
from tutor.cli.invocation import Invocation
from tutor.cli.options import FILE, FORCE
from tutor.cli.output import save_document, table, wrapped, write, write_json
from tutor.cli.records import finished_record
from tutor.courses import DEFAULT_COURSE, course_command
from tutor.errors import NotesError, SessionError, StoreError, TutorError
from tutor.errors import command as typed
from tutor.history import (
    FILE_NAME,
    KEPT_DELETED,
    SavedComparison,
    SavedTurn,
    Session,
    SessionStore,
    looked_up,
)
from tutor.i18n import _
from tutor.model import Answer
from tutor.presentation.answers import session_title, turn_text
from tutor.text.cells import csv_text
from tutor.text.terminal import one_line, shortened

_WIDTH = 50
_COLUMNS = (
    "kind", "session", "created", "question", "standalone",
    "verdict", "comment", "answer", "route", "model", "other_answer", "other_route", "other_model",
)  # fmt: skip

_COURSE = click.option("--course", metavar=_("NAME"), help=_("Only those of this course."))


def _listing_options(function: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--deleted", is_flag=True, help=_("List those that can be brought back.")),
        click.option(
            "--search", metavar=_("WORDS"), help=_("Only those in which the words occur.")
        ),
        _COURSE,
        click.option("--json", "as_json", is_flag=True, help=_("Print the list as JSON.")),
    ):
        function = option(function)
    return function


@click.group(
    name="sessions",
    invoke_without_command=True,
    help=_("List saved conversations, show, rename, delete or export one."),
)
@_listing_options
@click.pass_context
def command(context: click.Context, /, **listing: Any) -> None:
    if context.invoked_subcommand is None:
        context.invoke(list_, **listing)


@command.command(name="list", help=_("List saved conversations, the one used last first."))
@_listing_options
@click.pass_obj
def list_(
    invocation: Invocation, as_json: bool, course: str | None, search: str | None, deleted: bool
) -> None:
    path = _path(invocation)
    found: list[Session] = []
    course = _wanted_course(invocation, course)
    if path.exists():
        with SessionStore(path) as store:
            found = store.sessions(course, search, deleted=deleted)
    if course and not found:  # those of a course that is gone are still listed
        find_course(invocation.config(course=course))
    if as_json:
        write_json(list(map(asdict, found)))
    elif found:
        rows = [[_("Conversation"), _("Id"), _("Course"), _("Turns"), _("Last used")]]
        rows += [
            [
                shortened(session_title(one), _WIDTH),
                one.id,
                one.course,
                str(one.turns),
                _time(one.updated),
            ]
            for one in found
        ]
        write(table(rows))
    elif search:
        diagnostics.line(_("No saved conversation holds these words."))
    elif deleted:
        diagnostics.line(_("There are no deleted conversations."))
    else:
        diagnostics.line(_("There are no saved conversations."))


@command.command(help=_("Show a conversation with its sources."))
@click.argument("session", metavar=_("ID"))
@click.option("--json", "as_json", is_flag=True, help=_("Print everything saved as JSON."))
@click.pass_obj
def show(invocation: Invocation, session: str, as_json: bool) -> None:
    with _opened(invocation) as store:
        found = store.get(session)
        turns = store.turns(found.id)
    config = invocation.config().varied({"course": found.course})
    with suppress(TutorError), read_course(config, find_course(config)) as reader:
        turns = looked_up(turns, reader)  # where there is no index, they stay as they are
    if as_json:
        write_json({**asdict(found), "conversation": list(map(_turn_record, turns))})
        return
    write(f"{session_title(found)}  ({found.id}, {one_line(found.course)}, {_time(found.created)})")
    for turn in turns:
        write("\n" + turn_text(turn, wrapped))


def _turn_record(turn: SavedTurn) -> dict[str, Any]:
    """Everything saved of a turn."""
    names = ("question", "standalone", "state", "created", "route", "rule", "strategy", "text")
    feedback = turn.feedback
    return {
        **{name: getattr(turn, name) for name in names},
        "answer": finished_record(turn.answer) if turn.answer else None,
        "gone": turn.gone,
        "feedback": {"rating": feedback.rating, "comment": feedback.comment} if feedback else None,
    }


@command.command(help=_("Give a conversation a title; an empty one stands for its first question."))
@click.argument("session", metavar=_("ID"))
@click.argument("title", metavar=_("TITLE"))
@click.pass_obj
def rename(invocation: Invocation, session: str, title: str) -> None:
    with _opened(invocation) as store:
        renamed = store.rename(session, title)
    write(
        _("%(id)s is now called: %(title)s") % {"id": renamed.id, "title": session_title(renamed)}
    )


@command.command(help=_("Delete a conversation; it can be brought back for a while."))
@click.argument("session", metavar=_("ID"))
@click.option("--forever", is_flag=True, help=_("Remove it at once, also if deleted before."))
@click.pass_obj
def delete(invocation: Invocation, session: str, forever: bool) -> None:
    with _opened(invocation) as store:
        if forever:
            store.purge(session)
            write(_("The conversation is removed for good."))
            return
        deleted = store.delete(session)
    write(_("Deleted: %(title)s") % {"title": session_title(deleted)})
    diagnostics.line(
        _("Within %(days)d days this brings it back: %(command)s")
        % {"days": KEPT_DELETED.days, "command": typed(f"sessions undelete {deleted.id}")}
    )


@command.command(help=_("Bring a deleted conversation back."))
@click.argument("session", metavar=_("ID"))
@click.pass_obj
def undelete(invocation: Invocation, session: str) -> None:
    with _opened(invocation) as store:
        restored = store.undelete(session)
    write(_("Brought back: %(title)s") % {"title": session_title(restored)})


@command.command(help=_("Write a conversation as Markdown, with its sources and their quotes."))
@click.argument("session", metavar=_("ID"))
@click.option(
    "--output",
    metavar=_("FILE"),
    type=FILE,
    help=_("File to write, instead of standard output."),
)
@FORCE
@click.pass_obj
def export(invocation: Invocation, session: str, output: Path | None, force: bool) -> None:
    with _opened(invocation) as store:
        text = store.export_markdown(session)
    if output is None:
        write(text, newline=False)
        return
    save_document(text, output, force=force)
    diagnostics.line(_("Written: %(path)s") % {"path": one_line(str(output))})


@command.command(help=_("List the feedback on answers and the comparisons, to be evaluated."))
@_COURSE
@click.option("--json", "form", flag_value="json", help=_("Print everything saved as JSON."))
@click.option("--csv", "form", flag_value="csv", help=_("Print everything saved as CSV."))
@click.pass_obj
def feedback(invocation: Invocation, course: str | None, form: str | None) -> None:
    path = _path(invocation)
    records: list[dict[str, Any]] = []
    if path.exists():
        with SessionStore(path) as store:
            turns, comparisons = store.feedback(_wanted_course(invocation, course))
        records = [*map(_rating_record, turns), *map(_comparison_record, comparisons)]
    if form == "json":
        write_json(records)
    elif form == "csv":
        write(csv_text(_COLUMNS, records), newline=False)
    elif records:
        write(_feedback_table(records))
    else:
        diagnostics.line(_("There is no feedback on answers yet, and none were compared."))


def _rating_record(turn: SavedTurn) -> dict[str, Any]:
    """The feedback on an answer: `verdict` is `good` or `bad`. The turn has some."""
    feedback = turn.feedback
    assert feedback is not None  # noqa: S101 - see above
    return {
        "kind": "rating",
        "session": turn.session,
        "created": feedback.created.isoformat(),
        "question": turn.question,
        "standalone": turn.standalone,
        "verdict": "good" if feedback.rating > 0 else "bad",
        "comment": feedback.comment,
        "answer": turn.text,
        "route": turn.route,
        "model": turn.answer.model if turn.answer else None,
    }


def _comparison_record(comparison: SavedComparison) -> dict[str, Any]:
    """Two answers to one question: `verdict` is which was better, None where nobody said."""

    def side(answer: Answer, prefix: str) -> dict[str, Any]:
        return {
            f"{prefix}answer": answer.text,
            f"{prefix}route": answer.route,
            f"{prefix}model": answer.model,
        }

    return {
        "kind": "comparison",
        "session": comparison.session,
        "created": comparison.created.isoformat(),
        "question": comparison.question,
        "verdict": comparison.choice,
        **side(comparison.left, ""),
        **side(comparison.right, "other_"),
    }


def _feedback_table(records: list[dict[str, Any]]) -> str:
    """The records in columns, texts shortened."""
    verdicts = {
        "good": _("good"),
        "bad": _("bad"),
        "left": _("first better"),
        "right": _("second better"),
        "both": _("both good"),
        "neither": _("neither good"),
    }
    rows = [[_("Question"), _("Conversation"), _("Verdict"), _("Comment")]]
    rows += [
        [
            shortened(one["question"], _WIDTH),
            one["session"],
            verdicts.get(one["verdict"] or "", "-"),
            shortened(one.get("comment", ""), _WIDTH),
        ]
        for one in records
    ]
    return table(rows)


def _path(invocation: Invocation) -> Path:
    return invocation.config().stores_path / FILE_NAME


def _wanted_course(invocation: Invocation, course: str | None) -> str | None:
    """The course that was named, as its folder spells it; as it was typed where it is gone."""
    named = course or invocation.options.get("course")
    if named:
        with suppress(NotesError, StoreError):
            return find_course(invocation.config(course=named)).name
    return named


@contextmanager
def _opened(invocation: Invocation) -> Iterator[SessionStore]:
    """The saved conversations; none are begun here where there are none."""
    path = _path(invocation)
    if not path.exists():
        converse = course_command("chat", invocation.config().course or DEFAULT_COURSE)
        raise SessionError(
            _("There are no saved conversations."),
            _("A conversation saves itself: %(command)s") % {"command": converse},
        )
    with SessionStore(path) as store:
        yield store


def _time(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
