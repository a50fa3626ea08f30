"""Lines of a list: a lesson, a concept, a sentence of the notes, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from gettext import NullTranslations

from tutor.answer.outline import line_of
from tutor.answer.quoting.quote import Quote
from tutor.answer.ways.subjects import Subject
from tutor.index.store import StoreReader
from tutor.map.model import Concept, Place
from tutor.map.words import key_of
from tutor.model import BlockKind, CleanText, Source, SourceId
from tutor.text.paragraphs import unnumbered
from tutor.text.sentences import split_sentences

MOST_SECTIONS = 3
"""Of a lesson, that are named."""
LONGEST_LINE = 300
"""Characters of a definition in a list."""
_PROSE = {BlockKind.PARAGRAPH, BlockKind.DEFINITION, BlockKind.LIST}


@dataclass(frozen=True, slots=True)
class Lines:
    """Makes lines in the language of `say`."""

    store: StoreReader
    say: NullTranslations

    def lesson(self, document: SourceId, subject: Subject) -> list[Quote]:
        """A lesson with its authors, and the headings under which the subject is treated."""
        source, text = self.store.sources[document], self.store.text(document)
        known = key_of(source.title)
        parts = [
            spot
            for spot in subject.spots.get(document, ())
            if spot.section and key_of(spot.section) != known
        ]
        shown = sorted(parts[:MOST_SECTIONS], key=lambda spot: spot.start)
        return [
            self.label(document, subject),
            *(line_of(source, text, self._around_word(text, s.start), s.section, 1) for s in shown),
        ]

    def label(self, document: SourceId, subject: Subject | None = None) -> Quote:
        """A document as one line: week, day, version, title, who wrote it."""
        source, text = self.store.sources[document], self.store.text(document)
        spots = subject.spots.get(document, ()) if subject else ()
        start = min((spot.start for spot in spots), default=0)
        span = self._around_word(text, start)
        return line_of(source, text, span, self._called(source), 0)

    def _called(self, source: Source) -> str:
        parts = []
        if source.week is not None:
            parts.append(self.say.gettext("Week %(n)d") % {"n": source.week})
        if source.date:
            parts.append(source.date.isoformat())
        if source.version and self._has_versions(source):
            parts.append(self.say.gettext("version %(version)s") % {"version": source.version})
        told = f"**{source.title}**"
        if parts:
            told = f"{', '.join(parts)}: {told}"
        return f"{told} ({', '.join(source.authors)})" if source.authors else told

    def _has_versions(self, source: Source) -> bool:
        return any(
            other.id != source.id and (other.week, other.date) == (source.week, source.date)
            for other in self.store.sources.values()
        )

    def explained(self, concept: Concept) -> Quote:
        """A concept with its definition or its row; else the heading that it is treated under."""
        place, name = concept.place, f"**{concept.name}**"
        source, text = self.store.sources[place.document], self.store.text(place.document)
        block = text.block_at(place.start)
        if concept.defined or (block and block.kind is BlockKind.TABLE):
            return self.quoted(place, f"{name}: ")
        section = text.section_at(place.start)
        heading = unnumbered(section.title) if section else ""
        if heading and key_of(heading) != key_of(concept.name):
            under = self.say.gettext("in “%(section)s”") % {"section": heading}
            name = f"{name} ({under})"
        return line_of(source, text, (place.start, place.end), name, 0)

    def quoted(self, place: Place, before: str) -> Quote:
        """The sentence of a place, or two, as a line."""
        source, text = self.store.sources[place.document], self.store.text(place.document)
        start, end = self._around_word(text, place.start)
        said = " ".join(text.text[start:end].split())
        return line_of(source, text, (start, end), before + said, 0)

    def plainest(self, places: Sequence[Place]) -> Place:
        """The first of the places that is a sentence, not a heading or a table."""
        said = (place for place in places if self._is_prose(place))
        return next(said, places[0])

    def _is_prose(self, place: Place) -> bool:
        block = self.store.text(place.document).block_at(place.start)
        return block is not None and block.kind in _PROSE

    def _around_word(self, text: CleanText, offset: int) -> tuple[int, int]:
        """The sentences of a block from the one at `offset` on, not too long."""
        block = text.block_at(offset)
        if block is None:
            return offset, min(len(text.text), offset + LONGEST_LINE)
        if block.kind is BlockKind.TABLE:  # a row of it, or what heads it
            start = text.text.rfind("\n", block.start, offset) + 1 or block.start
            end = text.text.find("\n", start, block.end)
            return start, block.end if end < 0 else end
        spans = [
            (block.start + start, block.start + end)
            for start, end in split_sentences(text.text[block.start : block.end])
        ]
        here = [span for span in spans if span[1] > offset] or spans[-1:]
        start, end = here[0]
        for _start, last in here[1:]:
            if last - start > LONGEST_LINE:
                break
            end = last
        return start, end
