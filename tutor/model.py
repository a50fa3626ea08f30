"""The nouns of the product: frozen records that one stage hands to the next.

Offsets are counted in characters (Unicode code points) of the display text,
pages are numbered from 1 as a PDF viewer numbers them, scores are cosines
unless a field says otherwise.
"""

from __future__ import annotations

import datetime as dt
import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, NewType, TypeAlias

from tutor.text.rows import labelled_rows

if TYPE_CHECKING:  # NumPy takes 0.1 s that `tutor --help` need not pay
    import numpy as np
    from numpy.typing import NDArray

Vectors: TypeAlias = "NDArray[np.float32]"
"""float32, shape (n, dim), rows L2-normalised."""

SourceId = NewType("SourceId", str)
ChunkId = NewType("ChunkId", str)


class Strategy(StrEnum):
    """How a text is cut into chunks."""

    FIXED = "fixed"
    """Windows of 800 characters, step 700."""
    SEMANTIC = "semantic"
    """Whole sentences, gathered up to 800 characters."""

    @property
    def collection(self) -> str:
        """Name of the Chroma collection that holds this strategy's chunks."""
        return f"chroma_{self.value}"


class Route(StrEnum):
    """The tool that answers a question."""

    FIXED = "fixed"
    """The notes, found over fixed windows (RAG-Fixed)."""
    SEMANTIC = "semantic"
    """The notes, found over whole sentences (RAG-Semantic)."""
    WEB = "web"
    """A web search; the question leaves the machine."""

    @property
    def strategy(self) -> Strategy | None:
        """The index that the route asks; None for the web."""
        return None if self is Route.WEB else Strategy(self.value)


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


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents of a course a question is asked of; without conditions, all of them.

    A document passes if it fits every kind of condition that is given, and of each kind one
    value. `dates` are ranges, first and last day included; `authors` are names as `Source` has
    them.
    """

    weeks: tuple[int, ...] = ()
    dates: tuple[tuple[dt.date, dt.date], ...] = ()
    authors: tuple[str, ...] = ()
    documents: tuple[SourceId, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.weeks or self.dates or self.authors or self.documents)

    def passes(self, source: Source) -> bool:
        """Whether a document is among those that are asked."""
        day = source.date
        return (
            (not self.weeks or source.week in self.weeks)
            and (
                not self.dates
                or (day is not None and any(first <= day <= last for first, last in self.dates))
            )
            and (not self.authors or any(author in self.authors for author in source.authors))
            and (not self.documents or source.id in self.documents)
        )

    def select(self, sources: Iterable[Source]) -> frozenset[SourceId]:
        """The documents among `sources` that pass."""
        return frozenset(source.id for source in sources if self.passes(source))

    def overridden_by(self, other: Filter) -> Filter:
        """With the conditions of `other` in the place of its own of the same kind."""
        return Filter(
            other.weeks or self.weeks,
            other.dates or self.dates,
            other.authors or self.authors,
            other.documents or self.documents,
        )


@dataclass(frozen=True, slots=True)
class Block:
    """What the page sets apart: `document.text[start:end]`, without white space at its ends.

    `lead` is where the sentence begins that opens the block ("Los pasos son:"), in the block
    before; `start` where there is none. `level` is a heading's, from 1, else 0.
    """

    kind: BlockKind
    start: int
    end: int
    lead: int
    level: int = 0


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

    def rows(self, table: Block) -> tuple[str, ...]:
        """A table's rows, each cell with its column's head: "Año: 1958 · Autor: Rosenblatt"."""
        return labelled_rows(self.text[table.start : table.end])

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

    def section_at(self, offset: int) -> Section | None:
        """The innermost section that holds the character at `offset`; None before the first."""
        around = [part for part in self.sections if part.start <= offset < part.end]
        return max(around, key=lambda part: part.level, default=None)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A span of a document: `clean.text[start:end] == text`. `ordinal` counts from 0 per source.

    `section` is the title of the innermost section at its middle; empty before the first heading.
    """

    id: ChunkId
    source_id: SourceId
    strategy: Strategy
    text: str
    start: int
    end: int
    first_page: int
    last_page: int
    ordinal: int
    section: str = ""


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


