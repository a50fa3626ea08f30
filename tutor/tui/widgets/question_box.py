"""Where questions are typed: several lines, and the arrow keys bring back earlier ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.widgets import TextArea

from tutor.i18n import _

if TYPE_CHECKING:
    from textual import events

_NEW_LINE = frozenset({"ctrl+j", "shift+enter", "alt+enter"})
_MOST_KEPT = 500


class QuestionBox(TextArea):
    """Enter sends, Ctrl-J breaks the line; the arrow keys go back in time."""

    class Sent(Message):
        """A question was asked."""

        def __init__(self, question: str) -> None:
            super().__init__()
            self.question = question

    def __init__(self) -> None:
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            placeholder=_("Ask about your notes"),
        )
        self._earlier: list[str] = []
        self._place = 0
        self._draft = ""

    def remember(self, questions: list[str]) -> None:
        """Questions that the arrow keys bring back, oldest first."""
        self._earlier = questions[-_MOST_KEPT:]
        self._place = len(self._earlier)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            if self.text.strip():
                self.post_message(self.Sent(self.text.strip()))
        elif event.key in _NEW_LINE:
            event.stop()
            event.prevent_default()
            self.insert("\n")
        elif event.key == "up" and self.cursor_location[0] == 0 and self._place > 0:
            event.stop()
            event.prevent_default()
            self._go_to(self._place - 1)
        elif (
            event.key == "down"
            and self.cursor_location[0] == self.document.line_count - 1
            and self._place < len(self._earlier)
        ):
            event.stop()
            event.prevent_default()
            self._go_to(self._place + 1)
        else:
            await super()._on_key(event)

    def sent(self, question: str) -> None:
        """The question was taken: empty the box and remember it."""
        if not self._earlier or self._earlier[-1] != question:
            self._earlier.append(question)
        self._place, self._draft = len(self._earlier), ""
        self.text = ""

    def _go_to(self, place: int) -> None:
        if self._place == len(self._earlier):
            self._draft = self.text
        self._place = place
        self.text = self._earlier[place] if place < len(self._earlier) else self._draft
        self.move_cursor(self.document.end)
