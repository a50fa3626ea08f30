"""A text of any length, to be read, searched and copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.widgets import Input, Static

from tutor.i18n import _, ngettext
from tutor.text.terminal import plain
from tutor.tui.base import KeyBar, TutorScreen, safe
from tutor.tui.keys import keys_of
from tutor.tui.widgets.page_text import PageText, displayable

if TYPE_CHECKING:
    from tutor.tui.workspace.cited_page import Span


class WholeTextScreen(TutorScreen):
    """A text under its title."""

    CSS_PATH = ["../styles/page_text.tcss", "../styles/whole_text.tcss"]  # noqa: RUF012 - as the library has it
    BINDINGS = keys_of("whole_text")

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._heading = title
        self._given = text
        self._whole = displayable(text.expandtabs(4))
        self._folded = _folded(self._whole)
        self._sought = ""
        self._place: Span = (0, 0)

    def compose(self) -> ComposeResult:
        """Title, text, and what is searched for."""
        yield Static(id="heading")
        yield PageText()
        yield Input(id="search", placeholder=_("Search in this text"))
        yield KeyBar()

    def on_mount(self) -> None:
        """The arrow keys scroll at once."""
        text = self.query_one(PageText)
        text.focus()
        text.show(self._whole, None, None)
        self._say("")

    def _say(self, found: str) -> None:
        lines = self._whole.count("\n") + 1
        said = ngettext("%(n)d line", "%(n)d lines", lines) % {"n": lines}
        parts = [part for part in (said, found) if part]
        self.query_one("#heading", Static).update(
            safe(" ".join(self._heading.split()), "bold") + safe(" · ".join(("", *parts)))
        )

    def check_action(
        self,
        action: str,
        parameters: tuple[object, ...],  # noqa: ARG002
    ) -> bool | None:
        """There is a next place only of something that is searched for."""
        return action != "find" or bool(self._sought)

    def action_back(self) -> None:
        """Close the search, or the screen."""
        search = self.query_one("#search", Input)
        if search.has_class("-open"):
            search.remove_class("-open")
            self.query_one(PageText).focus()
        else:
            self.dismiss()

    def action_search(self) -> None:
        """Ask what to look for."""
        search = self.query_one("#search", Input)
        search.add_class("-open")
        search.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the first place after the last one."""
        event.stop()
        self._sought = _folded(event.value.strip())
        self.action_back()
        self.refresh_bindings()
        self._say("")
        if self._sought:
            self.action_find(1)

    def action_find(self, step: int) -> None:
        """Go to the next place, or the one before; from the end, on from the beginning."""
        start, end = self._place
        if step > 0:
            place = self._folded.find(self._sought, end)
            place = place if place >= 0 else self._folded.find(self._sought)
        else:
            place = self._folded.rfind(self._sought, 0, start)
            place = place if place >= 0 else self._folded.rfind(self._sought)
        if place < 0:
            self._say(_("not found: %(words)s") % {"words": self._sought})
            return
        earlier = self._folded.count(self._sought, 0, place)
        self._say(
            _("place %(n)d of %(all)d")
            % {"n": earlier + 1, "all": earlier + self._folded.count(self._sought, place)}
        )
        self._place = place, place + len(self._sought)
        self.query_one(PageText).point_at(self._place)

    def action_copy(self) -> None:
        """Copy the whole text."""
        self.app.copy_to_clipboard(plain(self._given))
        self.notify(_("The text was copied."), markup=False)


def _folded(text: str) -> str:
    """As the search compares it, at the same offsets: without capitals and common accents."""
    return text.lower().translate(_PLAIN) if len(text.lower()) == len(text) else text


_PLAIN = str.maketrans("áéíóúüñ", "aeiouun")
