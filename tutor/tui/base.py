"""What all screens share: key descriptions in the reader's language, and text that is only text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.binding import Binding
from textual.content import Content
from textual.screen import ModalScreen, Screen

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.text.terminal import one_line, plain

if TYPE_CHECKING:
    from textual.binding import ActiveBinding
    from textual.style import Style

    from tutor.tui.workspace.indexer import Indexer
    from tutor.tui.workspace.workspace import Workspace


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Mark a text for the message catalog that is translated when it is shown."""
    return text


def safe(text: str, style: str | Style = "") -> Content:
    """Text from notes, models or the web as content that carries no markup, links or escapes."""
    return Content.styled(plain(text.expandtabs(4)), style)


def failure_text(error: TutorError) -> str:
    """What failed, and what to do."""
    lines = [error.message, *filter(None, error.remedy.split("\n"))]
    return "\n→ ".join(map(one_line, lines))


def translated(bindings: dict[str, ActiveBinding]) -> dict[str, ActiveBinding]:
    """Bindings whose descriptions, texts for `N_`, are in the reader's language."""
    return {
        key: active._replace(
            binding=replace(active.binding, description=_said(active.binding.description)),
            tooltip=_said(active.tooltip),
        )
        for key, active in bindings.items()
    }


def named_bindings(kind: type) -> Iterator[Binding]:
    """The keys of a screen or widget that have a name of their own, its bases' included."""
    for base in kind.__mro__:
        for binding in vars(base).get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                yield binding


def shown_key(binding: Binding, app: Any) -> str:
    """A key as it is set now, in the app's own words; `app` has the settings."""
    changed = app.config.tui.keys.get(binding.id)
    key = (changed or binding.key).split(",")[0]
    display = None if changed else binding.key_display
    return str(app.get_key_display(replace(binding, key=key, key_display=display)))


def _said(text: str) -> str:
    return _(text) if text else ""  # gettext keeps the catalog's header under ""


class _AtWork:
    """Access to what the app holds, typed; the app's own class is nobody's business here."""

    app: Any

    @property
    def workspace(self) -> Workspace:
        """What lies open; only after the app has opened it."""
        workspace: Workspace = self.app.workspace
        return workspace

    @property
    def indexer(self) -> Indexer:
        """What makes and watches the index."""
        indexer: Indexer = self.app.indexer
        return indexer

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys of the moment, described in the reader's language."""
        return translated(super().active_bindings)  # type: ignore[misc]


class TutorScreen(_AtWork, Screen[Any]):
    """A screen of the app."""

    def action_copy_text(self) -> None:
        """Copy what was selected, and say so."""
        super().action_copy_text()
        self.notify(_("Copied."), markup=False)


class TutorModal(_AtWork, ModalScreen[Any]):
    """A screen over another one."""
