"""What the keys do, as they are set now, and how to study with the app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from tutor.i18n import _
from tutor.tui.base import N_, TutorModal, named_bindings, safe, shown_key
from tutor.tui.widgets.key_bar import KeyBar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.dom import DOMNode


ANYWHERE = N_("Keys here")


class HelpScreen(TutorModal):
    """Help over the screen that it is asked on; `asked_on` are that screen and what is on it."""

    CSS_PATH = "../styles/help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q", "dismiss", N_("Back"), id="help.back")
    ]

    def __init__(self, asked_on: Sequence[DOMNode]) -> None:
        super().__init__()
        self._asked_on = asked_on

    def compose(self) -> ComposeResult:
        """The text, and the way out."""
        with VerticalScroll(id="help") as scroll:
            scroll.border_title = _("Help")
            yield Static(self._content())
        yield KeyBar()

    def on_mount(self) -> None:
        """The arrow keys scroll at once."""
        self.query_one("#help").focus()

    def _content(self) -> Content:
        paragraphs = [safe(line) for line in _paragraphs()]
        return Content("\n\n").join([*self._keys(), *paragraphs])

    def _keys(self) -> list[Content]:
        """The keys by where they work, those of the screen first; each key once."""
        parts, told = [], set()
        for node in self._asked_on:
            lines: dict[str, list[str]] = {}
            for binding in named_bindings(type(node)):
                if binding.description and binding.id not in told:
                    told.add(binding.id)
                    keys = lines.setdefault(_(binding.description), [])
                    keys += {shown_key(binding, self.app)} - {*keys}
            if lines:
                heading = safe(_(getattr(node, "AREA", ANYWHERE)), "bold $text-primary")
                parts.append(Content("\n").join([heading, *_lines(lines)]))
        return parts


def _lines(keys: Mapping[str, Sequence[str]]) -> list[Content]:
    return [
        Content.styled(f"{' '.join(shown):>16}  ", "bold") + safe(description)
        for description, shown in keys.items()
    ]


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
            "machine. /notas QUESTION asks the notes, whatever words the question has."
        ),
        _(
            "Everything is saved as it is said. Keys can be changed in tutor.toml, "
            "under [tui.keys]."
        ),
    ]
