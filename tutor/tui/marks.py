"""Where an answer's marks stand, and how they travel through Markdown.

A mark is written into the text as characters of a private area, which nothing else can bring in:
`plain` takes them out of whatever a model or a file says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import itemgetter

from tutor.model import Answer, Citation, WebCitation
from tutor.model.marks import Labels, marked_text
from tutor.presentation.answers import source_lines
from tutor.text.markdown import quoted_and_own
from tutor.text.terminal import plain

_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})\s*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,9}[.)]) +")
"""What makes a line an item of a list; it has to begin the line."""
_NEW_PARAGRAPH = "\n\n"
OPENS = "\ue000"
CLOSES = "\ue001"
BEST_OPENS = "\ue002"
BEST_CLOSES = "\ue003"
"""Around the sentence of a quote that answers best."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark behind a `sentence` that ends at `end`; nothing supports it if `citation` is None."""

    label: str
    sentence: str
    end: int
    citation: Citation | WebCitation | None


def readable(text: str) -> str:
    """Text of an answer without anything but text in it."""
    return plain(text.expandtabs(4))


def written(place: int, after: str = "") -> str:
    """The mark of that place in an answer's list, as it stands in the text `after` something.

    Behind a block of code it begins a paragraph: the line that ends the block has to end there.
    """
    line = after[after.rfind("\n") + 1 :]
    return f"{_NEW_PARAGRAPH if _FENCE.match(line) else ' '}{OPENS}{place}{CLOSES}"


def marks_of(answer: Answer) -> list[Mark]:
    """All marks of a finished answer, in the order of its sentences."""
    placed: list[tuple[int, int, Citation | WebCitation | None]] = []
    placed += [(c.end, c.start, c) for c in (*answer.citations, *answer.nearest)]
    placed += [(c.end, c.start, c) for c in answer.web_citations]
    placed += [(end, start, None) for start, end in answer.unsupported]
    labels = Labels()
    return [
        Mark(labels.of(citation), readable(answer.text[start:end]), end, citation)
        for end, start, citation in sorted(placed, key=itemgetter(0, 1))
    ]


def marked(text: str, marks: list[Mark], own_start: int = 0) -> str:
    """The answer's text with its marks written in, and what is best of its quotes.

    Before `own_start` it is what the notes say, from there on what a model wrote.
    """
    put: list[tuple[int, str]] = []
    for place, mark in enumerate(marks):
        if isinstance(mark.citation, Citation) and any(mark.citation.best):
            start, end = mark.citation.best
            put += [(start + _item_width(text[start:end]), BEST_OPENS), (end, BEST_CLOSES)]
        end = len(text[: mark.end].rstrip())
        put.append((end, written(place, text[:end])))
    pieces, position = [], 0
    for end, sign in [*sorted(put, key=itemgetter(0)), (len(text), "")]:
        pieces += [readable(quoted_and_own(text, own_start, position, end)), sign]
        position = end
    return "".join(pieces)


def best(text: str) -> str:
    """A sentence of a quote that answers best, as it stands among others."""
    at = _item_width(text)
    return f"{text[:at]}{BEST_OPENS}{text[at:]}{BEST_CLOSES}"


def _item_width(text: str) -> int:
    item = _ITEM.match(text)
    return item.end() if item else 0


def cited_text(question: str, answer: Answer) -> str:
    """The question, the answer with its marks, and what they stand for."""
    return "\n".join([question, "", marked_text(answer), "", *source_lines(answer)]).strip()
