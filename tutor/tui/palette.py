"""The library's palette, in the reader's language where nothing is found, too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.app import SystemCommand
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider
from textual.widgets import OptionList

from tutor.i18n import _
from tutor.presentation.amounts import joined
from tutor.tui.base import in_background
from tutor.tui.commands import commands
from tutor.tui.keys import shown_key


class Palette(CommandPalette):
    """The library's, whose keys do nothing before its list is laid out."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without this, a quick PageUp ended the app."""
        is_possible = action != "command_list" or any(one.region for one in self.query(OptionList))
        return is_possible and super().check_action(action, parameters)


class Commands(SystemCommandsProvider):
    """What the app can do, the most useful first."""

    async def discover(self) -> Hits:
        for name, about, run, _is_discovered in self.app.get_system_commands(self.screen):
            yield DiscoveryHit(name, run, help=about)

    async def search(self, query: str) -> Hits:
        """The commands with such a name, or a line that there is none."""
        is_empty = True
        async for hit in super().search(query):
            is_empty = False
            yield hit
        if is_empty:
            yield Hit(1.0, _("Nothing has such a name."), lambda: None)


def system_commands(app: Any, screen: Screen[Any]) -> Iterator[SystemCommand]:
    """What the palette offers: over the conversation the commands, over another screen its keys."""
    of_chat = screen is app.chat
    if app.is_ready and app.workspace.problem:
        yield SystemCommand(_("Try again"), _("Open the course once more"), app.reopen)
    for command in commands() if of_chat else ():
        if command.action:
            about = joined(command.about, app.key_of(command.key))
            run = partial(app.chat.run_action, command.action)
            yield SystemCommand(command.title, about, run)
    for node, key in () if of_chat else app.keys_below.values():
        run = partial(app.run_action, key.action, node)
        yield SystemCommand(key.description, shown_key(key, app), run)
    if app.is_ready:
        yield SystemCommand(_("Picture"), _("Save the screen as SVG"), partial(_save_picture, app))


def _save_picture(app: Any) -> None:
    svg = app.export_screenshot()
    in_background(app, partial(app.workspace.export_picture, svg), app.notify)
