"""Shows an answer while it comes, then the pages that it stands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tutor.answering import EXTRACTIVE
from tutor.cli import diagnostics
from tutor.cli.output import pages, plain, source_record, wrapped, write
from tutor.i18n import _
from tutor.types import Finished, Notice, Retrieved, Token

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tutor.types import Answer, Citation, Event, Hit


class AnswerPrinter:
    """Prints the events of one answer: a model's words as they come, quotes once they are cited."""

    def __init__(self, *, streams: bool) -> None:
        self._streams = streams

    def show(self, event: Event) -> None:
        """Print what an event has to say."""
        if isinstance(event, Notice):
            diagnostics.warning(plain(event.text))
        elif isinstance(event, Token) and self._streams:
            write(plain(event.text), newline=False)
        elif isinstance(event, Finished):
            if self._streams:
                write()
            else:
                write(wrapped(plain(_with_marks(event.answer))))
            _print_sources(event.answer)


def answer_record(question: str, events: Iterable[Event]) -> dict[str, Any]:
    """Everything that is known of an answer, for JSON."""
    record: dict[str, Any] = {"question": question, "notices": []}
    for event in events:
        if isinstance(event, Notice):
            record["notices"].append(event.text)
        elif isinstance(event, Retrieved):
            record["passages"] = [_passage_record(hit) for hit in event.hits]
        elif isinstance(event, Finished):
            record |= _finished_record(event.answer)
    return record


def _finished_record(answer: Answer) -> dict[str, Any]:
    labels = _labels(answer)
    return {
        "answer": answer.text,
        "abstained": answer.abstained,
        "route": answer.route,
        "model": answer.model,
        "citations": [
            {
                "label": labels[_place(citation, answer)],
                "sentence": answer.text[citation.start : citation.end],
                "quote": citation.quote,
                "first_page": citation.first_page,
                "last_page": citation.last_page,
                "chunk_id": citation.hit.chunk.id,
                "support": citation.support,
                **source_record(citation.hit.source),
            }
            for citation in answer.citations
        ],
        "seconds": dict(answer.timings),
    }


def _passage_record(hit: Hit) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "rank": hit.rank,
        "score": hit.score,
        "chunk_id": chunk.id,
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "text": chunk.text,
        **source_record(hit.source),
    }


def _with_marks(answer: Answer) -> str:
    """The answer's text with a mark such as [1] behind each cited sentence."""
    labels, text, position = _labels(answer), "", 0
    for citation in answer.citations:
        text += answer.text[position : citation.end]
        text += f" [{labels[_place(citation, answer)]}]"
        position = citation.end
    return text + answer.text[position:]


def _place(citation: Citation, answer: Answer) -> tuple[str, int, int]:
    """What shares a label: a page for quotes, a passage where a model cited by number."""
    if answer.model == EXTRACTIVE:
        return citation.hit.source.id, citation.first_page, citation.last_page
    return citation.hit.chunk.id, citation.first_page, citation.last_page


def _labels(answer: Answer) -> dict[tuple[str, int, int], int]:
    labels: dict[tuple[str, int, int], int] = {}
    for citation in answer.citations:
        number = len(labels) + 1 if answer.model == EXTRACTIVE else citation.hit.rank
        labels.setdefault(_place(citation, answer), number)
    return labels


def _print_sources(answer: Answer) -> None:
    sources = {_place(citation, answer): citation.hit.source for citation in answer.citations}
    if not sources:
        return
    write()
    write(_("Sources:"))
    for place, label in sorted(_labels(answer).items(), key=lambda entry: entry[1]):
        source = sources[place]
        where = f"{plain(source.path)}, {pages(place[1], place[2])}"
        write(wrapped(f"[{label}] {plain(source.title)} — {where}", "  "))
