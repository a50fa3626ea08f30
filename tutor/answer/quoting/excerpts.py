"""What can be quoted whole: blocks of the notes that belong together, around the passages found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import TypeAlias

from tutor.index.store.sentences import MOST_CHARS
from tutor.map.lesson import ENDS, LONGEST_HEADING, runs
from tutor.model import Block, BlockKind, CleanText, Hit, SourceId, Statement
from tutor.text.folding import folded
from tutor.text.paragraphs import BETWEEN_CELLS, is_names, unnumbered

Span: TypeAlias = tuple[int, int]
Part: TypeAlias = tuple[str, tuple[Block, ...]]
"""Blocks that belong together, behind the heading above them."""

RELATES = re.compile(r"[=≈∝≤≥→⇒≪].*[a-zA-Zá-úα-ωΑ-Ω]")
_WORD = re.compile(r"[^\W\d_]{3}")
_BULLETS = " •◦○■▪‣*-"
LEAST_LETTERS = 16
"""What has fewer is no evidence by itself."""
FORMAL = frozenset({BlockKind.FORMULA, BlockKind.CODE})
"""What may be as short as "H = U + pV"."""
_SENTENCE = 8
"""Words of a line that is a sentence without its full stop, as notes are typed."""
_NO_NAMES = re.compile(r"[=_<>{}\\|]")
"""What stands in code and formulas, and in no list of people."""
_CREDITS = 60
"""Characters of names from which they thank people or name works."""
_LEADER = re.compile(r"\.\.\. ?\d+")
"""The dots that lead to a page: more than one, and it is a table of contents."""
_CONTENTS = re.compile(
    r"agenda|indice|contenidos?|temario|contents|outline"
    r"|(?:(?:lo )?que )?(?:(?:vas|vamos) a (?:ver|aprender)|veremos|aprender(?:as|emos))"
    r"|objetivos(?: (?:de|del) (?:aprendizaje|(?:la |el )?(?:clase|unidad|sesion|tema|curso)))?"
    r"|what (?:you|we) will learn|learning (?:goals|objectives|outcomes)"
)
"""What heads a list of what will come: each item has its section, which says it."""
_EXPLAINED = 16
"""Words of an item that says more than what will come."""
_COMING = re.compile(r"[^.:]*\b(?:temas|topics)\b[^.:]*:")
"""What opens such a list."""
TAIL = 400
"""Characters: what more stands below a quote is quoted with it if it is the rest of a section."""
_BELOW = 2
"""Statements below one that are quoted with it for each above: what follows answers more often."""
_OPENS_CODE = re.compile(r"\)\W*\{\Z")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`document.text[start:end]`, a part of the notes that makes sense by itself.

    `hit` is the best passage that touches it; `blocks` are the blocks that it is made of, `title`
    the heading above them, `above` the document's title and the headings down to it; it `opens` a
    section if it stands right below that heading; below a document's title stands who wrote it.
    """

    hit: Hit
    document: CleanText
    start: int
    end: int
    blocks: tuple[Block, ...]
    title: str = ""
    above: str = ""
    opens: bool = False

    @property
    def text(self) -> str:
        """As it stands in the notes."""
        return self.document.text[self.start : self.end]

    @property
    def kinds(self) -> frozenset[BlockKind]:
        """What it is made of."""
        return frozenset(block.kind for block in self.blocks)

    @property
    def is_code(self) -> bool:
        """Whether it is nothing but code, and a line that opens it ("1 int main() {")."""
        blocks = (block for block in self.blocks if block.kind is not BlockKind.CODE)
        others = [self.document.text[block.start : block.end] for block in blocks]
        return len(others) < len(self.blocks) and all(map(_OPENS_CODE.search, others))

    def statements(self) -> tuple[Statement, ...]:
        """Its sentences, rows and lines, in order."""
        first, *others = self.blocks
        blocks = (replace(first, start=max(first.start, self.start)), *others)
        return tuple(chain.from_iterable(_statements(self.document, block) for block in blocks))

    def table_of(self, statement: Statement) -> Block | None:
        """The table of which a statement is a row, or the caption."""
        block = self.document.block_at(statement.start)
        if block and block.kind is BlockKind.CAPTION:
            tables = (b for b in self.blocks if b.kind is BlockKind.TABLE)
            block = next(
                (b for b in tables if block.start == b.lead or block.lead == b.start), None
            )
        if block is None or block.kind is not BlockKind.TABLE:
            return None
        return block if any(self.document.rows(block)) else None

    def around(self, statement: Statement, wanted: int) -> Excerpt:
        """The whole statements about one, as many as fit into `wanted` characters, first below.

        Nothing above a definition, which begins by itself.
        """
        spans = [(s.start, s.end) for s in self.statements()]
        first = last = spans.index((statement.start, statement.end))
        block = self.document.block_at(statement.start)
        if block and block.kind is BlockKind.DEFINITION and block.end - block.start <= wanted:
            spans = [span for span in spans if span[0] >= block.start]
            first, last = 0, sum(span[1] <= block.end for span in spans) - 1
        grown = True
        while grown:
            grown = False
            for _each in range(_BELOW):
                if last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= wanted:
                    last, grown = last + 1, True
            if first and spans[last][1] - spans[first - 1][0] <= wanted:
                first, grown = first - 1, True
        start, end = spans[first][0], spans[last][1]
        return replace(self, start=start, end=end, blocks=self.document.blocks_in(start, end))


@lru_cache(maxsize=2048)  # 0.2 ms each; who asks goes on about the same pages
def _statements(document: CleanText, block: Block) -> tuple[Statement, ...]:
    return tuple(document.statements(block))


