"""What documents are about, for questions that no passage answers by itself: their titles,
headings and definitions, each with its page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TypeAlias

from tutor.answer.quoting import Quote
from tutor.answer.quoting.quote import readable
from tutor.map.lesson import items_of
from tutor.map.model import in_course_order, newest_first
from tutor.model import (
    BlockKind,
    Chunk,
    CleanText,
    Hit,
    Section,
    Source,
    SourceId,
    Strategy,
    chunk_id,
)
from tutor.text.folding import folded
from tutor.text.paragraphs import unnumbered
from tutor.text.sentences import split_sentences

DocumentOf: TypeAlias = Callable[[SourceId], CleanText]

FEW_DOCUMENTS = 4
"""Of as many documents the definitions are told, too."""
MANY_DOCUMENTS = 8
"""Of more documents only the titles are told."""
MOST_HEADINGS = 36
"""Of all documents, each an equal share: levels of headings are told from the highest one down."""
LONGEST_DEFINITION = 240
"""Characters of a sentence that defines."""
MOST_LEVELS = 3
SHORTEST_DEFINITION = 20
MOST_DEFINITIONS = 3
"""Of a section."""
LONGEST_HEADING = 100
MOST_READ_CHARS = 1700
"""What a model reads to summarise."""
SHORTEST_OPENING = 60
DIGEST = 1800
"""Characters of a digest, unless one sentence under each heading has more."""
PASSAGE = 500
"""Characters of the notes that stand behind a heading."""

_INDENT = "  "
_NO_SUBJECT = frozenset(
    "indice contenido contenidos contents agenda temario referencias bibliografia"
    " references preguntas questions gracias thanks".split()
)
_COUNTED = re.compile(
    r"(?:part|parte|capitulo|chapter|unidad|unit|tema|bloque|modulo|module|seccion|section|leccion"
    r"|lesson|clase) (?:\d+|[ivx]+)"
)
"""Headings that say of what they are in the one below only."""
_LABEL = re.compile(r"(?:Definici[oó]n|Definition)[\d. ]*(?:\(([^)]+)\))?\s*[.:]\s*")
_CASE = re.compile(r"(?:Ejemplo|Ejercicio|Example|Exercise)\b")
_TERM = re.compile(r"([^.:;()]{2,40}):\s+")
_SAYS_WHAT = re.compile(r"\b(?:es|son|se llama|se define|is|are)\b")
"""What is defined: `Definición (Sigmoide).`, `Alfabeto: un alfabeto es …`."""
_NO_TERM = frozenset("ejemplo nota observacion ejercicio caso paso example note exercise".split())
"""First words of what is labelled in the same way and defines nothing."""


def overview(sources: Collection[Source], document_of: DocumentOf) -> list[Quote]:
    """The outline of documents; of a single one also how the parts under its headings begin."""
    lines = outline(sources, document_of)
    told = latest(sources)
    if len(told) > 1 or not lines:
        return lines
    return [lines[0], *digest(told[0], document_of(told[0].id))]


def outline(sources: Collection[Source], document_of: DocumentOf) -> list[Quote]:
    """Documents in the order of the course, of each its title, headings and definitions.

    Each quote's text is an item of a Markdown list. Of several versions of a day the last counts.
    """
    told = latest(sources)
    lines: list[Quote] = []
    for source in told:
        document = document_of(source.id)
        if not document.blocks:
            continue
        lines.append(title_line(source, document))
        if len(told) <= MANY_DOCUMENTS:
            most = MOST_HEADINGS // len(told)
            lines += _headings(source, document, most, defined=len(told) <= FEW_DOCUMENTS)
    return lines


def openings(lines: Sequence[Quote]) -> list[Hit]:
    """How the sections of an outline begin: what a model reads to summarise them."""
    read: dict[tuple[SourceId, int], Hit] = {}
    length = 0
    for line in lines:
        told = (
            block
            for block in line.document.blocks_in(line.start, line.start + 2 * PASSAGE)
            if block.kind in (BlockKind.DEFINITION, BlockKind.PARAGRAPH)
            and block.start >= line.start
            and block.end - block.start >= SHORTEST_OPENING
        )
        source = line.hit.source
        block = next(told, None)
        if block is None or (source.id, block.start) in read:
            continue
        if length + block.end - block.start <= MOST_READ_CHARS:
            hit = passage_of(source, line.document, block.start, block.end, len(read))
            read[source.id, block.start] = hit
            length += block.end - block.start
    return list(read.values())


def digest(source: Source, document: CleanText, section: Section | None = None) -> list[Quote]:
    """The headings of a document, or of a section, and how what they are over begins.

    Under each the first sentences of so many paragraphs, definitions and items as there is room
    for; examples are left out. A section for which there is room is told whole.
    """
    if section:
        whole = readable(document, _heading_end(document, section), section.end)
        if len(whole) <= DIGEST:
            line = line_of(source, document, (section.start, section.end), "", 0)
            return [replace(line, text=f"\n{whole}")]
        within = (part for part in document.sections if section.start <= part.start < section.end)
        parts = _nested([part for part in within if part.level <= section.level + 1])
    else:
        parts = _sections(source, document, MOST_HEADINGS)
    heads = {part.start for part in parts}
    told = [(part, list(_beginnings(document, part, heads))) for part in parts]
    most = 1
    while most < max((len(said) for _part, said in told), default=0):
        wanted = sum(end - start for _part, said in told for start, end, _t in said[: most + 1])
        if wanted > DIGEST:
            break
        most += 1
    lines = []
    for part, said in told:
        heading = (part.start, _heading_end(document, part))
        lines.append(
            line_of(source, document, heading, f"**{unnumbered(part.title)}**", part.level)
        )
        for start, end, text in said[:most]:
            lines.append(line_of(source, document, (start, end), text, part.level + 1))
    return lines


def _beginnings(
    document: CleanText, section: Section, heads: Container[int]
) -> Iterator[tuple[int, int, str]]:
    """The first sentence of each paragraph, definition and item up to the next one of `heads`."""
    for block in document.blocks_in(section.start, section.end)[1:]:
        text = document.text[block.start : block.end]
        if block.start in heads:
            return
        if block.kind is BlockKind.LIST:
            for item in items_of(document, block):
                said = item.text[: split_sentences(item.text)[0][1]] if item.text else ""
                mark = f"{item.mark} " if item.mark[:1].isalnum() else ""
                yield item.start, item.end, mark + said
        elif block.kind in (BlockKind.PARAGRAPH, BlockKind.DEFINITION):
            label = _LABEL.match(text)
            ends = (end for _start, end in split_sentences(text) if not label or end > label.end())
            end = next(ends, 0)
            if end >= SHORTEST_DEFINITION and not (text[0].islower() or _CASE.match(text)):
                yield block.start, block.start + end, " ".join(text[:end].split())


def latest(sources: Collection[Source]) -> list[Source]:
    """The documents in the order of the course, of versions of a lesson's notes the newest."""
    return in_course_order(versions[0] for versions in newest_first(sources))


