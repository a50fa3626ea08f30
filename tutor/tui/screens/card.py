"""What the screens that ask cards have in common: the line at the top, the card that scrolls."""

from __future__ import annotations

from typing import ClassVar

from textual.containers import VerticalScroll
from textual.widgets import Static

from tutor.i18n import _
from tutor.tui.base import TutorScreen, safe
from tutor.tui.texts import course_name


class CardScreen(TutorScreen):
    """Has a `#heading`, and a `#card` that may be longer than the screen."""

    DOES: ClassVar[str]
    """What is done here, before its translation."""

    def say(self, text: str) -> None:
        """Tell something in the line at the top."""
        course = self.workspace.course
        name = course_name(course.name) if course else ""
        line = " · ".join(filter(None, (_(self.DOES), name, text)))
        self.query_one("#heading", Static).update(safe(line))

    def action_scroll_card(self, step: int) -> None:
        """Turn the card's pages, wherever the keys go."""
        card = self.query_one("#card", VerticalScroll)
        card.scroll_relative(y=step * max(1, card.size.height - 1), animate=False)
