"""Shows an answer while it comes, each sentence with its mark, then the pages it stands on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from tutor.cli import diagnostics
from tutor.cli.output import Styled, text_width, wrapped, write
from tutor.events import Event, Finished, Reasoning, Stage, Token, Verified, Waiting
from tutor.i18n import _
from tutor.model import Answer
from tutor.model.marks import UNSUPPORTED, Labels, cited_places
from tutor.presentation.answers import event_line, place_line, waiting_text, web_lines
from tutor.text.terminal import plain, shortened

_LONGEST_QUOTE = 240
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_PARTS = re.compile(r"\n|[^\S\n]+|\S+")


class StreamWrapper:
    """Breaks a stream of text into lines of at most `width` characters, where words allow it.

    A word is written once it is complete, which is when something else follows.
    """

    def __init__(self, write: Callable[[str], None], width: int) -> None:
        self._write = write
        self._width = width
        self._column = 0
        self._space = ""
        self._word = ""
        self._bold = False
        self._paused = False

    def feed(self, text: str, *, bold: bool = False) -> None:
        """Take in the next piece; words that it begins or ends are bold where it is."""
        for part in _PARTS.findall(text):
            if not part.isspace():
                self._word += part
                self._bold = bold
                continue
            self._end_word()
            if part != "\n":
                self._space += part
            elif self._paused:  # this break has been written
                self._space, self._paused = "", False
            else:
                self._break_line()

    def pause(self) -> None:
        """End the line, so that something else can stand below it; a break that follows is this."""
        self._end_word()
        if self._column:
            self._break_line()
            self._paused = True

    def close(self) -> None:
        """Write the last word."""
        self._end_word()
        self._column = 0

    def _break_line(self) -> None:
        self._write("\n")
        self._column, self._space = 0, ""

    def _end_word(self) -> None:
        if not self._word:
            return
        if self._column and self._column + len(self._space) + len(self._word) > self._width:
            self._break_line()
        if self._paused:
            self._space, self._paused = "", False
        self._write(self._space)
        self._write(Styled(self._word, bold=True) if self._bold else self._word)
        self._column += len(self._space) + len(self._word)
        self._space, self._word = "", ""


class AnswerPrinter:
    """Prints the events of one answer: words on standard output, all else on standard error."""

    def __init__(self) -> None:
        self._text = StreamWrapper(lambda text: write(text, newline=False), text_width())
        self._waiting = diagnostics.ProgressLine()
        self._labels = Labels()

    def show(self, event: Event) -> None:
        """Print what an event has to say."""
        if isinstance(event, Waiting | Reasoning):
            self._wait(event)
            return
        self._waiting.clear()
        if isinstance(event, Token):
            self._feed(plain(event.text), bold=event.best)
        elif isinstance(event, Verified):
            self._text.feed(f" {self._labels.of(event.citation)}")
        elif isinstance(event, Finished):
            self._finish(event.answer)
        if line := event_line(event):
            self._end_line()
            diagnostics.warning(line)

    def stop(self) -> None:
        """Leave the line on which the answer was stopped."""
        self._waiting.clear()
        self._text.close()
        write()

    def _feed(self, text: str, *, bold: bool) -> None:
        """On a terminal what is marked as bold is; elsewhere it stays Markdown."""
        parts = _BOLD.split(text) if sys.stdout.isatty() else [text]
        for place, part in enumerate(parts):
            self._text.feed(part, bold=bold or place % 2 == 1)

    def _wait(self, event: Waiting | Reasoning) -> None:
        text = _("The model is thinking ...")
        if isinstance(event, Waiting):
            between_words = event.stage is Stage.READING and not event.tokens
            if between_words or event.stage is Stage.ASKING:
                return
            text = waiting_text(event)
        self._end_line()
        self._waiting.show(text)

    def _end_line(self) -> None:
        """On a terminal both outputs share the lines: one must not be drawn over the other."""
        if sys.stdout.isatty():
            self._text.pause()

    def _finish(self, answer: Answer) -> None:
        self._text.close()
        write()
        if answer.unsupported:
            told = _("%(mark)s: nothing in the passages supports this sentence.")
            write()
            write(wrapped(told % {"mark": UNSUPPORTED}))
        lines = _cited_lines(answer) + [wrapped(line, "  ") for line in web_lines(answer)]
        if lines:
            write("\n".join(["", _("Sources:")]))
            for line in lines:
                write(line)


def _cited_lines(answer: Answer) -> list[str]:
    """Each place of the notes, with what of it supports the model's own words: the rest was
    quoted in the answer itself.
    """
    supporting = {one.quote for one in answer.citations if one.start >= answer.own_start}
    lines = []
    for place in cited_places(answer):
        lines.append(wrapped(place_line(place), "  "))
        lines += [
            wrapped(f"«{shortened(quote, _LONGEST_QUOTE)}»", "      ")
            for quote in place.quotes
            if quote in supporting
        ]
    return lines
