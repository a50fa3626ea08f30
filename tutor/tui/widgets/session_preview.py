"""What was talked about in a conversation: its first questions and its last answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.history import marked_text
from tutor.i18n import _, ngettext
from tutor.tui.base import safe

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from tutor.history import SavedTurn

_QUESTIONS = 8
_LONGEST_QUESTION = 200
_LONGEST_ANSWER = 3000


class SessionPreview(VerticalScroll, can_focus=False):
    """A look into a conversation."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static()

    def on_mount(self) -> None:
        """Say what this is."""
        self.border_title = _("What was asked")

    def show(self, turns: Sequence[SavedTurn]) -> None:
        """Show a conversation; without turns, nothing."""
        self.query_one(Static).update(preview_content(turns))
        self.scroll_home(animate=False)


def preview_content(turns: Sequence[SavedTurn]) -> Content:
    """The first questions, how many more there are, and the last answer."""
    lines = [safe(f"› {_cut(turn.question, _LONGEST_QUESTION)}") for turn in turns[:_QUESTIONS]]
    if (rest := len(turns) - _QUESTIONS) > 0:
        more = ngettext("and %(n)d more", "and %(n)d more", rest) % {"n": rest}
        lines.append(safe(more, "$text-muted"))
    said = [turn for turn in turns if turn.text.strip()]
    if said:
        last = said[-1]
        to = _("Last answer, to «%(question)s»") % {"question": _cut(last.question, 80)}
        text = marked_text(last.answer) if last.answer else last.text
        lines += [
            Content(""),
            safe(to, "bold"),
            Content(""),
            safe(text.strip()[:_LONGEST_ANSWER] + ("…" if len(text) > _LONGEST_ANSWER else "")),
        ]
    return Content("\n").join(lines)


def _cut(text: str, length: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
