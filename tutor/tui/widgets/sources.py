"""What an answer cites: a card a page, or one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.i18n import _
from tutor.model import Citation, RetrieverScore, Source, WebCitation
from tutor.presentation.amounts import decimal, pages
from tutor.tui.base import N_, safe

if TYPE_CHECKING:
    from textual.binding import BindingType

    from tutor.tui.marks import Mark

_LONGEST_QUOTE = 320
_QUOTES = 3
"""Quotes that a card shows at most; the page has them all."""


@dataclass(frozen=True, slots=True)
class Card:
    """What an answer cites of one page, or one web result; `places` are those of its marks."""

    label: str
    cited: tuple[Citation | WebCitation, ...]
    places: tuple[int, ...]


class SourceList(OptionList):
    """One card a page; Enter or a click opens it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", N_("Open page"), id="source.open"),
        Binding("ctrl+s", "scores", N_("Scores"), id="source.scores"),
    ]
    AREA = N_("Among the sources")

    class Opened(Message):
        """A card was chosen: `place` is that of its mark."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.border_title = _("Sources")
        self._cards: list[Card] = []
        self._current: int | None = None
        self._shows_scores = False

    def show(self, marks: Sequence[Mark], current: int | None) -> None:
        """The cards of these marks, that of the current one highlighted."""
        cards, self._current = cards_of(marks), current
        for at, card in enumerate(cards):
            if at >= len(self._cards):
                self.add_option(self._option(card))
            elif card != self._cards[at]:
                self.replace_option_prompt_at_index(at, card_content(card, self._shows_scores))
        while self.option_count > len(cards):
            self.remove_option_at_index(self.option_count - 1)
        self._cards = cards
        self.border_subtitle = str(len(cards)) if cards else _("nothing is cited")
        for at, card in enumerate(cards):
            if current in card.places:
                self.highlighted = at

    def forget(self) -> None:
        """No answer, no cards."""
        self.clear_options()
        self._cards, self._current = [], None
        self.border_subtitle = ""

    def action_scores(self) -> None:
        """Show what retrieval said of each page, or hide it again."""
        self._shows_scores = not self._shows_scores
        kept = self.highlighted
        self.set_options([self._option(card) for card in self._cards])
        self.highlighted = kept

    def _option(self, card: Card) -> Option:
        return Option(card_content(card, self._shows_scores))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the page behind the card, where the current mark points if it is one of its own."""
        event.stop()
        places = self._cards[event.option_index].places
        place = self._current if self._current in places else places[0]
        self.post_message(self.Opened(place if place is not None else places[0]))


def cards_of(marks: Sequence[Mark]) -> list[Card]:
    """A card for each label, in the order of the marks."""
    places: dict[str, list[int]] = {}
    for place, mark in enumerate(marks):
        if mark.citation is not None:
            places.setdefault(mark.label, []).append(place)
    return [
        Card(label, tuple(one for at in ats if (one := marks[at].citation)), tuple(ats))
        for label, ats in places.items()
    ]


def card_content(card: Card, scores: bool = False) -> Content:
    """What is quoted first, then one quiet line that says where it stands, and a blank line."""
    label, first = Content.styled(f"{card.label} ", "bold"), card.cited[0]
    if not isinstance(first, Citation):
        result = first.result
        parts = [
            safe(shortened(result.snippet)),
            safe(f"{result.title} · {result.link}", "$text-muted"),
        ]
    else:
        cited = [one for one in card.cited if isinstance(one, Citation)]
        quotes = list(dict.fromkeys(shortened(one.quote) for one in cited))[:_QUOTES]
        parts = [safe(f"«{quote}»") for quote in quotes]
        parts.append(safe(f"{first.source.title} · {cited_pages(first)}", "$text-muted"))
        if scores:
            parts += [safe(scores_text(one), "$text-muted") for one in cited]
    return Content("\n").join([label + parts[0], *parts[1:], Content("")])


def sources_line(marks: Sequence[Mark]) -> Content:
    """All that an answer cites in a line; a label that is pressed opens its page."""
    parts = []
    for card in cards_of(marks):
        first = card.cited[0]
        if isinstance(first, Citation):
            where = f" {first.source.title}, {cited_pages(first)}"
        else:
            where = f" {first.result.title}"
        press = Style.from_meta({"@click": f"open_place({card.places[0]})"})
        parts.append(Content.styled(card.label, "bold").stylize(press) + safe(where))
    return Content(" · ").join(parts)


def cited_pages(citation: Citation) -> str:
    """The pages of a citation."""
    return pages(citation.first_page, citation.last_page)


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
    support = _("support %(score)s") % {"score": decimal(citation.support, 2)}
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
        f"{names.get(name, name)} {decimal(retriever.score, 2)} (#{retriever.rank})"
        for name, retriever in retrievers.items()
    ]


def shortened(quote: str) -> str:
    """A quote in one paragraph, not too long for a card, and not ended within a word."""
    quote = " ".join(quote.split())
    return (
        f"{quote[:_LONGEST_QUOTE].rpartition(' ')[0]} …" if len(quote) > _LONGEST_QUOTE else quote
    )
