"""The question box, and above it what a slash may become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.message import Message

from tutor.tui.commands import Command, completions, typed_command
from tutor.tui.widgets.command_menu import CommandMenu
from tutor.tui.widgets.question_box import QuestionBox

if TYPE_CHECKING:
    from textual.app import ComposeResult


class Asking(Vertical):
    """What is typed leaves it as a `Question` or as a command that is `Given`."""

    @dataclass
    class Question(Message):
        """A question was asked; it stays in the box until it is taken."""

        question: str

    @dataclass
    class Given(Message):
        """A command was given."""

        command: Command

    def compose(self) -> ComposeResult:
        """The menu over the box."""
        yield CommandMenu()
        yield QuestionBox()

    @property
    def box(self) -> QuestionBox:
        """Where questions are typed."""
        return self.query_one(QuestionBox)

    @property
    def menu(self) -> CommandMenu:
        """What is offered after a slash."""
        return self.query_one(CommandMenu)

    def on_text_area_changed(self) -> None:
        """Offer what a slash may become."""
        offered = completions(self.box.text)
        self.menu.offer(offered, [self.app.key_of(one.binding) for one in offered])  # type: ignore[attr-defined]
        self.screen.refresh_bindings()

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        """Tell a command from a question."""
        message.stop()
        command = typed_command(message.question) or self.menu.current
        if command is None:
            self.post_message(self.Question(message.question))
        elif command.action:
            self.box.sent(command.word)
            self.post_message(self.Given(command))
        else:  # it goes with a question
            self.on_question_box_completed()

    def on_question_box_completed(self) -> None:
        """Write the command that is pointed at."""
        if command := self.menu.current:
            self.box.put(command.word if command.action else f"{command.word} ")

    def on_question_box_pointed(self, message: QuestionBox.Pointed) -> None:
        """Point at another command."""
        if message.step < 0:
            self.menu.action_cursor_up()
        else:
            self.menu.action_cursor_down()

    def on_command_menu_option_selected(self, event: CommandMenu.OptionSelected) -> None:
        """Choose by mouse."""
        event.stop()
        self.on_question_box_completed()
        self.box.action_send()
