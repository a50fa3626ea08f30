"""The cited passages of an answer as cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.i18n import _
from tutor.model import Citation, RetrieverScore, Source, WebCitation
from tutor.presentation.amounts import pages
from tutor.tui.base import safe

if TYPE_CHECKING:
    from tutor.tui.marks import Mark

_LONGEST_QUOTE = 400


class SourceList(OptionList):
    """One card per citation; Enter or a click opens its page."""

    class Opened(Message):
        """A card was chosen: `place` is that of its mark."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.border_title = _("Sources")
        self._places: list[int] = []
        self._marks: list[Mark] = []

    def show(self, marks: Sequence[Mark], current: int | None) -> None:
        """The cards of these marks, the current one highlighted."""
        places = [place for place, mark in enumerate(marks) if mark.citation is not None]
        cited = [marks[place] for place in places]
        # While an answer is written its cards are added to; those of another answer begin anew.
        if cited[: len(self._marks)] != self._marks:
            self.clear_options()
            self._marks = []
        self.add_options([Option(card(mark)) for mark in cited[len(self._marks) :]])
        self._places, self._marks = places, cited
        self.border_subtitle = str(len(places)) if places else _("nothing is cited")
        if current in places:
            self.highlighted = places.index(current)

    def forget(self) -> None:
        """No answer, no cards."""
        self.clear_options()
        self._places, self._marks = [], []
        self.border_subtitle = ""

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the page behind the card."""
        event.stop()
        self.post_message(self.Opened(self._places[event.option_index]))


def card(mark: Mark) -> Content:
    """Title, where it stands, what is known of it, what each retriever said, and the quote."""
    if not isinstance(mark.citation, Citation):
        return _web_card(mark.label, mark.citation) if mark.citation else Content(mark.label)
    citation = mark.citation
    where = f"{citation.source.path}, {pages(citation.first_page, citation.last_page)}"
    lines = [
        Content.styled(f"{mark.label} ", "bold") + safe(citation.source.title, "bold"),
        safe(where),
        safe(" · ".join(source_facts(citation.source)), "dim"),
        safe(scores_text(citation), "dim"),
        safe(f"«{shortened(citation.quote)}»", "italic"),
    ]
    return Content("\n").join(line for line in lines if line.plain)


def source_facts(source: Source) -> list[str]:
    """Week, date, version and authors, as far as they are known."""
    return [
        text
        for text in (
            _("week %(n)d") % {"n": source.week} if source.week is not None else "",
            source.date.isoformat() if source.date else "",
            _("version %(version)s") % {"version": source.version} if source.version else "",
            ", ".join(source.authors),
        )
        if text
    ]


def scores_text(citation: Citation) -> str:
    """How well the passage supports its sentence, and what retrieval said of it."""
    support = _("support %(score).2f") % {"score": citation.support}
    return " · ".join([support, *retrievers_text(citation.hit.retrievers)])


def retrievers_text(retrievers: Mapping[str, RetrieverScore]) -> list[str]:
    """What each retriever of the retrieval said of a passage."""
    names = {
        "dense": _("meaning"),
        "sentence": _("sentence"),
        "lexical": _("words"),
        "reranker": _("reranker"),
    }
    return [
        f"{names.get(name, name)} {retriever.score:.2f} (#{retriever.rank})"
        for name, retriever in retrievers.items()
    ]


def shortened(quote: str) -> str:
    """A quote in one paragraph, not too long for a card."""
    quote = " ".join(quote.split())
    return quote if len(quote) <= _LONGEST_QUOTE else quote[: _LONGEST_QUOTE - 1] + "…"


def _web_card(label: str, citation: WebCitation) -> Content:
    result = citation.result
    lines = [
        Content.styled(f"{label} ", "bold") + safe(result.title, "bold"),
        safe(result.link),
        safe(shortened(result.snippet), "italic"),
    ]
    return Content("\n").join(line for line in lines if line.plain)
