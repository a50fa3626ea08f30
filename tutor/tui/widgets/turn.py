"""One turn of the conversation: the question, how it was understood, the answer and its figures."""

from __future__ import annotations

import time
from dataclasses import dataclass

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Markdown, Static

from tutor import events
from tutor.errors import TutorError
from tutor.history import SavedTurn, TurnState
from tutor.i18n import _, ngettext
from tutor.model import Answer, Citation, Ending, Route, WebCitation
from tutor.presentation.event_texts import event_line, understood_text, waiting_text
from tutor.presentation.labels import Labels
from tutor.text.terminal import plain
from tutor.tui.base import CommentWanted, PageWanted, PdfWanted, TextWanted, failure_text, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.marks import Mark, cited_text, marked, marks_of, readable, written
from tutor.tui.texts import figures_text, index_name
from tutor.tui.widgets.answer_text import AnswerText, SteadyStream
from tutor.tui.widgets.folded import FoldedWords
from tutor.tui.widgets.sources import sources_line

LONGEST_SHOWN = 20_000
"""Characters of an answer that are laid out; what follows is read on a screen of its own."""


class TurnView(Vertical, can_focus=True):
    """A question and its answer, told event by event or as saved."""

    BINDINGS = keys_of("answer")
    AREA = N_("In an answer")
    markdown = getters.query_one(AnswerText)

    @dataclass
    class Changed(Message):
        """Marks were added, another one is the current one, or the turn ended."""

        turn: TurnView

    @dataclass
    class Again(Message):
        """The other index is to be asked the same."""

        turn: TurnView

    @dataclass
    class Unwanted(Message):
        """It is to be deleted."""

        turn: TurnView

    def __init__(self, question: str, saved: SavedTurn | None = None) -> None:
        super().__init__()
        self.question = question
        self.saved = saved
        self.turn_id: int | None = saved.id if saved else None
        self.answer: Answer | None = saved.answer if saved else None
        self.route = saved.route if saved else None
        self.text = saved.text if saved else ""
        self.shown = self.answer.founded if self.answer else None
        self.marks: list[Mark] = marks_of(self.shown) if self.shown else []
        self.rating = saved.feedback.rating if saved and saved.feedback else 0
        self.is_over = saved is not None
        self._labels = Labels()
        self._about: list[str] = []
        self._stream: SteadyStream | None = None
        self._laid_out = 0
        self._started = time.monotonic()
        self._first_token_s: float | None = None
        self._is_writing = False
        if saved:
            if saved.standalone != saved.question:
                self._about = [understood_text(saved.standalone)]
            self._classify(failed=saved.state is TurnState.BROKEN, update=False)

    def compose(self) -> ComposeResult:
        """A saved turn stands there at once: what is put in later is styled and laid out again."""
        yield Static(safe(self.question), classes="question")
        about = safe("\n".join(self._about))
        yield Static(about, classes="about -said" if about else "about")
        text = self.shown.text if self.shown else self.text
        yield AnswerText(self.marks, marked(text, self.marks)[:LONGEST_SHOWN])
        yield FoldedWords(self.is_folded)
        yield Static(sources_line(self.marks), classes="cited")
        state = self._end_content() if self.saved else safe(self.first_words())
        yield Static(state, classes="state")

    def first_words(self) -> str:
        """What is said before anything has happened."""
        return _("Looking it up ...")

    @property
    def is_folded(self) -> bool:
        """Whether a model's words that nothing supports are left out of what is shown."""
        return self.shown is not self.answer

    @property
    def current_mark(self) -> Mark | None:
        """The mark that was pointed at last."""
        place = self.markdown.current
        return self.marks[place] if place is not None and place < len(self.marks) else None

    # --- the answer as it comes ---

    async def take(self, event: events.Event) -> None:
        """Show the next event."""
        match event:
            case events.Token():
                await self._write(readable(event.text), event.text)
            case events.Verified():
                await self._mark(event)
            case events.Finished():
                self.answer = event.answer
                self.shown = self.answer.founded
                self.text = self.answer.text
                if not self.is_folded:
                    self._note(event)
            case _:
                self._note(event)

    async def end(self, turn_id: int | None, error: TutorError | None = None) -> None:
        """Say how it ended; whatever came stays. `turn_id` is that of the saved turn."""
        if self._stream:
            await self._stream.stop()
        if self.is_folded:
            await self._lay_out()
        self.is_over = True
        self.turn_id = turn_id
        if error:
            self._tell(failure_text(error))
        self._show_end(error is not None)
        self.post_message(self.Changed(self))

    async def _write(self, shown: str, said: str = "") -> None:
        if self._first_token_s is None:
            self._first_token_s = time.monotonic() - self._started
        if not self._is_writing:
            self._is_writing = True
            self.say(_("Writing ..."))
        self.text += said
        if self._laid_out < LONGEST_SHOWN:
            if self._stream is None:
                self._stream = SteadyStream(self.markdown)
                self._stream.start()
            await self._stream.write(shown)
        self._laid_out += len(shown)
        if self._laid_out >= LONGEST_SHOWN:
            self.say(_long_text(self._laid_out))

    async def _lay_out(self) -> None:
        """Draw the finished answer anew, as far as it is to be shown."""
        if self.shown:
            self.markdown.current = None
            self.marks[:] = marks_of(self.shown)  # the same list, which the text knows
            await self.markdown.update(marked(self.shown.text, self.marks)[:LONGEST_SHOWN])

    async def _mark(self, event: events.Verified) -> None:
        citation = event.citation
        sentence = readable(self.text[event.start : event.end])
        self.marks.append(Mark(self._labels.of(citation), sentence, event.end, citation))
        await self._write(written(len(self.marks) - 1, self.text))
        self.post_message(self.Changed(self))

    def _note(self, event: events.Event) -> None:
        if isinstance(event, events.Routed):
            self.route = event.route
        if isinstance(event, events.Waiting):
            if event.tokens or event.stage is not events.Stage.READING:
                self._is_writing = False
                self.say(waiting_text(event))
        elif isinstance(event, events.Reasoning):
            self.say(_("The model is thinking ..."))
        elif isinstance(event, events.Retrieved):
            n = len(event.hits)
            self.say(ngettext("%(n)d passage found", "%(n)d passages found", n) % {"n": n})
        elif line := event_line(event):
            self._tell(line)

    def _tell(self, line: str) -> None:
        self._about.append(line)
        about = self.query_one(".about", Static)
        about.update(safe("\n".join(self._about)))
        about.add_class("-said")

    def say(self, text: str) -> None:
        """Say how the answer stands."""
        self.query_one(".state", Static).update(safe(text))

    def _classify(self, *, failed: bool, update: bool = True) -> None:
        told = self.answer or self.saved
        self.set_class(told is not None and bool(told.abstained), "-refused", update=update)
        self.set_class(failed, "-failed", update=update)
        self.set_class(bool(self.marks), "-cited", update=update)

    def _show_end(self, failed: bool) -> None:
        self._classify(failed=failed)
        self.query_one(".state", Static).update(self._end_content())
        self.query_one(".cited", Static).update(sources_line(self.marks))
        self.query_one(FoldedWords).display = self.is_folded

    def _end_content(self) -> Content:
        warnings = [_("○ not in the notes")] if self.has_class("-refused") else []
        if self.shown and (n := len(self.shown.unsupported)):
            text = ngettext(
                "[?] %(n)d sentence without support", "[?] %(n)d sentences without support", n
            )
            warnings.append(text % {"n": n})
        if ending := self._ending_text():
            warnings.append(ending)
        facts = []
        if self._laid_out > LONGEST_SHOWN or len(self.text) > LONGEST_SHOWN:
            facts.append(_long_text(len(self.text)))
        facts += figures_text(self.answer, self._first_token_s)
        if self.route is Route.WEB:
            facts.append("web")
        elif self.route:
            facts.append(_("index: %(name)s") % {"name": index_name(self.route)})
        if self.rating:
            facts.append(_("▲ good") if self.rating > 0 else _("▼ bad"))
        styled = [Content.styled(text, "bold $text-warning") for text in warnings]
        return Content(" · ").join([*styled, *map(Content, facts)])

    def _ending_text(self) -> str:
        if self.saved and self.saved.state is TurnState.STOPPED:
            return _("■ stopped")
        if self.answer is None:
            if self.saved and self.saved.state is TurnState.WRITING:
                return _("… being written elsewhere")
            return _("✗ broken off") if self.has_class("-failed") else _("■ stopped")
        return {Ending.LENGTH: _("… cut"), Ending.BROKEN: _("✗ broken off")}.get(
            self.answer.ending, ""
        )

    def begin(self) -> None:
        """Time counts from now on."""
        self._started = time.monotonic()
        self.say(TurnView.first_words(self))

    # --- what its reader does ---

    def forget_mark(self) -> None:
        """No mark is the current one: another answer is read."""
        if self.markdown.current is not None:
            self.markdown.point_at(None)

    def action_open_place(self, place: int, goes_there: bool = True) -> None:
        """Open the page behind a mark; `goes_there`: its reader is at the answer then."""
        if goes_there:
            self.focus()
        self.point_at(place)
        self.action_open_mark()

    def point_at(self, place: int) -> None:
        """Make that mark the current one."""
        self.markdown.point_at(place)
        self.post_message(self.Changed(self))

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """A click on a mark opens its page: marks are the only links there are."""
        event.stop()
        number = event.href.removeprefix("mark-")
        if number.isdecimal() and int(number) < len(self.marks):
            self.action_open_place(int(number))

    def on_focus(self) -> None:
        self.post_message(self.Changed(self))

    def action_mark(self, step: int) -> None:
        """Go to the next mark or the one before."""
        if self.marks:
            current = self.markdown.current
            start = -1 if current is None and step > 0 else current or 0
            self.point_at((start + step) % len(self.marks))

    def _pointed(self) -> Citation | WebCitation | None:
        """What the current mark stands for, or the first one."""
        if self.marks and self.markdown.current is None:
            self.point_at(0)
        return self.current_mark.citation if self.current_mark else None

    def action_open_mark(self) -> None:
        """Open the page behind the current mark, or behind the first."""
        citation = self._pointed()
        if isinstance(citation, Citation):
            cited = [one.citation for one in self.marks if isinstance(one.citation, Citation)]
            self.post_message(PageWanted(citation, cited))
        elif citation:
            self.app.copy_to_clipboard(citation.result.link)
            told = _("%(link)s (copied; tutor opens no web pages)")
            self.notify(told % {"link": citation.result.link}, markup=False)
        else:
            self.notify(_("Nothing in the notes supports this sentence."), markup=False)

    def action_open_pdf(self) -> None:
        citation = self._pointed()
        if isinstance(citation, Citation):
            self.post_message(PdfWanted(citation.source.path, citation.first_page))

    def action_copy(self, cited: bool) -> None:
        text = self.shown.text if self.shown else self.text
        if cited and self.shown:
            text = cited_text(self.question, self.shown)
        self.app.copy_to_clipboard(plain(text))
        self.notify(_("Copied with its sources.") if cited else _("Copied."), markup=False)

    async def action_written(self) -> None:
        """Show what the model wrote although nothing supports it."""
        if self.is_folded:
            self.shown = self.answer
            await self._lay_out()
            if self.query_one(FoldedWords).has_focus:  # it goes away
                self.focus(scroll_visible=False)
            self._show_end(self.has_class("-failed"))
            self.post_message(self.Changed(self))
        else:
            self.notify(_("Nothing is folded in this answer."), markup=False)

    async def on_folded_words_opened(self) -> None:
        await self.action_written()

    def action_again(self) -> None:
        self.post_message(self.Again(self))

    def action_delete(self) -> None:
        if self.is_over:
            self.post_message(self.Unwanted(self))

    def action_feedback(self, rating: int) -> None:
        """Rate the answer; the same rating again takes it back."""
        if self.turn_id is not None and self.is_over:
            self.rating = 0 if rating == self.rating else rating
            self._show_end(self.has_class("-failed"))
            self.post_message(CommentWanted(self.turn_id, self.rating))

    def action_whole(self) -> None:
        """Read the whole text, however long it is."""
        self.post_message(TextWanted(self.question, plain(self.text.expandtabs(4))))


def _long_text(characters: int) -> str:
    return _("%(n)d characters; Ctrl-L shows all of them") % {"n": characters}
