"""Shows an answer while it comes, each sentence with its mark, then the pages it stands on."""

from __future__ import annotations

import shutil
import sys

from tutor.cli import diagnostics
from tutor.cli.output import MAX_WIDTH, wrapped, write
from tutor.cli.wrapping import StreamWrapper
from tutor.events import (
    Event,
    Finished,
    Reasoning,
    Stage,
    Token,
    Verified,
    Waiting,
)
from tutor.i18n import _
from tutor.model import Answer
from tutor.model.marks import UNSUPPORTED, Labels
from tutor.presentation.amounts import pages
from tutor.presentation.event_texts import event_line, waiting_text
from tutor.presentation.sources import web_lines
from tutor.text.terminal import one_line, plain, shortened

_LONGEST_QUOTE = 240


class AnswerPrinter:
    """Prints the events of one answer: words on standard output, all else on standard error."""

    def __init__(self) -> None:
        width = min(MAX_WIDTH, shutil.get_terminal_size().columns)
        self._text = StreamWrapper(lambda text: write(text, newline=False), width)
        self._waiting = diagnostics.ProgressLine()
        self._labels = Labels()
        self._rule = ""

    def show(self, event: Event) -> None:
        """Print what an event has to say."""
        if isinstance(event, Waiting):
            pause = event.stage is Stage.READING and not event.tokens  # between two words
            if not pause and event.stage is not Stage.ASKING:
                self._wait(waiting_text(event))
        elif isinstance(event, Reasoning):
            self._wait(_("The model is thinking ..."))
        else:
            self._waiting.clear()
            self._show(event)

    def _show(self, event: Event) -> None:
        if isinstance(event, Token):
            self._text.feed(plain(event.text), bold=event.best)
        elif isinstance(event, Verified):
            self._text.feed(f" {self._labels.of(event.citation)}")
        elif isinstance(event, Finished):
            self._finish(event.answer)
            if line := event_line(event):
                diagnostics.warning(line)
        elif line := event_line(event):
            self._end_line()
            diagnostics.warning(line)

    def _wait(self, text: str) -> None:
        self._end_line()
        self._waiting.show(text)

    def _end_line(self) -> None:
        """On a terminal both outputs share the lines: one must not be drawn over the other."""
        if sys.stdout.isatty():
            self._text.pause()

    def stop(self) -> None:
        """Leave the line on which the answer was stopped."""
        self._waiting.clear()
        self._text.close()
        write()

    def _finish(self, answer: Answer) -> None:
        self._text.close()
        write()
        if answer.unsupported:
            write()
            write(
                wrapped(
                    _("%(mark)s: nothing in the passages supports this sentence.")
                    % {"mark": UNSUPPORTED}
                )
            )
        self._print_sources(answer)

    def _print_sources(self, answer: Answer) -> None:
        lines = self._notes_lines(answer) + [wrapped(line, "  ") for line in web_lines(answer)]
        if lines:
            write()
            write(_("Sources:"))
            for line in lines:
                write(line)

    def _notes_lines(self, answer: Answer) -> list[str]:
        lines: dict[str, list[str]] = {}
        for citation in answer.citations:
            label, source = self._labels.of(citation), citation.hit.source
            where = f"{one_line(source.path)}, {pages(citation.first_page, citation.last_page)}"
            line = wrapped(f"{label} {one_line(source.title)} — {where}", "  ")
            quotes = lines.setdefault(label, [line])
            if citation.start >= answer.own_start:  # else it is what is quoted above
                quote = wrapped(f"«{shortened(citation.quote, _LONGEST_QUOTE)}»", "      ")
                quotes += [] if quote in quotes else [quote]
        return [line for group in lines.values() for line in group]
