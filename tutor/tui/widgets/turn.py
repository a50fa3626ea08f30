"""One turn of the conversation: the question, how it was understood, the answer and its figures."""

from __future__ import annotations

from dataclasses import dataclass

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Markdown, Static

from tutor import events
from tutor.errors import TutorError
from tutor.history import SavedTurn, TurnState
from tutor.i18n import _, ngettext
from tutor.model import Answer, Citation, Ending, WebCitation
from tutor.model.marks import Labels
from tutor.presentation.answers import gone_text
from tutor.presentation.event_texts import event_line, understood_text
from tutor.text.terminal import plain
from tutor.tui.base import InApp, failure_text, safe
from tutor.tui.keys import N_, keys_of
from tutor.tui.marks import Mark, best, cited_text, marked, marks_of, readable
from tutor.tui.widgets.answer_text import AnswerText
from tutor.tui.widgets.sources import sources_line
from tutor.tui.widgets.state_line import Ended, FoldedWords, StateLine


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
    class Again(Message):
        """The other index is to be asked the same."""

        turn: TurnView

    @dataclass
    class Unwanted(Message):
        """It is to be deleted; `number` is that of the saved turn."""

        turn: TurnView
        number: int

    def __init__(self, question: str, saved: SavedTurn | None = None) -> None:
        super().__init__()
        self.question = question
        self.saved = saved
        self.standalone = saved.standalone if saved else question
        """The question as it is understood without the one before."""
        self._so_far = events.AnswerSoFar()
        self.turn_id: int | None = saved.id if saved else None
        self.answer: Answer | None = saved.answer if saved else None
        self.route = saved.route if saved else None
        self.shown = self.answer.founded if self.answer else None
        self.marks = marks_of(self.shown) if self.shown else []
        text = self.shown.text if self.shown else self.text
        self.markdown = AnswerText(self.marks, marked(text, self.marks))
        self.rating = saved.feedback.rating if saved and saved.feedback else 0
        self.is_over = saved is not None
        self._labels = Labels()
        self._about: list[str] = []
        self._how = self._why = ""
        if saved:
            if saved.standalone != saved.question:
                self._about = [understood_text(saved.standalone)]
            if saved.gone:
                self._about.append(gone_text(saved))
            self._classify(failed=saved.state is TurnState.BROKEN, update=False)

    def compose(self) -> ComposeResult:
        """A saved turn stands there at once: what is put in later is styled and laid out again."""
        yield Static(safe(self.question), classes="question")
        about = safe("\n".join(self._about))
        yield Static(about, classes="about -said" if about else "about")
        yield self.markdown
        yield FoldedWords(self.is_folded)
        yield Static(sources_line(self.marks), classes="cited")
        yield StateLine(self._ended() if self.saved else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - the library's signature
        """There is nothing to walk along without marks."""
        return action not in {"mark", "open_mark"} or bool(self.marks)

    @property
    def text(self) -> str:
        """The whole answer, as far as it has come."""
        return self.saved.text if self.saved else self._so_far.text

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
        self._so_far.take(event)
        match event:
            case events.Token():
                self.state_line.write()
                shown = best(event.text) if event.best else readable(event.text)
                await self.markdown.write(shown)
            case events.Verified():
                await self._mark(event)
            case events.Finished() if event.answer.founded is not event.answer:
                pass  # what is folded away needs no warning
            case _:
                self._note(event)

    async def end(self, turn_id: int | None, error: TutorError | None = None) -> None:
        """Say how it ended; whatever came stays. `turn_id` is that of the saved turn."""
        await self.markdown.end_writing()
        self.answer = self._so_far.answer(Ending.BROKEN if error else Ending.STOPPED)
        self.shown = self.answer.founded if self.answer else None
        if self.shown and self.is_folded:
            await self.markdown.show(self.shown)
        self.is_over = True
        self.turn_id = turn_id
        if error:
            self._why = failure_text(error)
            self._tell(self._why)
        if self.answer and self.answer.ending is Ending.BROKEN:  # that is said where it ends
            self._about = [line for line in self._about if line != self._why]
            self._show_about()
        else:
            self._why = ""
        self._show_end(error is not None)
        self.post_message(self.Changed(self))

    async def _mark(self, event: events.Verified) -> None:
        citation = event.citation
        sentence = readable(self.text[event.start : event.end])
        mark = Mark(self._labels.of(citation), sentence, event.end, citation)
        await self.markdown.write_mark(mark, self.text)
        self._show_cited()
        self.post_message(self.Changed(self))

    def _note(self, event: events.Event) -> None:
        if isinstance(event, events.Routed):
            self.route = event.route
        if isinstance(event, events.Rewritten):
            self.standalone = event.standalone
        if isinstance(event, events.Waiting):
            self.state_line.wait(event)
        elif isinstance(event, events.Reasoning):
            self.state_line.say(_("The model is thinking ..."))
        elif isinstance(event, events.Retrieved):
            n = len(event.hits)
            self.state_line.say(
                ngettext("%(n)d passage found", "%(n)d passages found", n) % {"n": n}
            )
        elif line := event_line(event):
            self._why = line if isinstance(event, events.Notice) else self._why
            self._tell(line, is_how=isinstance(event, events.Rewritten))

    def _tell(self, line: str, *, is_how: bool = False) -> None:
        """Say something of the question; `is_how` it was understood: the last of these counts."""
        if line in self._about:  # the notes are asked after the web: understood the same way
            return
        if is_how and self._how in self._about:
            self._about[self._about.index(self._how)] = line
        else:
            self._about.append(line)
        self._how = line if is_how else self._how
        self._show_about()

    def _show_about(self) -> None:
        about = self.query_one(".about", Static)
        about.update(safe("\n".join(self._about)))
        about.set_class(bool(self._about), "-said")

    def _classify(self, *, failed: bool, update: bool = True) -> None:
        told = self.answer or self.saved
        self.set_class(told is not None and bool(told.abstained), "-refused", update=update)
        self.set_class(failed, "-failed", update=update)
        self.set_class(bool(self.marks), "-cited", update=update)

    def _show_cited(self) -> None:
        self.set_class(bool(self.marks), "-cited")
        self.query_one(".cited", Static).update(sources_line(self.marks))

    def _show_end(self, failed: bool) -> None:
        self._classify(failed=failed)
        self.state_line.end(self._ended())
        self._show_cited()
        self.query_one(FoldedWords).display = self.is_folded

    def _ended(self) -> Ended:
        return Ended(
            answer=self.answer,
            shown=self.shown,
            state=self.saved.state if self.saved else None,
            route=self.route,
            failed=self.has_class("-failed"),
            refused=self.has_class("-refused"),
            rating=self.rating,
            why=self._why,
        )

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
        if self.marks:
            self.point_at(self.markdown.beside(step))

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
        if isinstance(citation, Citation) and self.shown:
            said = citation.best if any(citation.best) else (citation.start, citation.end)
            answer = self.shown.text[slice(*said)]
            self.app.make_card(self.standalone, answer, citation)
        else:
            self.notify(_("Nothing in the notes supports this sentence."))

    def action_copy(self, cited: bool) -> None:
        text = self.shown.text if self.shown else self.text
        if cited and self.shown:
            text = cited_text(self.question, self.shown)
        self.app.copy_to_clipboard(plain(text))
        self.notify(_("Copied with its sources.") if cited else _("Copied."))

    async def action_written(self) -> None:
        if self.is_folded:
            self.shown = self.answer
            if self.shown:
                await self.markdown.show(self.shown)
            if self.query_one(FoldedWords).has_focus:  # it goes away
                self.focus(scroll_visible=False)
            self._show_end(self.has_class("-failed"))
            self.post_message(self.Changed(self))
        else:
            self.notify(_("Nothing is folded in this answer."))

    async def on_folded_words_opened(self) -> None:
        await self.action_written()

    def action_again(self) -> None:
        self.post_message(self.Again(self))

    def _saved_id(self) -> int | None:
        """The number of the saved turn; where it has none yet, that is said."""
        if not self.is_over:
            self.notify(_("An answer is being written; Esc stops it."))
        elif self.turn_id is None:
            self.notify(_("This conversation is not saved."))
        return self.turn_id if self.is_over else None

    def action_delete(self) -> None:
        if turn := self._saved_id():
            self.post_message(self.Unwanted(self, turn))

    def action_feedback(self, rating: int) -> None:
        """Rate the answer; the same rating again takes it back."""
        if turn := self._saved_id():
            self.rating = 0 if rating == self.rating else rating
            self._show_end(self.has_class("-failed"))
            self.app.rate(turn, self.rating)
