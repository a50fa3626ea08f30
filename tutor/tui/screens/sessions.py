"""Saved conversations: searched, resumed, renamed, deleted and brought back, exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Static

from tutor.history import KEPT_DELETED
from tutor.i18n import _, ngettext
from tutor.text.terminal import plain
from tutor.tui.base import N_, TutorScreen, safe
from tutor.tui.messages import WorkFailed
from tutor.tui.widgets.key_bar import KeyBar
from tutor.tui.widgets.session_list import SessionList
from tutor.tui.widgets.session_preview import SessionPreview
from tutor.tui.workers import in_background
from tutor.tui.workspace import session_changes

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from tutor.errors import TutorError
    from tutor.history import Session, SessionId, SessionStore

_PAUSE_S = 0.15
"""Silence after which what was typed, or pointed at, is looked up."""


@dataclass(frozen=True, slots=True)
class SessionChosen:
    """A conversation that is to be resumed."""

    id: SessionId


@dataclass(frozen=True, slots=True)
class SessionsClosed:
    """No conversation was chosen; `deleted` are those that were deleted and not brought back."""

    deleted: frozenset[SessionId]


class SessionsScreen(TutorScreen):
    """The conversations of this course; left with `SessionChosen` or `SessionsClosed`."""

    CSS_PATH = "../styles/sessions.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f6", "back", N_("Back"), id="session.back"),
        Binding("down", "to_list", N_("To the list"), id="session.list", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._shows_deleted = False
        self._deleted: list[Session] = []
        self._renamed: Session | None = None
        self._search_timer: Timer | None = None
        self._preview_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """What is searched for, the list, a look into one, a field for titles."""
        yield Static(id="heading")
        yield Input(placeholder=_("/ searches questions, answers and titles"), id="search")
        with Horizontal(id="found"):
            yield SessionList()
            yield SessionPreview()
        yield Input(id="title")
        yield KeyBar()

    def on_mount(self) -> None:
        """List everything; the list has the keys."""
        self.query_one("#title", Input).border_title = _("New title (Enter keeps it, Esc does not)")
        self._list.focus()
        self._look_up()

    @property
    def _list(self) -> SessionList:
        return self.query_one(SessionList)

    @property
    def _store(self) -> SessionStore:
        return self.workspace.sessions

    @property
    def _open_id(self) -> SessionId | None:
        conversation = self.workspace.conversation
        return conversation.session.id if conversation else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """Keys that would do nothing now are not shown."""
        if action in {"rename", "delete", "export"}:
            return self._list.current is not None and not self._shows_deleted
        if action == "undo":
            return bool(self._list.current) if self._shows_deleted else bool(self._deleted)
        return True

    # --- looking up ---

    def _look_up(self) -> None:
        course = self.workspace.course.name if self.workspace.course else None
        search, deleted = self.query_one("#search", Input).value, self._shows_deleted
        in_background(
            self,
            lambda: self._store.sessions(course, search, deleted=deleted),
            self._show,
            group="list",
            exclusive=True,
        )

    def _show(self, sessions: Sequence[Session]) -> None:
        self._list.show(sessions, self._open_id, self._none_text())
        self.query_one("#heading", Static).update(safe(self._heading(len(sessions))))
        self.refresh_bindings()

    def _none_text(self) -> str:
        if self.query_one("#search", Input).value.strip():
            return _("No saved conversation holds these words.")
        if self._shows_deleted:
            return _("Nothing was deleted in the last %(days)d days.") % {"days": KEPT_DELETED.days}
        return _("There are no saved conversations yet: they save themselves as you ask.")

    def _heading(self, n: int) -> str:
        course = self.workspace.course.name if self.workspace.course else ""
        if self._shows_deleted:
            what = ngettext(
                "%(n)d deleted conversation, kept for %(days)d days",
                "%(n)d deleted conversations, kept for %(days)d days",
                n,
            ) % {"n": n, "days": KEPT_DELETED.days}
        else:
            what = ngettext("%(n)d conversation", "%(n)d conversations", n) % {"n": n}
        return " · ".join(part for part in (course, what) if part)

    def on_session_list_pointed(self, message: SessionList.Pointed) -> None:
        """Look into it, unless another one is pointed at soon."""
        message.stop()
        if self._preview_timer:
            self._preview_timer.stop()
        if message.session is None:
            self.query_one(SessionPreview).show([])
            return
        id_ = message.session.id
        self._preview_timer = self.set_timer(_PAUSE_S, lambda: self._look_into(id_))

    def _look_into(self, session: SessionId) -> None:
        in_background(
            self,
            lambda: self._store.turns(session),
            self.query_one(SessionPreview).show,
            group="preview",
            exclusive=True,
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search as soon as the typing pauses."""
        if event.input.id == "search":
            if self._search_timer:
                self._search_timer.stop()
            self._search_timer = self.set_timer(_PAUSE_S, self._look_up)

    # --- what is done to a conversation ---

    def on_session_list_chosen(self, message: SessionList.Chosen) -> None:
        """Resume it; a deleted one is brought back first."""
        message.stop()
        if self._shows_deleted:
            self._restore(message.session)
        elif message.session.id == self._open_id:
            self.action_back()
        else:
            self.dismiss(SessionChosen(message.session.id))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the title, or resume what was found."""
        event.stop()
        if event.input.id == "search":
            if self._list.current:
                self._list.action_select()
            return
        session, title = self._renamed, event.value
        self._end_renaming()
        if session:
            self._change(lambda: session_changes.rename(self._store, session, title))

    def action_search(self) -> None:
        """Go to the field of words to search for."""
        self.query_one("#search").focus()

    def action_to_list(self) -> None:
        """From the field to the list."""
        self._list.focus()

    def action_rename(self) -> None:
        """Ask for a title."""
        self._renamed = self._list.current
        if self._renamed:
            field = self.query_one("#title", Input)
            field.value = plain(self._renamed.title)
            field.display = True
            field.focus()

    def _end_renaming(self) -> None:
        self._renamed = None
        self.query_one("#title").display = False
        self._list.focus()

    def action_delete(self) -> None:
        """Put it away."""
        session = self._list.current
        if session:
            self._deleted.append(session)  # at once: the screen may be left before it is done
            self._change(lambda: session_changes.delete(self._store, session))

    def action_undo(self) -> None:
        """Bring back what was deleted last, or the deleted one that is pointed at."""
        if self._shows_deleted:
            if self._list.current:
                self._restore(self._list.current)
        elif self._deleted:
            self._restore(self._deleted[-1])

    def _restore(self, session: Session) -> None:
        self._deleted = [one for one in self._deleted if one.id != session.id]
        self._list.point_at_next(session)
        self._change(lambda: session_changes.restore(self._store, session))

    def action_toggle_deleted(self) -> None:
        """Show the deleted ones, or the others again."""
        self._shows_deleted = not self._shows_deleted
        self._look_up()

    def action_export(self) -> None:
        """Write it as Markdown."""
        session, folder = self._list.current, self.workspace.config.root / session_changes.EXPORTS
        if session:
            self._change(lambda: session_changes.export(self._store, session, folder))

    def _change(self, work: Callable[[], str]) -> None:
        def told(text: str) -> None:
            self.notify(text, markup=False)
            self._look_up()

        def failed(error: TutorError) -> None:
            self.post_message(WorkFailed(error))
            self._look_up()  # another window may have changed it

        in_background(self, work, told, failed=failed, group="change")

    def action_back(self) -> None:
        """One step: out of the title, out of the search, out of the deleted ones, out."""
        search = self.query_one("#search", Input)
        if self._renamed:
            self._end_renaming()
        elif search.value:
            search.value = ""
            self._list.focus()
        elif self._shows_deleted:
            self.action_toggle_deleted()
        else:
            self.dismiss(SessionsClosed(frozenset(one.id for one in self._deleted)))
