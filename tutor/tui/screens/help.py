"""What the keys do, as they are set now, and how to study with the app."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Footer, Static

from tutor.i18n import _
from tutor.tui.base import N_, TutorModal, safe

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import ActiveBinding, BindingType


class HelpScreen(TutorModal):
    """Help over the screen that it is asked on; `bindings` are the keys of that screen."""

    CSS_PATH = "../styles/help.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q", "dismiss", N_("Back"), id="help.back")
    ]

    def __init__(self, bindings: Mapping[str, ActiveBinding]) -> None:
        super().__init__()
        self._bindings_shown = dict(bindings)

    def compose(self) -> ComposeResult:
        """The text, and the way out."""
        with VerticalScroll(id="help") as scroll:
            scroll.border_title = _("Help")
            yield Static(self._content())
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The arrow keys scroll at once."""
        self.query_one("#help").focus()

    def _content(self) -> Content:
        paragraphs = [safe(line) for line in _paragraphs()]
        return Content("\n\n").join(
            [*paragraphs, safe(_("Keys here"), "bold"), Content("\n").join(self._keys())]
        )

    def _keys(self) -> list[Content]:
        keys: dict[str, list[str]] = {}
        for active in self._bindings_shown.values():
            if active.binding.description and active.binding.id:  # those without are the library's
                shown = self.app.get_key_display(active.binding)
                known = keys.setdefault(active.binding.description, [])
                known += [] if shown in known else [shown]
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
            "/web QUESTION asks the web (with a SerpAPI key): only then does a question leave your "
            "machine. /notas QUESTION asks the notes, whatever words the question has."
        ),
        _(
            "Everything is saved as it is said. Keys can be changed in tutor.toml, "
            "under [tui.keys]."
        ),
    ]
