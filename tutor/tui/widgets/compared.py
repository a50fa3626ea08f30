"""One side of a comparison: the answer of an index above the passages that it found."""

from __future__ import annotations

from collections.abc import Sequence

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList

from tutor.i18n import _, ngettext
from tutor.model import Citation, Hit, Route
from tutor.presentation.amounts import decimal, pages
from tutor.tui.base import ItemList, safe
from tutor.tui.marks import Mark
from tutor.tui.texts import index_name
from tutor.tui.widgets.sources import retrievers_text
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.cited_page import passage_cited
from tutor.tui.workspace.comparing import Pages, pages_of


class ComparedTurn(TurnView):
    """An answer that is compared: it is judged beside the other one, not by itself."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Feedback, asking again and deleting belong to the conversation."""
        return action not in {"again", "feedback", "delete"} and super().check_action(
            action, parameters
        )


class PassageList(ItemList[Hit]):
    """The passages that an index found, best first; Enter or a click opens the page."""

    def __init__(self) -> None:
        super().__init__()
        self.border_title = _("Passages found")
        self._cited: dict[str, Citation] = {}

    def show(self, hits: Sequence[Hit], marks: Sequence[Mark], others: Pages | None) -> None:
        """These passages, those that the answer's `marks` cite with their labels.

        `others` are the pages that the other index has found, None while that is unknown.
        """
        labels: dict[str, dict[str, None]] = {}
        self._cited = {}
        for mark in marks:
            if isinstance(mark.citation, Citation):
                chunk = mark.citation.hit.chunk.id
                self._cited.setdefault(chunk, mark.citation)
                labels.setdefault(chunk, {})[mark.label] = None
        at = self.highlighted
        kept = at if at is not None and at < len(hits) else None
        self.fill(hits, lambda hit: _card(hit, "".join(labels.get(hit.chunk.id, ())), others), kept)
        n = len(hits)
        self.border_subtitle = ngettext("%(n)d passage", "%(n)d passages", n) % {"n": n}

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the page behind the passage, where its sentence stands if it is cited."""
        all_of_them = [self._cited.get(hit.chunk.id) or passage_cited(hit) for hit in self.items]
        self.app.open_page(all_of_them[event.option_index], all_of_them)


class ComparedSide(Vertical):
    """The answer of one index above its passages."""

    turn = getters.query_one(ComparedTurn)
    passages = getters.query_one(PassageList)

    def __init__(self, route: Route, question: str) -> None:
        super().__init__(id=route.value)
        self._question = question
        self.border_title = side_name(route)
        self._hits: Sequence[Hit] = ()
        self._others: Pages | None = None

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="answer"):
            yield ComparedTurn(self._question)
        yield PassageList()

    def show_passages(self, hits: Sequence[Hit], others: Pages | None = None) -> None:
        """The passages found; `others` are the pages that the other index has found."""
        self._hits, self._others = hits, others
        self.passages.show(hits, self.turn.marks, others)

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """The answer may cite a passage that is shown already."""
        self.passages.show(self._hits, message.turn.marks, self._others)


def side_name(route: Route) -> str:
    """What an index is called beside the other one."""
    return f"{'A' if route is Route.FIXED else 'B'} · {index_name(route)}"


def _card(hit: Hit, labels: str, others: Pages | None) -> Content:
    chunk = hit.chunk
    only = others is not None and not pages_of([hit]) & others
    parts = [
        Content.styled(_("◆ only here") if only else "", "bold $text-accent"),
        Content.styled(labels, "bold"),
        safe(hit.source.title, "bold"),
        safe(pages(chunk.first_page, chunk.last_page)),
    ]
    scores = [
        _("score %(score)s") % {"score": decimal(hit.score, 2)},
        *retrievers_text(hit.retrievers),
    ]
    first = Content(" ").join(part for part in parts if part.plain)
    return first + Content("\n") + safe(" · ".join(scores), "$text-muted")
