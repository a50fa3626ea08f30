"""What the app is before it knows of any course: colours, palette, notices, failures, memory."""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

from textual import events
from textual._styles_cache import StylesCache
from textual.app import App
from textual.command import CommandPalette, Hit, Hits, SimpleCommand, SimpleProvider
from textual.message import Message
from textual.widgets import Input, OptionList

from tutor.config import Config
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.preferences import Preferences
from tutor.presentation.amounts import joined
from tutor.text.folding import folded
from tutor.text.terminal import plain
from tutor.tui.base import failure_text
from tutor.tui.commands import commands
from tutor.tui.keys import NAMES, shown_key
from tutor.tui.themes import DARK, LIGHT, theme_for
from tutor.tui.wrapping import keep_formulas_whole

FORGET_EVERY_S = 30.0
ERROR_FILE = "app_errors.log"
"""What went wrong inside the app itself, for a bug report; in the folder of all stores."""
_READ_PER_S = 12
"""Characters of a notice."""
_AT_ONCE_S = 0.5
"""Notices that come within this time stand together."""
_TWICE_S = 3.0
"""Between the two Ctrl-C that leave."""
_LONGEST_WAY_S = 0.1
"""After which a key is taken for handled: the screen that it was for may be gone."""
_C = ctypes.CDLL(None) if sys.platform == "linux" else None
_ARENA_MAX = -8  # malloc.h
_ARENAS = 2


@dataclass
class KeyHandled(Message):
    """Follows a key, or what was pasted, on its way to all that may handle it."""

    key: events.Key | events.Paste


class Frame(App[None]):
    """The library's app with our colours, in the reader's language, with failures told."""

    NOTIFICATION_TIMEOUT = 3
    """Seconds at least: notices stand over what is read."""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 - the library's own annotation

    def __init__(self, config: Config) -> None:
        keep_formulas_whole()
        super().__init__()
        self.preferences = Preferences(config.stores_path)
        self.config = self.preferences.applied_to(config)
        self._ctrl_c_at = self._noticed_at = -_TWICE_S
        self._keys: list[events.Key | events.Paste] = []
        """Those that came and are not handled yet."""

    def on_mount(self) -> None:
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        kept, settings = self.preferences.get("theme"), self.config.tui
        if kept in {DARK.name, LIGHT.name} and "theme" not in settings.model_fields_set:
            self.theme = kept
        else:
            self.theme = theme_for(settings.theme, os.environ).name
        self.set_keymap(settings.keys)
        menu = settings.keys.get("menu", self.COMMAND_PALETTE_BINDING).split(",")[0]
        # The library's own footer asks here.
        self.COMMAND_PALETTE_BINDING = menu  # pyrefly: ignore[read-only]
        self.set_interval(FORGET_EVERY_S, let_go_of_memory)

    # --- the library's own parts, in the reader's language ---

    def action_toggle_dark(self) -> None:
        self.theme = (LIGHT if self.current_theme.dark else DARK).name
        self.preferences.keep("theme", self.theme)

    def action_help_quit(self) -> None:
        """Ctrl-C where it copies nothing: twice in a row leaves."""
        if monotonic() - self._ctrl_c_at < _TWICE_S:
            self.exit()
            return
        self._ctrl_c_at = monotonic()
        self.notify(_("Ctrl-C again leaves; Esc stops an answer."), timeout=_TWICE_S)

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(Palette(self))

    def key_of(self, name: str) -> str:
        """The key of that name as it is set now; empty where there is none."""
        return shown_key(NAMES[name][1], self) if name else ""

    # --- keys ---

    async def on_event(self, event: events.Event) -> None:
        """Handle keys one by one: each may change what the next one is for."""
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
            return
        self._keys.append(event)
        if self._keys == [event]:
            await self._handle(event)

    async def _handle(self, key: events.Key | events.Paste) -> None:
        target, message = self.focused or self.screen, KeyHandled(key)
        await super().on_event(key)
        target.post_message(message)
        self.set_timer(_LONGEST_WAY_S, partial(self.on_key_handled, message))

    async def on_key_handled(self, message: KeyHandled) -> None:
        if self._keys[:1] == [message.key]:
            del self._keys[0]
            if self._keys:
                await self._handle(self._keys[0])

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted where no field takes it goes where a letter goes."""
        key = events.Key("paste", " ".join(event.text.split()))
        if self._keys:  # before what has come since
            self._keys.insert(1, key)
        else:
            self.post_message(key)

    def on_key(self, event: events.Key) -> None:
        """A letter that was typed before its field had the focus comes here: it goes there."""
        is_letter = event.is_printable and not event.key.startswith("alt+")
        if isinstance(self.focused, Input) and event.character and is_letter:
            event.prevent_default()
            self.focused.insert_text_at_cursor(event.character)

    # --- notices and failures ---

    def notify(self, message: str, **how: Any) -> None:
        """Show a notice for as long as it takes to read; none brings escapes or markup.

        Those of every screen come through here. It takes the place of those before.
        """
        self.forget_notices()
        self._noticed_at = monotonic()
        if how.get("timeout") is None:
            how["timeout"] = max(self.NOTIFICATION_TIMEOUT, len(message) / _READ_PER_S)
        super().notify(plain(message), **(how | {"markup": False}))

    def forget_notices(self) -> None:
        """Take away what was told before: its reader has gone on."""
        if monotonic() - self._noticed_at > _AT_ONCE_S:
            self.clear_notifications()

    def warn(self, text: str) -> None:
        self.notify(text, severity="warning", timeout=12)

    def report(self, error: TutorError) -> None:
        self.notify(failure_text(error), severity="error", timeout=12)

    def written_down(self, fault: Exception) -> TutorError:
        """A fault of ours, written into a file, as what is told of it; the app goes on."""
        path = self.config.stores_path / ERROR_FILE
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.writelines(traceback.format_exception(fault))
            remedy = _("Details for a report are in %(path)s") % {"path": path}
        except OSError:
            remedy = ""
        told = _("Something went wrong inside tutor: %(error)s") % {"error": repr(fault)}
        return TutorError(told, remedy)


# --- the palette of commands ---


class Palette(CommandPalette):
    """Offers the commands of the conversation, or the keys of another screen."""

    def __init__(self, app: Any) -> None:
        commands = Commands(app.screen, list(offered(app)))
        # As the library's own `search_commands` does.
        super().__init__([commands], placeholder=_("Search for a command ..."))  # pyrefly: ignore[bad-argument-type]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The library's keys fail before its list is laid out: a quick PageUp ended the app."""
        is_possible = action != "command_list" or any(one.region for one in self.query(OptionList))
        return is_possible and super().check_action(action, parameters)


