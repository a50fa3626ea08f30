"""The lines below an answer: how it stands or has ended, and what of it is folded away."""

from __future__ import annotations

import time
from dataclasses import dataclass

from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from tutor.events import Stage, Waiting
from tutor.history import TurnState
from tutor.i18n import _, ngettext
from tutor.model import Answer, Ending, Route
from tutor.presentation.event_texts import waiting_text
from tutor.tui.base import safe
from tutor.tui.keys import N_, NAMES, keys_of, named_keys, shown_key
from tutor.tui.texts import answered_from, figures_text


@dataclass(frozen=True, slots=True)
class Ended:
    """How a turn has ended.

    `answer` is all of it, `shown` what is not folded away, both None where nothing came; `state`
    that of a saved turn.
    """

    answer: Answer | None
    shown: Answer | None
    state: TurnState | None
    route: Route | None
    failed: bool
    refused: bool
    rating: int
    why: str = ""
    """What broke it off."""


class StateLine(Static):
    """Says how an answer stands. Time counts from when it was made."""

    def __init__(self, ended: Ended | None = None) -> None:
        self._begun = time.monotonic()
        self._first_word_s: float | None = None
        self._is_writing = False
        told = self._content(ended) if ended else safe(_("Looking it up ..."))
        super().__init__(told, classes="state")

    def say(self, text: str) -> None:
        """Say how the answer stands."""
        self.update(safe(text))

    def wait(self, event: Waiting) -> None:
        """Say what is waited for; not what is only a pause between two words."""
        if event.tokens or event.stage is not Stage.READING:
            self._is_writing = False
            self.say(waiting_text(event))

    def write(self) -> None:
        """Words come."""
        if self._first_word_s is None:
            self._first_word_s = time.monotonic() - self._begun
        if not self._is_writing:
            self._is_writing = True
            self.say(_("Writing ..."))

    def end(self, ended: Ended) -> None:
        """Say how it ended."""
        self.update(self._content(ended))

    def _content(self, ended: Ended) -> Content:
        warnings = [_("○ not in the notes")] if ended.refused else []
        if ended.shown and (n := len(ended.shown.unsupported)):
            text = ngettext(
                "[?] %(n)d sentence without support", "[?] %(n)d sentences without support", n
            )
            warnings.append(text % {"n": n})
        if ending := _ending_text(ended):
            warnings.append(ending)
        facts = figures_text(ended.answer, self._first_word_s)
        if ended.route:
            facts.append(answered_from(ended.route))
        if ended.rating:
            facts.append(_("▲ good") if ended.rating > 0 else _("▼ bad"))
        styled = [Content.styled(text, "bold $text-warning") for text in warnings]
        told = Content(" · ").join([*styled, *map(Content, facts)])
        return told + safe(f"\n{ended.why}") if ended.why else told


class FoldedWords(Static, can_focus=True):
    """Stands for a model's words that nothing supports; Enter or a click shows them."""

    BINDINGS = keys_of("folded")
    AREA = N_("On folded words")

    @dataclass
    class Opened(Message):
        """What is folded is wanted."""

    def __init__(self, folded: bool) -> None:
        super().__init__()
        self.display = folded

    def render(self) -> Content:
        told = _("What the model wrote could not be verified in the notes · %(key)s: show it")
        has_key = any(key.id == "written" for key in named_keys(type(self.screen)))
        key = NAMES["written" if has_key else "folded.open"][1]
        return safe(told % {"key": shown_key(key, self.app)})

    def on_click(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        self.post_message(self.Opened())


def _ending_text(ended: Ended) -> str:
    stopped, broken = _("■ stopped"), _("✗ broken off")
    if ended.answer:
        endings = {Ending.LENGTH: _("… cut"), Ending.STOPPED: stopped, Ending.BROKEN: broken}
        return endings.get(ended.answer.ending, "")
    if ended.state is TurnState.WRITING:
        return _("… being written elsewhere")
    return broken if ended.failed else stopped
