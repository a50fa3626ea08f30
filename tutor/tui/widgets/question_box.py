"""Where questions are typed: several lines, earlier questions, and commands after a slash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.message import Message
from textual.widgets import TextArea

from tutor.i18n import _
from tutor.tui.base import N_
from tutor.tui.commands import completions, typed_command

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType

_MOST_KEPT = 500


class QuestionBox(TextArea):
    """Enter sends, Ctrl-J breaks the line; the arrow keys go back in time."""

    # Taken in `_on_key`, in the order in which they are typed: a binding with priority would be
    # ahead of the letters before it.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "send", N_("Ask"), id="question.send"),
        Binding("ctrl+j,shift+enter,alt+enter", "break", N_("New line"), id="question.newline",
                show=False),
        Binding("tab", "complete", N_("Complete"), id="question.complete"),
        Binding("up", "go(-1)", N_("Question before"), id="question.earlier", show=False),
        Binding("down", "go(1)", N_("Next question"), id="question.later", show=False),
        Binding("pageup", "screen.page(-1)", show=False),
        Binding("pagedown", "screen.page(1)", show=False),
    ]  # fmt: skip
    AREA = N_("In the question")

    @dataclass
    class Sent(Message):
        """A question was asked, or a command given."""

        question: str

    class Completed(Message):
        """The command that is being typed is to be written out."""

    @dataclass
    class Pointed(Message):
        """Another command is to be pointed at: the next one (1) or the one before (-1)."""

        step: int

    def __init__(self) -> None:
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            placeholder=_("Ask about your notes, or / for everything else"),
        )
        self._earlier: list[str] = []
        self._place = 0
        self._draft = ""

    def remember(self, questions: list[str]) -> None:
        """Questions that the arrow keys bring back, oldest first."""
        self._earlier = questions[-_MOST_KEPT:]
        self._place = len(self._earlier)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The arrow keys move within several lines, and leave them at the ends."""
        if action == "complete":
            return bool(completions(self.text))
        if action == "go" and not completions(self.text):
            row, last = self.cursor_location[0], self.document.line_count - 1
            if parameters[0] == 1:
                return row == last and self._place < len(self._earlier)
            return row == 0 and self._place > 0
        return super().check_action(action, parameters)

    async def _on_key(self, event: events.Key) -> None:
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if binding.id and await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()

    def action_send(self) -> None:
        """Ask what was typed."""
        if self.text.strip():
            self.post_message(self.Sent(self.text.strip()))

    def action_break(self) -> None:
        """Break the line."""
        self.insert("\n")

    def action_complete(self) -> None:
        """Write out the command."""
        self.post_message(self.Completed())

    def action_go(self, step: int) -> None:
        """Bring back the question before or after; among commands, point at another one."""
        if completions(self.text):
            self.post_message(self.Pointed(step))
            return
        if self._place == len(self._earlier):
            self._draft = self.text
        self._place += step
        self.put(self._earlier[self._place] if self._place < len(self._earlier) else self._draft)

    def sent(self, question: str) -> None:
        """The question was taken: empty the box and remember it."""
        if self._earlier[-1:] != [question] and not typed_command(question):
            self._earlier.append(question)
        self._place, self._draft = len(self._earlier), ""
        self.text = ""

    def put(self, text: str) -> None:
        """Offer a text to be changed and sent."""
        self.text = text
        self.move_cursor(self.document.end)
        self.focus()

    def take_key(self, event: events.Key) -> None:
        """Take a letter that was typed elsewhere."""
        if event.character and event.is_printable:
            event.stop()
            self.focus()
            self.insert(event.character)
