"""The library's palette, in the reader's language where nothing is found, too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.app import SystemCommand
from textual.command import CommandPalette, Hit, Hits
from textual.system_commands import SystemCommandsProvider
from textual.widgets import OptionList

from tutor.i18n import _
from tutor.tui.base import in_background
from tutor.tui.commands import commands


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
        is_empty = True
        async for hit in super().search(query):
            is_empty = False
            yield hit
        if is_empty:
            yield Hit(1.0, _("Nothing has such a name."), lambda: None)


def system_commands(app: Any, *, of_chat: bool) -> Iterator[SystemCommand]:
    """What the palette offers; `of_chat`: with what the conversation's screen can do."""
    if app.is_ready and app.workspace.problem:
        yield SystemCommand(_("Try again"), _("Open the course once more"), app.reopen)
    for command in commands() if of_chat else ():
        if command.action:
            about = " · ".join(filter(None, (command.about, app.key_of(command.key))))
            run = partial(app.chat.run_action, command.action)
            yield SystemCommand(command.title, about, run)
    if app.is_ready:
        yield SystemCommand(_("Picture"), _("Save the screen as SVG"), partial(_save_picture, app))


def _save_picture(app: Any) -> None:
    svg = app.export_screenshot()
    in_background(
        app, partial(app.workspace.export_picture, svg), partial(app.notify, markup=False)
    )
