"""Exams: questions drawn from the cards, answered without a word until the end, then scored."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from tutor.history.texts import storable
from tutor.study.card import CardKind
from tutor.study.rows import SavedCard, place_of
from tutor.study.typed import Verdict

if TYPE_CHECKING:
    from tutor.database import Database

_IN_OWN_WORDS = frozenset(
    (CardKind.DEFINITION, CardKind.QUESTION, CardKind.WHY, CardKind.COMPARE, CardKind.APPLY)
)
_Z = 1.959964
"""Of a normal distribution, for intervals of 95 %."""


@dataclass(frozen=True, slots=True)
class Exam:
    """An exam as it was sat: `verdicts` by numbers of cards; what was not reached has none.

    `ended` is None where the process was killed.
    """

    id: int
    begun: datetime
    ended: datetime | None
    questions: tuple[int, ...]
    verdicts: dict[int, Verdict]
    typed: dict[int, str]

    @property
    def right(self) -> int:
        """How many answers were right; partly right is not."""
        return sum(verdict is Verdict.RIGHT for verdict in self.verdicts.values())

    @property
    def failed(self) -> list[int]:
        """The cards that were not answered right, in their order."""
        return [card for card in self.questions if self.verdicts.get(card) is not Verdict.RIGHT]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of right answers to all such questions lies (Wilson, 95 %)."""
        return wilson(self.right, len(self.questions))


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share (JASA 22, 1927); n > 0."""
    share, z2 = right / n, _Z**2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def drawn(cards: Iterable[SavedCard], n: int, chance: random.Random) -> list[SavedCard]:
    """At most `n` questions, of each block of the notes one, in the order of the notes.

    What is answered in one's own words cannot be scored by comparing it, and is not asked.
    """
    fit = [
        saved
        for saved in cards
        if saved.card.kind not in _IN_OWN_WORDS and not (saved.stale or saved.suspended)
    ]
    chance.shuffle(fit)
    of_place: dict[str, SavedCard] = {}
    for saved in fit:
        of_place.setdefault(place_of(saved.card), saved)
    return sorted(list(of_place.values())[:n], key=lambda saved: saved.number)


def weak_sections(failed: Iterable[SavedCard]) -> list[tuple[str, str, int, int]]:
    """Title, section and first page of what was not known, and how many questions of it.

    The weakest first; cards without a place are left out.
    """
    origins = [saved.card.origin for saved in failed if saved.card.origin]
    counted = Counter((origin.title, origin.section) for origin in origins)
    pages = {
        place: min(o.first_page for o in origins if (o.title, o.section) == place)
        for place in counted
    }
    return [(*place, pages[place], n) for place, n in counted.most_common()]


class Exams:
    """The exams in the file of cards. Each answer is on disk when a method returns."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        self._database = database
        self._now = now

    def begin(self, course: str, questions: Sequence[SavedCard]) -> int:
        """Begin an exam; its id."""
        numbers = json.dumps([saved.number for saved in questions])
        with self._database.writing() as connection:
            exam = connection.execute(
                "INSERT INTO exams (course, begun, questions) VALUES (?, ?, ?)",
                (storable(course), self._now().isoformat(), numbers),
            ).lastrowid
        assert exam is not None  # noqa: S101 - a row was inserted
        return exam

    def answer(self, exam: int, card: int, typed: str, verdict: Verdict) -> None:
        """Save an answer."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO exam_answers VALUES (?, ?, ?, ?)",
                (exam, card, storable(typed), verdict.value),
            )

    def end(self, exam: int) -> Exam:
        """End an exam; one without any answer is not kept."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE exams SET ended = ? WHERE id = ?", (self._now().isoformat(), exam)
            )
            (found,) = self._read("id = ?", exam)
            if not found.verdicts:
                connection.execute("DELETE FROM exams WHERE id = ?", (exam,))
        return found

    def of_course(self, course: str) -> list[Exam]:
        """The exams of a course that have an answer, the first one first."""
        return [exam for exam in self._read("course = ?", storable(course)) if exam.verdicts]

    def _read(self, condition: str, value: object) -> list[Exam]:
        with self._database.reading() as connection:
            exams = connection.execute(
                f"SELECT * FROM exams WHERE {condition} ORDER BY id",  # noqa: S608 - ours
                (value,),
            ).fetchall()
            answers = {
                row["id"]: connection.execute(
                    "SELECT card, verdict, typed FROM exam_answers WHERE exam = ?", (row["id"],)
                ).fetchall()
                for row in exams
            }
        return [
            Exam(
                id=row["id"],
                begun=datetime.fromisoformat(row["begun"]),
                ended=datetime.fromisoformat(row["ended"]) if row["ended"] else None,
                questions=tuple(json.loads(row["questions"])),
                verdicts={card: Verdict(said) for card, said, _typed in answers[row["id"]]},
                typed={card: typed for card, _said, typed in answers[row["id"]]},
            )
            for row in exams
        ]
