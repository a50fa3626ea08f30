"""What the words of a question name in the map: a concept, lessons, or a phrase of the notes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from tutor.answer.quoting.excerpts import Excerpt
from tutor.answer.ways.forms import CourseQuestion, Way, days_of, forms_of
from tutor.index.store import StoreReader
from tutor.map.course_map import CourseMap
from tutor.map.model import Concept, Kind, Place, SectionNode
from tutor.map.words import key_of
from tutor.model import Filter, Source, SourceId, Turn
from tutor.search.filters import Recogniser
from tutor.text.folding import fold, folded
from tutor.text.words import STOP_WORDS

MOST_WORDS = 5
"""Of the name of a concept in a question."""

_POINTING = re.compile(r"(?:eso|esto|ello|it|that|this|them|those|these)?")
_WORD = re.compile(r"[^\W_][\w*+#-]*")
MOST_STEPS = 8
"""Things that are to be known before."""
MOST_INTRODUCING = 3
"""Sections that introduce a concept."""
NO_LESSON = (Kind.PERSON,)
"""What is no thing to be learnt first."""
MANY_TIMES = 3
"""A lesson that names something as often treats it."""
_LEAST_LETTERS = 3
"""A shorter phrase stands in too many words."""
_LEAST_MISSPELT = 6
"""Letters of a name that may be misspelt: short ones resemble others."""
_SPELT_ALIKE = 0.88
"""Likeness from which a name is another one misspelt: "recesión" is no "regresión"."""


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


def next_to(subject: Subject, side: str, course: CourseMap) -> tuple[SourceId | None, bool]:
    """The lesson `before` the first, or `after` the last one, that treats a subject, and `False`;
    where that is the first or the last of the course this one, and `True`.
    """
    order = [key for key, node in course.documents.items() if not node.superseded]
    about = [order.index(one) for one in subject.titled or subject.lessons[:1] if one in order]
    if not about:
        return None, False
    here = min(about) if side == "before" else max(about)
    place = here + (-1 if side == "before" else 1)
    inside = 0 <= place < len(order)
    return order[place if inside else here], not inside


@dataclass(frozen=True, slots=True)
class Referent:
    """What the words of a question mean after `turns`, the earlier ones, oldest first."""

    turns: Sequence[Turn]
    course: CourseMap
    store: StoreReader

    def subject(self, said: str) -> Subject | None:
        """What these words name; of "eso", or of no words, what was spoken of last."""
        if _POINTING.fullmatch(fold(said)):
            return self._last()
        return subject_of(said, self.course, self.store)

    def form(self, form: CourseQuestion) -> CourseQuestion | None:
        """The form as it is to be told; `None` where it leans on nothing of the kind."""
        if not form.leans:
            return form
        before = next(iter(forms_of(self.turns[-1].question)), None) if self.turns else None
        if form.way is Way.PLACES and before and before.way is Way.COUNT and not before.subjects:
            return CourseQuestion(Way.COUNT, (), "authors")
        return None if form.bare and before is None else form

    def _last(self) -> Subject | None:
        for place in range(len(self.turns) - 1, -1, -1):
            turn = self.turns[place]
            earlier = Referent(self.turns[:place], self.course, self.store)
            asked = [form for form in forms_of(turn.question) if form.subjects or form.leans]
            for form in asked:
                found = earlier.subject(form.subjects[0] if form.subjects else "")
                if found:
                    return earlier.told_of(found, form)
            named = self._named(turn.question)
            if named or turn.standalone == turn.question:
                return named
        return None

    def told_of(self, subject: Subject, form: CourseQuestion) -> Subject:
        """What the answer to a question of this form is about: the lesson after, or the subject."""
        if form.way is not Way.AROUND:
            return subject
        lesson, _ends = next_to(subject, form.detail, self.course)
        if lesson is None:
            return subject
        title = self.store.sources[lesson].title
        return Subject(title, frozenset([frozenset(key_of(title))]), None, (lesson,), {})

    def _named(self, question: str) -> Subject | None:
        """The longest name of a concept in a question, the last of equals; else of a lesson."""
        words = [match.span() for match in _WORD.finditer(question)]
        spans = [
            (words[start][0], words[start + length - 1][1])
            for length in range(min(MOST_WORDS, len(words)), 0, -1)
            for start in range(len(words) - length, -1, -1)
        ]
        names = (question[start:end] for start, end in spans)
        known = next((name for name in names if self.course.concept(name)), None)
        if known:
            return subject_of(known, self.course, self.store)
        said = [question[slice(*span)] for span in words]
        content = [
            word for word in said if not any(fold(word) in few for few in STOP_WORDS.values())
        ]
        told = (subject_of(word, self.course, self.store) for word in reversed(content))
        return next((subject for subject in told if subject and subject.titled), None)


def known_before(subject: Subject, course: CourseMap) -> list[Concept]:
    """What is named where the subject is introduced and comes before it in the course.

    Of lessons it is what the concepts that they define need.
    """
    concept = subject.concept
    if concept is None and not subject.titled:
        return []
    order = list(course.documents)
    known, titled = course.concepts.values(), subject.titled
    defined = [one for one in known if one.defined and one.place.document in titled]
    concepts = [concept] if concept else defined
    weight: defaultdict[str, float] = defaultdict(float)
    for one in concepts:
        for name in dict.fromkeys(step.source.id for step in course.before(one)):
            weight[name] += 1.0
    start = (min(map(order.index, subject.titled), default=0), 0)
    if concept:
        sections = _introducing(concept, subject, course)
        for section in sections:
            for other, times, _place in course.named_in(section.id):
                weight[other.id] += times * len(course.documents_of(other)) ** -0.5
        start = _position(sections[0].place if sections else concept.place, order)
    dated = any(node.week or node.date for node in course.documents.values())
    earlier = [
        one
        for name in sorted(weight, key=lambda name: -weight[name])
        if not (concept and name == concept.id)
        and (one := course.concepts[name]).kind not in NO_LESSON
        and (_position(one.place, order) < start if dated else one.defined)
    ]
    return sorted(earlier[:MOST_STEPS], key=lambda one: _position(one.place, order))


def _introducing(concept: Concept, subject: Subject, course: CourseMap) -> list[SectionNode]:
    """The sections that define a concept or bear its name; else the one that names it most."""
    rows = course.rows(
        "MATCH (s:Section)-[m:MENTIONS]->(c:Concept {id: $id})"
        " OPTIONAL MATCH (s)-[d:DEFINES]->(c)"
        " RETURN s.id, s.title, s.level, s.document, s.page, s.start, s.stop, count(d),"
        " sum(m.times) ORDER BY sum(m.times) DESC, s.id",
        id=concept.id,
    )
    home = [row for row in rows if row[7] or subject.is_named(row[1])]
    return [
        SectionNode(row[0], row[1], row[2], Place(SourceId(row[3]), *row[4:7]))
        for row in home[:MOST_INTRODUCING] or rows[:1]
    ]


def _position(place: Place, order: Sequence[SourceId]) -> tuple[int, int]:
    return order.index(place.document), place.start
