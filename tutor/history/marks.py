"""The citation marks of an answer: which number follows which sentence, and what it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tutor.model import Answer, Citation, Source, SourceId

if TYPE_CHECKING:
    Place: TypeAlias = tuple[SourceId, int, int]

UNSUPPORTED = "[?]"
"""Behind a sentence that no passage supports."""


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """Pages of a document that an answer cites as `[number]`, and the words that support it."""

    number: int
    source: Source
    first_page: int
    last_page: int
    quotes: tuple[str, ...]


def cited_places(answer: Answer) -> list[CitedPlace]:
    """What the marks of an answer stand for, numbered from 1 as they first appear."""
    citations: dict[Place, list[Citation]] = {}
    for citation in sorted(answer.citations, key=lambda c: (c.end, c.start)):
        citations.setdefault(_place(citation), []).append(citation)
    return [
        CitedPlace(
            number=number,
            source=same[0].source,
            first_page=same[0].first_page,
            last_page=same[0].last_page,
            quotes=tuple(dict.fromkeys(citation.quote for citation in same)),
        )
        for number, same in enumerate(citations.values(), 1)
    ]


def marks(answer: Answer) -> list[tuple[int, str]]:
    """Each mark and the offset of the text behind which it stands, in order."""
    numbers = {
        (place.source.id, place.first_page, place.last_page): place.number
        for place in cited_places(answer)
    }
    found = [(_behind(answer, c.end), 0, numbers[_place(c)], "") for c in answer.citations]
    found += [(_behind(answer, c.end), 1, c.result.rank, "W") for c in answer.web_citations]
    marked = [(offset, f"[{kind}{number}]") for offset, _order, number, kind in sorted(set(found))]
    marked += [(_behind(answer, end), UNSUPPORTED) for _start, end in answer.unsupported]
    return sorted(marked, key=lambda mark: mark[0])


def marked_text(answer: Answer) -> str:
    """The answer's text with its marks in place."""
    text, position = [], 0
    for offset, mark in marks(answer):
        text += [answer.text[position:offset], f" {mark}"]
        # Markdown would take what follows at once for the target of a link.
        text += [" "] if answer.text[offset : offset + 1] in {"(", "[", ":"} else []
        position = offset
    return "".join([*text, answer.text[position:]])


def _place(citation: Citation) -> Place:
    return citation.source.id, citation.first_page, citation.last_page


def _behind(answer: Answer, end: int) -> int:
    return len(answer.text[:end].rstrip())
