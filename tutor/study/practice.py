"""What asks for cards in a conversation: "hazme 5 preguntas de la semana 5", "quiz me on A*"."""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from dataclasses import dataclass, field

from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import Source
from tutor.search.filters import Recogniser, lacking
from tutor.study.exams import QUESTIONS, ExamSitting, drawn
from tutor.study.saved import SavedCard
from tutor.study.store import Selection, StudyStore
from tutor.text.folding import folded
from tutor.text.words import STOP_WORDS_OF_BOTH

USUAL = 10
"""Questions, where no number is said."""
MOST = 500
"""Questions that can be asked for at once."""
PLEASE = r"\W*(?:por\ favor,?\s|please,?\s)?"
WANTS = r"""(?:haz|hazme|haceme|dame|ponme|poneme|preparame|generame|creame|quiero
    |give\ me|make\ me|ask\ me|i\ want)\s"""
"""How something is asked for, in a pattern that is `re.VERBOSE`, as `PLEASE` is."""
_ASKS = re.compile(
    rf"""{PLEASE}(?:
    {WANTS}(?:(?P<n>\d{{1,3}})\s|un(?:[ao]s?)?\s|algunas\s|varias\s|some\s|a\s(?:few\s)?)?
    (?:preguntas?|tarjetas?|flashcards?|cuestionario|test|quiz|questions?|cards?)
    |(?:ponme|poneme)\ a\ prueba|examiname|evaluame|preguntame|quiero\ (?:practicar|repasar)
    |(?:quiz|test|examine)\ me|i\ want\ to\ practi[cs]e
    |/(?:repasar|estudiar|study)
    |(?:repasar|repaso|estudiar|practicar|study|review|practi[cs]e)(?=\W*$)
    )\b(?P<topic>.*)""",
    re.VERBOSE | re.DOTALL,
)
_EXAM = re.compile(
    rf"""{PLEASE}(?:{WANTS}
    (?:(?:hacer|to\ (?:take|sit))\s)?(?:un|otro|an?|another)\s(?:\w+\s)?|\s*/)(?:examen|exam)\b""",
    re.VERBOSE,
)
_MINUTES = re.compile(r"\b(\d{1,3}(?:[.,]\d+)?) ?min(?:utos?|utes?)?\b", re.IGNORECASE)
_QUESTIONS = re.compile(r"\b(\d{1,3}) (?:preguntas?|questions?)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\b(\d{1,3})\b")
_EVERYTHING = frozenset(
    """curso apuntes notas tema temas todo practica repaso examen tarjetas preguntas
    course notes topic topics everything all practice review exam cards questions""".split()
)
"""Words that say what cards are of, and not what they are about."""


@dataclass(frozen=True, slots=True)
class Practice:
    """So many cards at most, of these; or those of these `numbers`."""

    cards: int
    which: Selection = field(default_factory=Selection)
    numbers: tuple[int, ...] = ()
    lacks: tuple[str, ...] = ()
    """What is told where there are no notes of what was asked for."""

    def chosen(self, store: StudyStore, course: str) -> list[int]:
        """The numbers of the cards: those that are due, then new ones, then others.

        Those whose topic is only that of their document come last.

        Raises `StudyError`, where there are none, too.
        """
        if self.numbers:
            return list(self.numbers)
        _check(self.cards)
        cards = {card.number: card for card in store.cards(course, self.which)}
        first = [*store.due(course, self.which), *store.new(course, MOST, self.which)]
        others = [number for number, card in cards.items() if not card.suspended]
        numbers = sorted(
            dict.fromkeys([*first, *others]), key=lambda number: not self._says(cards[number])
        )
        chosen = numbers[: self.cards]
        if not chosen:
            raise none_fits(self.lacks)
        return chosen

    def _says(self, saved: SavedCard) -> bool:
        """Whether a card is about the topic itself, not only in a document that names it."""
        card, origin = saved.card, saved.card.origin
        told = folded(" ".join((card.question, card.subject, origin.section if origin else "")))
        return all(word in told for word in self.which.topic.split())


