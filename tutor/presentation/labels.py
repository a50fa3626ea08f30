"""The marks behind an answer's sentences."""

from __future__ import annotations

from tutor.model import Citation, WebCitation

UNSUPPORTED_MARK = "[?]"


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
