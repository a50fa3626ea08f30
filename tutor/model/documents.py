"""Documents: a PDF as read, its display text with pages and blocks, and its place in a course."""

from __future__ import annotations

import datetime as dt
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NewType

from tutor.text.paragraphs import labelled_rows
from tutor.text.sentences import split_sentences

SourceId = NewType("SourceId", str)


class TextOrigin(StrEnum):
    """Where a page's text came from."""

    LAYER = "layer"
    """The PDF's own text layer."""
    OCR = "ocr"
    """Optical character recognition of the rendered page."""
    NONE = "none"
    """Nowhere: the page has no text that could be read."""


@dataclass(frozen=True, slots=True)
class PdfInfo:
    """What a PDF's own properties say; empty strings where they say nothing."""

    title: str = ""
    author: str = ""


class BlockKind(StrEnum):
    """What a block of a document is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    DEFINITION = "definition"
    """A labelled statement ("Definición (…).", "Teorema 2.", "Ejemplo") with its formulas."""
    LIST = "list"
    """Items, a line each."""
    TABLE = "table"
    """Rows, a line each, whose cells are parted by `CELL_SEPARATOR`."""
    FORMULA = "formula"
    CODE = "code"
    """Lines with their indentation."""
    CAPTION = "caption"
    FIGURE = "figure"
    """The words inside a drawing: no text to be read in order."""


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of a page as read: its text, with a tab between cells, and how it is set.

    `parted` says that the page leaves a gap before it. `bold` is true where all of it is, `label`
    where its beginning alone is; `kind` is what the page itself says that it is: the row of a ruled
    table, the label of a figure. Lengths are in points; `size` is the type's, 0 where it is not
    known.
    """

    text: str
    parted: bool = False
    size: float = 0.0
    left: float = 0.0
    right: float = 0.0
    bold: bool = False
    label: bool = False
    mono: bool = False
    kind: BlockKind | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page as read, before cleaning. `number` counts from 1.

    `text` has a newline between lines and a blank line where the page leaves a gap.
    """

    source_id: SourceId
    number: int
    text: str
    origin: TextOrigin = TextOrigin.LAYER
    lines: tuple[PageLine, ...] = ()

    @classmethod
    def of_lines(cls, source_id: SourceId, number: int, lines: Iterable[PageLine]) -> Page:
        """A page whose text layer has these lines."""
        lines = tuple(lines)
        text = "".join("\n\n"[: 1 + line.parted] + line.text for line in lines)
        return cls(source_id, number, text.replace("\t", " ").strip("\n"), lines=lines)


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF as read: every page in order (pages without text included), and its properties."""

    source_id: SourceId
    pages: tuple[Page, ...]
    info: PdfInfo = PdfInfo()

    @property
    def pages_without_text(self) -> tuple[int, ...]:
        """Numbers of the pages on which no text was found."""
        return tuple(page.number for page in self.pages if page.origin is TextOrigin.NONE)


@dataclass(frozen=True, slots=True)
class Source:
    """One document of a course. `path` is relative to the course folder, with forward slashes."""

    id: SourceId
    path: str
    title: str
    sha256: str
    pages: int
    week: int | None = None
    date: dt.date | None = None
    version: str | None = None
    authors: tuple[str, ...] = ()

    @property
    def version_number(self) -> tuple[int, ...]:
        """Sorts versions as people do: 10 after 9, 1.2 after 1, a document without one first."""
        return tuple(map(int, re.findall(r"\d+", self.version or "")))


