"""What the map of a course answers: lines with pages, or blocks that answer together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from gettext import NullTranslations

from tutor.answer.outline import digest, openings, outline, overview, passage_of
from tutor.answer.quoting.answer import NEAR_BEST, quotes_of
from tutor.answer.quoting.excerpts import Excerpt
from tutor.answer.quoting.quote import Quote
from tutor.answer.quoting.scoring import Scored
from tutor.answer.ways.forms import CourseQuestion, Way, days_of
from tutor.answer.ways.lines import Lines
from tutor.answer.ways.subjects import Referent, Subject, known_before, next_to, on_both
from tutor.index.store import StoreReader
from tutor.map.course_map import CourseMap
from tutor.map.model import DocumentNode
from tutor.map.words import key_of
from tutor.model import Filter, Hit, Section, Source, SourceId

MOST_NAMING = 8
"""Lessons that only name what is asked about."""
MOST_LISTED = 60
"""Documents that are listed where they are counted."""
MOST_SECTIONS = 2
"""Sections of its name of which a digest is told."""
MOST_TIES = 6
"""Concepts that one is said to stand together with."""
MOST_PARTS = 5
"""Parts of the notes, each of another document, that answer a broad question together."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the map says.

    `opening` stands above the quotes, which `separator` parts; a model may read `reading`.
    """

    way: Way
    opening: str
    quotes: Sequence[Quote]
    separator: str
    reading: Sequence[Hit]


@dataclass(frozen=True, slots=True)
class Teller:
    """Answers questions of the forms that ask of the course as a whole.

    `rank` scores what stands in passages as answers to the question; `search` finds passages;
    `meant` tells what the words of the question name, or mean after the questions before.
    """

    course: CourseMap
    store: StoreReader
    say: NullTranslations
    rank: Callable[[Sequence[Hit]], list[Scored]]
    search: Callable[[], Sequence[Hit]]
    meant: Referent

    @property
    def _line(self) -> Lines:
        return Lines(self.store, self.say)

    def told(self, form: CourseQuestion) -> Told | None:
        """The answer to a question of this form; `None` where the course knows no such subject."""
        asked = self.meant.form(form)
        return self._told(asked) if asked else None

    def _told(self, form: CourseQuestion) -> Told | None:
        if form.way is Way.BROAD:
            return self._broad()
        if form.way in (Way.COUNT, Way.LESSONS):
            return self._counted(form) if form.way is Way.COUNT else self._lessons(form)
        said = form.subjects or (("",) if form.leans else ())
        found = [subject for subject in map(self.meant.subject, said) if subject]
        if len(found) < len(said):
            return None
        if form.way is Way.RELATION:
            one, other = found[0], found[1] if len(found) > 1 else None
            return self._relation(one, other, form.detail) if other else self._ties(one)
        tell = {
            Way.PLACES: self._places,
            Way.AROUND: self._around,
            Way.VERSIONS: self._versions,
            Way.PREREQUISITES: self._prerequisites,
            Way.TOPIC: self._topic,
        }
        return tell[form.way](found[0], form.detail)

    def _lessons(self, form: CourseQuestion) -> Told | None:
        """The lessons of a time; else all of them, or those that the detail says."""
        nodes = [node for node in self.course.documents.values() if not node.superseded]
        if form.subjects:
            return self._lessons_of(form, [self.store.sources[node.id] for node in nodes])
        opening = self.say.gettext("In the course:")
        if form.detail in ("longest", "shortest"):
            pages = (max if form.detail == "longest" else min)(node.pages for node in nodes)
            nodes = [node for node in nodes if node.pages == pages]
            opening = self.say.ngettext("%(n)d page:", "%(n)d pages:", pages) % {"n": pages}
        else:  # without weeks and days the order is that of names
            nodes = [node for node in nodes if node.week or node.date]
        if form.detail in ("first", "last"):
            ends = nodes[:1] if form.detail == "first" else nodes[-1:]
            lines = [
                line for node in ends for line in self._with_outline(self.store.sources[node.id])
            ]
        else:
            lines = [self._line.label(node.id) for node in nodes[:MOST_LISTED]]
        return self._listed(Way.LESSONS, opening, lines)

    def _lessons_of(self, form: CourseQuestion, sources: Sequence[Source]) -> Told | None:
        """The lessons of the time that a question names; with the first and the last if none."""
        days = tuple(days_of(form.subjects[0], sources))
        chosen = [source for source in sources if days and Filter(dates=days).passes(source)]
        n = len(chosen)
        opening = self.say.ngettext("%(n)d lesson:", "%(n)d lessons:", n) % {"n": n}
        if n == 1:
            lines = self._with_outline(chosen[0])
        elif form.detail == "topics":
            lines = outline(chosen, self.store.text)
        else:
            lines = [self._line.label(source.id) for source in chosen]
        if days and not chosen:
            opening = self.say.gettext("The notes have no lesson of then. The first and the last:")
            dated = [source.id for source in sources if source.date]
            lines = [self._line.label(dated[0]), self._line.label(dated[-1])]
        return self._listed(Way.LESSONS, opening, lines)

    def _with_outline(self, source: Source) -> list[Quote]:
        return [self._line.label(source.id), *outline([source], self.store.text)[1:]]

    def _places(self, subject: Subject, detail: str) -> Told | None:
        """The lessons that treat the subject in course order, then those that name it."""
        if detail == "author" and not self._is_author(subject.name):
            return None
        order = list(self.course.documents)
        treating = sorted(subject.lessons, key=order.index)
        naming = [document for document in subject.spots if document not in treating]
        told_by = (self.course.documents[key].authors for key in (*treating, *naming))
        if detail == "writer" and not any(told_by):
            return None
        if detail == "first":
            treating, naming = sorted([*treating, *naming], key=order.index)[:1], []
        lines = []
        for document in treating:
            lines += self._line.lesson(document, subject)
            if document in subject.titled:
                lines += map(self._line.label, self._superseded(document))
        if naming and treating:
            lines += [self._line.label(document, subject) for document in naming[:MOST_NAMING]]
        elif naming:
            lines = [line for d in naming[:MOST_NAMING] for line in self._line.lesson(d, subject)]
        opening = self.say.gettext("“%(name)s” in the notes:") % {"name": subject.name}
        return self._listed(Way.PLACES, opening, lines)

    def _is_author(self, name: str) -> bool:
        words = set(key_of(name))
        authors = {author for node in self.course.documents.values() for author in node.authors}
        return any(words <= set(key_of(author)) for author in authors)

    def _superseded(self, document: SourceId) -> list[SourceId]:
        """The older versions of a lesson."""
        nodes = self.course.documents
        lesson = (nodes[document].week, nodes[document].date)
        return [
            key for key, one in nodes.items() if one.superseded and (one.week, one.date) == lesson
        ]

    def _around(self, subject: Subject, detail: str) -> Told | None:
        """The lesson before or after those that treat the subject, or that there is none."""
        lesson, ends = next_to(subject, detail, self.course)
        if lesson is None:
            return None
        beside = {
            ("before", False): self.say.gettext("Before “%(name)s”:"),
            ("after", False): self.say.gettext("After “%(name)s”:"),
            ("before", True): self.say.gettext(
                "The notes have nothing before “%(name)s”: this is the first lesson."
            ),
            ("after", True): self.say.gettext(
                "The notes have nothing after “%(name)s”: this is the last lesson."
            ),
        }
        opening = beside[detail, ends] % {"name": subject.name}
        source = self.store.sources[lesson]
        lines = [self._line.label(lesson)] if ends else self._with_outline(source)
        return self._listed(Way.AROUND, opening, lines)

    def _versions(self, subject: Subject, _detail: str) -> Told | None:
        """The versions of the lessons of a subject."""
        nodes = self.course.documents
        own = [nodes[document] for document in subject.titled or subject.lessons]
        lessons = {(node.week, node.date) for node in own}
        lines = [
            self._line.label(key)
            for key, node in nodes.items()
            if node.version and (node.week, node.date) in lessons
        ]
        opening = self.say.gettext("Versions of the notes:")
        return self._listed(Way.VERSIONS, opening, lines)

    def _counted(self, form: CourseQuestion) -> Told | None:
        """How many there are, and which."""
        nodes = list(self.course.documents.values())
        if form.subjects:
            subject = self.meant.subject(form.subjects[0])
            if subject is None:
                return None
            kept = {*subject.lessons, *subject.spots}
            if subject.titled and form.detail == "pages":  # of its notes, not of all that name it
                kept = set(subject.titled)
            kept |= {old for document in subject.titled for old in self._superseded(document)}
            nodes = [node for node in nodes if node.id in kept]
        n, opening = self._number(form.detail, nodes)
        if form.detail == "authors":
            nodes = [node for node in nodes if node.authors]
        elif form.detail in ("weeks", "lessons"):
            nodes = [node for node in nodes if not node.superseded]
        lines = [self._line.label(node.id) for node in nodes[:MOST_LISTED]]
        return self._listed(Way.COUNT, opening % {"n": n}, lines)

    def _number(self, counted: str, nodes: Sequence[DocumentNode]) -> tuple[int, str]:
        if counted == "weeks":
            n = len({node.week for node in nodes} - {None})
            return n, self.say.ngettext("%(n)d week:", "%(n)d weeks:", n)
        if counted == "authors":
            n = len({author for node in nodes for author in node.authors})
            return n, self.say.ngettext(
                "%(n)d author wrote notes:", "%(n)d authors wrote notes:", n
            )
        if counted == "pages":
            n = sum(node.pages for node in nodes)
            return n, self.say.ngettext("%(n)d page in all:", "%(n)d pages in all:", n)
        if counted == "lessons":
            n = sum(not node.superseded for node in nodes)
            return n, self.say.ngettext("%(n)d lesson:", "%(n)d lessons:", n)
        n = len(nodes)
        return n, self.say.ngettext("%(n)d document:", "%(n)d documents:", n)

    def _relation(self, one: Subject, other: Subject, detail: str) -> Told | None:
        """What the notes say where they speak of both; else the way from one to the other."""
        if detail == "path" and (way := self._way(one, other)):
            return way
        hits = [
            self._section(document, spot.start)
            for subject, second in ((one, other), (other, one))
            for document, spots in subject.spots.items()
            if document in second.spots or document in second.titled
            for spot in spots
        ]
        both = [entry for entry in self.rank(hits) if on_both(entry.excerpt, one, other)]
        both.sort(key=lambda entry: not self._defines_in_context(entry.excerpt, one, other))
        if both:
            opening = self.say.gettext("“%(one)s” and “%(other)s” in the notes:")
            quotes = quotes_of(both)
            opening %= {"one": one.name, "other": other.name}
            return Told(Way.RELATION, opening, quotes, "\n\n", [quote.hit for quote in quotes])
        return self._way(one, other)

    def _ties(self, subject: Subject) -> Told | None:
        """What a concept stands together with, the closest first, each with a place of both."""
        if not subject.concept:
            return None
        lines = [
            self._line.quoted(self._line.plainest(tie.places), f"**{tie.concept.name}**: ")
            for tie in self.course.neighbours(subject.concept, MOST_TIES)
        ]
        opening = self.say.gettext("“%(name)s” stands in the notes together with:")
        return self._listed(Way.RELATION, opening % {"name": subject.name}, lines)

    def _way(self, one: Subject, other: Subject) -> Told | None:
        """The steps from one subject to another, each with the place that shows it."""
        if not (one.concept and other.concept):
            return None
        steps = self.course.path(one.concept, other.concept)
        lines = [
            self._line.quoted(step.place, f"**{step.source.name} → {step.target.name}**: ")
            for step in steps
        ]
        opening = self.say.gettext("From “%(one)s” to “%(other)s”, step by step:")
        opening %= {"one": one.name, "other": other.name}
        return self._listed(Way.RELATION, opening, lines)

    def _defines_in_context(self, part: Excerpt, one: Subject, other: Subject) -> bool:
        """Whether a part of the notes defines one of two subjects in a lesson on the other."""
        return any(
            place.document == part.hit.source.id and part.start <= place.start < part.end
            for subject, second in ((one, other), (other, one))
            if subject.concept and second.is_named(part.hit.source.title)
            for place in self.course.definitions(subject.concept)
        )

    def _prerequisites(self, subject: Subject, _detail: str) -> Told | None:
        """What the course explains before a concept, or before what a lesson defines."""
        first = known_before(subject, self.course)
        if not first:
            return None
        told = [*first, subject.concept] if subject.concept else first
        lines = [self._line.explained(one) for one in told]
        opening = self.say.gettext("Before “%(name)s”, the notes explain:") % {"name": subject.name}
        return self._listed(Way.PREREQUISITES, opening, lines)

    def _topic(self, subject: Subject, _detail: str) -> Told | None:
        """The lessons that are called so, else a digest of the sections of that name, else those
        that treat it.
        """
        asked = [self.store.sources[document] for document in subject.titled]
        named = self._named_sections(subject)
        if asked:
            lines = overview(asked, self.store.text)
        elif named:
            lines = [
                line
                for source, section in named[:MOST_SECTIONS]
                for line in (
                    self._line.label(source.id, subject),
                    *digest(source, self.store.text(source.id), section),
                )
            ]
        else:
            lines = [line for d in subject.lessons for line in self._line.lesson(d, subject)]
            if subject.concept and subject.concept.defined:
                lines.insert(0, self._line.quoted(subject.concept.place, f"**{subject.name}**: "))
            if len(lines) == len(subject.lessons):  # nothing but titles
                return None
        opening = self.say.gettext("“%(name)s” in the course:") % {"name": subject.name}
        return self._listed(Way.TOPIC, opening, lines)

    def _named_sections(self, subject: Subject) -> list[tuple[Source, Section]]:
        """The sections that bear its name, those of higher levels first."""
        found = []
        for document, spots in subject.spots.items():
            text = self.store.text(document)
            for spot in spots:
                section = text.section_at(spot.start)
                if section and subject.is_named(section.title):
                    found.append((self.store.sources[document], section))
        return sorted(found, key=lambda one: one[1].level)

    def _broad(self) -> Told | None:
        """The best part of each of several documents, in the order of the course."""
        ranked = self.rank(self.search())
        best: dict[SourceId, Scored] = {}
        for entry in ranked:
            document = entry.excerpt.document.source_id
            node = self.course.documents.get(document)
            if entry.evidence < ranked[0].evidence - 3 * NEAR_BEST:
                break
            if node and not node.superseded:
                best.setdefault(document, entry)
        order = list(self.course.documents)
        chosen = sorted(list(best)[:MOST_PARTS], key=order.index)
        quotes = [quote for document in chosen for quote in quotes_of([best[document]])]
        if len(quotes) <= 1:  # one document is no course
            return None
        opening = self.say.gettext("In the order of the course:")
        return Told(Way.BROAD, opening, quotes, "\n\n", [quote.hit for quote in quotes])

    def _listed(self, way: Way, opening: str, lines: Sequence[Quote]) -> Told | None:
        return Told(way, opening, lines, "\n", openings(lines)) if lines else None

    def _section(self, document: SourceId, start: int) -> Hit:
        """The section around an offset, as a passage."""
        source, text = self.store.sources[document], self.store.text(document)
        section = text.section_at(start)
        span = (section.start, section.end) if section else (start, start + 1)
        return passage_of(source, text, *span, 0)
