"""The library's palette of commands, with what can be done on the screen below it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual.command import CommandPalette, Hit, Hits, SimpleCommand, SimpleProvider
from textual.widgets import OptionList

from tutor.i18n import _
from tutor.presentation.amounts import joined
from tutor.tui.base import in_background
from tutor.tui.commands import commands
from tutor.tui.keys import shown_key


class Palette(CommandPalette):
    """Offers the commands of the conversation, or the keys of another screen."""

    def __init__(self, app: Any) -> None:
        commands = Commands(app.screen, list(offered(app)))
        # As the library's own `search_commands` does.
        super().__init__([commands], placeholder=_("Search for a command ..."))  # type: ignore[list-item]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The library's keys fail before its list is laid out: a quick PageUp ended the app."""
        is_possible = action != "command_list" or any(one.region for one in self.query(OptionList))
        return is_possible and super().check_action(action, parameters)


class Commands(SimpleProvider):
    """Says in the reader's language that nothing was found."""

    async def search(self, query: str) -> Hits:
        hits = [hit async for hit in super().search(query)]
        for hit in hits or [Hit(1.0, _("Nothing has such a name."), lambda: None)]:
            yield hit


def offered(app: Any) -> Iterator[SimpleCommand]:
    """What the palette offers on the screen that is shown, the most useful first."""
    if app.is_ready and app.workspace.problem:
        yield SimpleCommand(_("Try again"), app.reopen, _("Open the course once more"))
    if app.screen is app.chat:
        for command in filter(lambda one: one.action, commands()):
            about = joined(command.about, app.key_of(command.key))
            run = partial(app.chat.run_action, command.action)
            yield SimpleCommand(command.title, run, about)
    else:
        told: set[str] = set()
        for node, key, is_possible, _tip in app.screen.active_bindings.values():
            if key.description and key.id and key.id not in {"menu", *told} and is_possible:
                told.add(key.id)
                run = partial(app.run_action, key.action, node)
                yield SimpleCommand(key.description, run, shown_key(key, app))
    if app.is_ready:

        def save_picture() -> None:
            svg = app.export_screenshot()
            in_background(app, partial(app.workspace.export_picture, svg), app.notify)

        yield SimpleCommand(_("Picture"), save_picture, _("Save the screen as SVG"))
