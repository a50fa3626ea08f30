"""Both indexes are asked the same: answers, passages and times side by side, and a judgement."""

from __future__ import annotations

from collections.abc import Sequence

from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, OptionList, Static, Tab, Tabs
from textual.worker import Worker

from tutor.errors import TutorError
from tutor.history import Choice
from tutor.i18n import _, ngettext
from tutor.model import Citation, Hit, Route
from tutor.presentation.amounts import decimal, pages
from tutor.tui.base import (
    ItemList,
    KeyBar,
    PageWanted,
    TutorScreen,
    follow,
    in_background,
    safe,
)
from tutor.tui.keys import keys_of
from tutor.tui.marks import Mark
from tutor.tui.texts import index_name
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.sources import retrievers_text
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.comparing import ROUTES, Half, Pages, SideBySide, Step, by_source, pages_of

_NONE = "—"


class ComparedTurn(TurnView):
    """An answer that is compared: it is judged beside the other one, not by itself."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Feedback, asking again and deleting belong to the conversation."""
        return action not in {"again", "feedback", "delete"} and super().check_action(
            action, parameters
        )

    def first_words(self) -> str:
        """One model writes one answer at a time."""
        return _("Waits for its turn ...")


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
        all_of_them = [self._cited.get(hit.chunk.id) or _whole(hit) for hit in self.items]
        self.post_message(PageWanted(all_of_them[event.option_index], all_of_them))


class ComparedSide(Vertical):
    """The answer of one index above its passages."""

    turn = getters.query_one(ComparedTurn)
    passages = getters.query_one(PassageList)

    def __init__(self, route: Route) -> None:
        super().__init__(id=route.value)
        self.border_title = side_name(route)
        self._hits: Sequence[Hit] = ()
        self._others: Pages | None = None

    def compose(self) -> ComposeResult:
        yield VerticalScroll(can_focus=False, classes="answer")
        yield PassageList()

    def ask(self, question: str) -> None:
        """Begin anew."""
        scroll = self.query_one(".answer", VerticalScroll)
        scroll.query(ComparedTurn).remove()
        scroll.mount(ComparedTurn(question))
        self._hits, self._others = (), None
        self.passages.show((), (), None)

    def show_passages(self, hits: Sequence[Hit], others: Pages | None = None) -> None:
        """The passages found; `others` are the pages that the other index has found."""
        self._hits, self._others = hits, others
        self.passages.show(hits, self.turn.marks, others)

    def on_turn_view_changed(self, message: TurnView.Changed) -> None:
        """The answer may cite a passage that is shown already."""
        self.passages.show(self._hits, message.turn.marks, self._others)


