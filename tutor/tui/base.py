"""What all screens share: key descriptions in the reader's language, and text that is only text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from textual.content import Content
from textual.screen import ModalScreen, Screen

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.text.terminal import one_line, plain

if TYPE_CHECKING:
    from textual.binding import ActiveBinding
    from textual.style import Style

    from tutor.tui.app import TutorApp
    from tutor.tui.desk import Desk


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


def _said(text: str) -> str:
    return _(text) if text else ""  # gettext keeps the catalog's header under ""


class _AtDesk:
    """Access to the app and its desk, typed."""

    app: Any

    @property
    def tutor(self) -> TutorApp:
        """The app."""
        return cast("TutorApp", self.app)

    @property
    def desk(self) -> Desk:
        """What lies open; only after the app has opened it."""
        return self.tutor.desk


class TutorScreen(_AtDesk, Screen[Any]):
    """A screen of the app."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys of the moment, described in the reader's language."""
        return translated(super().active_bindings)


class TutorModal(_AtDesk, ModalScreen[Any]):
    """A screen over another one."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys of the moment, described in the reader's language."""
        return translated(super().active_bindings)
