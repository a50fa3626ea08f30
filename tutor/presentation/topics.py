"""A topic of the map, and what the map says of it: a card whose lines stand on places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tutor.i18n import _, plural
from tutor.index.store import StoreReader
from tutor.map.course_map import CourseMap
from tutor.map.model import Concept, DocumentNode, Kind, Place
from tutor.model.marks import pages
from tutor.presentation.amounts import joined
from tutor.study.coverage import Coverage
from tutor.text.paragraphs import unnumbered

_MOST_NAMED = 30
_LONGEST_QUOTE = 600
"""Characters: what is longer is read on its page."""
_CLOSE = 0.4
_NEAR = 0.2
"""Weights: of the relations in the sample course a tenth are as close, a third as near."""


@dataclass(frozen=True, slots=True)
class MapTopic:
    """A concept, a community of `concepts`, a week, a document or a section (its id).

    `place` is its page, `own` the cards that are its own, besides those of its parts.
    """

    title: str
    place: Place | None = None
    concept: Concept | None = None
    concepts: tuple[Concept, ...] = ()
    document: DocumentNode | None = None
    section: str = ""
    parts: tuple[MapTopic, ...] = ()
    own: Coverage = field(default_factory=Coverage)

    @property
    def coverage(self) -> Coverage:
        """Its cards; where it has none of its own, those of its parts."""
        if self.own.cards:
            return self.own
        each = [part.coverage for part in self.parts]
        return Coverage(sum(one.cards for one in each), sum(one.known for one in each))

    @property
    def identity(self) -> object:
        """What it has in common with itself in another order of the map."""
        return self.concept or (self.title, self.place)

    @property
    def name(self) -> str:
        """What a question calls it."""
        return self.concepts[0].name if self.concepts else unnumbered(self.title)

    @property
    def question(self) -> str:
        """What to ask about it."""
        if self.concept is None:
            return _("Summarize %(topic)s") % {"topic": self.name}
        is_person = self.concept.kind is Kind.PERSON
        return (_("Who is %(name)s?") if is_person else _("What is %(name)s?")) % {
            "name": self.name
        }

    @property
    def practice(self) -> str:
        """What asks for its cards."""
        return _("Quiz me on %(topic)s") % {"topic": self.name}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a card: what is said at a place of the notes, and `where` that is, in words.

    The line begins a group if it has a `heading`; `concept` has a card of its own.
    """

    place: Place
    where: str
    title: str = ""
    quote: str = ""
    heading: str = ""
    concept: Concept | None = None


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """What the map says of a topic, in words."""

    topic: MapTopic
    facts: tuple[str, ...]
    lines: tuple[Line, ...]


def summary_of(topic: MapTopic, course: CourseMap, store: StoreReader) -> TopicSummary:
    """What the map says of a topic."""
    writer = _Writer(course, store)
    return TopicSummary(topic, tuple(writer.facts(topic)), tuple(writer.lines(topic)))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Puts into words what the map says."""

    course: CourseMap
    store: StoreReader

    def facts(self, topic: MapTopic) -> Iterator[str]:
        if node := topic.document:
            yield joined(node.path, node.date, ", ".join(node.authors))
        if topic.concept:
            yield from self._facts_of_concept(topic.concept)
        if (covered := topic.coverage).cards:
            told = plural("%(n)d card", "%(n)d cards", covered.cards)
            known = _("%(cards)s; you know %(known)d")
            yield known % {"cards": told, "known": covered.known}

    def _facts_of_concept(self, concept: Concept) -> Iterator[str]:
        yield kind_name(concept.kind)
        if others := [name for name in concept.names if name != concept.name]:
            yield _("Also: %(names)s") % {"names": ", ".join(others)}
        if weeks := self.course.weeks_of(concept):
            yield _("Weeks: %(weeks)s") % {"weeks": ", ".join(map(str, weeks))}
        if community := self.course.community_of(concept, 0):
            yield _("Topic: %(name)s") % {"name": community.name}
        if not concept.defined:
            yield _("The notes do not define it.")

    def lines(self, topic: MapTopic) -> Iterator[Line]:
        if topic.concept:
            yield from self._of_concept(topic.concept)
            return
        if topic.section or topic.document:
            named = self.course.named_in(topic.section or str(topic.document and topic.document.id))
            concepts = [self._linked(one, place, _times(n)) for one, n, place in named]
        elif topic.concepts:
            concepts = [self._linked(one, one.place, quotes=one.defined) for one in topic.concepts]
        else:
            documents = (self._line(one.place, one.title) for one in topic.parts if one.place)
            yield from _under(_("Documents"), documents)
            concepts = []
        yield from _under(_("Concepts"), concepts[:_MOST_NAMED])

    def _of_concept(self, concept: Concept) -> Iterator[Line]:
        course = self.course
        defining: dict[str, Place] = {}
        for place in ([concept.place] if concept.defined else []) + course.definitions(concept):
            defining.setdefault(quoted(place, self.store), place)
        yield from (self._line(place, quotes=True) for place in defining.values())
        before = (self._linked(one.source, one.place) for one in course.before(concept))
        yield from _under(_("Needs to be known before"), before)
        after = (self._linked(one.target, one.place) for one in course.after(concept))
        yield from _under(_("Is needed for"), after)
        related = (
            self._linked(one.concept, one.places[0], _closeness(one.weight))
            for one in course.neighbours(concept)
        )
        yield from _under(_("Related to"), related)
        naming = course.sections_naming(concept)
        treated = (self._line(place, title, _times(n)) for title, n, place in naming)
        yield from _under(_("Where it is treated"), treated)

    def _linked(
        self, concept: Concept, place: Place, remark: str = "", *, quotes: bool = False
    ) -> Line:
        return replace(self._line(place, concept.name, remark, quotes=quotes), concept=concept)

    def _line(
        self, place: Place, title: str = "", remark: str = "", *, quotes: bool = False
    ) -> Line:
        source = self.store.sources[place.document]
        week = _("Week %(n)d") % {"n": source.week} if source.week is not None else ""
        document = source.title if source.title != title else ""
        where = joined(pages(place.page, place.page), week, document)
        quote = quoted(place, self.store)[:_LONGEST_QUOTE] if quotes else ""
        return Line(place, where, joined(title, remark), quote)


def _under(heading: str, lines: Iterable[Line]) -> Iterator[Line]:
    """Lines, the first one with a heading."""
    for n, line in enumerate(lines):
        yield line if n else replace(line, heading=heading)


def _times(n: int) -> str:
    return plural("%(n)d time", "%(n)d times", n)


def quoted(place: Place, store: StoreReader) -> str:
    """The words of a place; of a whole section or document the heading."""
    said = store.text(place.document).text[place.start : place.end]
    return said.split("\n\n", maxsplit=1)[0] if len(said) > _LONGEST_QUOTE else said


def kind_name(kind: Kind) -> str:
    """What a concept is, in a word."""
    return {
        Kind.CONCEPT: _("concept"),
        Kind.METHOD: _("method"),
        Kind.PERSON: _("person"),
        Kind.FORMULA: _("formula"),
    }[kind]


def _closeness(weight: float) -> str:
    """How much two concepts hang together."""
    if weight >= _CLOSE:
        return _("nearly always together")
    return _("often together") if weight >= _NEAR else _("sometimes together")