class Commands(SimpleProvider):
    """Looks through what is said of a command, too; says that nothing was found."""

    async def search(self, query: str) -> Hits:
        hits = [hit async for hit in super().search(query)]
        known, sought = {hit.command for hit in hits}, folded(query.strip())
        for name, run, about in self._commands:
            if run not in known and sought in folded(about or ""):
                hits.append(Hit(0.01, name, run, help=about))
        for hit in hits or [Hit(1.0, _("Nothing has such a name."), lambda: None)]:
            yield hit


def offered(app: Any) -> Iterator[SimpleCommand]:
    """What the palette offers on the screen that is shown, the most useful first."""
    if app.is_ready and app.workspace.problem:
        yield SimpleCommand(_("Try again"), app.reopen, _("Open the course once more"))
    if app.screen is app.chat:
        for command in filter(lambda one: one.action, commands()):
            about = joined(command.about, command.word, app.key_of(command.key))
            run = partial(app.chat.run_action, command.action)
            yield SimpleCommand(command.title, run, about)
    else:
        told: set[str] = set()
        for node, key, is_possible, _tip in app.screen.active_bindings.values():
            if key.description and key.id and key.id not in {"menu", *told} and is_possible:
                told.add(key.id)
                run = partial(app.run_action, key.action, node)
                yield SimpleCommand(key.description, run, shown_key(key, app))


# --- memory over hours ---


def share_arenas() -> None:
    """Let all threads take memory from the same two places (glibc), before there are many threads.

    Otherwise each has its own, and what it frees there no other one uses: 80 MB after 300 rounds of
    `scripts/many_events.py`, and ever more.
    """
    if choose := getattr(_C, "mallopt", None):
        choose(_ARENA_MAX, _ARENAS)


def let_go_of_memory() -> None:
    """Let go of a thousand widgets that are gone, with all their lines, which the library keeps,
    and give back what is free to the system (glibc).
    """
    StylesCache.get_inner_outer.cache_clear()
    if trim := getattr(_C, "malloc_trim", None):
        trim(0)
