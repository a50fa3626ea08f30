"""The list of what an answer's marks stand for."""

from __future__ import annotations

from tutor.model import Answer
from tutor.model.marks import cited_places
from tutor.presentation.amounts import pages
from tutor.text.terminal import one_line


def source_lines(answer: Answer) -> list[str]:
    """A line for each mark: document, file and pages, or a web result and its address."""
    lines = [
        f"[{place.number}] {one_line(place.source.title)} — {one_line(place.source.path)}, "
        + pages(place.first_page, place.last_page)
        for place in cited_places(answer)
    ]
    return lines + web_lines(answer)


def web_lines(answer: Answer) -> list[str]:
    """Those of `source_lines` that are web results."""
    results = {citation.result.rank: citation.result for citation in answer.web_citations}
    return [
        f"[W{rank}] {one_line(result.title)} — {one_line(result.link)}"
        for rank, result in sorted(results.items())
    ]
