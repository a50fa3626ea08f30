"""A document as something to learn from: its parts under their headings, without exercises."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tutor.map.wording import is_matter, key_words
from tutor.model import Block, BlockKind, CleanText, Section, Source
from tutor.text.folding import folded
from tutor.text.language import Language, detect_language
from tutor.text.paragraphs import ITEM, is_formula, joined_lines, unnumbered

LONGEST_HEADING = 100
LONGEST_LABEL = 40
"""Characters."""
_LEAST_LABELS = 3
"""Lines at the end of a definition."""
ENDS = (".", "!", "…", "»", '"', "”", ";", ".)")
_GOES_ON = (
    "del?|el|las?|los?|una?|unos|unas|al|con|en|por|para|que|se|sus?|entre|sobre|si"
    "|the|an|of|to|in|for|with|by|that"
)
_BREAKS_OFF = re.compile(
    rf"(?:\w\w\)?,? (?:[yeouaó]|and|or)|\S (?:{_GOES_ON}|{_GOES_ON.upper()}))\Z"
)
"""How a block ends whose sentence goes on in the next one."""
TOLD = (BlockKind.PARAGRAPH, BlockKind.DEFINITION)
_CASE = re.compile(r"(?:Ejemplo|Ejercicio|Example|Exercise|Demostraci[oó]n|Proof)\b", re.IGNORECASE)
_OPENS = re.compile(r"\W*(?:demostraci[oó]n|soluci[oó]n|proof|solution)\W*", re.IGNORECASE)
"""What stands alone above the proof or the solution that it opens."""
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
        last: Section | None = None
        case = ""
        for number, (_title, blocks) in enumerate(runs(self.text)):
            over = self.sections_over(blocks[0].start)
            nearest = over[-1] if over else None
            headed = number == 0 or nearest != last
            titles = (unnumbered(section.title) for section in over)
            chain = tuple(one for one in titles if one != self.source.title)
            if not chain or self.is_titled(blocks[0].start):
                chain = (self.source.title, *chain)
            case = self._case(blocks[0], "" if headed else case)
            if not case and all(map(is_matter, chain)):
                yield LessonPart(topic_of(chain), blocks, headed=headed)
            last = nearest

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

    @cached_property
    def _sections(self) -> tuple[Section, ...]:
        return self.text.sections

    def sections_over(self, offset: int) -> list[Section]:
        """The sections that hold a place, the outermost first."""
        return [one for one in self._sections if one.start <= offset < one.end]

    def is_titled(self, offset: int) -> bool:
        """Whether the title is of a place: not if an earlier chapter, with its number, bears it."""
        first = next(iter(self._sections), None)
        if first is None or offset < first.end or not first.title[0].isdigit():
            return True
        return unnumbered(first.title) != unnumbered(self.source.title)

    def section_title(self, offset: int) -> str:
        """The innermost heading over a place; empty where that is the document's own title."""
        over = self.sections_over(offset)
        title = unnumbered(over[-1].title) if over else ""
        return "" if title == self.source.title else title


def topic_of(chain: tuple[str, ...]) -> str:
    """The innermost of these headings; with the one above where it is a word, or would fit any
    section.
    """
    named = [title for title in chain if key_words(title)]
    if not named:
        return chain[0]
    words = key_words(named[-1])
    if len(named) > 1 and (len(words) < 2 or _ANY_SECTION.issuperset(words)):
        return f"{named[-2]} › {named[-1]}"
    return named[-1]


@lru_cache(maxsize=64)  # 5 ms of a manual, asked for by each question
def runs(document: CleanText) -> tuple[tuple[str, tuple[Block, ...]], ...]:
    """A document's blocks that belong together, and the heading above them; drawings left out."""
    return tuple(_runs(document))


def _runs(document: CleanText) -> Iterator[tuple[str, tuple[Block, ...]]]:
    run: list[Block] = []
    title = ""
    for block, drawn in zip(document.blocks, drawings(document), strict=True):
        heads, told = _heads(document, block), block.start < drawn
        if run and (heads or not told or not _goes_on(document, run, block)):
            yield title, tuple(run)
            run = []
        if heads:
            title = document.text[block.start : block.end]
        elif told:
            run.append(block if drawn == block.end else replace(block, end=drawn))
    if run:
        yield title, tuple(run)