def none_fits(lacks: tuple[str, ...] = ()) -> StudyError:
    """There are cards, but not of what was chosen; `lacks` is what is told where no notes are."""
    if lacks:
        return StudyError(*lacks)
    return StudyError(_("No card fits."), _("Choose other weeks, documents or words."))


def _check(questions: int) -> None:
    """Raise `StudyError` where so many cannot be asked."""
    if not 1 <= questions <= MOST:
        raise StudyError(
            _("%(n)d questions cannot be asked.") % {"n": questions},
            _("Ask for 1 to %(most)d.") % {"most": MOST},
        )


@dataclass(frozen=True, slots=True)
class ExamWanted:
    """So many questions at most, of these cards, in so many minutes (None: without a limit)."""

    questions: int = QUESTIONS
    minutes: float | None = None
    which: Selection = field(default_factory=Selection)
    is_counted: bool = False
    """Whether that many were asked for, and not just an exam."""
    lacks: tuple[str, ...] = ()
    """As in `Practice`."""

    def begun(self, store: StudyStore, course: str) -> ExamSitting:
        """The exam, drawn from the cards of the course. Raises `StudyError`."""
        _check(self.questions)
        cards = store.cards(course, self.which)
        questions = drawn(cards, self.questions, random.Random())  # noqa: S311 - no secret
        if not questions:
            raise none_fits(self.lacks)
        limit_s = self.minutes and self.minutes * 60
        wanted = self.questions if self.is_counted else 0
        return ExamSitting(store.exams, course, questions, limit_s, wanted=wanted)


def exam_wanted(text: str, sources: Collection[Source]) -> ExamWanted | None:
    """The exam that "/examen semana 5 10 preguntas 20 minutos" or "hazme un examen" asks for.

    None for another line.
    """
    if not (asked := _EXAM.match(folded(text.strip()))):
        return None
    said = text.strip()[asked.end() :]
    # Before the weeks are looked for: "weeks 2 and 5, 15 min".
    minutes, questions = _MINUTES.search(said), _QUESTIONS.search(said)
    said = _QUESTIONS.sub(" ", _MINUTES.sub(" ", said))
    recognised = Recogniser(sources).recognise(said)
    number = questions or _NUMBER.search(recognised.rest)
    rest = recognised.rest if questions else _NUMBER.sub(" ", recognised.rest, count=1)
    return ExamWanted(
        int(number[1]) if number else QUESTIONS,
        float(minutes[1].replace(",", ".")) or None if minutes else None,
        Selection(
            recognised.filter.select(sources) if recognised.phrases else None, _topic(folded(rest))
        ),
        bool(number),
        lacking(recognised.filter, sources),
    )


def _topic(text: str) -> str:
    words = (word.strip(".,;:!?¿¡«»\"'()") for word in text.split())
    return " ".join(word for word in words if word and word not in STOP_WORDS_OF_BOTH | _EVERYTHING)


def practice_wanted(text: str, sources: Collection[Source]) -> Practice | None:
    """The cards that a line asks for, of a course with these documents; None for a question."""
    if not _ASKS.match(folded(text)):
        return None
    recognised = Recogniser(sources).recognise(text)
    match = _ASKS.match(folded(recognised.rest)) or _ASKS.match(folded(text))
    assert match is not None  # noqa: S101 - the whole text matches
    chosen = recognised.filter.select(sources) if recognised.phrases else None
    counted = _QUESTIONS.search(match["topic"])  # "a quiz of 5 questions"
    n = int(match["n"] or (counted[1] if counted else USUAL))
    topic = _topic(_QUESTIONS.sub(" ", match["topic"]))
    return Practice(n, Selection(chosen, topic), lacks=lacking(recognised.filter, sources))
