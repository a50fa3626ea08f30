"""What the screens that ask cards have in common: the sitting, the card that scrolls."""

from __future__ import annotations

from functools import partial

from textual.containers import VerticalScroll

from tutor.i18n import _
from tutor.study.card import Card, CardKind, Origin
from tutor.study.practice import Practice
from tutor.tui.base import TutorScreen
from tutor.tui.workspace.studying import Studying


class CardScreen(TutorScreen):
    """Has a `#heading`, and a `#card` that may be longer than the screen."""

    def __init__(self, practice: Practice | None = None) -> None:
        """`practice` are the cards that were asked for; else those whose time it is."""
        super().__init__()
        self._studying = Studying(self.workspace, practice)

    def on_unmount(self) -> None:
        self._studying.close()

    def making(self) -> None:
        """Say, from a thread, that cards are made first."""
        self.app.call_from_thread(self.say, _("Making cards of your notes ..."))

    def action_scroll_card(self, step: int) -> None:
        """Turn the card's pages, wherever the keys go."""
        card = self.query_one("#card", VerticalScroll)
        card.scroll_relative(y=step * max(1, card.size.height - 1), animate=False)

    def open_origin(self, origin: Origin) -> None:
        """Open the page that a card stands on."""
        self.open_cited(partial(self._studying.citations, origin))


def typed_as(card: Card) -> str:
    """How the answer of a card is typed where it is not in words; else empty."""
    if card.kind is CardKind.MATCH:
        return _("Type the pairs as 1b 2a 3c, then Enter")
    return _("Type its number, then Enter") if card.choices else ""