@lru_cache(maxsize=64)
def drawings(document: CleanText) -> tuple[int, ...]:
    """Where the words of a drawing begin in each of a document's blocks.

    That is the block's start where it holds nothing else, and its end where it holds none. Labels
    stand above a caption: lines that are no sentence, and below such lines a formula or a list of
    a single item. The last lines of a definition are labels, too, where a drawing follows.
    """
    blocks = document.blocks
    drawn = [block.kind is BlockKind.FIGURE for block in blocks]
    for caption, block in enumerate(blocks):
        place = caption - 1
        if block.kind is BlockKind.CAPTION:
            while place >= 0 and _is_label(document, blocks[: place + 1], blocks[place + 1]):
                drawn[place] = True
                place -= 1
    begins = [
        block.start if whole else block.end for block, whole in zip(blocks, drawn, strict=True)
    ]
    for place, block in enumerate(blocks[:-1]):
        if drawn[place + 1] and block.kind is BlockKind.DEFINITION:
            begins[place] = _without_labels(document, block)
    return tuple(begins)


def _is_label(document: CleanText, blocks: Sequence[Block], below: Block) -> bool:
    """Whether the last block is a part of the drawing whose caption or labels stand below it."""
    block = blocks[-1]
    lines = document.text[block.start : block.end].split("\n")
    if block.kind is BlockKind.FIGURE:
        return True
    if block.kind in (BlockKind.FORMULA, BlockKind.LIST):
        above = blocks[:-1]
        below_label = bool(above) and above[-1].kind in (BlockKind.PARAGRAPH, BlockKind.FIGURE)
        single = block.kind is BlockKind.FORMULA or len(list(items_of(document, block))) == 1
        return below_label and single and _are_scraps(lines) and _is_label(document, above, block)
    if block.kind is not BlockKind.PARAGRAPH:
        return False
    if below.kind is BlockKind.CAPTION:
        return _are_scraps(lines, LONGEST_HEADING)
    if below.kind is not BlockKind.FORMULA:  # before a formula a comma ends what opens it
        lines[-1] = lines[-1].removesuffix(",")
    return _are_scraps(lines)


def _without_labels(document: CleanText, block: Block) -> int:
    """Where a block ends, but for three and more lines at its end that are labels."""
    end = block.end
    lines = document.text[block.start : block.end].split("\n")
    while lines and _are_scraps(lines[-1:]) and not ITEM.match(lines[-1]):
        end -= len(lines.pop()) + 1
    labels = document.text[end + 1 : block.end].split("\n")
    while labels and is_formula(labels[0]):  # of the definition
        end += len(labels.pop(0)) + 1
    return end if lines and len(labels) >= _LEAST_LABELS else block.end


def _are_scraps(lines: Sequence[str], longest: int = LONGEST_LABEL) -> bool:
    """Whether lines are short, and none ends as a sentence or what opens something does."""
    ends = (*ENDS, ":", ",", "?")
    return all(len(line) <= longest and not line.endswith(ends) for line in lines)


def _heads(document: CleanText, block: Block) -> bool:
    """A heading, or what is used as one: a question by itself."""
    if block.kind is not BlockKind.PARAGRAPH:
        return block.kind is BlockKind.HEADING
    text = document.text[block.start : block.end]
    return text.endswith("?") and len(text) <= LONGEST_HEADING


def _goes_on(document: CleanText, run: Sequence[Block], block: Block) -> bool:
    """Whether a block is opened by the one before it, or goes on with a sentence of it."""
    before = document.text[run[-1].start : run[-1].end]
    opened = run[-1].kind in TOLD and block.kind is BlockKind.FORMULA
    if opened or block.lead < block.start or _OPENS.fullmatch(before):
        return True
    if run[-1].kind is BlockKind.CAPTION:
        is_above = run[-1].lead == run[-1].start
        return is_above and block.kind not in (*TOLD, BlockKind.CAPTION)
    if run[-1].kind is BlockKind.FORMULA and block.kind is BlockKind.PARAGRAPH:
        return document.text[block.start].islower()
    goes_on = run[-1].kind in TOLD and not before.endswith(ENDS)
    following = document.text[block.start]
    if block.kind is not BlockKind.PARAGRAPH or following.islower():
        return goes_on
    told = run[-1].kind in (*TOLD, BlockKind.LIST)
    return told and following.isalpha() and _BREAKS_OFF.search(before) is not None


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list at `text[start:end]`: its mark, and its words in a line."""

    mark: str
    text: str
    start: int
    end: int


def items_of(document: CleanText, block: Block) -> Iterator[Item]:
    """The items of a list; lines that bear no mark go on with the item before them."""
    lines: list[tuple[str, str, int, int]] = []
    start = block.start
    for line in document.text[block.start : block.end].split("\n"):
        marked = ITEM.match(line)
        if marked or not lines:
            mark = marked[0].strip() if marked else ""
            lines.append((mark, line[len(marked[0]) if marked else 0 :], start, start + len(line)))
        else:
            before = lines[-1]
            lines[-1] = (before[0], f"{before[1]}\n{line}", before[2], start + len(line))
        start += len(line) + 1
    for mark, text, first, last in lines:
        yield Item(mark, joined_lines(text), first, last)
