"""What an answer cites: a card a page, or one line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent

from textual.content import Content

from tutor.i18n import _, plural
from tutor.model import Citation, RetrieverScore, Source, WebCitation
from tutor.model.marks import pages
from tutor.presentation.amounts import decimal, joined
from tutor.tui.answer_markdown import Mark
from tutor.tui.base import ItemList, pressable, safe
from tutor.tui.keys import N_, keys_of

_WIDTH = "sources_width"
"""The preference: columns of the pane."""
_NARROWEST, _WIDEST = 30, 100
_ANSWERS = 50, 108
"""Columns of the answers beside the pane, at least and at most: what they leave free it fills."""
_STEP = 4
_LONGEST_QUOTE = 320
_WORD = re.compile(r"[^\W_]+")
_QUOTES = 3
"""Quotes that a card shows at most; the page has them all."""


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """What an answer cites of one page, or one web result.

    `places` are those of its marks, `said` the answer's words before each.
    """

    title: str
    label: str
    cited: tuple[Citation | WebCitation, ...]
    places: tuple[int, ...]
    said: tuple[str, ...]


class SourceList(ItemList[SourceGroup]):
    """One card a page; Enter or a click opens it."""

    BINDINGS = keys_of("sources")
    AREA = N_("Among the sources")

    def __init__(self) -> None:
        super().__init__()
        self.border_title = _("Sources")
        self._mark: int | None = None
        self._shows_scores = False

    def show(
        self, marks: Sequence[Mark] | None, mark: int | None = None, *, near: bool = False
    ) -> None:
        """The cards of an answer's marks, that of the current one pointed at; None: no answer.

        `near`: they are no sources, but the pages nearest to what was asked.
        """
        cards, self._mark = cards_of(marks or ()), mark
        if cards != self.items:
            self.fill(cards, self._row, self.highlighted)
        pointed = (at for at, card in enumerate(cards) if mark in card.places)
        self.highlighted = next(pointed, self.highlighted)
        if not cards:
            self.border_subtitle = "" if marks is None else _("nothing is cited")
        elif near:
            self.border_subtitle = plural("the nearest page", "the nearest pages", len(cards))
        else:
            self.border_subtitle = plural("%(n)d source", "%(n)d sources", len(cards))

    @property
    def place(self) -> int:
        """The current mark if it is one of the card pointed at, else the first of its marks."""
        places = self.current.places if self.current else ()
        return self._mark if self._mark is not None and self._mark in places else places[0]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is a width to change only beside the answers."""
        is_possible = action != "widen" or self.screen.has_class("-wide")
        return is_possible and super().check_action(action, parameters)

    def fit(self) -> None:
        """Have the width that was chosen, as far as there is room for it."""
        chosen = self.app.preferences.get(_WIDTH)
        is_chosen = self.screen.has_class("-wide") and chosen.isdecimal()
        width = self._fitting(int(chosen)) if is_chosen else None
        self.styles.width = self.styles.min_width = self.styles.max_width = width

    def _fitting(self, columns: int) -> int:
        """As many of these columns as the answers leave, and no fewer than they leave free."""
        room = self.screen.size.width
        least = max(_NARROWEST, min(room - _ANSWERS[1], _WIDEST))
        return max(least, min(columns, room - _ANSWERS[0]))

    def action_widen(self, by: int) -> None:
        self.app.preferences.keep(_WIDTH, str(self._fitting(self.outer_size.width + _STEP * by)))
        self.fit()

    def action_scores(self) -> None:
        self._shows_scores = not self._shows_scores
        self.fill(self.items, self._row, self.highlighted)

    def _row(self, card: SourceGroup) -> Content:
        return card_content(card, self._shows_scores)


def cards_of(marks: Sequence[Mark]) -> list[SourceGroup]:
    """A card for each label, in the order of the marks."""
    places: dict[str, list[int]] = {}
    for place, mark in enumerate(marks):
        if mark.citation is not None:
            places.setdefault(mark.label, []).append(place)
    documents = [one.citation.source for one in marks if isinstance(one.citation, Citation)]
    groups = []
    for label, ats in places.items():
        cited = tuple(one for at in ats if (one := marks[at].citation))
        said = tuple(marks[at].sentence for at in ats)
        groups.append(SourceGroup(_title(cited[0], documents), label, cited, tuple(ats), said))
    return groups


