"""A card rewritten: its question and its answer."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import TextArea

from tutor.i18n import _
from tutor.text.terminal import plain
from tutor.tui.base import KeyBar, TutorModal
from tutor.tui.keys import keys_of


class EditCardModal(TutorModal):
    """Left with the new question and answer, or None where nothing is to change."""

    BINDINGS = keys_of("edit_card")

    def __init__(self, question: str, answer: str) -> None:
        super().__init__()
        self._texts = {"question": question, "answer": answer}

    def compose(self) -> ComposeResult:
        titles = {"question": _("Question"), "answer": _("Answer")}
        with Vertical(id="edited"):
            for name, text in self._texts.items():
                area = TextArea(plain(text), id=name, tab_behavior="focus")
                area.border_title = titles[name]
                yield area
        yield KeyBar()

    def action_keep(self) -> None:
        self.dismiss(tuple(self.query_one(f"#{name}", TextArea).text for name in self._texts))