class CompareScreen(TutorScreen):
    """One question, two answers. Without a question it can be typed here."""

    CSS_PATH = "../styles/compare.tcss"
    BINDINGS = keys_of("compare")

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question.strip()
        self._worker: Worker[None] | None = None
        self._comparison: SideBySide | None = None
        self._choice: Choice | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="question")
        yield QuestionBox()
        yield Tabs(*(Tab(side_name(route), id=route.value) for route in ROUTES))
        with Horizontal(id="sides"):
            for route in ROUTES:
                yield ComparedSide(route)
        yield Static(id="summary")
        with Horizontal(id="choices"):
            for choice in _choice_texts():
                yield Button(id=choice.value, compact=True, disabled=True)
        yield KeyBar()

    def on_mount(self) -> None:
        self._show_state()
        if self._question:
            self._ask(self._question)
        else:
            self.action_another()

    @property
    def is_comparing(self) -> bool:
        """Whether answers are being written."""
        return self._worker is not None

    @property
    def _sides(self) -> list[ComparedSide]:
        return list(self.query(ComparedSide))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        if action == "choose":
            return self._saved is not None
        return not self.is_comparing if action == "another" else True

    # --- asking ---

    def on_question_box_sent(self, message: QuestionBox.Sent) -> None:
        message.stop()
        if not self.is_comparing:
            self.query_one(QuestionBox).sent(message.question)
            self._ask(message.question)

    def _ask(self, question: str) -> None:
        comparison = SideBySide(self.workspace, question)
        self._question, self._comparison, self._choice = question, comparison, None
        self.remove_class("-typing")
        self.query_one("#question", Static).update(safe(" ".join(question.split())))
        for side in self._sides:
            side.ask(question)
        self._worker = follow(self, comparison.steps, self._take, self._end)
        self._sides[0].turn.focus()
        self._show_state()

    async def _take(self, step: Step) -> None:
        """Show what happened to one of the answers."""
        half, event = step
        side = self._sides[ROUTES.index(half.route)]
        if event:
            await side.turn.take(event)
        elif half.seconds is None:
            side.turn.begin()
        else:
            await side.turn.end(None, half.problem)
            side.show_passages(half.hits)

    async def _end(self, error: TutorError | None) -> None:
        """Show what differs, and let the reader judge."""
        self._worker = None
        if error:
            self.app.report(error)
        halves = self._comparison.halves if self._comparison else []
        found = [pages_of(half.hits) for half in halves]
        for side, half, others in zip(self._sides, halves, reversed(found), strict=True):
            if not side.turn.is_over:
                await side.turn.end(None, half.problem)
            side.show_passages(half.hits, others)
        self._show_state()

    @property
    def _saved(self) -> int | None:
        """The id of the comparison, once it can be judged."""
        return self._comparison.id if self._comparison and not self.is_comparing else None

    def _show_state(self) -> None:
        """Sum up what both have found, and offer to judge, once both are over."""
        is_over = self._comparison and not self.is_comparing
        halves = self._comparison.halves if self._comparison and is_over else []
        self.query_one("#summary", Static).update(summary_text(halves))
        self._show_choice()
        self.refresh_bindings()

    # --- keys ---

    def action_stop_or_leave(self) -> None:
        """Stop what is being written; where nothing is, or it is stopped already, leave."""
        if self._worker and not self._worker.is_cancelled:
            self._worker.cancel()
            for side in self._sides:
                if not side.turn.is_over:
                    side.turn.say(_("Stopping ..."))
        elif self.has_class("-typing") and self._question:
            self.remove_class("-typing")
            self._sides[0].turn.focus()
        else:
            self.dismiss(self._told())

    def _told(self) -> str | None:
        """What was compared, and how it was judged."""
        if self._saved is None:
            return None
        told = _("Compared: «%(question)s»") % {"question": " ".join(self._question.split())}
        return f"{told} · {_choice_texts()[self._choice][1]}" if self._choice else told

    def action_other_side(self) -> None:
        tabs = self.query_one(Tabs)
        left, right = self._sides
        tabs.active = right.id or "" if tabs.active == left.id else left.id or ""

    def on_tabs_tab_activated(self, message: Tabs.TabActivated) -> None:
        """On a narrow screen the answer of the tab is shown, on a wide one it gets the keys."""
        right = message.tab.id == self._sides[1].id
        if right != self.has_class("-right"):
            self.set_class(right, "-right")
            turn = self._sides[right].query(TurnView)
            if turn and not self.query_one(Tabs).has_focus:
                self.call_after_refresh(turn.first().focus)

    def on_descendant_focus(self) -> None:
        """The tab is that of the answer which is read."""
        for side in self._sides:
            if self.focused and side in self.focused.ancestors:
                self.query_one(Tabs).active = side.id or ""

    def action_another(self) -> None:
        self.add_class("-typing")
        self.query_one(QuestionBox).focus()

    # --- the judgement ---

    def on_button_pressed(self, message: Button.Pressed) -> None:
        message.stop()
        self.action_choose(message.button.id or "")

    def action_choose(self, name: str) -> None:
        """Keep which answer is better; the same again takes it back."""
        comparison = self._saved
        if comparison is None:
            return
        choice = None if self._choice == name else Choice(name)
        self._choice = choice
        self._show_choice()
        sessions = self.workspace.sessions
        in_background(self, lambda: sessions.choose(comparison, choice))

    def _show_choice(self) -> None:
        for choice, (key, words) in _choice_texts().items():
            button = self.query_one(f"#{choice.value}", Button)
            button.disabled = self._saved is None
            button.set_class(choice is self._choice, "-chosen")
            chosen = "✓ " if choice is self._choice else ""
            button.label = Content.styled(f" {key} ", "bold reverse") + safe(f" {chosen}{words}")


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


def _whole(hit: Hit) -> Citation:
    chunk = hit.chunk
    return Citation(0, 0, hit, 0, len(chunk.text), chunk.first_page, chunk.last_page, 1.0)


def summary_text(halves: Sequence[Half]) -> Content:
    """Three lines: what both found and the time of each, what only the left, only the right."""
    if not halves:
        return Content("\n").join([safe(_("Both answers are compared here.")), "", ""])
    left, right = halves
    of_left, of_right = pages_of(left.hits), pages_of(right.hits)
    n = len(of_left & of_right)
    both = ngettext("%(n)d page found by both", "%(n)d pages found by both", n) % {"n": n}
    times = [f"{name} {_seconds(half)}" for name, half in (("A", left), ("B", right))]
    lines = [safe(" · ".join([both, *times]), "bold")]
    lines += [_only("A", left, of_left - of_right), _only("B", right, of_right - of_left)]
    return Content("\n").join(lines)


def _only(name: str, half: Half, of_half: Pages) -> Content:
    listed = [
        f"{source.title} {_('p.')} {', '.join(map(str, numbers))}"
        for source, numbers in by_source(of_half, half.hits)
    ]
    only = _("only %(side)s (%(n)d): ") % {"side": name, "n": len(of_half)}
    return safe(only, "bold") + safe("; ".join(listed) or _NONE)


def _seconds(half: Half) -> str:
    return _NONE if half.seconds is None else _("%(s)s s") % {"s": decimal(half.seconds, 1)}


def _choice_texts() -> dict[Choice, tuple[str, str]]:
    """The key of each judgement, and its words."""
    return {
        Choice.LEFT: ("1", _("A is better")),
        Choice.RIGHT: ("2", _("B is better")),
        Choice.BOTH: ("3", _("both are good")),
        Choice.NEITHER: ("0", _("neither")),
    }
