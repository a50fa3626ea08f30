"""The citation marks of an answer: which number follows which sentence, and what it cites."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from tutor.i18n import _
from tutor.model.answers import Answer, Citation, WebCitation
from tutor.model.documents import Source, SourceId
from tutor.text.markdown import FENCE, quoted_and_own

_Place: TypeAlias = tuple[SourceId, int, int]

UNSUPPORTED = "[?]"
"""Behind a sentence that no passage supports."""
_ROW = re.compile(r"[ \t]*\|.*\|")


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """Pages of a document that an answer cites as `[number]`, and the words that support it."""

    number: int
    source: Source
    first_page: int
    last_page: int
    quotes: tuple[str, ...]


class Labels:
    """The marks of an answer that grows: a number for each page of the notes, `W1` for the web."""

    def __init__(self) -> None:
        self._numbers: dict[_Place, int] = {}

    def of(self, citation: Citation | WebCitation | None) -> str:
        """The mark of a citation; that of an unsupported sentence for None."""
        if citation is None:
            return UNSUPPORTED
        if not isinstance(citation, Citation):
            return f"[W{citation.result.rank}]"
        return f"[{self.number(citation)}]"

    def number(self, citation: Citation) -> int:
        """The number of its page, a new one where it is the first there."""
        return self._numbers.setdefault(_place(citation), len(self._numbers) + 1)


def cited_places(answer: Answer) -> list[CitedPlace]:
    """What the marks of an answer stand for, numbered from 1 as they first appear."""
    citations: dict[_Place, list[Citation]] = {}
    for citation in sorted(answer.citations, key=_order):
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


def pages(first: int, last: int) -> str:
    """`p. 3` or `pp. 3-4`."""
    if first == last:
        return _("p. %(page)d") % {"page": first}
    return _("pp. %(first)d-%(last)d") % {"first": first, "last": last}


def marks(answer: Answer) -> list[tuple[int, str]]:
    """Each mark and the offset of the text behind which it stands, in order."""
    labels = Labels()
    cited = {
        (_behind(answer, one.end), 0, labels.number(one), labels.of(one))
        for one in sorted(answer.citations, key=_order)
    }
    cited |= {
        (_behind(answer, c.end), 1, c.result.rank, labels.of(c)) for c in answer.web_citations
    }
    marked = [(offset, mark) for offset, _web, _number, mark in sorted(cited)]
    marked += [(_behind(answer, end), UNSUPPORTED) for _start, end in answer.unsupported]
    return sorted(marked, key=lambda mark: mark[0])


def marked_text(answer: Answer, *, as_markdown: bool = False) -> str:
    """The answer's text with its marks in place; behind a block of code, below what ends it.

    `as_markdown`: for a reader of Markdown, which shows what is quoted to the letter, and nothing
    behind the last cell of a table: a mark stands below that, too.
    """
    text, position = [], 0
    own_start = answer.quoted_end if as_markdown else 0

    def part(end: int | None = None) -> str:
        end = len(answer.text) if end is None else end
        return quoted_and_own(answer.text, own_start, position, end)

    for offset, mark in marks(answer):
        said = part(offset)
        line = said.rpartition("\n")[2]
        ends = FENCE.fullmatch(line) or (as_markdown and _ROW.fullmatch(line))
        text += [said, "\n\n" if ends else " ", mark]
        # Markdown would take what follows at once for the target of a link.
        text += [" "] if answer.text[offset : offset + 1] in {"(", "[", ":"} else []
        position = offset
    return "".join([*text, part()])


def _place(citation: Citation) -> _Place:
    return citation.source.id, citation.first_page, citation.last_page


def _order(citation: Citation) -> tuple[int, int]:
    return citation.end, citation.start


def _behind(answer: Answer, end: int) -> int:
    return len(answer.text[:end].rstrip())
