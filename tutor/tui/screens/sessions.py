"""Saved conversations: searched, resumed, renamed, deleted and brought back, exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.history import KEPT_DELETED, SavedTurn, Session, SessionId
from tutor.i18n import _, plural
from tutor.model.marks import marked_text
from tutor.presentation.amounts import when
from tutor.presentation.answers import session_title, words_of
from tutor.text.terminal import plain, shortened
from tutor.tui.base import ItemList, SearchField, SearchScreen, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.dialogs import FieldModal
from tutor.tui.threads import in_background

_QUESTIONS = 8
_LONGEST_QUESTION = 200
_LONGEST_ANSWER = 3000


class SessionList(ItemList[Session]):
    """The list; a click points at a conversation, another one on the same resumes it."""

    BINDINGS = keys_of("session_list")

    def on_click(self, event: events.Click) -> None:
        """Point first; choose what was pointed at already."""
        place = event.style.meta.get("option")
        if place is not None and place != self.highlighted:
            event.prevent_default()
            self.highlighted = place


class SessionsScreen(SearchScreen):
    """The conversations of this course.

    Left with the id of the one that is to be resumed, with "" where the one that lies open was
    deleted and not brought back, else with None.
    """

    BINDINGS = keys_of("sessions")
    DOES = N_("Conversations")
    _list = getters.query_one(SessionList)
    _shows_deleted = False
    _wanted = ""
    """The id of the conversation to point at when they are listed next."""

    def __init__(self) -> None:
        super().__init__()
        self._deleted: list[Session] = []

    def body(self) -> ComposeResult:
        told = _("Type to search questions, answers and titles")
        yield SearchField(placeholder=told, id="search", classes="field", select_on_focus=False)
        with Horizontal(id="found"):
            yield SessionList()
            with VerticalScroll(id="preview", can_focus=False) as preview:
                preview.border_title = _("What was asked")
                yield Static()

    def on_mount(self) -> None:
        self._list.focus()
        self.look_up()

    @property
    def _open_id(self) -> SessionId | None:
        conversation = self.workspace.conversation
        return conversation.session.id if conversation and conversation.is_saved else None

    def can(self, action: str) -> bool:
        if action in {"rename", "delete", "export"}:
            return self._list.current is not None and not self._shows_deleted
        can_undo = self._list.current if self._shows_deleted else self._deleted
        return action != "undo" or bool(can_undo)

    # --- looking up ---

    def look_up(self) -> None:
        course = self.workspace.course.name if self.workspace.course else None
        words, deleted = self._search.value, self._shows_deleted
        search = partial(self.workspace.sessions.sessions, course, words, deleted=deleted)
        in_background(self, search, self._show, latest="list")

    def _show(self, sessions: Sequence[Session]) -> None:
        """Show these, pointing at the one wanted, or at what stands in the former place now."""
        current, ids = self._list.current, [session.id for session in sessions]
        wanted, self._wanted = self._wanted or (current.id if current else ""), ""
        place = ids.index(wanted) if wanted in ids else self._list.highlighted or 0
        row = partial(_row, now=datetime.now().astimezone(), open_id=self._open_id)
        n, days = len(sessions), KEPT_DELETED.days
        told = plural("%(n)d conversation", "%(n)d conversations", n)
        none = _("There are no saved conversations yet: they save themselves as you ask.")
        if self._shows_deleted:
            none = _("Nothing was deleted in the last %(days)d days.") % {"days": days}
            told = plural(
                "%(n)d deleted conversation, kept for %(days)d days",
                "%(n)d deleted conversations, kept for %(days)d days",
                n,
                days=days,
            )
        if self._search.value.strip():
            none = _("No saved conversation holds these words.")
        if sessions:
            self._list.fill(sessions, row, place)
        else:
            self._list.say(none)
        self.say(told)
        self.on_option_list_option_highlighted()
        self.refresh_bindings()

    def on_option_list_option_highlighted(self) -> None:
        session = self._list.current

        def look() -> Sequence[SavedTurn]:
            return self.workspace.sessions.turns(session.id) if session else ()

        def show(turns: Sequence[SavedTurn]) -> None:
            self.query_one("#preview Static", Static).update(_preview(turns))
            self.query_one("#preview").scroll_home(animate=False)

        in_background(self, look, show, latest="preview")

    # --- what is done to a conversation ---

    def on_option_list_option_selected(self) -> None:
        """Resume it; a deleted one is brought back first."""
        if (session := self._list.current) is None:
            return
        if self._shows_deleted:
            self._restore(session)
        elif session.id == self._open_id:
            self._leave()
        else:
            self.dismiss(session.id)

    def on_input_submitted(self) -> None:
        self._list.action_select()

    def action_search(self) -> None:
        self.set_focus(self._search)  # at once: letters typed ahead are for it

    def action_to_found(self) -> None:
        self._list.focus()

    def action_rename(self) -> None:
        if session := self._list.current:
            number, told = session.id, _("It is now called: %(title)s")

            def rename(title: str) -> None:
                self._change(lambda: self.workspace.sessions.rename(number, title), told)

            self.ask_for(FieldModal(_("New title"), plain(session.title)), rename)

    def action_delete(self) -> None:
        if session := self._list.current:
            self._deleted.append(session)  # at once: the screen may be left before it is done
            told = _("Deleted: “%(title)s”. %(key)s brings it back; it is kept for %(days)d days.")
            self._change(lambda: self.workspace.sessions.delete(session.id), told)

    def action_undo(self) -> None:
        """Bring back what was deleted last, or the deleted one that is pointed at."""
        session = self._list.current if self._shows_deleted else next(reversed(self._deleted), None)
        if session:
            self._restore(session)

    def _restore(self, session: Session) -> None:
        self._deleted = [one for one in self._deleted if one.id != session.id]
        self._wanted = session.id
        self._change(
            lambda: self.workspace.sessions.undelete(session.id), _("Brought back: %(title)s")
        )

    def action_toggle_deleted(self) -> None:
        self._shows_deleted = not self._shows_deleted
        self.look_up()

    def action_export(self) -> None:
        if session := self._list.current:
            self._do(lambda: self.workspace.export(session))

    def _change(self, change: Callable[[], Session], told: str) -> None:
        facts = {"key": self.app.key_of("session.undo"), "days": KEPT_DELETED.days}
        self._do(lambda: told % {"title": session_title(change()), **facts})

    def _do(self, work: Callable[[], str]) -> None:
        """Do something and tell what it returns; list anew, since others may change them, too."""

        def over(tell: Callable[[Any], None], told: object) -> None:
            tell(told)
            self.look_up()

        failed = partial(over, self.app.report)
        in_background(self, work, partial(over, self.notify), failed=failed)

    def action_back(self) -> None:
        """One step: out of the search, out of the deleted ones, out."""
        if self._search.value:
            self._search.value = ""
            self._list.focus()
        elif self._shows_deleted:
            self.action_toggle_deleted()
        else:
            self._leave()

    def _leave(self) -> None:
        is_gone = self._open_id in [one.id for one in self._deleted]
        self.dismiss("" if is_gone else None)


def _row(session: Session, now: datetime, open_id: SessionId | None) -> Content:
    turns = plural("%(n)d question", "%(n)d questions", session.turns)
    facts = [when(session.updated, now), turns]
    if session.deleted:
        facts.append(_("deleted %(when)s") % {"when": when(session.deleted, now)})
    is_open = session.id == open_id and not session.deleted
    mark = _("● open now") + " · " if is_open else ""
    about = Content.styled(mark, "bold") + safe(" · ".join(facts), "$text-muted")
    return Content("\n").join([safe(session_title(session), "bold"), about])


def _preview(turns: Sequence[SavedTurn]) -> Content:
    """The first questions, how many more there are, and the last answer."""
    lines = [
        safe(f"› {shortened(turn.question, _LONGEST_QUESTION)}") for turn in turns[:_QUESTIONS]
    ]
    if (rest := len(turns) - _QUESTIONS) > 0:
        lines.append(safe(plural("and %(n)d more", "and %(n)d more", rest), "$text-muted"))
    if said := [turn for turn in turns if turn.text.strip()]:
        last = said[-1]
        to = _("Last answer, to “%(question)s”") % {"question": shortened(last.question, 80)}
        text = words_of(marked_text(last.answer.founded) if last.answer else last.text)
        shown = text.strip()[:_LONGEST_ANSWER] + ("…" if len(text) > _LONGEST_ANSWER else "")
        lines += [Content(""), safe(to, "bold"), Content(""), safe(shown)]
    return Content("\n").join(lines)
