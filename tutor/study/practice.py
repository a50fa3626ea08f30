"""What asks for cards in a conversation: "hazme 5 preguntas de la semana 5", "quiz me on A*"; and
for an exam.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tutor.errors import StudyError
from tutor.i18n import _, catalog, language
from tutor.model import Source
from tutor.search.filters import LONGEST_QUESTION, Recognised, Recogniser, lacking, some_of
from tutor.study.exams import QUESTIONS, ExamSitting, drawn
from tutor.study.siblings import siblings_last
from tutor.study.store import StudyStore
from tutor.study.topics import USUAL, Selection, about, called, without_cards
from tutor.text.folding import folded
from tutor.text.numerals import SPELLED
from tutor.text.terminal import one_line
from tutor.text.words import STOP_WORDS_OF_BOTH

MOST = 500
"""Questions that can be asked for at once."""
LONGEST_MINUTES = 24 * 60
"""Of an exam."""
PLEASE = r"\W*(?:por\ favor,?\s|please,?\s)?"
WANTS = r"""(?:haz|hazme|haceme|dame|ponme|poneme|preparame|generame|creame|quiero
    |give\ me|make\ me|ask\ me|i\ want)\s"""
"""How something is asked for, in a pattern that is `re.VERBOSE`, as `PLEASE` is."""
_ADJECTIVE = (
    r"(?:(?:muy|mas|bien|tipo|very|more)\s+)?(?:dificil|facil|sencill|complicad|cort|larg|breve|rapid"
    r"|nuev|distint|diferente|variad|aleatori|test|hard|difficult|easy|simple|short|quick|new|random)"
    r"(?:[aeo]s?|es)?"
)
_HOW = re.compile(
    rf"\W*{_ADJECTIVE}(?:\s+(?:y|e|o|pero|and|but|or)\s+{_ADJECTIVE})*"
    r"(?=\W*$|\W*\s(?:del?|sobre|acerca|en|about|on|of)\b)"
)
"""What questions are like, right behind their name: it is not what they are about."""
_ASKS = re.compile(
    rf"""{PLEASE}(?:
    {WANTS}(?:(?P<n>\d{{1,3}})\s|un(?:[ao]s?)?\s|algunas\s|varias\s|some\s|a\s(?:few\s)?)?
    (?:{_ADJECTIVE}\s)?(?:preguntas?|tarjetas?|flashcards?|cuestionario|test|quiz|questions?|cards?)
    |(?:ponme|poneme)\ a\ prueba|examiname|evaluame|preguntame|quiero\ (?:practicar|repasar)
    |(?:quiz|test|examine)\ me|i\ want\ to\ practi[cs]e
    |/(?:repasar|estudiar|study)
    |(?:repasar|repaso|estudiar|practicar|study|review|practi[cs]e)(?=\W*$)
    )\b(?:\s(?P<so_many>\d{{1,3}})(?=\s(?:del?|sobre|of|on|about)\b|\W*$))?(?P<topic>.*)""",
    re.VERBOSE | re.DOTALL,
)
_EXAM = re.compile(
    rf"""{PLEASE}(?:{WANTS}
    (?:(?:hacer|to\ (?:take|sit))\s)?(?:un|otro|an?|another)\s(?:\w+\s)?|/)(?:examen|exam)\b""",
    re.VERBOSE,
)
_MINUTES = re.compile(r"\b(\d{1,3}(?:[.,]\d+)?) ?min(?:utos?|utes?)?\b", re.IGNORECASE)
_QUESTIONS = re.compile(
    r"(?:\b(?:de|con|of|with) )?\b(\d{1,3}) (?:preguntas?|questions?)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?:\b(?P<of>(?:tema|semana|capitulo|clase|parte|modulo|practica|tarea|week|topic|chapter|unit"
    r"|lesson|part)s?|unidad(?:es)?|sesion(?:es)?|leccion(?:es)?|y|and|-) ?)?\b(\d{1,3})\b"
)
"""A number, and what has it: "tema 4" is no four questions."""
_IN_WORDS = re.compile(
    rf"\b(una|{'|'.join(SPELLED)})"
    r"(?= (?:\w+ )?(?:preguntas?|tarjetas?|questions?|(?:flash)?cards?)\b)",
    re.IGNORECASE,
)
"""How many, in a word: "hazme dos preguntas"."""
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
    documents: tuple[Source, ...] = ()
    """Those that were asked for, or are called as the topic."""
    is_counted: bool = False
    """Whether that many were asked for."""

    @property
    def wanted(self) -> int:
        """How many were asked for, 0 where no number was said."""
        return self.cards if self.is_counted else 0

    def chosen(self, store: StudyStore, course: str) -> list[int]:
        """The numbers of the cards: those that are due, then new ones, then others.

        Of a topic those above which it stands come first, of a fact its siblings last.

        Raises `StudyError`, where there are none, too.
        """
        if self.numbers:
            return list(self.numbers)
        _check(self.cards)
        of_all = Selection(self.which.sources)
        cards = {card.number: card for card in store.cards(course, of_all)}
        of_course = cards if of_all.sources is None else None
        first = [*store.due(course, of_all), *store.new(course, MOST, of_all, of_course)]
        others = [number for number, card in cards.items() if not card.suspended]
        numbers = dict.fromkeys([*first, *others])
        ordered = [cards[number] for number in numbers if number in cards]
        fit = about(ordered, self.which.topic, self.cards)
        if not fit:
            raise none_fits(self.lacks, without_cards(self.documents, store.cards(course)))
        return [saved.number for saved in islice(siblings_last(fit), self.cards)]


def none_fits(lacks: tuple[str, ...] = (), cardless: Sequence[Source] = ()) -> StudyError:
    """There are cards, but not of what was chosen; `lacks` is what is told where no notes are,
    `cardless` are documents that were chosen and make none.
    """
    if lacks:
        return StudyError(*lacks)
    if cardless:
        return StudyError(
            cardless_text(cardless),
            _("Cards are made of definitions, lists and tables. Choose other documents."),
        )
    return StudyError(_("No card fits."), _("Choose other weeks, documents or words."))


def cardless_text(sources: Sequence[Source]) -> str:
    """That these documents make no cards."""
    names = some_of([source.path for source in sources], catalog(language()))
    return _("No cards come of %(names)s.") % {"names": one_line(names)}


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
    documents: tuple[Source, ...] = ()
    """Both as in `Practice`."""

    def begun(self, store: StudyStore, course: str) -> ExamSitting:
        """The exam, drawn from the cards of the course. Raises `StudyError`."""
        _check(self.questions)
        cards = store.cards(course, Selection(self.which.sources))
        chance = random.Random()  # noqa: S311 - no secret
        questions = drawn(cards, self.questions, chance, self.which.topic)
        if not questions:
            raise none_fits(self.lacks, without_cards(self.documents, store.cards(course)))
        limit_s = self.minutes and self.minutes * 60
        wanted = self.questions if self.is_counted else 0
        return ExamSitting(store.exams, course, questions, limit_s, wanted=wanted)


def exam_wanted(text: str, sources: Collection[Source]) -> ExamWanted | None:
    """The exam that "/examen semana 5 10 preguntas 20 minutos" or "hazme un examen" asks for.

    None for another line.
    """
    text = text.strip()[:LONGEST_QUESTION]
    if not (asked := _EXAM.match(folded(text))):
        return None
    said = _in_digits(text[asked.end() :])
    # Before the weeks are looked for: "weeks 2 and 5, 15 min".
    minutes, questions = _MINUTES.search(said), _QUESTIONS.search(said)
    said = _QUESTIONS.sub(" ", _MINUTES.sub(" ", said))
    recognised = Recogniser(sources).recognise(said)
    rest, number = recognised.rest, questions or _free_number(recognised.rest)
    if number and not questions:
        rest = f"{rest[: number.start()]} {rest[number.end() :]}"
    which = _selection(recognised, sources, _subject(folded(rest)))
    return ExamWanted(
        int(number[number.lastindex or 1]) if number else QUESTIONS,
        float(minutes[1].replace(",", ".")) or None if minutes else None,
        which,
        bool(number),
        lacking(recognised.filter, sources),
        documents_of(which, sources),
    )


def _in_digits(text: str) -> str:
    return _IN_WORDS.sub(lambda word: SPELLED.get(word[1].lower(), "1"), text)


def _free_number(text: str) -> re.Match[str] | None:
    """The first number that is not that of a part of the course."""
    return next((one for one in _NUMBER.finditer(folded(text)) if not one["of"]), None)


def _selection(recognised: Recognised, sources: Collection[Source], topic: str) -> Selection:
    """The cards of the documents that were named, or of all, whose topic has these words."""
    chosen = recognised.filter.select(sources) if recognised.phrases else None
    return Selection(chosen, topic_of(topic))


def documents_of(which: Selection, sources: Collection[Source]) -> tuple[Source, ...]:
    """The documents that were chosen, of all only those that are called as the topic."""
    if which.sources is None and not which.topic:
        return ()
    chosen = (one for one in sources if which.sources is None or one.id in which.sources)
    return tuple(called(which.topic, chosen))


def _subject(said: str) -> str:
    """What questions are about, of what stands behind their name."""
    how = _HOW.match(said)
    return said[how.end() :] if how else said


def topic_of(text: str) -> str:
    """The words that say what is asked about."""
    words = (word.strip(".,;:!?¿¡«»\"'()") for word in text.split())
    return " ".join(word for word in words if word and word not in STOP_WORDS_OF_BOTH | _EVERYTHING)


def practice_wanted(text: str, sources: Collection[Source]) -> Practice | None:
    """The cards that a line asks for, of a course with these documents; None for a question."""
    text = _in_digits(text.strip()[:LONGEST_QUESTION])
    if not _ASKS.match(folded(text)):
        return None
    recognised = Recogniser(sources).recognise(text)
    match = _ASKS.match(folded(recognised.rest)) or _ASKS.match(folded(text))
    assert match is not None  # noqa: S101 - the whole text matches
    counted = _QUESTIONS.search(match["topic"])  # "a quiz of 5 questions"
    n = match["n"] or match["so_many"] or (counted and counted[1])
    topic = _subject(_QUESTIONS.sub(" ", match["topic"]))
    which = _selection(recognised, sources, topic)
    lacks = lacking(recognised.filter, sources)
    documents = documents_of(which, sources)
    return Practice(int(n or USUAL), which, lacks=lacks, documents=documents, is_counted=bool(n))
