"""What all screens share: texts that are only text, the heading, the keys, lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from rich.cells import cell_len
from textual import events, getters
from textual._path import CSSPathType
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.style import Style
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from tutor.courses import DEFAULT_COURSE
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.model import Citation
from tutor.text.terminal import one_line, plain
from tutor.tui.keys import keys_of
from tutor.tui.threads import in_background
from tutor.tui.workspace.indexer import Indexer

if TYPE_CHECKING:
    from tutor.tui.workspace.workspace import Workspace

T = TypeVar("T")
_STYLE = Path(__file__).with_name("screens.tcss")
_NARROWEST = 8
"""Columns of a list that has any height."""


def safe(text: str, style: str | Style = "") -> Content:
    """Text from notes, models or the web as content that carries no markup, links or escapes."""
    return Content.styled(plain(text.expandtabs(4)), style)


def pressable(content: Content, action: str) -> Content:
    """The same, that does something when it is clicked."""
    return content.stylize(Style.from_meta({"@click": action}))


def failure_text(error: TutorError) -> str:
    """What failed, and what to do."""
    lines = [error.message, *filter(None, error.remedy.split("\n"))]
    return "\n→ ".join(map(one_line, lines))


def course_name(name: str) -> str:
    """What a course is called; that of the notes' own folder has a name for commands only."""
    return _("your notes") if name == DEFAULT_COURSE else one_line(name)


# --- screens and what stands on them ---


class InApp:
    """Asks the app to do something; the app's own class is nobody's business here."""

    app: Any


