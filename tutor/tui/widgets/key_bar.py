"""The keys of the moment, at the bottom of a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.widgets import Footer

if TYPE_CHECKING:
    from textual.screen import Screen


class KeyBar(Footer):
    """A footer that has its keys in a terminal without the focus, too."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Show the keys of the screen, as the library does with the focus alone."""
        self._bindings_ready = True
        if self.is_attached and screen is self.screen:
            self.call_after_refresh(self.recompose)
