"""The map of the course that lies open: its topics, by community or by week, and a card of each.

Every method but `close` touches a disk and is meant for a worker thread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import Lock

from tutor.errors import MapError, StudyError, TutorError
from tutor.i18n import _
from tutor.map.course_map import CourseMap, open_map
from tutor.map.model import Community, Concept, Place, SectionNode
from tutor.map.searching import concepts_called
from tutor.model import Citation
from tutor.presentation.topics import MapTopic, TopicSummary, quoted, summary_of
from tutor.study.coverage import Coverage, coverage, section_key
from tutor.study.store import FILE_NAME, StudyStore
from tutor.tui.workspace.cited_page import place_cited
from tutor.tui.workspace.workspace import OpenedCourse, Workspace

_WHOLE = 2**31
"""Characters: no text is as long."""


class Mapping:
    """A course's map, open from `open` to `close`, which may come first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._closed = False
        self._files = ExitStack()
        self._at_hand: tuple[CourseMap, OpenedCourse] | None = None
        self._covered: dict[str, Coverage] = {}

    def open(self, workspace: Workspace, building: Callable[[], None]) -> int:
        """Open the map of what lies open; made first, after `building()`, where there is none.

        Returns how many concepts it has. Raises `TutorError`.
        """
        config = workspace.config
        with ExitStack() as files:
            opened = files.enter_context(workspace.using())
            if opened.store.words_only:
                raise MapError(_("The map comes with the whole index, which is still being made."))
            leaving = workspace.leaving.is_set
            course = files.enter_context(open_map(opened.store, building, leaving))
            concepts = len(course.concepts)
            path, retention = config.stores_path / FILE_NAME, config.study.retention
            if path.exists():
                # What is wrong with the cards is told where they are wanted.
                with suppress(StudyError), StudyStore(path) as store:
                    cards = store.cards(opened.course.name)
                    self._covered = coverage(cards, course, retention, store.now())
            with self._lock:
                if not self._closed:
                    self._at_hand, self._files = (course, opened), files.pop_all()
        return concepts

    def close(self) -> None:
        """Let go of the map, once nobody reads it."""
        with self._lock:
            self._closed, self._at_hand = True, None
            self._files.close()

    @contextmanager
    def _using(self) -> Iterator[tuple[CourseMap, OpenedCourse]]:
        """The map and its notes, for one thread at a time."""
        with self._lock:
            if self._at_hand is None:
                raise TutorError("")  # nobody waits any more
            yield self._at_hand

    def topics(self, words: str, *, by_week: bool) -> list[MapTopic]:
        """All topics in their order; or the concepts with `words` in a name."""
        with self._using() as (course, _opened):
            if words.strip():
                return [self._concept(one) for one in concepts_called(words, course)]
            return self._weeks(course) if by_week else self._communities(course)

    def card(self, topic: MapTopic) -> TopicSummary:
        with self._using() as (course, opened):
            return summary_of(topic, course, opened.store)

    def citations(self, places: Sequence[Place]) -> list[Citation]:
        """Places as what an answer cites."""
        with self._using() as (_course, opened):
            return [_citation(place, opened) for place in places]

    def _communities(self, course: CourseMap) -> list[MapTopic]:
        made = [self._community(one, course) for one in course.communities(0)]
        inside = {one for topic in made for one in topic.concepts}
        outside = tuple(one for one in course.concepts.values() if one not in inside)
        rest = tuple(map(self._concept, outside))
        if made and rest:
            return [*made, MapTopic(_("Other concepts"), concepts=outside, parts=rest)]
        return made or [*rest]

    def _community(self, community: Community, course: CourseMap) -> MapTopic:
        inner = [self._community(one, course) for one in course.communities(None, community.id)]
        inside = {one for topic in inner for one in topic.concepts}
        rest = [self._concept(one) for one in community.central if one not in inside]
        return MapTopic(community.name, concepts=community.central, parts=(*inner, *rest))

    def _concept(self, concept: Concept) -> MapTopic:
        covered = self._covered.get(concept.id, Coverage())
        return MapTopic(concept.name, concept.place, concept, own=covered)

    def _weeks(self, course: CourseMap) -> list[MapTopic]:
        weeks: defaultdict[int | None, list[MapTopic]] = defaultdict(list)
        for key, node in course.documents.items():
            if not node.superseded:
                parts = self._sections(course.sections(key), node.title)
                covered, place = self._covered.get(key, Coverage()), Place(key, 1, 0, _WHOLE)
                topic = MapTopic(node.title, place, document=node, parts=parts, own=covered)
                weeks[node.week].append(topic)
        rest = weeks.pop(None, [])
        told = _("Week %(n)d")
        return [
            *(MapTopic(told % {"n": n}, parts=tuple(parts)) for n, parts in weeks.items()),
            *rest,
        ]

    def _sections(self, nodes: Sequence[SectionNode], title: str) -> tuple[MapTopic, ...]:
        """Sections, each with those of the levels below it; one called as its document is none."""
        made: list[MapTopic] = []
        left = list(nodes)
        while left:
            first, inner = left.pop(0), []
            while left and left[0].level > first.level:
                inner.append(left.pop(0))
            parts = self._sections(inner, title)
            if first.title == title:
                made += parts
            else:
                key = section_key(first.place.document, first.title)
                covered = self._covered.get(key, Coverage())
                topic = MapTopic(
                    first.title, first.place, section=first.id, parts=parts, own=covered
                )
                made.append(topic)
        return tuple(made)


def _citation(place: Place, opened: OpenedCourse) -> Citation:
    source, text = opened.store.sources[place.document], opened.store.text(place.document)
    quote = quoted(place, opened.store)
    last_page = text.page_at(max(place.start, place.start + len(quote) - 1))
    strategy = opened.agent.strategy
    return place_cited(source, strategy, quote, place.start, (place.page, last_page))