def chunk_id(source: SourceId, strategy: Strategy, start: int, end: int, text: str) -> ChunkId:
    """The identity of a chunk: a hash of its source, strategy, span and text."""
    key = "\x1f".join((source, strategy.value, str(start), str(end), text))
    return ChunkId(sha256(key.encode()).hexdigest()[:24])


@dataclass(frozen=True, slots=True)
class RetrieverScore:
    """What one retrieval retriever said of a chunk: its rank (from 1) and its own score."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A retrieved chunk. `rank` counts from 1; `retrievers` keeps what each of them said."""

    chunk: Chunk
    source: Source
    score: float
    rank: int
    retrievers: Mapping[str, RetrieverScore] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat prompt. `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of the conversation and what was answered, without marks or sources.

    `standalone` is the question as it was searched for: rewritten, or equal to `question`. From
    `written` on the answer is in a model's own words.
    """

    question: str
    standalone: str
    answer: str
    abstained: bool = False
    written: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to the language model. `tokens` and `budget` are estimates in tokens.

    `passages` and `turns` count the best passages and the latest turns that it holds;
    `dropped_passages` and `dropped_turns` those that did not fit.
    """

    messages: tuple[Message, ...]
    passages: int
    turns: int
    tokens: int
    budget: int
    dropped_passages: int = 0
    dropped_turns: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What the server says of one generation. `reason` is `stop` or `length`.

    `prompt_tokens` counts cached tokens, too; `prompt_s` is short when they were cached.
    """

    reason: str = "stop"
    prompt_tokens: int = 0
    answer_tokens: int = 0
    load_s: float = 0.0
    prompt_s: float = 0.0
    answer_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Answerability:
    """Whether the notes answer a question: `evidence` was, or was not, at least `threshold`.

    `near`: it was, but so little that the notes may well say only something close to it.
    """

    answerable: bool
    evidence: float
    threshold: float
    near: bool = False


@dataclass(frozen=True, slots=True)
class WebResult:
    """One result of a web search, cited as `[W1]` by its `rank`. Its texts are untrusted."""

    rank: int
    title: str
    snippet: str
    link: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Ties `answer.text[start:end]` to `chunk.text[quote_start:quote_end]`.

    `support` is between 0 (none) and 1 (the sentence is quoted from the chunk).
    """

    start: int
    end: int
    hit: Hit
    quote_start: int
    quote_end: int
    first_page: int
    last_page: int
    support: float

    @property
    def quote(self) -> str:
        """The words of the chunk that support the sentence."""
        return self.hit.chunk.text[self.quote_start : self.quote_end]

    @property
    def source(self) -> Source:
        """The document that is cited."""
        return self.hit.source

    @property
    def quote_span(self) -> tuple[int, int]:
        """Where the quote begins and ends in the document's text."""
        start = self.hit.chunk.start
        return start + self.quote_start, start + self.quote_end


@dataclass(frozen=True, slots=True)
class WebCitation:
    """Ties `answer.text[start:end]` to a result of a web search."""

    start: int
    end: int
    result: WebResult
    support: float


class Ending(StrEnum):
    """Why an answer ended."""

    COMPLETE = "complete"
    LENGTH = "length"
    """The longest length allowed was reached."""
    STOPPED = "stopped"
    """The reader stopped it."""
    BROKEN = "broken"
    """The model or its server broke off."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer. `model` names the engine; `timings` are seconds per stage.

    `unsupported` are the spans (start, end) of the sentences that claim something which no
    passage supports; sentences that claim nothing are neither cited nor unsupported. From
    `written` on the text is a model's own; what stands before it are quotes of the notes.
    """

    text: str
    citations: tuple[Citation, ...]
    abstained: bool
    route: Route
    model: str
    timings: Mapping[str, float] = field(default_factory=dict)
    unsupported: tuple[tuple[int, int], ...] = ()
    web_citations: tuple[WebCitation, ...] = ()
    ending: Ending = Ending.COMPLETE
    usage: Usage | None = None
    written: int = 0
