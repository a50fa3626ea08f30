"""Questions that need not be typed: of the course's headings, or next to the last answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.tui.base import N_, safe

if TYPE_CHECKING:
    from textual.binding import BindingType

    from tutor.tui.workspace.suggestions import Offer


class Offers(OptionList):
    """A few questions; Enter or a click asks."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", N_("Ask"), id="offer.ask"),
    ]
    AREA = N_("Among offered questions")

    @dataclass
    class Chosen(Message):
        """One of them was chosen."""

        offer: Offer

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._offers: Sequence[Offer] = ()
        self.display = False

    def offer(self, offers: Sequence[Offer], heading: str) -> None:
        """Offer these; without any there is nothing to be seen."""
        self._offers = list(offers)
        self.border_title = heading
        self.set_options([Option(safe(one.text)) for one in offers])
        self.display = bool(offers)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Tell the screen."""
        event.stop()
        self.post_message(self.Chosen(self._offers[event.option_index]))
