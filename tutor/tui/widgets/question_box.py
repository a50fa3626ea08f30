"""Where questions are typed: several lines, earlier questions, and commands after a slash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static, TextArea

from tutor.i18n import _
from tutor.text.terminal import one_line
from tutor.tui.base import ItemList, safe
from tutor.tui.commands import Command, completions, named_command
from tutor.tui.keys import N_, keys_of

_ON_THE_ANSWER = {"redo", "delete_right", "delete_to_end_of_line_or_delete_line"}
"""What keys do that act on the answer read last where nothing is typed."""


class CommandMenu(ItemList[Command], can_focus=False):
    """The commands that a line may become, over the question box, which keeps the keys."""

    def offer(self, commands: Sequence[Command]) -> None:
        """Offer these, each with the key that does the same."""
        self.display = bool(commands)
        if commands != self.items:
            self.fill(commands, self._row, 0)

    def _row(self, command: Command) -> Content:
        row = safe(f"{command.word:<13}", "bold") + safe(f"{command.title} · {command.about}")
        key = self.app.key_of(command.key)
        return row + safe(f"  {key}", "bold $text-accent") if key else row


class WaitingQuestions(Static):
    """Questions that were asked before they could be, a line each, the next one first."""

    _why = ""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[str] = []

    def show(self, why: str = "") -> None:
        """Show them below `why` they wait; without one, below what was said last."""
        self._why = why or self._why
        rows = [safe(f"⧗ {one_line(one)}", "bold") for one in self.questions]
        self.update(Content("\n").join([safe(self._why), *rows]))
        self.display = bool(rows)


class QuestionBox(TextArea):
    """Enter sends, Ctrl-J breaks the line; the arrow keys go back in time.

    What is typed leaves it as a question that is `Sent`, and may be `waiting`, or is a command,
    one of the `menu` over it, and done.
    """

    BINDINGS = keys_of("question")
    AREA = N_("In the question")

    @dataclass
    class Sent(Message):
        """A question was asked; it stays in the box until it is taken."""

        question: str

    def __init__(self, menu: CommandMenu, waiting: WaitingQuestions) -> None:
        super().__init__(
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            highlight_cursor_line=False,
            placeholder=_("Ask about your notes, or / for everything else"),
        )
        self._menu, self._waiting = menu, waiting
        self._earlier: list[str] = []
        self._place = 0
        self._draft = ""

    def remember(self, questions: list[str]) -> None:
        """Questions that the arrow keys bring back, oldest first."""
        self._earlier = questions
        self._place = len(self._earlier)

    @property
    def _takes_back(self) -> bool:
        """Whether the arrow key brings back what waits, to be changed."""
        return not self.text and bool(self._waiting.questions)

    @property
    def offers_commands(self) -> bool:
        return bool(completions(self.text))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The arrow keys move within several lines, and leave them at the ends."""
        if action in {"complete", "choose"}:
            return self.offers_commands
        if action == "send":
            return not self.offers_commands
        if action in _ON_THE_ANSWER:
            return bool(self.text)
        if action == "go" and not self.offers_commands:
            row, last = self.cursor_location[0], self.document.line_count - 1
            if parameters[0] == 1:
                return row == last and self._place < len(self._earlier)
            return row == 0 and (self._place > 0 or self._takes_back)
        return super().check_action(action, parameters)

    async def _on_key(self, event: events.Key) -> None:
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if binding.id and await self.app.run_action(binding.action, self):
                event.stop()
                event.prevent_default()

    def on_text_area_changed(self) -> None:
        self._menu.offer(completions(self.text))
        self.screen.refresh_bindings()

    def action_send(self) -> None:
        """Send a question; do what a command says, or the one that the menu points at."""
        from tutor.answer.routing import looks_like_command  # noqa: PLC0415 - after first paint

        typed = self.text.strip()
        word, text = [*typed.split(maxsplit=1), "", ""][:2]
        command = named_command(word) or (self._menu.current if self._menu.display else None)
        action = command.does(text) if command else ""
        if action:
            if not text:
                self.text = ""
                self.remember(self._earlier)
            self.call_later(self.screen.run_action, action)
        elif action is None:
            told = _("%(word)s takes no text behind it.") % {"word": word}
            self.notify(told, severity="warning")
        elif command and not text:
            self.action_complete()
        elif command is None and looks_like_command(word):
            told = _("There is no command %(word)s. Type / to see them all.") % {"word": word}
            self.notify(told, severity="warning")
        elif typed:
            self.post_message(self.Sent(typed))

    action_choose = action_send
    """The same; only that the footer has the word for it."""

    def action_break(self) -> None:
        self.insert("\n")

    def action_complete(self) -> None:
        command = self._menu.current
        if command and self._menu.display:
            self.put(command.word if command.action else f"{command.word} ")

    def action_go(self, step: int) -> None:
        """Bring back the question before or after; among commands, point at another one."""
        if self.offers_commands:
            (self._menu.action_cursor_up if step < 0 else self._menu.action_cursor_down)()
            return
        if step < 0 and self._takes_back:
            self.put(self._waiting.questions.pop())
            self._waiting.show()
            return
        if self._place == len(self._earlier):
            self._draft = self.text
        self._place += step
        self.put(self._earlier[self._place] if self._place < len(self._earlier) else self._draft)

    def action_undo(self) -> None:
        """Undo what was typed; where nothing stands, what was deleted from the conversation."""
        if self.text:
            super().action_undo()
        else:
            self.call_later(self.run_action, "screen.undo")

    def sent(self, question: str) -> None:
        self.text = ""
        self.asked(question)

    def asked(self, question: str) -> None:
        if self._earlier[-1:] != [question]:
            self._earlier.append(question)
        self._place, self._draft = len(self._earlier), ""

    def put(self, text: str) -> None:
        self.text = text
        self.move_cursor(self.document.end)
        self.focus()

    def take_key(self, event: events.Key) -> None:
        """Take a letter that was typed elsewhere, unless it is a key of that place.

        A letter that comes right after Esc, as over a slow line, looks like one with Alt. What was
        typed before the app took the terminal comes here, too, with the end of a line.
        """
        if event.character and event.is_printable and event.key not in self.screen.active_bindings:
            event.stop()
            self.focus()
            self.insert(event.character)
        elif self.screen.focused is self and event.key in {"enter", "ctrl+j"}:
            event.stop()
            self.action_send()
