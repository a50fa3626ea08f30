"""One side of a comparison: the answer, and the passages that its index found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tutor.i18n import _, ngettext
from tutor.model import Citation, Hit, Route, SourceId
from tutor.presentation.amounts import decimal, pages
from tutor.tui.base import safe
from tutor.tui.figures import index_name
from tutor.tui.messages import PageWanted
from tutor.tui.widgets.sources import retrievers_text
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.comparing import pages_of

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from tutor.tui.marks import Mark


class ComparedTurn(TurnView):
    """An answer that is compared: it is judged beside the other one, not by itself."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Feedback and asking again belong to the conversation."""
        return action not in {"again", "feedback"} and super().check_action(action, parameters)

    def first_words(self) -> str:
        """One model writes one answer at a time."""
        return _("Waits for its turn ...")


class PassageList(OptionList):
    """The passages that an index found, best first; Enter or a click opens the page."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.border_title = _("Passages found")
        self._hits: Sequence[Hit] = ()
        self._cited: dict[str, Citation] = {}

    def show(
        self,
        hits: Sequence[Hit],
        labels: dict[str, list[str]],
        others: frozenset[tuple[SourceId, int]] | None = None,
    ) -> None:
        """These passages; `labels` are marks by chunk, `others` the pages of the other index."""
        highlighted = self.highlighted
        self._hits = hits
        self.clear_options()
        self.add_options([Option(_card(hit, labels, others)) for hit in hits])
        n = len(hits)
        self.border_subtitle = ngettext("%(n)d passage", "%(n)d passages", n) % {"n": n}
        if highlighted is not None and highlighted < n:
            self.highlighted = highlighted

    def cite(self, citations: Sequence[Citation]) -> None:
        """What the answer cites; its passages open where their sentence stands."""
        self._cited = {}
        for citation in citations:
            self._cited.setdefault(citation.hit.chunk.id, citation)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the page behind the passage."""
        event.stop()
        all_of_them = [self._cited.get(hit.chunk.id) or _whole(hit) for hit in self._hits]
        self.post_message(PageWanted(all_of_them[event.option_index], all_of_them))


class ComparedSide(Vertical):
    """The answer of one index above its passages."""

    def __init__(self, route: Route) -> None:
        super().__init__(id=route.value)
        self.route = route
        self.border_title = side_name(route)
        self._hits: Sequence[Hit] = ()
        self._others: frozenset[tuple[SourceId, int]] | None = None

    def compose(self) -> ComposeResult:
        """The answer scrolls by itself."""
        yield VerticalScroll(can_focus=False, classes="answer")
        yield PassageList()

    @property
    def turn(self) -> ComparedTurn:
        """The answer, once there is a question."""
        return self.query_one(ComparedTurn)

    @property
    def passages(self) -> PassageList:
        """The passages."""
        return self.query_one(PassageList)

    def ask(self, question: str) -> ComparedTurn:
        """Begin anew."""
        turn = ComparedTurn(question)
        scroll = self.query_one(".answer", VerticalScroll)
        scroll.query(ComparedTurn).remove()
        scroll.mount(turn)
        self._hits, self._others = (), None
        self._show_passages(())
        return turn

    def show_passages(
        self, hits: Sequence[Hit], others: frozenset[tuple[SourceId, int]] | None = None
    ) -> None:
        """The passages found; `others` are the pages that the other index has found."""
        self._hits, self._others = hits, others
        self._show_passages(self.turn.marks)

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """The answer may cite a passage that is shown already."""
        self._show_passages(message.turn.marks)

    def _show_passages(self, marks: Sequence[Mark]) -> None:
        labels: dict[str, list[str]] = {}
        cited: list[Citation] = []
        for mark in marks:
            if isinstance(mark.citation, Citation):
                cited.append(mark.citation)
                of_chunk = labels.setdefault(mark.citation.hit.chunk.id, [])
                if mark.label not in of_chunk:
                    of_chunk.append(mark.label)
        self.passages.cite(cited)
        self.passages.show(self._hits, labels, self._others)


def side_name(route: Route) -> str:
    """What an index is called beside the other one."""
    return f"{'A' if route is Route.FIXED else 'B'} · {index_name(route)}"


def _card(
    hit: Hit, labels: dict[str, list[str]], others: frozenset[tuple[SourceId, int]] | None
) -> Content:
    chunk = hit.chunk
    only = others is not None and not pages_of([hit]) & others
    first = Content(" ").join(
        part
        for part in (
            Content.styled(_("◆ only here"), "bold $text-accent") if only else Content(""),
            Content.styled("".join(labels.get(chunk.id, ())), "bold"),
            safe(hit.source.title, "bold"),
            safe(pages(chunk.first_page, chunk.last_page)),
        )
        if part.plain
    )
    scores = [
        _("score %(score)s") % {"score": decimal(hit.score, 2)},
        *retrievers_text(hit.retrievers),
    ]
    return first + Content("\n") + safe(" · ".join(scores), "$text-muted")


def _whole(hit: Hit) -> Citation:
    chunk = hit.chunk
    return Citation(0, 0, hit, 0, len(chunk.text), chunk.first_page, chunk.last_page, 1.0)
