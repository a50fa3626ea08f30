"""How much of the notes is known: the cards of each document, section and concept of the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from tutor.map.course_map import CourseMap
from tutor.model import SourceId
from tutor.study.saved import SavedCard
from tutor.study.schedule import Scheduler
from tutor.text.paragraphs import unnumbered


@dataclass(frozen=True, slots=True)
class Coverage:
    """So many cards, and how many of them are known."""

    cards: int = 0
    known: int = 0


def section_key(document: SourceId, title: str) -> str:
    """What `coverage` calls a section; the parts of one ("Árboles (I)", "(II)") count together."""
    return f"{document}\x1f{unnumbered(title)}"


def coverage(
    cards: Collection[SavedCard], course: CourseMap, retention: float, now: datetime
) -> dict[str, Coverage]:
    """The cards of documents and concepts, by their ids, and of sections, by `section_key`.

    A card is known as long as FSRS expects it to be remembered at the rate that is aimed at.
    Nothing is told as long as no card was asked.
    """
    if not any(saved.schedule for saved in cards):
        return {}
    scheduler = Scheduler(retention)
    counts: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for saved in cards:
        keys = []
        if origin := saved.card.origin:
            keys = [origin.source_id, section_key(origin.source_id, origin.section)]
        if concept := course.concept(saved.card.subject):
            keys.append(concept.id)
        counts.update(keys)
        if saved.schedule and scheduler.retrievability(saved.schedule, now) >= retention:
            known.update(keys)
    return {key: Coverage(n, known[key]) for key, n in counts.items()}