def title_line(source: Source, document: CleanText) -> Quote:
    """A document, which has blocks, by its title and day."""
    day = f" ({source.date.isoformat()})" if source.date else ""
    first = document.blocks[0]
    return line_of(source, document, (first.start, first.end), f"**{source.title}{day}**", 0)


def _headings(source: Source, document: CleanText, most: int, *, defined: bool) -> Iterator[Quote]:
    for section in _sections(source, document, most):
        start, end = section.start, _heading_end(document, section)
        yield line_of(source, document, (start, end), unnumbered(section.title), section.level)
        if defined:
            for start, end, said in islice(_definitions(document, section), MOST_DEFINITIONS):
                yield line_of(source, document, (start, end), said, section.level + 1)


def _sections(source: Source, document: CleanText, most: int) -> list[Section]:
    """The sections that say what a document is about, with how deep each stands as its level."""
    known = {_key(source.title)} | _NO_SUBJECT
    parts: list[Section] = []
    for section in _told(document):
        key = _key(section.title)
        if key and key not in known and len(section.title) <= LONGEST_HEADING:
            known.add(key)
            parts.append(section)
    levels = sorted({part.level for part in parts})[:MOST_LEVELS]
    deepest = max(
        (level for level in levels if sum(p.level <= level for p in parts) <= most),
        default=levels[0] if levels else 0,
    )
    return _nested([part for part in parts if part.level <= deepest])


