"""A text of any length, to be read, searched and copied."""

from __future__ import annotations

import re
from bisect import bisect_left

from textual import getters
from textual.app import ComposeResult
from textual.widgets import Input

from tutor.i18n import _, plural
from tutor.text.terminal import plain
from tutor.tui.base import SearchField, TutorScreen, safe
from tutor.tui.keys import keys_of
from tutor.tui.widgets.page_text import PageText
from tutor.tui.workspace.cited_page import Span

_PLAIN = str.maketrans("áéíóúüñ", "aeiouun")


class SoughtWords(SearchField):
    """Words that are looked for in the text."""

    BINDINGS = keys_of("sought")


class WholeTextScreen(TutorScreen):
    """A text under its title."""

    BINDINGS = keys_of("whole_text")
    _text = getters.query_one(PageText)
    _search = getters.query_one(Input)
    _place: Span = (0, 0)

    def __init__(self, title: str, text: str, sought: str = "") -> None:
        """`sought` is looked for at once."""
        super().__init__()
        self._sought = sought
        self._heading = " ".join(title.split())
        self._whole = plain(text.expandtabs(4))
        self._folded = _folded(self._whole)

    def body(self) -> ComposeResult:
        yield PageText()
        told = _("Search in this text")
        yield SoughtWords(self._sought, id="search", classes="field", placeholder=told)

    def on_mount(self) -> None:
        self._text.show(self._whole, None)
        self._say("")
        self.action_search()
        if self._sought:
            self.call_after_refresh(self._search.action_submit)

    def _say(self, found: str) -> None:
        lines = plural("%(n)d line", "%(n)d lines", self._whole.count("\n") + 1)
        self.head(safe(self._heading, "bold"), lines, found)

    def can(self, action: str) -> bool:
        """Letters are for the field while it is open; a next place needs something sought."""
        if action in {"back", "to_found"}:
            return True
        return not self._search.display and (action != "find" or bool(self._sought))

    def action_back(self) -> None:
        if self._search.display and (self._sought or self._search.value):
            self.action_to_found()
        else:
            self.dismiss()

    def action_to_found(self) -> None:
        self._search.display = False
        self._text.focus()
        self.refresh_bindings()

    def action_search(self) -> None:
        self._search.display = True
        self.set_focus(self._search)  # at once: letters typed ahead are for it
        self.refresh_bindings()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._sought = _folded(event.value.strip())
        self.action_to_found()
        self._say("")
        if self._sought:
            self.action_find(1)

    def action_find(self, step: int) -> None:
        """Go to the next place, or the one before; from the end, on from the beginning."""
        (start, end), sought = self._place, self._sought
        places = [found.start() for found in re.finditer(re.escape(sought), self._folded)]
        if not places:
            self._say(_("not found: %(words)s") % {"words": sought})
            return
        n = (bisect_left(places, end) if step > 0 else bisect_left(places, start) - 1) % len(places)
        self._say(_("place %(n)d of %(all)d") % {"n": n + 1, "all": len(places)})
        self._place = places[n], places[n] + len(sought)
        self._text.point_at(self._place)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._whole)
        self.notify(_("The text was copied."))


def _folded(text: str) -> str:
    """As the search compares it, at the same offsets: without capitals and common accents."""
    return text.lower().translate(_PLAIN) if len(text.lower()) == len(text) else text
