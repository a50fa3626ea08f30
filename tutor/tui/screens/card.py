"""What the screens that ask cards have in common: the sitting, the card that scrolls."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual import getters
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, ProgressBar, Static

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.presentation.cards import place_text, question_text
from tutor.study.card import Card, CardKind, Origin
from tutor.tui.base import TutorScreen, failure_text, safe
from tutor.tui.keys import keys_of
from tutor.tui.workspace.studying import Studying


class CardScreen(TutorScreen):
    """Has a `#question` on a `#card` that may be longer than the screen, and where to answer it."""

    _card = getters.query_one("#card", VerticalScroll)
    _field = getters.query_one(Input)
    _progress = getters.query_one(ProgressBar)

    BINDINGS = keys_of("cards")

    def __init__(self) -> None:
        super().__init__()
        self._studying = Studying(self.workspace)

    def on_unmount(self) -> None:
        self._studying.close()

    def making(self) -> None:
        """Say, from a thread, that cards are made first."""
        self.app.call_from_thread(self.say, _("Making cards of your notes ..."))

    def ask(self, card: Card, usual: str) -> None:
        """Show a question and where to answer it; `usual` says how most are answered."""
        if card.kind is CardKind.MATCH:
            usual = _("Type the pairs as 1b 2a 3c, then Enter")
        elif card.choices:
            usual = _("Type its number, then Enter")
        self.show(safe(question_text(card), "bold"))
        self._field.value = ""
        self._field.placeholder = usual
        self._field.display = True
        self._field.focus()

    def show(self, text: Content) -> None:
        """Show this from its beginning; nothing is answered to it."""
        self.query_one("#question", Static).update(text)
        self._card.scroll_home(animate=False)
        self._field.display = False

    def fail(self, error: TutorError) -> None:
        """Say in a card's place why there is none."""
        self.say("")
        self.show(safe(failure_text(error)))

    def action_scroll_card(self, step: int) -> None:
        """Turn the card's pages, wherever the keys go."""
        self._card.scroll_relative(y=step * max(1, self._card.size.height - 1), animate=False)

    def open_origin(self, origin: Origin) -> None:
        """Open the page that a card stands on."""
        self.open_cited(partial(self._studying.citations, origin))


def place_line(card: Card) -> Iterator[Content]:
    """Where a card stands, if it stands anywhere."""
    if place := place_text(card):
        yield safe(f"— {place}", "$text-muted")
