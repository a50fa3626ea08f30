"""Both indexes are asked the same: answers, passages and times side by side, and a judgement."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.worker import Worker

from tutor.errors import TutorError
from tutor.events import Retrieved
from tutor.history import Preference
from tutor.i18n import _, plural
from tutor.model import Citation, Hit, Route
from tutor.model.marks import pages
from tutor.presentation.amounts import decimal
from tutor.tui.answer_markdown import Mark
from tutor.tui.base import ItemList, TutorScreen, pressable, safe
from tutor.tui.keys import NAMES, keys_of
from tutor.tui.threads import follow, in_background
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.widgets.sources import retrievers_text
from tutor.tui.widgets.state_line import index_name
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workspace.cited_page import passage_cited
from tutor.tui.workspace.comparing import ROUTES, Half, Pages, SideBySide, Step, by_source, pages_of


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
        self.border_subtitle = plural("%(n)d passage", "%(n)d passages", len(hits))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open the page behind the passage, where its sentence stands if it is cited."""
        all_of_them = [self._cited.get(hit.chunk.id) or passage_cited(hit) for hit in self.items]
        self.app.open_page(all_of_them[event.option_index], all_of_them)


class ComparedSide(Vertical):
    """The answer of one index above its passages."""

    turn = getters.query_one(TurnView)
    passages = getters.query_one(PassageList)

    def __init__(self, half: Half, question: str) -> None:
        super().__init__(id=half.route.value)
        self.half = half
        self._question = question
        self._others: Pages | None = None
        self.letter = "A" if half.route is Route.FIXED else "B"
        self.border_title = f"{self.letter} · {index_name(half.route)}"

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=False, classes="answer"):
            yield TurnView(self._question)
        yield PassageList()

    def show_passages(self, others: Pages | None = None) -> None:
        """The passages found; `others` are the pages that the other index has found."""
        self._others = others
        self.passages.show(self.half.hits, self.turn.marks, others)

    def on_turn_view_changed(self) -> None:
        """The answer may cite a passage that is shown already."""
        self.show_passages(self._others)


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