def _title(cited: Citation | WebCitation, documents: Sequence[Source]) -> str:
    """What is cited; its version, too, where another one of the same day is among `documents`."""
    if isinstance(cited, WebCitation):
        return cited.result.title
    source = cited.source
    day = source.week, source.date
    versions = {one.version for one in documents if (one.week, one.date) == day}
    if source.date and source.version and len(versions) > 1:
        return f"{source.title}, " + _("version %(version)s") % {"version": source.version}
    return source.title


def card_content(card: SourceGroup, scores: bool = False) -> Content:
    """What is quoted first, then one quiet line that says where it stands, and a blank line.

    `scores`: also how well each passage supports its sentence, and what retrieval said of it.
    """
    first, cited = card.cited[0], [one for one in card.cited if isinstance(one, Citation)]
    if isinstance(first, Citation):
        known = dict.fromkeys(map(_in_lines, cited, card.said))
        new = [one for one in known if not any(one in other for other in known if one != other)]
        quotes = [f"«{_cut(quote)}»" for quote in new[:_QUOTES]]
        told = [f"{card.title} · {pages(first.first_page, first.last_page)}"]
        told += dict.fromkeys(map(_scores_text, cited)) if scores else ()
    else:
        quotes = [_cut(first.result.snippet)]
        told = [f"{card.title} · {first.result.link}"]
    label = Content.styled(f"{card.label} ", "bold")
    lines = [*map(safe, quotes), *(safe(line, "$text-muted") for line in told), Content("")]
    return label + Content("\n").join(lines)


def _in_lines(citation: Citation, said: str) -> str:
    """A quote line by line, as lists and code have them.

    Without the rows of a table, which tell nothing in a column of words, nor what stands within the
    quote and was not `said`: an answer that quotes leaves out what is written in a drawing.
    """
    lines = [line.rstrip() for line in citation.quote.splitlines() if line.strip()]
    told = [line for line in lines if " | " not in line]
    words = {_words(line) for line in said.splitlines()}
    if told and _words(told[0]) in words and _words(told[-1]) in words:
        told = [line for line in told if _words(line) in words]
    is_shorter = told and len(told) < len(lines)
    return dedent("\n".join(told) + " …" if is_shorter else "\n".join(lines)).strip()


def _words(line: str) -> str:
    """A line without Markdown and other signs."""
    return " ".join(_WORD.findall(line))


def _cut(quote: str) -> str:
    """A quote that is not too long for a card, and not ended within a word."""
    is_long = len(quote) > _LONGEST_QUOTE
    return f"{quote[:_LONGEST_QUOTE].rsplit(maxsplit=1)[0]} …" if is_long else quote


def _scores_text(citation: Citation) -> str:
    support = _("support %(score)s") % {"score": decimal(citation.support, 2)}
    return joined(support, *retrievers_text(citation.hit.retrievers))


def sources_line(marks: Sequence[Mark]) -> Content:
    """All that an answer cites in a line; a label that is pressed opens its page.

    Of pages in a row the first names their document.
    """
    parts, before = [], ""
    for card in cards_of(marks):
        first, where = card.cited[0], card.title
        if isinstance(first, Citation):
            where = pages(first.first_page, first.last_page)
            where, before = where if card.title == before else f"{card.title}, {where}", card.title
        label = pressable(Content.styled(card.label, "bold"), f"open_place({card.places[0]})")
        parts.append(label + safe(f" {where}"))
    return Content(" · ").join(parts)


def source_facts(source: Source) -> str:
    """Week, date, version and authors, as far as they are known."""
    return joined(
        _("week %(n)d") % {"n": source.week} if source.week is not None else "",
        source.date.isoformat() if source.date else "",
        _("version %(version)s") % {"version": source.version} if source.version else "",
        ", ".join(source.authors),
    )


def retrievers_text(retrievers: Mapping[str, RetrieverScore]) -> list[str]:
    """At which place each retriever of the retrieval had a passage."""
    names = {
        "dense": _("meaning"),
        "sentence": _("sentence"),
        "lexical": _("words"),
    }
    return [f"{names.get(name, name)} #{one.rank}" for name, one in retrievers.items()]
