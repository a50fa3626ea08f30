"""Cards that stood on what the notes no longer say: old and new text, and what to do about them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.i18n import _
from tutor.presentation.cards import Marked, compared, origin_text
from tutor.study.changes import Change, ChangeAction
from tutor.tui.base import TutorScreen, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.screens.dialogs import EditCardModal
from tutor.tui.workspace.studying import Studying


class ChangesScreen(TutorScreen):
    """One changed card after the other. It is left when none is left."""

    BINDINGS = keys_of("changes")
    DOES = N_("Changed cards")

    def __init__(self, studying: Studying, changes: list[Change]) -> None:
        super().__init__()
        self._studying = studying
        self._changes = changes
        self._at = 0

    def body(self) -> ComposeResult:
        with VerticalScroll(id="change"):
            yield Static(id="card")
            with Horizontal(id="texts"):
                yield Static(id="before")
                yield Static(id="now")
            yield Static(id="heir")

    def can(self, action: str) -> bool:
        """What can be done depends on what the notes have in the card's place."""
        if action == "dismiss" or not self._changes:
            return action == "dismiss"
        change = self._changes[self._at]
        if action == "page":
            return change.new is not None
        return not self.is_busy and (action != "update" or change.successor is not None)

    def on_mount(self) -> None:
        self._show()

    def _show(self) -> None:
        change = self._changes[self._at]
        self.head(f"{self._at + 1}/{len(self._changes)}")
        card = change.saved.card
        asked = [safe(card.question, "bold"), safe(card.answer)]
        self.query_one("#card", Static).update(Content("\n").join(asked))
        old, new = compared(change.old.text, change.new.text if change.new else "")
        before = _told(_("Before"), origin_text(change.old), old, "$text-error strike")
        now = safe(_("The notes no longer have it."), "$text-muted")
        if change.new:
            now = _told(_("Now"), origin_text(change.new), new, "$text-success bold")
        self.query_one("#before", Static).update(before)
        self.query_one("#now", Static).update(now)
        told = ""
        if heir := change.successor:
            told = _("Its card now: %(question)s") % {"question": heir.card.question}
            told += f"\n{heir.card.answer}"
        self.query_one("#heir", Static).update(safe(told, "$text-accent"))
        scroll = self.query_one("#change", VerticalScroll)
        scroll.scroll_home(animate=False)
        scroll.focus()
        self.refresh_bindings()

    def action_go(self, step: int) -> None:
        self._at = (self._at + step) % len(self._changes)
        self._show()

    def action_update(self) -> None:
        self.action_settle(ChangeAction.UPDATE.name)

    def action_settle(self, choice: str) -> None:
        change = self._changes[self._at]
        self._do(partial(self._studying.store.settle, change, ChangeAction[choice]))

    def action_rewrite(self) -> None:
        change = self._changes[self._at]

        def rewrite(texts: tuple[str, str]) -> None:
            self._do(partial(self._studying.store.rewrite, change, *texts))

        self.ask_for(EditCardModal(change.saved.card), rewrite)

    def action_page(self) -> None:
        if new := self._changes[self._at].new:
            self.open_cited(partial(self._studying.citations, new))

    def _do(self, work: Callable[[], None]) -> None:
        def done(_none: None) -> None:
            self._changes.pop(self._at)
            if not self._changes:
                self.dismiss()
                return
            self._at %= len(self._changes)
            self._show()

        self.do(work, done)


def _told(name: str, place: str, pieces: Marked, style: str) -> Content:
    """A text under its name and place; what has changed in it stands out."""
    parts = [safe(text, style if changed else "") for text, changed in pieces]
    return Content("\n").join(
        [safe(name, "bold"), safe(place, "$text-muted"), Content("").join(parts)]
    )
