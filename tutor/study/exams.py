"""Exams: questions drawn from the cards, answered without a word until the end, then scored."""

from __future__ import annotations

import json
import math
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import NormalDist

from tutor.database import Database
from tutor.study.card import CardKind, Origin, is_said
from tutor.study.choices import is_unfit
from tutor.study.saved import SavedCard
from tutor.study.siblings import spread
from tutor.study.topics import about
from tutor.study.typed import TypedVerdict, compare
from tutor.text.terminal import storable

QUESTIONS = 20
"""Of an exam, where no number is said."""


@dataclass(frozen=True, slots=True)
class Exam:
    """An exam as it was sat: `verdicts` by numbers of cards; what was not reached has none.

    `ended` is None where the process was killed.
    """

    id: int
    begun: datetime
    ended: datetime | None
    questions: tuple[int, ...]
    verdicts: dict[int, TypedVerdict]
    typed: dict[int, str]
    changed: int
    """How many answers stood on what the notes no longer say."""

    @property
    def right(self) -> int:
        """How many answers were right; partly right is not."""
        return sum(verdict is TypedVerdict.RIGHT for verdict in self.verdicts.values())

    @property
    def failed(self) -> list[int]:
        """The cards that were not answered right, in their order."""
        return [
            card for card in self.questions if self.verdicts.get(card) is not TypedVerdict.RIGHT
        ]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of right answers to all such questions lies (Wilson, 95 %)."""
        return wilson(self.right, len(self.questions))


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson's interval of 95 % for a share (JASA 22, 1927); n > 0."""
    share, z = right / n, NormalDist().inv_cdf(0.975)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def drawn(
    cards: Iterable[SavedCard], n: int, chance: random.Random, topic: str = ""
) -> list[SavedCard]:
    """At most `n` questions, of each fact one, in the order of the notes; then more of the same.

    Those above which the topic stands come first.

    What is answered in one's own words cannot be scored by comparing it, and is not asked, unless
    the student wrote it.
    """
    fit = [
        saved
        for saved in cards
        if not (saved.stale or saved.suspended)
        and (saved.card.kind is CardKind.OWN or not is_said(saved.card))
    ]
    chance.shuffle(fit)
    chosen: list[SavedCard] = []
    for of_each_fact in spread(about(fit, topic, n)):
        taken = of_each_fact[: n - len(chosen)]
        chosen += sorted(taken, key=lambda saved: saved.number)
    return chosen


def weak_sections(failed: Iterable[SavedCard]) -> list[tuple[Origin, int]]:
    """The first place of each section of which something was not known, and of how many questions.

    The weakest first; cards without a place are left out.
    """
    origins = [saved.card.origin for saved in failed if saved.card.origin]
    counted = Counter((origin.title, origin.section) for origin in origins)
    places: dict[tuple[str, str], Origin] = {}
    for origin in sorted(origins, key=lambda origin: (origin.first_page, origin.start)):
        places.setdefault((origin.title, origin.section), origin)
    return [(places[section], n) for section, n in counted.most_common()]


class ExamSitting:
    """An exam while it is sat: a question after the other, each answer saved when it is given.

    An answer that comes when the time is over ends the exam and does not count.
    Raises `StudyError`.
    """

    def __init__(
        self,
        exams: Exams,
        course: str,
        questions: Sequence[SavedCard],
        limit_s: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        wanted: int = 0,
    ) -> None:
        """`limit_s` is the time for all questions; `clock` tells seconds.

        `wanted` is how many questions were asked for, 0 where no number was said.
        """
        self.questions = questions
        self.wanted = wanted
        self.at = 0
        """How many questions have been passed."""
        self.too_late = ""
        """What was typed as an answer when the time was over."""
        self._told_unfit: int | None = None
        self._exams = exams
        self._limit_s = limit_s
        self._clock = clock
        self._begun = clock()
        self._exam = exams.begin(course, questions)

    @property
    def current(self) -> SavedCard | None:
        """The question to answer; None when all have been."""
        return self.questions[self.at] if self.at < len(self.questions) else None

    @property
    def left_s(self) -> float | None:
        """The seconds that are left; None without a limit."""
        return None if self._limit_s is None else self._begun + self._limit_s - self._clock()

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return self.left_s is not None and self.left_s < 0

    def is_unfit(self, typed: str) -> bool:
        """Whether to ask again: there is a choice, and this is none. Once for each question."""
        saved = self.current
        if saved is None or self.is_late or self._told_unfit == self.at:
            return False
        unfit = is_unfit(typed, saved.card)
        self._told_unfit = self.at if unfit else None
        return unfit

    def answer(self, typed: str) -> None:
        """Save an answer to the current question, unless the time is over; go to the next one."""
        saved = self.current
        assert saved is not None  # noqa: S101 - it was asked
        if self.is_late:
            self.too_late = typed.strip()
            self.at = len(self.questions)
        else:
            self._save(saved, typed)

    def run_out(self, typed: str) -> None:
        """The time is over: what was typed until then is the last answer; without any, none is."""
        if (saved := self.current) and typed.strip():
            self._save(saved, typed)
        self.at = len(self.questions)

    def _save(self, saved: SavedCard, typed: str) -> None:
        verdict = compare(typed, saved.card).verdict
        self._exams.answer(self._exam, saved.number, typed, verdict)
        self.at += 1

    def end(self) -> Exam | None:
        """End it; one left without any answer while there was time is not kept: None."""
        return self._exams.end(self._exam, keep=self.is_late)


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

    def answer(self, exam: int, card: int, typed: str, verdict: TypedVerdict) -> None:
        """Save an answer."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO exam_answers (exam, card, typed, verdict)"
                " VALUES (?, ?, ?, ?)",
                (exam, card, storable(typed), verdict.value),
            )

    def end(self, exam: int, *, keep: bool = False) -> Exam | None:
        """End an exam; one without any answer is not kept, unless it is to be: None."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE exams SET ended = ? WHERE id = ?", (self._now().isoformat(), exam)
            )
            (found,) = self._read("id = ?", exam)
            if keep or found.verdicts:
                return found
            connection.execute("DELETE FROM exams WHERE id = ?", (exam,))
        return None

    def of_course(self, course: str) -> list[Exam]:
        """The exams of a course that were ended or have an answer, the first one first."""
        found = self._read("course = ?", storable(course))
        return [exam for exam in found if exam.verdicts or exam.ended]

    def _read(self, condition: str, value: object) -> list[Exam]:
        with self._database.reading() as connection:
            found = connection.execute(
                f"SELECT * FROM exams WHERE {condition} ORDER BY id",  # noqa: S608 - ours
                (value,),
            ).fetchall()
            return [_exam(connection, row) for row in found]


def _exam(connection: sqlite3.Connection, row: sqlite3.Row) -> Exam:
    answers = connection.execute(
        "SELECT card, verdict, typed, changed FROM exam_answers WHERE exam = ?", (row["id"],)
    ).fetchall()
    return Exam(
        id=row["id"],
        begun=datetime.fromisoformat(row["begun"]),
        ended=datetime.fromisoformat(row["ended"]) if row["ended"] else None,
        questions=tuple(json.loads(row["questions"])),
        verdicts={answer["card"]: TypedVerdict(answer["verdict"]) for answer in answers},
        typed={answer["card"]: answer["typed"] for answer in answers},
        changed=sum(answer["changed"] for answer in answers),
    )
