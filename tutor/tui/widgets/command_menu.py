"""What can be typed after a slash, as it is being typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.tui.base import safe

if TYPE_CHECKING:
    from tutor.tui.commands import Command


class CommandMenu(OptionList, can_focus=False):
    """The commands that a line may become, over the question box, which keeps the keys."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.commands: Sequence[Command] = ()
        self.display = False

    @property
    def current(self) -> Command | None:
        """The command that is pointed at; None where nothing is offered."""
        place = self.highlighted
        return self.commands[place] if self.display and place is not None else None

    def offer(self, commands: Sequence[Command], keys: Sequence[str]) -> None:
        """Offer these; `keys` are what else does the same, for each."""
        self.display = bool(commands)
        if commands != self.commands:
            self.commands = commands
            self.set_options(
                [Option(_row(command, key)) for command, key in zip(commands, keys, strict=True)]
            )
            self.highlighted = 0 if commands else None


def _row(command: Command, key: str) -> Content:
    parts = [safe(f"{command.word:<13}", "bold"), safe(f"{command.title} · {command.about}")]
    return Content("").join([*parts, safe(f"  {key}", "bold $text-accent") if key else Content("")])
