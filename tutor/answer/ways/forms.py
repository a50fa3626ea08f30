"""What a question asks of the course as a whole, told by its form.

A form says only what would be asked. Whether the course knows the subject is looked up afterwards;
where it does not, the question is an ordinary one.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from tutor.model import Source
from tutor.search.filters import Recogniser
from tutor.text.folding import fold
from tutor.text.numerals import MONTHS

LONGEST_QUESTION = 240
"""Characters: what is longer is no question of these forms."""
_DAY = timedelta(days=1)
Days = tuple[date, date]
"""The first and the last day, both included."""

_LEAD = re.compile(
    r"(?:(?:en|durante|entre|del?|desde|el|la|los|mes|todo|in|during|between|from|on|of|the|month"
    r"|all)\s+)*"
)
_NAMES_A_TIME = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b|\d[/-]\d")
"""Short forms are words of their own: "set", "mar"."""
_BOUND = re.compile(
    r"(?:(?P<before>antes\s+del?|before)|(?P<until>hasta|until|up\s+to)"
    r"|(?P<after>despues\s+del?|after)|(?P<since>desde|a\s+partir\s+del?|since))\s+"
)
_TO = re.compile(r"\s+(?:y|al?|hasta|and|to|until|through)\s+")
_REST = re.compile(r"(?:del?|of|,|\s)*(\d{4})?")


class Way(StrEnum):
    """What is asked of the course."""

    PLACES = "places"
    """Where something is treated: weeks, days, documents, and who wrote them."""
    LESSONS = "lessons"
    """Which lessons were given in a stretch of time; the first, the last, the longest of all."""
    AROUND = "around"
    """Which lesson comes before or after one."""
    COUNT = "count"
    """How many documents, weeks, authors, pages or versions there are."""
    VERSIONS = "versions"
    """Which versions of a lesson there are."""
    RELATION = "relation"
    """What two concepts have to do with each other, or what one has to do with others."""
    PREREQUISITES = "prerequisites"
    """What has to be known before."""
    TOPIC = "topic"
    """What the course says of a topic, in all documents."""
    BROAD = "broad"
    """Something that several documents answer together."""


@dataclass(frozen=True, slots=True)
class CourseQuestion:
    """A way, and the words of the question that name its subjects, as they were written.

    `detail` says what is counted (`documents`, `lessons`, `weeks`, `authors`, `pages`,
    `versions`), on which side a lesson is looked for (`before`, `after`), that only the `first`,
    `last`, `longest` or `shortest` is, or the `topics` of lessons, the `path`, or that the subject
    is an `author`, or that one is wanted who speaks of it: a `writer`, or one the notes tell of.
    Without a subject, where or after what something was treated is asked of the subject of the
    question before; `bare` ("¿y después?") only where that asked of the course, too.
    """

    way: Way
    subjects: tuple[str, ...] = ()
    detail: str = ""
    bare: bool = False

    @property
    def leans(self) -> bool:
        """Whether the subject is that of the question before."""
        return not self.subjects and self.way in (Way.PLACES, Way.AROUND)


_COUNTED = {
    "documents": "documento pdf archivo apunte document file",
    "lessons": "clase leccion lecture class lesson",
    "weeks": "semana week",
    "authors": "autor author persona estudiante people student",
    "pages": "pagina page",
    "versions": "version",
}
_DETAILS = "before after first last longest shortest topics path author writer".split()


@cache
def _said() -> dict[str, Any]:
    """What `forms.toml` says, the likelier ways first."""
    said = tomllib.loads((files("tutor.answer.ways") / "forms.toml").read_text(encoding="utf-8"))
    said["words"]["z"] = said["words"]["y"].replace("P<y>", "P<z>")
    return said


@cache
def cue(way: Way) -> re.Pattern[str]:
    """What stands somewhere in every question of a way."""
    return re.compile(rf"\b(?:{_said()['cues'][way]})")


@cache
def patterns(way: Way) -> list[re.Pattern[str]]:
    """The forms of a way."""
    said = _said()
    return [_compiled("{open}" + form + "{end}", said["words"]) for form in said["forms"][way]]


def _compiled(pattern: str, words: dict[str, str]) -> re.Pattern[str]:
    while names := set(re.findall(r"\{([a-z]+)\}", pattern)):
        for name in names:
            pattern = pattern.replace(f"{{{name}}}", words[name])
    return re.compile(pattern)


_KINDS = re.compile(
    rf".*\b(?:que|cuales|cuantas|what|which|many)\b.*\b(?:clases de|classes of) "
    rf"(?!(?:el|la|los|las|esta?|hoy|ayer|the|this|{'|'.join(MONTHS)})\b).*\b(?:hay|existen|exist|there)\b"
)
"""Asks which kinds of something there are, not which lessons."""


def forms_of(question: str) -> Iterator[CourseQuestion]:
    """What a question may ask of the course, the likeliest first; nothing for an ordinary one."""
    text = " ".join(unicodedata.normalize("NFC", question).split())
    if len(text) > LONGEST_QUESTION:
        return
    plain = fold(text)
    if _KINDS.match(plain):
        return
    cued = (way for way in map(Way, _said()["forms"]) if cue(way).search(plain))
    for way, form in ((one, form) for one in cued for form in patterns(one)):
        if match := form.fullmatch(plain):
            groups = match.groupdict()
            spans = [match.span(name) for name in ("x", "y", "z") if groups.get(name)]
            subjects = tuple(text[start:end].strip(' ¿?¡!.,;:"“”«»') for start, end in spans)
            yield CourseQuestion(way, subjects, _detail(groups), bool(groups.get("bare")))


def _detail(groups: dict[str, str | None]) -> str:
    if what := groups.get("what"):
        return next(
            name for name, words in _COUNTED.items() if what.startswith(tuple(words.split()))
        )
    return next((name for name in _DETAILS if groups.get(name)), "")


def days_of(said: str, sources: Collection[Source]) -> list[Days]:
    """The days that these words name and nothing else, one stretch for each year of the notes.

    Empty where they name none.
    """
    text = " ".join(fold(said).split())
    if not _NAMES_A_TIME.search(text):
        return []
    bound = _BOUND.match(text)
    rest = text[bound.end() :] if bound else text
    ends = _ends(rest, sources)
    if bound is None or (bound["since"] and not _named(_without_lead(rest), sources)):
        return ends  # "desde agosto hasta octubre" has two of them
    return [_open(bound.lastgroup, first, last) for first, last in ends]


def _open(side: str | None, first: date, last: date) -> Days:
    if side in ("before", "until"):
        return date.min, first - _DAY if side == "before" else last
    return last + _DAY if side == "after" else first, date.max


def _ends(text: str, sources: Collection[Source]) -> list[Days]:
    """A day, a month, or from one to another."""
    text = _without_lead(text)
    if found := _named(text, sources):
        return found
    for link in _TO.finditer(text):
        firsts = _named(text[: link.start()], sources)
        lasts = _named(_without_lead(text[link.end() :]), sources)
        pairs = [(one[0], other[1]) for one in firsts for other in lasts]
        return [(first, last) for first, last in pairs if first.year == last.year]
    return []


def _without_lead(text: str) -> str:
    return _LEAD.sub("", text, count=1)


def _named(text: str, sources: Collection[Source]) -> list[Days]:
    found = Recogniser(sources).recognise(f"clases de {text}")
    rest = _REST.fullmatch(found.rest)
    if rest is None:
        return []
    return [days for days in found.filter.dates if not rest[1] or days[0].year == int(rest[1])]