class CompareScreen(TutorScreen):
    """One question, two answers."""

    BINDINGS = keys_of("compare")
    _has_typed = False

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = " ".join(question.split())
        self._worker: Worker[None] | None = None
        self._comparison = SideBySide(self.workspace, question)
        self._choice: Preference | None = None

    def body(self) -> ComposeResult:
        with Horizontal(id="sides"):
            for half in self._comparison.halves:
                yield ComparedSide(half, self._question)
        yield Static(id="summary")
        yield Static(id="choices")

    def on_mount(self) -> None:
        self.head(self._question)
        self._worker = follow(self, self._comparison.steps, self._take, self._end)
        self._sides[0].turn.focus()
        self._show_state()

    @property
    def is_comparing(self) -> bool:
        return self._worker is not None

    @property
    def _sides(self) -> list[ComparedSide]:
        return list(self.query(ComparedSide))

    async def _take(self, step: Step) -> None:
        half, event = step
        side = self._sides[ROUTES.index(half.route)]
        if event:
            await side.turn.take(event)
        else:
            await side.turn.end(None, half.problem)
            self._sides[1].turn.state_line.count_anew()  # it has waited for this one
        if isinstance(event, Retrieved):
            side.show_passages()
        if not self._has_typed:
            self._show_writing()

    async def _end(self, error: TutorError | None) -> None:
        self._worker = None
        if error:
            self.app.report(error)
        for side, other in zip(self._sides, reversed(self._sides), strict=True):
            if not side.turn.is_over:
                await side.turn.end(None, side.half.problem)
            side.show_passages(pages_of(other.half.hits))
        self._show_state()

    @property
    def _saved(self) -> int | None:
        """The id of the comparison, once it can be judged."""
        return None if self.is_comparing else self._comparison.id

    def _show_writing(self) -> None:
        """Say where a model still writes: on the other side, or pages below."""
        for side in self._sides:
            if side.turn.state_line.is_asking and not side.turn.is_over:
                told = _("The model writes in %(side)s") % {"side": side.letter}
                below = "▼ " if side.query_one(".answer").max_scroll_y else ""
                self.query_one("#summary", Static).update(safe(below + told, "bold $text-warning"))
                return

    def _show_state(self) -> None:
        """Sum up what both have found, and offer to judge, once both are over."""
        halves = [] if self.is_comparing else self._comparison.halves
        self.query_one("#summary", Static).update(summary_text(halves))
        self._show_choice()
        self.refresh_bindings()

    # --- keys ---

    def can(self, action: str) -> bool:
        """Esc stops what is written, else leaves; neither answer stands in the conversation."""
        is_writing = self._worker is not None and not self._worker.is_cancelled
        possible = {"stop": is_writing, "leave": not is_writing}
        return possible.get(action, action not in {"again", "rate", "delete"})

    def action_stop(self) -> None:
        if self._worker:
            self._worker.cancel()
            for side in self._sides:
                if not side.turn.is_over:
                    side.turn.state_line.say(_("Stopping ..."))
            self.refresh_bindings()

    def action_leave(self) -> None:
        told = _("Compared: “%(question)s”") % {"question": self._question}
        if self._choice:
            told += f" · {_choice_text(self._choice)}"
        self.dismiss(None if self._saved is None else told)

    def action_other_side(self) -> None:
        """Go to the other answer; on a narrow screen it takes this one's place."""
        right = not (self.focused and self._sides[1] in self.focused.ancestors)
        self.set_class(right, "-right")
        self.call_after_refresh(self._sides[right].turn.focus)

    def on_key(self, event: events.Key) -> None:
        """A letter begins the next question; what is being written goes on, or Enter ends it."""
        box = self.app.chat.query_one(QuestionBox)
        if self._has_typed and event.key == "enter":
            event.stop()
            self.action_stop()
            self.action_leave()
            box.call_later(box.action_send)
        elif event.is_printable and (self._has_typed or event.key not in self.active_bindings):
            self._has_typed = True
            box.take_key(event)
            if self.is_comparing:
                typed = _("Your next question: %(question)s") % {"question": box.text}
                self.query_one("#summary", Static).update(safe(typed))
            elif self.is_current:
                self.action_leave()

    def action_choose(self, name: str) -> None:
        """Keep which answer is better; the same again takes it back."""
        comparison = self._saved
        if comparison is not None:
            choice = self._choice = None if self._choice == name else Preference(name)
            self._show_choice()
            in_background(self, lambda: self.workspace.sessions.choose(comparison, choice))

    def _show_choice(self) -> None:
        choices = []
        for choice in Preference:
            is_chosen = choice is self._choice
            style = "$text-disabled" if self._saved is None else "bold reverse" if is_chosen else ""
            told = safe(f" {'✓ ' if is_chosen else ''}{_choice_text(choice)} ", style)
            key = self.app.key_of(f"compare.{choice.value}")
            shown = Content.styled(f" {key} ", "bold reverse") + told
            choices.append(pressable(shown, f"screen.choose('{choice.value}')"))
        self.query_one("#choices", Static).update(Content(" ").join(choices))


def summary_text(halves: Sequence[Half]) -> Content:
    """Three lines: what both found and the time of each, what only the left, only the right."""
    if not halves:
        return Content("\n").join([safe(_("Both answers are compared here.")), "", ""])
    left, right = (pages_of(half.hits) for half in halves)
    common = len(left & right)
    facts = [plural("%(n)d page found by both", "%(n)d pages found by both", common)]
    lines = []
    for name, half, only in zip("AB", halves, (left - right, right - left), strict=True):
        facts.append(f"{name} " + _("%(s)s s") % {"s": decimal(half.seconds, 1)})
        listed = [
            f"{source.title} {_('p.')} {', '.join(map(str, numbers))}"
            for source, numbers in by_source(only, half.hits)
        ]
        told = _("only %(side)s (%(n)d): ") % {"side": name, "n": len(only)}
        lines.append(safe(told, "bold") + safe("; ".join(listed) or "—"))
    return Content("\n").join([safe(" · ".join(facts), "bold"), *lines])


def _choice_text(choice: Preference) -> str:
    return _(NAMES[f"compare.{choice.value}"][1].description)
