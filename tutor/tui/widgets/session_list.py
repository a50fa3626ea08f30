"""Saved conversations, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.i18n import _, ngettext
from tutor.presentation.moments import when
from tutor.tui.base import N_, safe
from tutor.tui.workspace.session_changes import title_text

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType

    from tutor.history import Session


class SessionList(OptionList):
    """The list; a click points at a conversation, another one on the same resumes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", N_("Resume"), id="session.resume"),
        Binding("slash", "screen.search", N_("Search"), id="session.search", show=False),
        Binding("r", "screen.rename", N_("Rename"), id="session.rename"),
        Binding("d,delete", "screen.delete", N_("Delete"), id="session.delete"),
        Binding("u", "screen.undo", N_("Bring back"), id="session.undo"),
        Binding("e", "screen.export", N_("Export"), id="session.export"),
        Binding("t", "screen.toggle_deleted", N_("Deleted"), id="session.deleted"),
    ]

    class Pointed(Message):
        """Another conversation is pointed at; None where there are none."""

        def __init__(self, session: Session | None) -> None:
            super().__init__()
            self.session = session

    class Chosen(Message):
        """A conversation was chosen."""

        def __init__(self, session: Session) -> None:
            super().__init__()
            self.session = session

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._sessions: list[Session] = []
        self._wanted = ""

    @property
    def current(self) -> Session | None:
        """The conversation that is pointed at."""
        place = self.highlighted
        return self._sessions[place] if place is not None and self._sessions else None

    def show(self, sessions: Sequence[Session], open_id: str | None, none_text: str) -> None:
        """Show these, pointing at the same one as before, or at what stands in its place now.

        Where there are none, `none_text` says why.
        """
        before = self.current.id if self.current else ""
        place = self.highlighted or 0
        now = datetime.now().astimezone()
        self._sessions = list(sessions)
        self.set_options([Option(_row(one, now, is_open=one.id == open_id)) for one in sessions])
        if not sessions:
            self.add_option(Option(safe(none_text), disabled=True))
        ids = [session.id for session in sessions]
        for id_ in (before, self._wanted):
            place = ids.index(id_) if id_ in ids else place
        self._wanted = ""
        self.highlighted = min(place, len(ids) - 1) if ids else None
        self.post_message(self.Pointed(self.current))

    def point_at_next(self, session: Session) -> None:
        """Point at this one when the list is shown anew."""
        self._wanted = session.id

    def on_click(self, event: events.Click) -> None:
        """Point first; choose what was pointed at already."""
        place = event.style.meta.get("option")
        if place is not None and place != self.highlighted:
            event.prevent_default()
            self.highlighted = place

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Pointed(self.current))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Chosen(self._sessions[event.option_index]))


def _row(session: Session, now: datetime, *, is_open: bool) -> Content:
    turns = ngettext("%(n)d question", "%(n)d questions", session.turns) % {"n": session.turns}
    facts = [when(session.updated, now), turns]
    if session.deleted:
        facts.append(_("deleted %(when)s") % {"when": when(session.deleted, now)})
    mark = _("● open now") + " · " if is_open else ""
    return Content("\n").join(
        [
            safe(title_text(session), "bold"),
            Content.styled(mark, "bold") + safe(" · ".join(facts), "$text-muted"),
        ]
    )
