"""The passages as a model reads them: those that continue each other are one, the best at the ends.

What is in the middle of a long context is used least (Liu et al., "Lost in the Middle: How Language
Models Use Long Contexts", 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tutor.model import Hit, SourceId, WebResult

WIDEST_GAP = 2
"""Characters between two passages that are but a space or a line break between sentences."""


@dataclass(frozen=True, slots=True)
class PromptPassage:
    """What the model may use: a text, and the title of where it stands.

    `source` and `start` say which text of the notes it is and where it begins there; both are
    missing where it is of no document.
    """

    title: str
    text: str
    source: SourceId | None = None
    start: int = 0

    @property
    def end(self) -> int:
        """Where it ends in its document."""
        return self.start + len(self.text)


def notes_passages(hits: Sequence[Hit]) -> list[PromptPassage]:
    """The passages of the notes."""
    return [
        PromptPassage(hit.source.title, hit.chunk.text, hit.source.id, hit.chunk.start)
        for hit in hits
    ]


def web_passages(results: Sequence[WebResult]) -> list[PromptPassage]:
    """The results of a web search."""
    return [PromptPassage(result.title, result.snippet) for result in results]


def arranged(passages: Sequence[PromptPassage]) -> list[PromptPassage]:
    """Passages, given best first, in the order in which a model reads them.

    Up to three stay in order; of more, the second best one is the last, and so on inwards.
    """
    ranked = joined(passages)
    if len(ranked) <= 3:
        return ranked
    return ranked[::2] + ranked[1::2][::-1]


def joined(passages: Sequence[PromptPassage]) -> list[PromptPassage]:
    """Passages, best first, with those that overlap or follow each other in one.

    A joined one has the rank of its best part, and no text twice.
    """
    ranked = list(enumerate(passages))
    ranked.sort(key=lambda entry: (entry[1].source or "", entry[1].start, entry[1].end))
    runs: list[tuple[int, PromptPassage]] = []
    for rank, passage in ranked:
        if runs and _continues(runs[-1][1], passage):
            first, before = runs[-1]
            runs[-1] = (min(first, rank), _extended(before, passage))
        else:
            runs.append((rank, passage))
    return [passage for _rank, passage in sorted(runs, key=lambda run: run[0])]


def _continues(one: PromptPassage, other: PromptPassage) -> bool:
    """Whether `other`, which begins no earlier, goes on where `one` ends."""
    return (
        one.source is not None
        and one.source == other.source
        and other.start <= one.end + WIDEST_GAP
    )


def _extended(one: PromptPassage, other: PromptPassage) -> PromptPassage:
    gap = other.start - one.end
    if gap > 0:
        # As long as what was between them, so that offsets stay those of the document.
        return replace(one, text=one.text + ("\n" * gap if gap > 1 else " ") + other.text)
    return replace(one, text=one.text + other.text[-gap:])
