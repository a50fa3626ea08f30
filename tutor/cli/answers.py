"""Shows an answer while it comes, each sentence with its mark, then the pages it stands on."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tutor.answering import EXTRACTIVE
from tutor.cli import diagnostics
from tutor.cli.output import MAX_WIDTH, pages, plain, wrapped, write
from tutor.cli.wrapping import StreamWrapper
from tutor.events import (
    Finished,
    LeftOut,
    Notice,
    Reasoning,
    Rewritten,
    Routed,
    Stage,
    Token,
    Verified,
    Waiting,
    WebFound,
)
from tutor.i18n import _, ngettext
from tutor.types import Citation, Route

if TYPE_CHECKING:
    from tutor.events import Event
    from tutor.types import Answer, WebCitation

UNSUPPORTED_MARK = "[?]"
_LONGEST_QUOTE = 240


class Labels:
    """The marks of an answer: a number for each page of the notes, `W1` for a web result."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, int, int], int] = {}

    def of(self, citation: Citation | WebCitation | None) -> str:
        """The mark of a citation; that of an unsupported sentence for None."""
        if citation is None:
            return UNSUPPORTED_MARK
        if not isinstance(citation, Citation):
            return f"[W{citation.result.rank}]"
        place = (citation.hit.source.id, citation.first_page, citation.last_page)
        return f"[{self._numbers.setdefault(place, len(self._numbers) + 1)}]"


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
            if event.tokens or event.stage is not Stage.READING:  # else a pause between two words
                self._waiting.show(_waiting_text(event))
        elif isinstance(event, Reasoning):
            self._waiting.show(_("The model is thinking ..."))
        else:
            self._waiting.clear()
            self._show(event)

    def _show(self, event: Event) -> None:
        if isinstance(event, Token):
            self._text.feed(plain(event.text))
        elif isinstance(event, Verified):
            self._text.feed(f" {self._labels.of(event.citation)}")
        elif isinstance(event, Finished):
            self._finish(event.answer)
        elif line := _line(event):
            diagnostics.warning(plain(line))

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
                    % {"mark": UNSUPPORTED_MARK}
                )
            )
        self._print_sources(answer)

    def _print_sources(self, answer: Answer) -> None:
        lines = self._notes_lines(answer) + _web_lines(answer)
        if lines:
            write()
            write(_("Sources:"))
            for line in lines:
                write(line)

    def _notes_lines(self, answer: Answer) -> list[str]:
        lines: dict[str, list[str]] = {}
        for citation in answer.citations:
            label, source = self._labels.of(citation), citation.hit.source
            where = f"{plain(source.path)}, {pages(citation.first_page, citation.last_page)}"
            line = wrapped(f"{label} {plain(source.title)} — {where}", "  ")
            quotes = lines.setdefault(label, [line])
            if answer.model != EXTRACTIVE:
                quote = wrapped(f"«{plain(_shortened(citation.quote))}»", "      ")
                quotes += [] if quote in quotes else [quote]
        return [line for group in lines.values() for line in group]


def _line(event: Event) -> str:
    """What an event says in one line; empty where it says nothing to a reader."""
    if isinstance(event, Notice):
        return event.text
    if isinstance(event, Rewritten):
        return _("Understood as: %(question)s") % {"question": event.standalone}
    if isinstance(event, WebFound):
        return _("This question has left your machine, for a web search: %(query)s") % {
            "query": event.query
        }
    if isinstance(event, LeftOut):
        return left_out_text(event)
    if isinstance(event, Routed) and event.route is Route.WEB:
        return _("Searching the web (%(rule)s).") % {"rule": event.rule}
    return ""


def left_out_text(event: LeftOut) -> str:
    """What did not fit into the model's context window."""
    parts = []
    if event.passages:
        parts.append(
            ngettext("%(n)d passage", "%(n)d passages", event.passages) % {"n": event.passages}
        )
    if event.turns:
        parts.append(
            ngettext("%(n)d earlier turn", "%(n)d earlier turns", event.turns) % {"n": event.turns}
        )
    return _("Left out, since the model's context window (ollama.num_ctx) is full: %(what)s.") % {
        "what": ", ".join(parts)
    }


def _waiting_text(event: Waiting) -> str:
    seconds = {"seconds": round(event.seconds), "tokens": event.tokens}
    texts = {
        Stage.LOADING: _("Ollama is loading the model ... %(seconds)d s"),
        Stage.READING: _("The model is reading about %(tokens)d tokens ... %(seconds)d s"),
        Stage.REWRITING: _("Making the question stand alone ... %(seconds)d s"),
        Stage.WEB: _("Searching the web ..."),
        Stage.CHECKING: _("Checking the answer against the notes ..."),
    }
    return texts[event.stage] % seconds


def _web_lines(answer: Answer) -> list[str]:
    results = {citation.result.rank: citation.result for citation in answer.web_citations}
    return [
        wrapped(f"[W{rank}] {plain(result.title)} — {plain(result.link)}", "  ")
        for rank, result in sorted(results.items())
    ]


def _shortened(quote: str) -> str:
    quote = " ".join(quote.split())
    return quote if len(quote) <= _LONGEST_QUOTE else quote[: _LONGEST_QUOTE - 1] + "…"