def _told(document: CleanText) -> Iterator[Section]:
    """The sections; of "Part 2" with the heading right below it as one title."""
    sections, skipped = document.sections, False
    for section, below in zip_longest(sections, sections[1:]):
        end = _heading_end(document, section)
        told = below and _COUNTED.fullmatch(_key(section.title))
        if skipped:
            skipped = False
        elif told and not document.text[end : below.start].strip():
            yield replace(section, title=f"{unnumbered(section.title)}: {unnumbered(below.title)}")
            skipped = True
        else:
            yield section


def _nested(parts: Sequence[Section]) -> list[Section]:
    """The same with how deep each stands among the others, from 1, for its level."""
    above: list[int] = []
    nested = []
    for part in parts:
        while above and above[-1] >= part.level:
            above.pop()
        above.append(part.level)
        nested.append(replace(part, level=len(above)))
    return nested


def _key(title: str) -> str:
    return folded(unnumbered(title)).strip(" .:¿?¡!")


def _heading_end(document: CleanText, section: Section) -> int:
    block = document.block_at(section.start)
    return block.end if block else section.start + len(section.title)


def _definitions(document: CleanText, section: Section) -> Iterator[tuple[int, int, str]]:
    """What a section defines before its next heading: the first sentences, and their spans."""
    for block in document.blocks_in(section.start, section.end)[1:]:
        if block.kind is BlockKind.HEADING:
            return
        if block.kind is BlockKind.DEFINITION:
            said, length = definition_in(document.text[block.start : block.end])
            if said:
                yield block.start, block.start + length, said


def definition_in(text: str) -> tuple[str, int]:
    """The term and the first sentence of a definition, and where that ends; "" for a note."""
    formal = _LABEL.match(text)
    label = formal or _TERM.match(text)
    if label is None:
        return "", 0
    start, end = next(iter(split_sentences(text[label.end() :])), (0, 0))
    said = " ".join(text[label.end() + start : label.end() + end].split())
    if not SHORTEST_DEFINITION <= len(said) <= LONGEST_DEFINITION or said.endswith(":"):
        return "", 0
    if formal is None and (folded(label[1]).split()[0] in _NO_TERM or not _SAYS_WHAT.search(said)):
        return "", 0
    return f"{label[1]}: {said}" if label[1] else said, label.end() + end


def line_of(
    source: Source, document: CleanText, span: tuple[int, int], text: str, depth: int
) -> Quote:
    """A line that stands on a span of the notes, as an item of a list `depth` levels deep."""
    start, end = span
    hit = passage_of(source, document, start, max(end, start + PASSAGE), 0)
    return Quote(hit, document, start, end, f"{_INDENT * depth}- {text}", 1.0)


def passage_of(source: Source, document: CleanText, start: int, end: int, place: int) -> Hit:
    """A span of a document as a passage, of rank `place + 1`."""
    text = document.text[start:end]
    end = start + len(text)
    chunk = Chunk(
        id=chunk_id(source.id, Strategy.SEMANTIC, start, end, text),
        source_id=source.id,
        strategy=Strategy.SEMANTIC,
        text=text,
        start=start,
        end=end,
        first_page=document.page_at(start),
        last_page=document.page_at(end - 1),
        ordinal=0,
    )
    return Hit(chunk, source, score=1.0, rank=place + 1)
