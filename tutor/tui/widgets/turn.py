"""One turn of the conversation: the question, how it was understood, the answer and its figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Markdown, Static

from tutor import events
from tutor.errors import TutorError
from tutor.history import SavedTurn, TurnState
from tutor.i18n import _, plural
from tutor.model import Answer, Citation, Ending, WebCitation
from tutor.model.marks import Labels
from tutor.presentation.answers import (
    event_line,
    figures_text,
    gone_text,
    understood_text,
    waiting_text,
    with_announced,
)
from tutor.text.markdown import literal
from tutor.text.terminal import one_line, plain
from tutor.tui.answer_markdown import Mark, best, cited_text, marked, marks_of, readable
from tutor.tui.base import InApp, failure_text, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.threads import in_background
from tutor.tui.widgets.answer_text import AnswerText
from tutor.tui.widgets.sources import sources_line
from tutor.tui.widgets.state_line import FoldedWords, StateLine, answered_from


class TurnView(InApp, Vertical, can_focus=True):
    """A question and its answer, told event by event or as saved."""

    BINDINGS = keys_of("answer")
    AREA = N_("In an answer")
    state_line = getters.query_one(StateLine)

    @dataclass
    class Changed(Message):
        """Marks were added, another one is the current one, or the turn ended."""

        turn: TurnView

    @dataclass
    class Quoted(Message):
        """What the notes say stands there in so many `blocks`; a model is asked next."""

        turn: TurnView
        blocks: int

    def __init__(self, question: str, saved: SavedTurn | None = None) -> None:
        super().__init__()
        self.question = question
        self.saved = saved
        self.standalone = saved.standalone if saved else question
        """The question as it is understood without the one before."""
        self.turn_id: int | None = saved.id if saved else None
        self.route = saved.route if saved else None
        self.rating = saved.feedback.rating if saved and saved.feedback else 0
        self.is_over = saved is not None
        self.state = saved.state if saved else TurnState.WRITING
        """How far it got, where no answer came of it."""
        self.answer: Answer | None = saved.answer if saved else None
        self.shown = self.answer.founded if self.answer else None
        """The answer without what is folded away; None where nothing came."""
        self.marks = marks_of(self.shown) if self.shown else []
        self._so_far = events.AnswerSoFar()
        if saved:
            self._so_far.text = saved.text
        text = self.shown.text if self.shown else self.text
        quoted = self.shown.quoted_end if self.shown else 0
        self.markdown = AnswerText(self.marks, marked(text, self.marks, quoted))
        self._labels = Labels()
        self._why = ""
        """What broke it off; a failure, or the last notice."""
        self._about: dict[str, str] = {}
        """What is said of the question, by the line itself; by `how` and `route`, how it was
        understood and sent."""
        if saved and saved.standalone != saved.question:
            self._about["how"] = understood_text(saved.standalone)
        if saved and saved.gone:
            self._about["gone"] = gone_text(saved)
        self._classify(update=False)

    def compose(self) -> ComposeResult:
        """A saved turn stands there at once: what is put in later is styled and laid out again."""
        yield Static(safe(self.question), classes="question")
        about = Static(safe("\n".join(self._about.values())), classes="about")
        about.display = bool(self._about)
        yield about
        yield self.markdown
        folded = FoldedWords()
        folded.display = self.is_folded
        yield folded
        yield Static(sources_line(self.marks), classes="cited")
        yield StateLine(self.ending() if self.saved else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """There is nothing to walk along without marks."""
        return action not in {"mark", "open_mark"} or bool(self.marks)

    @property
    def text(self) -> str:
        return self._so_far.text

    @property
    def is_folded(self) -> bool:
        """Whether a model's words that nothing supports are left out of what is shown."""
        return self.shown is not self.answer

    @property
    def current_mark(self) -> Mark | None:
        place = self.markdown.current
        return self.marks[place] if place is not None and place < len(self.marks) else None

    # --- the answer as it comes ---

    async def take(self, event: events.Event) -> None:
        self._so_far.take(event)
        match event:
            case events.Token():
                self.state_line.write()
                await self.markdown.write(self._shown_as(event))
            case events.Verified():
                sentence = readable(self.text[event.start : event.end])
                label = self._labels.of(event.citation)
                mark = Mark(label, sentence, event.end, event.citation)
                await self.markdown.write_mark(mark, self.text)
                self._show_marks()
                self.post_message(self.Changed(self))
            case events.Waiting():
                await self._wait(event)
            case events.Reasoning():
                self.state_line.say(_("The model is thinking ..."))
            case events.Retrieved():
                n = len(event.hits)
                self.state_line.say(plural("%(n)d passage found", "%(n)d passages found", n))
            case events.Finished() if event.answer.founded is not event.answer:
                pass  # what is folded away needs no warning
            case _:
                self._note(event)

    def _shown_as(self, token: events.Token) -> str:
        """The Markdown of a piece that has come; before a model writes it is what the notes say."""
        if self._so_far.is_written:
            return readable(token.text)
        text = readable(literal(token.text, self.text.removesuffix(token.text)))
        return best(text) if token.best else text

    async def _wait(self, event: events.Waiting) -> None:
        """Say what is waited for, but for a pause between two words."""
        if event.stage is events.Stage.ASKING:
            self.state_line.is_asking = True
            await self.markdown.end_writing()  # how high the quotes are is known then
            self.post_message(self.Quoted(self, len(self.markdown.children)))
        if event.tokens or event.stage is not events.Stage.READING:
            self.state_line.is_writing = False
            self.state_line.say(waiting_text(event))

    def _note(self, event: events.Event) -> None:
        """Say above the answer what happened; of how it was understood and sent, what came last."""
        kind = ""
        if isinstance(event, events.Routed):
            self.route, kind = event.route, "route"
            self._about.pop(kind, None)
        elif isinstance(event, events.Rewritten):
            self.standalone, kind = event.standalone, "how"
        if line := event_line(event):
            self._about[kind or line] = line
            self._why = line if isinstance(event, events.Notice) else self._why
            self._show_about()

    async def end(self, turn_id: int | None, error: TutorError | None = None) -> None:
        """Say how it ended; whatever came stays. `turn_id` is that of the saved turn."""
        await self.markdown.end_writing()
        self.answer = self._so_far.answer(Ending.BROKEN if error else Ending.STOPPED)
        self.shown = self.answer.founded if self.answer else None
        if self.shown and (self.is_folded or self.shown.nearest):
            await self.markdown.show(self.shown)
        self.is_over, self.turn_id = True, turn_id
        self.state = TurnState.BROKEN if error else TurnState.STOPPED
        if error:
            self._why = failure_text(error)
            self._about[self._why] = self._why
        if self.answer and self.answer.ending is Ending.BROKEN:
            self._about.pop(self._why, None)  # that is said where it ends
        else:
            self._why = ""
        self._show_about()
        self._show_end()
        self.post_message(self.Changed(self))

    def _show_about(self) -> None:
        about = self.query_one(".about", Static)
        about.update(safe("\n".join(self._about.values())))
        about.display = bool(self._about)

    def _classify(self, *, update: bool = True) -> None:
        told = self.answer or self.saved
        self.set_class(bool(told and told.abstained), "-refused", update=update)
        self.set_class(self.state is TurnState.BROKEN, "-failed", update=update)
        is_cited = bool(self.marks) and not self.has_class("-refused")
        self.set_class(is_cited, "-cited", update=update)

    def _show_marks(self) -> None:
        self._classify()
        self.query_one(".cited", Static).update(sources_line(self.marks))

    def _show_end(self) -> None:
        self._show_marks()
        self.state_line.update(self.ending())
        self.query_one(FoldedWords).display = self.is_folded

    def ending(self) -> Content:
        """How it ended: what its reader has to know, then facts, and what broke it off."""
        warnings = [_("○ not in the notes")] if self.has_class("-refused") else []
        if self.shown and (n := len(self.shown.unsupported)):
            text = plural(
                "[?] %(n)d sentence without support", "[?] %(n)d sentences without support", n
            )
            warnings.append(text)
        stopped, broken = _("■ stopped"), _("✗ broken off")
        if self.answer:
            endings = {Ending.LENGTH: _("… cut"), Ending.STOPPED: stopped, Ending.BROKEN: broken}
            warnings += filter(None, [endings.get(self.answer.ending)])
        else:
            elsewhere = _("… being written elsewhere")
            states = {TurnState.WRITING: elsewhere, TurnState.BROKEN: broken}
            warnings.append(states.get(self.state, stopped))
        times = () if self.saved else (self.state_line.told_s, self.state_line.written_s)
        facts = figures_text(self.answer, *times)
        if self.route and not (self.answer and not self.answer.timings):  # else nothing was asked
            facts.append(answered_from(self.route))
        if self.rating:
            facts.append(_("▲ good") if self.rating > 0 else _("▼ bad"))
        styled = [Content.styled(text, "bold $text-warning") for text in warnings]
        told = Content(" · ").join([*styled, *map(Content, facts)])
        return told + safe(f"\n{self._why}") if self._why else told

    # --- what its reader does ---

    def action_open_place(self, place: int, goes_there: bool = True) -> None:
        """Open the page behind a mark; `goes_there`: its reader is at the answer then."""
        if goes_there:
            self.focus()
        self.point_at(place)
        self.action_open_mark()

    def point_at(self, place: int) -> None:
        self.markdown.point_at(place)
        self.post_message(self.Changed(self))

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """A click on a mark opens its page: marks are the only links there are."""
        event.stop()
        self.action_open_place(int(event.href.removeprefix("mark-")))

    def on_focus(self) -> None:
        self.post_message(self.Changed(self))

    def action_mark(self, step: int) -> None:
        """Point at the mark before or after, around the end."""
        current = self.markdown.current
        start = -1 if current is None and step > 0 else current or 0
        self.point_at((start + step) % len(self.marks))

    def _pointed(self) -> Citation | WebCitation | None:
        """What the current mark stands for, or the first one."""
        if self.marks and self.markdown.current is None:
            self.point_at(0)
        return self.current_mark.citation if self.current_mark else None

    def action_open_mark(self) -> None:
        citation = self._pointed()
        if isinstance(citation, Citation):
            cited = [one.citation for one in self.marks if isinstance(one.citation, Citation)]
            self.app.open_page(citation, cited)
        elif citation:
            self.app.copy_to_clipboard(citation.result.link)
            told = _("%(link)s (copied; tutor opens no web pages)")
            self.notify(told % {"link": citation.result.link})
        else:
            self.notify(_("Nothing in the notes supports this sentence."))

    def action_open_pdf(self) -> None:
        citation = self._pointed()
        if isinstance(citation, Citation):
            self.app.open_pdf(citation.source.path, citation.first_page)

    def action_card(self) -> None:
        citation = self._pointed()
        if isinstance(citation, Citation) and self.shown and not self.shown.abstained:
            answer, key = citation.quote, self.app.key_of("study")
            if citation.start < self.shown.own_start:  # what a model wrote may be wrong
                said = citation.best if any(citation.best) else (citation.start, citation.end)
                answer = with_announced(self.shown.text, *said, citation.end)
            told = _("A card was made of “%(question)s”; %(key)s reviews it.")

            def kept(question: str) -> None:
                self.notify(told % {"question": one_line(question), "key": key})

            keep = partial(self.app.workspace.keep_card, self.standalone, answer, citation)
            in_background(self, keep, kept)
        else:
            self.notify(_("Nothing in the notes supports this sentence."))

    def action_copy(self, cited: bool) -> None:
        text = self.shown.text if self.shown else self.text
        if cited and self.shown:
            text = cited_text(self.question, self.shown)
        self.app.copy_to_clipboard(plain(text))
        self.notify(_("Copied with its sources.") if cited else _("Copied."))

    async def action_written(self) -> None:
        if self.answer is None or not self.is_folded:
            self.notify(_("Nothing is folded in this answer."))
            return
        self.shown = self.answer
        await self.markdown.show(self.answer)
        if self.query_one(FoldedWords).has_focus:  # it goes away
            self.focus(scroll_visible=False)
        self._show_end()
        self.post_message(self.Changed(self))

    def saved_id(self) -> int | None:
        """The number of the saved turn; where it has none yet, that is said."""
        if not self.is_over:
            self.notify(_("An answer is being written; Esc stops it."))
        elif self.turn_id is None:
            self.notify(_("This conversation is not saved."))
        return self.turn_id if self.is_over else None

    def rate(self, rating: int) -> None:
        self.rating = 0 if rating == self.rating else rating
        self._show_end()