def excerpts(hits: Sequence[Hit], document_of: Callable[[SourceId], CleanText]) -> list[Excerpt]:
    """What stands in the passages, each part once, by its best passage."""
    kept: dict[tuple[SourceId, int], Excerpt] = {}
    headings: dict[SourceId, list[tuple[int, str]]] = {}
    for hit in hits:
        document = document_of(hit.source.id)
        if hit.source.id not in headings:
            headings[hit.source.id] = [(0, ""), *document.headings()]
        own, over = runs(document), headings[hit.source.id]
        for place, (title, blocks) in enumerate(own):
            start, end = blocks[0].lead, blocks[-1].end
            touched = start < hit.chunk.end and end > hit.chunk.start
            if touched and _says_something(document, title, blocks):
                above = over[bisect_right(over, start, key=itemgetter(0)) - 1][1]
                opens = place > 0 and own[place - 1][0] != title
                excerpt = Excerpt(hit, document, start, end, blocks, title, above, opens)
                kept.setdefault((hit.source.id, start), excerpt)
    return list(kept.values())


def answering(excerpt: Excerpt, named: Sequence[Statement]) -> list[Statement]:
    """The statements of an excerpt that can answer anything, with those that a question calls by
    their number; the short items of a list that has no others.
    """
    told, items = [], []
    for statement in excerpt.statements():
        words = statement.words
        short = sum(map(str.isalpha, words)) < LEAST_LETTERS
        # A formula or code by itself may be short, if it relates something to other than numbers.
        formal = short and excerpt.kinds <= FORMAL and RELATES.search(words)
        asks = words.endswith("?") and BETWEEN_CELLS not in words
        tells = (not short or formal) and len(words) <= MOST_CHARS and not asks
        if tells or statement in named:
            told.append(statement)
        named_so = unnumbered(words).strip(_BULLETS)
        several = len(named_so.split()) > 1 and len(words) <= MOST_CHARS
        if short and several and _WORD.search(named_so):
            items.append(statement)  # "• apt-cache search", not "• C: C - E - G"
    listed = BlockKind.LIST in excerpt.kinds and "?" not in excerpt.text
    return told or (items if listed else [])


def surroundings(document: CleanText, span: Span, wanted: int) -> Span:
    """A span and what goes on below it under its heading.

    Whole parts, at most `wanted` characters in all, or some more where these are the rest of the
    section; headings and lines that are no sentence end it.
    """
    parts = runs(document)
    start, end = span
    touched = [
        place
        for place, (_title, blocks) in enumerate(parts)
        if blocks[0].lead < end and start < blocks[-1].end
    ]
    if not touched:
        return span
    first, last = touched[0], touched[-1]
    if parts[first][1][0].lead < start or parts[last][1][-1].end > end:  # a part of it is quoted
        return span
    return start, _Section(document, parts, parts[first][0], wanted).down(last, start, end)


@dataclass(frozen=True, slots=True)
class _Section:
    """The parts of a document under one heading, of which `wanted` characters may be quoted."""

    document: CleanText
    parts: Sequence[Part]
    title: str
    wanted: int

    def down(self, last: int, start: int, end: int) -> int:
        """Where a span ends, with what goes on below its `last` part."""
        told, longer = end, replace(self, wanted=self.wanted + TAIL)
        while wider := longer.with_part(last + 1, start, end):
            last, end = last + 1, wider[1]
            told = end if end - start <= self.wanted else told
        kinds = {block.kind for block in self.document.blocks_in(told, end)}
        following = self.parts[last + 1 : last + 2]
        whole = not following or following[0][0] != self.title
        return end if whole and BlockKind.CODE not in kinds else told

    def with_part(self, place: int, start: int, end: int) -> Span | None:
        """A span with the part at a place, if that is of the section and can be read on with it."""
        if not (0 <= place < len(self.parts) and self.parts[place][0] == self.title):
            return None
        blocks = self.parts[place][1]
        wider = min(start, blocks[0].lead), max(end, blocks[-1].end)
        goes_on = _says_something(self.document, self.title, blocks)
        parted = any(b.kind is BlockKind.HEADING for b in self.document.blocks_in(*wider))
        return wider if goes_on and wider[1] - wider[0] <= self.wanted and not parted else None


def _says_something(document: CleanText, title: str, blocks: Sequence[Block]) -> bool:
    """Whether blocks are more than a line that is no sentence, names of people, or a list of what
    will come.
    """
    text = document.text[blocks[0].start : blocks[-1].end]
    told = all(block.kind is BlockKind.PARAGRAPH for block in blocks)
    sentence = text.endswith((*ENDS, ":")) or " = " in text or len(text.split()) >= _SENTENCE
    if told and len(text) <= LONGEST_HEADING and not sentence:
        return False
    longest = max(len(line.split()) for line in text.split("\n"))
    coming = _CONTENTS.fullmatch(folded(title).strip(" .:#¿?"))
    listed = all(block.kind is BlockKind.LIST for block in blocks)
    if coming and listed and longest < _EXPLAINED:
        return False
    opening = document.text[blocks[0].lead : blocks[-1].start]
    if blocks[-1].kind is BlockKind.LIST and _COMING.fullmatch(folded(opening).strip()):
        return False
    if told and len(text) >= _CREDITS and not _NO_NAMES.search(text) and is_names(text):
        return False
    letters = sum(map(str.isalpha, text))
    if letters < LEAST_LETTERS and FORMAL.isdisjoint(block.kind for block in blocks):
        return False
    return len(_LEADER.findall(text)) <= 1
