"""Small screens over another one: help, a line that is asked for, a question, a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.widgets import Input, Static, TextArea

from tutor.i18n import _
from tutor.text.terminal import plain
from tutor.tui.base import KeyBar, TutorModal, safe
from tutor.tui.keys import N_, keys_of, named_keys, shown_key

if TYPE_CHECKING:
    from tutor.study.card import Card

_ANYWHERE = N_("Keys here")
_LONGEST = 2000
"""Characters of what is typed."""


class HelpScreen(TutorModal):
    """Help over the screen that it is asked on; `asked_on` are that screen and what is on it."""

    BINDINGS = keys_of("help")

    def __init__(self, asked_on: Sequence[DOMNode]) -> None:
        super().__init__()
        self._asked_on = asked_on

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help") as scroll:
            scroll.border_title = _("Help")
            yield Static(Content("\n\n").join([*self._keys(), *map(safe, _paragraphs())]))
        yield KeyBar()

    def _keys(self) -> Iterator[Content]:
        """The keys by where they work, those of the screen first; each key once."""
        told, heading = set(), ""
        for node in self._asked_on:
            shown: dict[str, list[str]] = {}
            for key in named_keys(type(node)):
                if key.description and key.id not in told:
                    told.add(key.id)
                    keys = shown.setdefault(_(key.description), [])
                    keys += {shown_key(key, self.app)} - {*keys}
            if shown:
                before, heading = heading, _(getattr(node, "AREA", _ANYWHERE))
                lines = [safe(heading, "bold $text-primary")] if heading != before else []
                does: dict[str, list[str]] = {}
                for description, keys in shown.items():
                    does.setdefault(" ".join(keys), []).append(description)
                for keys_told, descriptions in does.items():
                    told_of = " · ".join(descriptions)
                    lines.append(safe(f"{keys_told:>16}  ", "bold") + safe(told_of))
                yield Content("\n").join(lines)


def _paragraphs() -> list[str]:
    return [
        _(
            "Ask in your own words, in Spanish or English. “And its formula?” is understood as a "
            "follow-up; what it was understood as is shown under the question."
        ),
        _(
            "Behind each sentence stands the page that supports it, as [1]. [?] means that nothing "
            "in the passages supports the sentence: do not rely on it. Tab goes to the answer, the "
            "arrow keys walk along the marks, Enter opens the page with the words highlighted."
        ),
        _(
            "There are two indexes of the same notes, fixed windows and whole sentences. Compare "
            "them with a question of yours, and say which answered better."
        ),
        _(
            "A slash in an empty question box offers everything that can be done, with its key. "
            "/web QUESTION asks the web (with a SerpAPI key): only then does a question leave your "
            "machine. /notas QUESTION asks the notes, whatever words the question has; /mapa "
            "QUESTION the map of the course, which /mapa alone opens."
        ),
        _(
            "Everything is saved as it is said. Keys can be changed in tutor.toml, "
            "under [tui.keys]."
        ),
    ]


class FieldModal(TutorModal):
    """Asks for a line of text; left with it, or None without one."""

    BINDINGS = keys_of("comment")

    def __init__(self, title: str, value: str = "", placeholder: str = "", hint: str = "") -> None:
        super().__init__()
        self._title = title
        self._field = Input(value, placeholder, max_length=_LONGEST)
        self._hint = hint

    def compose(self) -> ComposeResult:
        with Vertical(id="comment") as box:
            box.border_title = self._title
            yield self._field
            yield Static(safe(self._hint or _("Enter keeps it, Esc does not.")))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


class CommentModal(FieldModal):
    """Asks for a comment on a rating, 1 or -1."""

    def __init__(self, rating: int) -> None:
        title, asked = _("▲ Good answer"), _("What was good about it?")
        if rating < 0:
            title, asked = _("▼ Bad answer"), _("What was wrong?")
        hint = _("Enter keeps the comment, Esc rates without one.")
        super().__init__(title, placeholder=asked, hint=hint)


class ConfirmModal(TutorModal):
    """Asks whether to do something; left with the answer."""

    BINDINGS = keys_of("confirm")

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical(id="comment"):
            yield Static(safe(self._question))
        yield KeyBar()


class EditCardModal(TutorModal):
    """Left with the new question and answer of a card, or None where nothing is to change."""

    BINDINGS = keys_of("edit_card")

    def __init__(self, card: Card) -> None:
        super().__init__()
        self._texts = {_("Question"): card.question, _("Answer"): card.answer}

    def compose(self) -> ComposeResult:
        with Vertical(id="edited"):
            for title, text in self._texts.items():
                area = TextArea(plain(text), tab_behavior="focus")
                area.border_title = title
                yield area
        yield KeyBar()

    def action_keep(self) -> None:
        self.dismiss(tuple(area.text for area in self.query(TextArea)))