@dataclass(frozen=True, slots=True)
class Block:
    """What the page sets apart: `document.text[start:end]`, without white space at its ends.

    `lead` is where the sentence begins that opens the block ("Los pasos son:"), in the block
    before, or where the table does of which it is the caption; `start` where there is none.
    `level` is a heading's, from 1, else 0.
    """

    kind: BlockKind
    start: int
    end: int
    lead: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Statement:
    """What a document says at `text[start:end]`, and the `words` to compare it by.

    A table's row says what its columns' heads and its cells say.
    """

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what it is over: up to the next heading of its level or a higher one."""

    title: str
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CleanText:
    """A document's display text. `page_starts[i]` is the offset at which page `i + 1` begins.

    `page_starts` never decreases; a page without text starts where the next one does. `blocks`
    are in order and disjoint, and only white space is outside of them.
    """

    source_id: SourceId
    text: str
    page_starts: tuple[int, ...]
    blocks: tuple[Block, ...] = ()

    def __hash__(self) -> int:
        """Of the source alone: the text is long, and rarely another one of the same source."""
        return hash(self.source_id)

    @classmethod
    def plain(
        cls, source_id: SourceId, text: str, page_starts: tuple[int, ...] = (0,)
    ) -> CleanText:
        """A text of which nothing is known but its words: one paragraph."""
        whole = Block(BlockKind.PARAGRAPH, 0, len(text), 0)
        return cls(source_id, text, page_starts, (whole,))

    def page_at(self, offset: int) -> int:
        """The number of the page that holds the character at `offset`."""
        return max(1, bisect_right(self.page_starts, offset))

    def block_at(self, offset: int) -> Block | None:
        """The block that holds the character at `offset`; None between two blocks."""
        place = bisect_right(self.blocks, offset, key=lambda block: block.start) - 1
        return self.blocks[place] if place >= 0 and offset < self.blocks[place].end else None

    def blocks_in(self, start: int, end: int) -> tuple[Block, ...]:
        """The blocks of which any character is within `text[start:end]`, in order."""
        first = bisect_right(self.blocks, start, key=lambda block: block.end)
        last = bisect_left(self.blocks, end, key=lambda block: block.start)
        return self.blocks[first:last]

    def caption_below(self, table: Block) -> Block | None:
        """The caption that stands below a table."""
        following = bisect_right(self.blocks, table.start, key=lambda block: block.start)
        captions = (
            block
            for block in self.blocks[following : following + 1]
            if block.kind is BlockKind.CAPTION and block.lead == table.start
        )
        return next(captions, None)

    def statements(self, block: Block) -> Iterator[Statement]:
        """A block's sentences, or a table's rows; code and formulas are stated whole."""
        if block.kind is BlockKind.TABLE:
            yield from self.rows(block)
        elif block.kind in (BlockKind.CODE, BlockKind.FORMULA):
            yield Statement(block.start, block.end, self.text[block.start : block.end])
        else:
            for start, end in split_sentences(self.text[block.start : block.end]):
                first, last = block.start + start, block.start + end
                yield Statement(first, last, self.text[first:last])

    def stated_within(self, start: int, end: int) -> tuple[int, int]:
        """From the first statement that a span holds whole to the last; from the first line that
        begins in it where it holds none.
        """
        blocks = self.blocks_in(start, end)
        said = [one for block in blocks for one in self.statements(block)]
        whole = [one for one in said if start <= one.start and one.end <= end]
        if whole:
            return whole[0].start, whole[-1].end
        line = self.text.find("\n", max(0, start - 1), end - 1) + 1
        return end - len(self.text[line or start : end].lstrip("\n")), end

    def with_formulas(self, start: int, end: int) -> tuple[int, int]:
        """A span with the formulas that its sentences announce, and with what announces its own."""
        first = bisect_right(self.blocks, start, key=lambda block: block.end)
        for block in self.blocks[first:]:
            if block.lead >= end:
                break
            if block.kind is BlockKind.FORMULA:
                start, end = min(start, block.lead), max(end, block.end)
        return start, end

    def rows(self, table: Block) -> Iterator[Statement]:
        """A table's rows, each cell with its column's head: "Año: 1958 · Autor: Rosenblatt"."""
        text = self.text[table.start : table.end]
        head, *lines = text.split("\n")
        start = table.start + len(head) + 1
        for line, words in zip(lines, labelled_rows(text), strict=True):
            yield Statement(start, start + len(line), words)
            start += len(line) + 1

    def words_at(self, spans: Iterable[tuple[int, int]]) -> list[str]:
        """What to compare the statements at `spans` by: a table's row by its `words`."""
        tables = (block for block in self.blocks if block.kind is BlockKind.TABLE)
        rows = {(row.start, row.end): row.words for table in tables for row in self.rows(table)}
        return [rows.get(span) or self.text[slice(*span)] for span in spans]

    @property
    def sections(self) -> tuple[Section, ...]:
        """One for each heading, in order; a section holds those of lower levels that follow it."""
        sections: list[Section] = []
        end = {0: len(self.text)}
        for block in reversed(self.blocks):
            if block.kind is BlockKind.HEADING:
                title = " ".join(self.text[block.start : block.end].split())
                stop = min(at for level, at in end.items() if level <= block.level)
                sections.append(Section(title, block.level, block.start, stop))
                end[block.level] = block.start
        return tuple(reversed(sections))

    def headings(self) -> list[tuple[int, str]]:
        """Where each heading begins, and what stands over the text from there on: the document's
        first heading, which is its title, and those down to this one, as one line.
        """
        sections = self.sections
        above: list[Section] = []
        found = []
        for section in sections:
            above = [part for part in above if section.start < part.end] + [section]
            titles = dict.fromkeys(part.title for part in (sections[0], *above))
            found.append((section.start, ". ".join(titles)))
        return found

    def section_at(self, offset: int) -> Section | None:
        """The innermost section that holds the character at `offset`; None before the first."""
        around = [part for part in self.sections if part.start <= offset < part.end]
        return max(around, key=lambda part: part.level, default=None)


def source_id(path: str) -> SourceId:
    """The identity of a document within its course: a hash of its course-relative path.

    The path may hold names that are no valid Unicode; then their bytes on the disk count.
    """
    return SourceId(sha256(_name_bytes(path)).hexdigest()[:16])


def readable_name(name: str) -> str:
    """The name of a file or folder as it is shown and stored: valid Unicode, and its own.

    What cannot be read becomes U+FFFD; a hash of the name's bytes, in letters since digits would
    be taken for a week or a date, tells names apart that then look alike.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        mark = sha256(os.fsencode(name)).hexdigest()[:8].translate(_LETTERS)
        text = os.fsencode(name).decode("utf-8", "replace")
        stem = text[:-4] if text.lower().endswith(".pdf") else text
        return f"{stem} ~{mark}{text[len(stem) :]}"
    return name


_LETTERS = str.maketrans("0123456789", "ghijklmnop")


def _name_bytes(path: str) -> bytes:
    try:
        return path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
