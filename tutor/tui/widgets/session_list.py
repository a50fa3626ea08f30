"""Saved conversations as a list, and what was said in the one pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static
from textual.widgets.option_list import Option

from tutor.history import SavedTurn, Session
from tutor.i18n import _, ngettext
from tutor.model.marks import marked_text
from tutor.presentation.amounts import when
from tutor.text.terminal import shortened
from tutor.tui.base import ItemList, safe
from tutor.tui.keys import keys_of

_QUESTIONS = 8
_LONGEST_QUESTION = 200
_LONGEST_ANSWER = 3000


class SessionList(ItemList[Session]):
    """The list; a click points at a conversation, another one on the same resumes it."""

    BINDINGS = keys_of("session_list")

    def show(
        self, sessions: Sequence[Session], open_id: str | None, wanted: str, none_text: str
    ) -> None:
        """Show these, pointing at the one `wanted`, or at what stands in the former place now.

        Where there are none, `none_text` says why.
        """
        ids = [session.id for session in sessions]
        place = ids.index(wanted) if wanted in ids else self.highlighted or 0
        now = datetime.now().astimezone()
        self.fill(sessions, lambda one: _row(one, now, is_open=one.id == open_id), place)
        if not sessions:
            self.add_option(Option(safe(none_text), disabled=True))

    def on_click(self, event: events.Click) -> None:
        """Point first; choose what was pointed at already."""
        place = event.style.meta.get("option")
        if place is not None and place != self.highlighted:
            event.prevent_default()
            self.highlighted = place


class SessionPreview(VerticalScroll, can_focus=False):
    """What was talked about in a conversation: its first questions and its last answer."""

    def compose(self) -> ComposeResult:
        self.border_title = _("What was asked")
        yield Static()

    def show(self, turns: Sequence[SavedTurn]) -> None:
        """Show a conversation; without turns, nothing."""
        self.query_one(Static).update(_preview(turns))
        self.scroll_home(animate=False)


def title_of(session: Session) -> str:
    """What a conversation is called."""
    return session.title or _("(no question yet)")


def _row(session: Session, now: datetime, *, is_open: bool) -> Content:
    turns = ngettext("%(n)d question", "%(n)d questions", session.turns) % {"n": session.turns}
    facts = [when(session.updated, now), turns]
    if session.deleted:
        facts.append(_("deleted %(when)s") % {"when": when(session.deleted, now)})
    mark = Content.styled(_("● open now") + " · " if is_open else "", "bold")
    about = mark + safe(" · ".join(facts), "$text-muted")
    return Content("\n").join([safe(title_of(session), "bold"), about])


def _preview(turns: Sequence[SavedTurn]) -> Content:
    """The first questions, how many more there are, and the last answer."""
    lines = [
        safe(f"› {shortened(turn.question, _LONGEST_QUESTION)}") for turn in turns[:_QUESTIONS]
    ]
    if (rest := len(turns) - _QUESTIONS) > 0:
        more = ngettext("and %(n)d more", "and %(n)d more", rest) % {"n": rest}
        lines.append(safe(more, "$text-muted"))
    if said := [turn for turn in turns if turn.text.strip()]:
        last = said[-1]
        to = _("Last answer, to «%(question)s»") % {"question": shortened(last.question, 80)}
        text = marked_text(last.answer.founded) if last.answer else last.text
        shown = text.strip()[:_LONGEST_ANSWER] + ("…" if len(text) > _LONGEST_ANSWER else "")
        lines += [Content(""), safe(to, "bold"), Content(""), safe(shown)]
    return Content("\n").join(lines)
