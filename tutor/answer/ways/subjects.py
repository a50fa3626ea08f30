"""What the words of a question name in the map: a concept, lessons, or a phrase of the notes; and
stretches of time: a month, between two days, before one.

Single days beside lessons, ranges within a month and weeks are found by `tutor.search.filters`,
which is asked here for the ends.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tutor.map.words import key_of
from tutor.model import Filter, Source, SourceId
from tutor.search.filters import Recogniser
from tutor.text.folding import fold, folded
from tutor.text.numerals import MONTHS

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Excerpt
    from tutor.index.store import StoreReader
    from tutor.map.course_map import CourseMap
    from tutor.map.model import Concept


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
MANY_TIMES = 3
"""A lesson that names something as often treats it."""
_LEAST_LETTERS = 3
"""A shorter phrase stands in too many words."""
_LEAST_MISSPELT = 6
"""Letters of a name that may be misspelt: short ones resemble others."""
_SPELT_ALIKE = 0.88
"""Likeness from which a name is another one misspelt: "recesión" is no "regresión"."""


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


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a document names the subject: under which heading, how often there, and first where."""

    section: str
    times: int
    start: int


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked about. `name` is how the notes call it, `names` all that it is called.

    `titled` are the lessons that are called so; `spots` are places by document, of lessons that no
    newer version supersedes.
    """

    name: str
    names: frozenset[frozenset[str]]
    concept: Concept | None
    titled: tuple[SourceId, ...]
    spots: Mapping[SourceId, Sequence[Spot]]

    @property
    def lessons(self) -> list[SourceId]:
        """The lessons that treat it, those that it is the title of first."""
        treating = [
            document
            for document, spots in self.spots.items()
            if sum(spot.times for spot in spots) >= MANY_TIMES
            or any(self.is_named(spot.section) for spot in spots)
            or (self.concept and self.concept.defined and self.concept.place.document == document)
        ]
        return list(dict.fromkeys([*self.titled, *treating]))

    def is_named(self, text: str) -> bool:
        """Whether the words of a name of it stand in a text."""
        words = frozenset(key_of(text))
        return any(name <= words for name in self.names)


def subject_of(said: str, course: CourseMap, store: StoreReader) -> Subject | None:
    """What these words name; `None` where the course knows nothing of that name."""
    current = {
        key: store.sources[key] for key, node in course.documents.items() if not node.superseded
    }
    named = _filtered(said, list(current.values()))
    exact = None if named else course.concept(said)
    concept = exact or (None if named else _nearly(said, course))
    names = {said, *((concept.name, *concept.names) if concept else ())}
    keys = frozenset(key for key in (frozenset(key_of(name)) for name in names) if key)
    spots = _spots(course, concept) if concept else {}
    if exact is None and not named:
        spots = _merged(spots, _phrases(said, current, store), course)
    if not (named or spots) and (meant := _misspelt(said, course)):
        return subject_of(meant.name, course, store)
    titled = named or tuple(
        document
        for document, source in current.items()
        if any(key <= words for key in keys for words in _title_words(source))
    )
    if not (titled or spots):
        return None
    return Subject(exact.name if exact else said, keys, concept, titled, spots)


def _merged(
    one: Mapping[SourceId, Sequence[Spot]],
    other: Mapping[SourceId, Sequence[Spot]],
    course: CourseMap,
) -> dict[SourceId, list[Spot]]:
    """Both, in the order of the course; a section that stands in both once."""
    merged = {}
    for document in course.documents:
        spots = {spot.section: spot for spot in (*one.get(document, ()), *other.get(document, ()))}
        if spots:
            merged[document] = list(spots.values())
    return merged


def _title_words(source: Source) -> Iterator[frozenset[str]]:
    """The words that a document is called by: of its title, and of its path."""
    yield frozenset(key_of(source.title))
    yield frozenset(key_of(" ".join(re.findall(r"[^\W\d_]+|\d+", source.path))))


def _filtered(said: str, sources: Sequence[Source]) -> tuple[SourceId, ...]:
    """The lessons that the words name as times, authors or titles, and nothing else."""
    if days := days_of(said, sources):
        chosen = Filter(dates=tuple(days)).select(sources)
        return tuple(source.id for source in sources if source.id in chosen)
    found = Recogniser(sources).recognise(said)
    if not found.phrases or (found.asks and found.rest):
        return ()
    chosen = found.filter.select(sources)
    return tuple(source.id for source in sources if source.id in chosen)


def _nearly(said: str, course: CourseMap) -> Concept | None:
    """The concept of whose name these are words: "árboles" in a course on "árbol de decisión"."""
    key = set(key_of(said))
    alike = [one for one in course.suggestions(said) if key and key <= set(key_of(one.name))]
    return max(alike, key=lambda one: one.score, default=None)


def _misspelt(said: str, course: CourseMap) -> Concept | None:
    """The concept whose name is spelt nearly so: "retropropagasion"."""
    plain = folded(said).strip()
    alike = (one for one in course.suggestions(said) if folded(one.name)[:1] == plain[:1])
    return next(
        (
            one
            for one in alike
            if len(plain) >= _LEAST_MISSPELT
            and SequenceMatcher(None, plain, folded(one.name)).ratio() >= _SPELT_ALIKE
        ),
        None,
    )


def _spots(course: CourseMap, concept: Concept) -> dict[SourceId, list[Spot]]:
    rows = course.rows(
        "MATCH (s:Section)-[m:MENTIONS]->(:Concept {id: $id})"
        " RETURN m.document, s.title, m.times, m.start ORDER BY m.times DESC, m.start",
        id=concept.id,
    )
    found: defaultdict[SourceId, list[Spot]] = defaultdict(list)
    for document, title, times, start in rows:
        found[SourceId(document)].append(Spot(title, int(times), int(start)))
    return {document: found[document] for document in course.documents if document in found}


def _phrases(
    said: str, sources: Mapping[SourceId, Source], store: StoreReader
) -> dict[SourceId, list[Spot]]:
    """Where a phrase stands that is no concept of the map."""
    phrase = folded(said).strip()
    if len(phrase) < _LEAST_LETTERS:
        return {}
    pattern = re.compile(rf"(?<!\w){re.escape(fold(said))}(?!\w)")
    found: defaultdict[SourceId, list[Spot]] = defaultdict(list)
    for document in sources:
        text = store.text(document)
        if phrase not in folded(text.text):
            continue
        by_section: defaultdict[str, list[int]] = defaultdict(list)
        for match in pattern.finditer(fold(text.text)):
            section = text.section_at(match.start())
            by_section[section.title if section else ""].append(match.start())
        found[document] = [
            Spot(title, len(starts), starts[0]) for title, starts in by_section.items()
        ]
    return {document: spots for document, spots in found.items() if spots}


def on_both(part: Excerpt, one: Subject, other: Subject) -> bool:
    """Whether a part of the notes names one of two subjects where it treats of the other."""
    above = f"{part.hit.source.title}\n{part.title}"
    inside = [subject.is_named(part.text) for subject in (one, other)]
    around = [subject.is_named(above) for subject in (one, other)]
    return all(map(max, inside, around)) and any(inside)
