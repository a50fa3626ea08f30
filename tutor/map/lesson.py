"""A document as something to learn from: its parts under their headings, without exercises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tutor.map.runs import runs
from tutor.map.wording import is_matter, key_words, topic
from tutor.model import Block, BlockKind, CleanText, Section, Source
from tutor.text.folding import folded
from tutor.text.language import Language, detect_language

_CASE = re.compile(r"(?:Ejemplo|Ejercicio|Example|Exercise|Demostraci[oó]n|Proof)\b", re.IGNORECASE)
_ANY_SECTION = frozenset(
    "definicion definiciones matematica formal notacion notaciones propiedades conceptos basicos"
    " general generales introduccion observaciones caracteristicas ventajas desventajas"
    " definition definitions notation properties basic concepts introduction".split()
)
_NAMED = re.compile(
    r"(?:Definici|Definiti|Teorema|Theorem|Proposici|Propositi|Lem[am]|Corol)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class LessonPart:
    """Blocks that belong together, and what they are about, by the headings above them."""

    topic: str
    blocks: tuple[Block, ...]
    headed: bool
    """Whether it is the first under its heading."""


class Lesson:
    """A document, read for what there is to learn in it."""

    def __init__(self, source: Source, text: CleanText) -> None:
        self.source = source
        self.text = text
        self.language: Language = detect_language(text.text)

    @cached_property
    def folded(self) -> str:
        """Its text without accents and case."""
        return folded(self.text.text)

    def slice(self, start: int, end: int) -> str:
        """The display text there."""
        return self.text.text[start:end]

    @cached_property
    def parts(self) -> tuple[LessonPart, ...]:
        """Its parts to learn, in order: no exercises, worked cases, references and the like."""
        return tuple(self._parts())

    def _parts(self) -> Iterator[LessonPart]:
        chains = dict(self._chains())
        starts = sorted(chains)
        place = 0
        last, case = -1, ""
        for _title, blocks in runs(self.text):
            while place < len(starts) and starts[place] <= blocks[0].start:
                place += 1
            chain = chains[starts[place - 1]] if place else (self.source.title,)
            case = self._case(blocks[0], case if place == last else "")
            if not case and all(is_matter(title) for title in chain):
                yield LessonPart(_topic(chain), blocks, headed=place != last)
            last = place

    def _case(self, block: Block, within: str) -> str:
        """The label of the worked case that begins at a block or goes on there; "" for none.

        An example ends with the next paragraph, an exercise or a proof with the next statement.
        """
        if block.kind is BlockKind.DEFINITION:
            text = self.slice(block.start, block.end)
            begun = _CASE.match(text)
            return begun[0].lower() if begun else "" if _NAMED.match(text) else within
        ends = block.kind is BlockKind.PARAGRAPH and within in ("ejemplo", "example")
        return "" if ends else within

    def _chains(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Where each heading begins, and the headings above it down to itself.

        The document's title is above all, whatever its level.
        """
        above: list[tuple[int, str]] = []
        for section in self.text.sections:
            while above and above[-1][0] >= section.level:
                above.pop()
            above.append((section.level, topic(section.title)))
            titles = (title for _level, title in above if title != self.source.title)
            yield section.start, (self.source.title, *titles)

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        return self.text.sections

    def section_title(self, offset: int) -> str:
        """The innermost heading over a place; empty where that is the document's own title."""
        over = [one for one in self._sections if one.start <= offset < one.end]
        title = topic(max(over, key=lambda one: one.level).title) if over else ""
        return "" if title == self.source.title else title


def _topic(chain: tuple[str, ...]) -> str:
    """The innermost heading; with the one above where it is a word, or would fit any section."""
    named = [title for title in chain if key_words(title)]
    if not named:
        return chain[0]
    words = key_words(named[-1])
    if len(named) > 1 and (len(words) < 2 or _ANY_SECTION.issuperset(words)):
        return f"{named[-2]} › {named[-1]}"
    return named[-1]