class _AtWork(InApp):
    """Access to what the app holds, typed."""

    @property
    def workspace(self) -> Workspace:
        """What lies open; only after the app has opened it."""
        workspace: Workspace = self.app.workspace
        return workspace

    @property
    def indexer(self) -> Indexer:
        indexer: Indexer = self.app.indexer
        return indexer

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys of the moment, described in the reader's language.

        The footer has as many as have room, but always the way back; where there is one, it has
        not that of leaving the app.
        """
        active: dict[str, ActiveBinding] = super().active_bindings  # pyrefly: ignore[missing-attribute]
        left_out = self._without_room([one.binding for one in active.values()])
        for key, one in active.items():
            if text := one.binding.description:  # gettext keeps the catalog's header under ""
                shown = one.binding.show and one.binding.action not in left_out
                binding = replace(one.binding, description=_(text), show=shown)
                active[key] = one._replace(binding=binding)
        return active

    def _without_room(self, keys: Sequence[Binding]) -> set[str]:
        """Actions that have no room in the footer, from its end."""
        left_out = set() if self.app.screen_stack[:1] == [self] else {"quit"}
        from_end = [key for key in reversed(keys) if key.show and key.action not in left_out]
        shown = {key.action: key for key in from_end}
        menu = [key for key in keys if key.id == "menu"]
        missing = sum(map(self._width, [*shown.values(), *menu])) - self.app.size.width
        for action, key in shown.items():
            if missing > 0 and key.key != "escape":
                left_out.add(action)
                missing -= self._width(key)
        return left_out

    def _width(self, key: Binding) -> int:
        return cell_len(f"{self.app.get_key_display(key)} {_(key.description)} ")


class TutorScreen(_AtWork, Screen[Any]):
    """A screen of the app. While it `is_busy`, what it is asked to do would come too early."""

    CSS_PATH: ClassVar[CSSPathType | None] = _STYLE
    DOES: ClassVar[str] = ""
    """What the screen is called, before its translation."""
    is_busy = False

    def compose(self) -> ComposeResult:
        yield Static(id="heading")
        yield from self.body()
        yield KeyBar()

    def body(self) -> ComposeResult:
        """What stands between the heading and the keys."""
        yield from ()

    def on_screen_resume(self) -> None:
        """Notices of the screen before do not cover this one."""
        self.app.forget_notices()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """No key is for what cannot be done now; nothing can before all stands on the screen."""
        return self.is_mounted and self.can(action)

    def can(self, action: str) -> bool:  # noqa: ARG002 - for those who override it
        return True

    def head(self, *parts: str | Content) -> None:
        """Show these as the heading, behind what is done here, without those that are empty."""
        does = _(self.DOES) if self.DOES else ""
        told = (safe(part) if isinstance(part, str) else part for part in (does, *parts) if part)
        self.query_one("#heading", Static).update(Content(" · ").join(told))

    def say(self, *parts: str) -> None:
        """Tell something in the heading, behind what is done here and with which course."""
        course = self.workspace.course
        self.head(course_name(course.name) if course else "", *parts)

    def do(
        self,
        work: Callable[[], T],
        then: Callable[[T], object],
        failed: Callable[[TutorError], object] | None = None,
    ) -> None:
        """Do `work` in a thread, being busy, then call `then` or `failed` with what came of it."""

        def over(told: Callable[[Any], object], result: object) -> object:
            self.is_busy = False
            self.refresh_bindings()
            return told(result)

        self.is_busy = True
        self.refresh_bindings()
        fail = partial(over, failed or self.app.report)
        in_background(self, work, partial(over, then), failed=fail)

    def ask_for(self, modal: Screen[Any], then: Callable[[Any], object]) -> None:
        """Open a small screen over this one; `then` takes what it is left with, if anything."""
        self.app.push_screen(modal, lambda given: then(given) if given else None)

    def open_cited(self, cite: Callable[[], Sequence[Citation]]) -> None:
        """Open the page of the first of these, which are looked up in a thread."""
        in_background(self, cite, lambda cited: self.app.open_page(cited[0], cited))

    def action_copy_text(self) -> None:
        super().action_copy_text()
        self.notify(_("Copied."))


class TutorModal(_AtWork, ModalScreen[Any]):
    """A screen over another one."""

    CSS_PATH = _STYLE


class SearchField(Input):
    """A list is looked through for what is typed here; Enter chooses what is pointed at there."""

    BINDINGS = keys_of("search")


class SearchScreen(TutorScreen):
    """A screen over what is found by a `SearchField`, in a widget that may be gone to."""

    _search = getters.query_one(SearchField)

    def look_up(self) -> None:
        """Show what is found by the words in the field."""

    def on_key(self, event: events.Key) -> None:
        """Whatever is typed is looked for, wherever the focus is, unless it is a key there."""
        typed = event.character if event.is_printable else None
        if typed and typed.strip() and event.key not in self.active_bindings:
            event.stop()
            self.set_focus(self._search)
            self._search.insert_text_at_cursor(typed)

    def on_input_changed(self) -> None:
        self.look_up()


class ItemList(InApp, OptionList, Generic[T]):
    """Items, one below the other; Enter or a click chooses the one that is pointed at."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.items: Sequence[T] = ()

    @property
    def current(self) -> T | None:
        place = self.highlighted
        return self.items[place] if place is not None and place < len(self.items) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing can be chosen of nothing; a list that is not laid out has no pages."""
        needs = {"select": self.items, "page_up": self.region, "page_down": self.region}
        is_possible = bool(needs.get(action, True))
        return is_possible and super().check_action(action, parameters)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """In a terminal without a column to spare the library's own fails."""
        return super().get_content_height(container, viewport, max(width, _NARROWEST))

    def on_focus(self) -> None:
        """Point at the first one that can be chosen, so that Enter has something to choose."""
        if self.highlighted is None:
            self.action_first()

    def action_select(self) -> None:
        """Choose, even if Enter came before the focus was told of."""
        self.on_focus()
        super().action_select()

    def fill(self, items: Sequence[T], row: Callable[[T], Content], at: int | None = None) -> None:
        """Show these, each as its `row`, and point at the one `at` this place, or the last one."""
        if bool(items) != bool(self.items):
            self.refresh_bindings()
        self.items = items
        self.set_options([Option(row(item)) for item in items])
        self.highlighted = at if items else None

    def say(self, text: str) -> None:
        self.fill((), lambda _item: Content(""))
        self.add_option(Option(safe(text), disabled=True))


class KeyBar(Footer):
    """A footer that has its keys in a terminal without the focus, too; the menu's at its end."""

    def __init__(self) -> None:
        super().__init__(compact=True)
        self._shown: list[tuple[Binding, bool]] = []

    def on_resize(self) -> None:
        """Other keys have room."""
        self.screen.refresh_bindings()

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Show the keys of the screen, as the library does with the focus alone.

        Not where they are the same as before, which they are after nearly every letter typed.
        """
        self._bindings_ready = True
        if self.is_attached and screen is self.screen:
            active = screen.active_bindings.values()
            keys = [(one.binding, one.enabled) for one in active if one.binding.show]
            if keys != self._shown:
                self._shown = keys
                # Every key ever shown would be kept as a watcher of this, and looked through.
                self.mutate_reactive(Footer.compact)
                self.call_after_refresh(self.recompose)
