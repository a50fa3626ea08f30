"""The library's palette, in the reader's language where nothing is found, too."""

from __future__ import annotations

from textual.command import CommandPalette, Hit, Hits
from textual.system_commands import SystemCommandsProvider
from textual.theme import ThemeProvider
from textual.widgets import OptionList

from tutor.i18n import _


class Palette(CommandPalette):
    """The library's, whose keys do nothing before its list is laid out."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without this, a quick PageUp ended the app."""
        is_possible = action != "command_list" or any(one.region for one in self.query(OptionList))
        return is_possible and super().check_action(action, parameters)


class Commands(SystemCommandsProvider):
    """What the app can do."""

    async def search(self, query: str) -> Hits:
        """The commands with such a name, or a line that there is none."""
        async for hit in _or_none(super().search(query)):
            yield hit


class Themes(ThemeProvider):
    """The colours to choose from."""

    async def search(self, query: str) -> Hits:
        """The themes with such a name, or a line that there is none."""
        async for hit in _or_none(super().search(query)):
            yield hit


async def _or_none(hits: Hits) -> Hits:
    is_empty = True
    async for hit in hits:
        is_empty = False
        yield hit
    if is_empty:
        yield Hit(1.0, _("Nothing has such a name."), lambda: None)
