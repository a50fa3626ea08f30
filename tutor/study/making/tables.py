"""Cards of tables: what a row has in a column, and the same as one of several or true or false."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tutor.map.lesson import LessonPart
from tutor.map.wording import is_readable, stands_alone
from tutor.model import Block, BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import (
    FEWEST_PAIRS,
    WRONG,
    coin,
    matching,
    overlap,
    pick,
    shuffled,
    stands_out,
    stems,
    whether,
)
from tutor.study.making.headings import named_topic
from tutor.study.making.labels import is_generic
from tutor.study.making.material import BLANK, CardMaterial
from tutor.text.folding import folded
from tutor.text.paragraphs import IN_BRACKETS, cells_of

_CAPTION = re.compile(r"(?:Tabla|Cuadro|Table)\s\d+(?:\.\d+)*[.:]\s*([^|\n]{8,140})", re.IGNORECASE)
_ATTRIBUTES = re.compile(
    r"(?:aspectos?|caracter[ií]sticas?|atributos?|criterios?|diferencias?|propiedad(?:es)?|rasgos?"
    r"|aspects?|attributes?|criteria|differences?|features?|propert(?:y|ies)|traits?)?",
    re.IGNORECASE,
)
"""What stands over the first column where a table's columns, not its rows, are what it is about."""
_SIDES = re.compile(
    r"(?:ventajas|desventajas|pros|contras|a favor|en contra|advantages|disadvantages|cons)",
    re.IGNORECASE,
)
"""Heads of lists side by side: what stands in one row has nothing to do with each other."""
_FOOTNOTE = re.compile(r"[^\W\d_]{2}(?:\^\([a-z, ]+\)|[ᵃᵇᶜᵈᵉ]+)(?!\w)")
"""The letter of a note below the table."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\Z")
_FEWEST_ROWS = 2
_NO_NAME = re.compile(r"[=<>≤≥→:;?¿\\{}]|\.\Z")
"""What no head of a column has outside of brackets."""
_TIMES, _TIMES_OF_ONE = 2, 3
"""How many times a head's words all cells below it have, more where it has no other column beside
it: the first row may be one of the others there."""
_OPEN = re.compile(
    r"(?:.*\bejemplos?|pros|contras|ventajas?|desventajas?|notas?|comentarios?|observaci[oó]n(?:es)?"
    r"|caracter[ií]sticas?|detalles?|dato|muestras?|obras?|casos? de uso|.*\bexamples?|cons|works?"
    r"|advantages?|disadvantages?|notes?|comments?|features?|remarks?|details?|use cases?)\b",
    re.IGNORECASE,
)
"""Heads of columns whose cells could say more, or something else."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table has in `column` for the row of `key`, at `text[start:end]`."""

    key: str
    column: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CardTable:
    """A table that can be asked: `label` is over the keys, of which each row has one."""

    title: str
    label: str
    cells: tuple[Cell, ...]
    start: int
    end: int

    def column(self, name: str) -> list[Cell]:
        """The cells of a column."""
        return [cell for cell in self.cells if cell.column == name]


def table_cards(material: CardMaterial) -> Iterator[Card]:
    """The cards of a document's tables."""
    for part in material.parts:
        for block in part.blocks:
            if block.kind is BlockKind.TABLE and (table := _table(material, part, block)):
                yield from _of_table(material, table)


def _of_table(material: CardMaterial, table: CardTable) -> Iterator[Card]:
    for cell in table.cells:
        if _is_closed(cell.key, cell.column, cell.text):
            yield _card(material, table, cell, (CardKind.ROW, *_asked(material, table, cell)))
    for key in dict.fromkeys(cell.key for cell in table.cells):
        cells = [cell for cell in table.cells if cell.key == key]
        yield from _choice(material, table, pick(key, cells))
        yield from _true_or_false(material, table, pick(key, cells))
    yield from _match(material, table)


def _table(material: CardMaterial, part: LessonPart, block: Block) -> CardTable | None:
    """A table whose rows say something by themselves; None for another one."""
    lines = material.slice(block.start, block.end).split("\n")
    head, *rows = map(cells_of, lines)
    label, *columns = head
    title = _caption(material, material.text.blocks_in(block.lead - 3, block.start)[::-1])
    opened = material.slice(block.lead, block.start).rstrip().endswith(":")
    by_column = _is_by_column(label, columns)
    told = bool(title or opened)
    is_headed = told or _has_head(head, rows, by_column=by_column)  # else it may begin with a row
    is_whole = (
        is_headed
        and len(rows) >= _FEWEST_ROWS
        and all(len(row) == len(head) for row in rows)
        and len({folded(row[0]) for row in rows}) == len(rows)
        and not all(map(_SIDES.fullmatch, head))
        and all(map(_is_key, columns if by_column else [row[0] for row in rows]))
    )
    if not is_whole:
        return None
    cells: list[Cell] = []
    start = block.start + len(lines[0]) + 1
    for row, line in zip(rows, lines[1:], strict=True):
        said = [(column, text) for column, text in zip(columns, row[1:], strict=True) if text]
        if not by_column and _YEAR.match(row[0]):
            # Only the whole row tells what happened in a year.
            said = [(" · ".join(name for name, _ in said), " · ".join(text for _, text in said))]
        for column, text in said:
            names = (column, row[0]) if by_column else (row[0], column)
            if _is_cell(text) and (told or _is_closed(*names, text)):
                cells.append(Cell(*names, text, start, start + len(line)))
        start += len(line) + 1
    label = "" if by_column else label
    title = title or _title(material, part, block)
    return CardTable(title, label, tuple(cells), block.start, block.end)


def _is_by_column(label: str, columns: Sequence[str]) -> bool:
    """Whether a table is about its columns, which are things, and not about its rows."""
    are_things = len(columns) > 1 and not any(map(is_generic, columns))
    return are_things and _ATTRIBUTES.fullmatch(label) is not None


def _has_head(head: Sequence[str], rows: Sequence[Sequence[str]], *, by_column: bool) -> bool:
    """Whether a first row differs from the rows below as a head does, and rows or columns are
    things: its cells are short names that do not recur, and those below one of them are longer, or
    have figures.
    """
    label, *columns = head
    below = {folded(cell) for row in rows for cell in row}
    names = columns if by_column else head
    are_names = all(map(_is_name, names)) and below.isdisjoint(map(folded, head))
    if _ATTRIBUTES.fullmatch(label):
        return are_names and by_column and bool(label)
    in_columns = zip(*(row[1:] for row in rows), strict=False)
    times = _TIMES if len(columns) > 1 else _TIMES_OF_ONE
    differs = any(map(partial(_differs, times), columns, in_columns))
    return are_names and differs


def _is_name(text: str) -> bool:
    bare = IN_BRACKETS.sub("", text)
    has_figures = any(map(str.isdigit, bare))
    return not has_figures and bool(_LETTERS.search(bare)) and not _NO_NAME.search(bare)


def _differs(times: int, head: str, cells: Sequence[str]) -> bool:
    """Whether all cells of a column have so many times the words of its head, or figures."""
    longer = times * len(head.split())
    return all(len(cell.split()) >= longer for cell in cells) or all(
        any(map(str.isdigit, cell)) for cell in cells
    )


def _is_closed(key: str, column: str, text: str) -> bool:
    """Whether a row and a column ask for one thing, and do not give it away."""
    first = stems(IN_BRACKETS.sub("", text).split(". ")[0])
    return not _OPEN.match(column) and 2 * len(first & stems(key)) < max(1, len(first))


def _title(material: CardMaterial, part: LessonPart, block: Block) -> str:
    """The heading over a table, with a caption that stands below it and over no other table, or
    that caption alone where it has a word of the heading.
    """
    topic = named_topic(material, part.topic, block.start)
    below = material.text.blocks_in(block.end + 1, block.end + 3)
    after = material.text.blocks_in(below[-1].end + 1, below[-1].end + 3) if below else ()
    caption = "" if BlockKind.TABLE in {one.kind for one in after} else _caption(material, below)
    told = (caption,) if stems(topic) & stems(caption) else (topic, caption)
    return " › ".join(filter(None, told))


def _caption(material: CardMaterial, blocks: Iterable[Block]) -> str:
    """The first sentence of the first caption among some blocks, if it is clear by itself."""
    texts = (material.slice(block.start, block.end) for block in blocks)
    found = next(filter(None, map(_CAPTION.search, texts)), None)
    caption = found[1].partition(". ")[0].strip(" .") if found else ""
    return caption if stands_alone(caption) else ""


def _is_key(text: str) -> bool:
    return bool(_LETTERS.search(text) or _YEAR.match(text)) and text[0].isalnum()


def _is_cell(text: str) -> bool:
    return (
        bool(_WORD.search(text))
        and is_readable(text)
        and stands_alone(text)
        and not _FOOTNOTE.search(text)
    )


def _asked(material: CardMaterial, table: CardTable, cell: Cell) -> tuple[str, str]:
    """The question for a cell and its answer; of a year and what happened the year is asked."""
    frames = material.frames
    if _YEAR.match(cell.key):
        return frames.key.format(cell=cell.text.rstrip("."), label=table.label), cell.key
    return _told(material, table, cell, BLANK), cell.text


def _told(material: CardMaterial, table: CardTable, cell: Cell, text: str) -> str:
    """What a row says in a column, with this text there."""
    frame = material.frames.row
    told = frame.format(key=cell.key, label=table.label, column=cell.column, cell=text)
    return told.replace(" ()", "")


def _card(
    material: CardMaterial, table: CardTable, cell: Cell, told: tuple[CardKind, str, str]
) -> Card:
    """A card on a row of a table, under the table's title."""
    card = material.card(*told, (cell.start, cell.end), (table.title, ""))
    return replace(card, subject=cell.key)


def _choice(material: CardMaterial, table: CardTable, cell: Cell) -> Iterator[Card]:
    """The answer among those of other rows of the same table."""
    question, answer = _asked(material, table, cell)
    by_year = answer == cell.key
    others = [other.key if by_year else other.text for other in table.column(cell.column)]
    wrong = [text for text in dict.fromkeys(others) if not overlap(text, answer)]
    given = cell.text if by_year else cell.key
    is_plain = any(stands_out(answer, wrong, told) for told in (given, question))
    if len(wrong) >= WRONG - 1 and not is_plain:
        card = _card(material, table, cell, (CardKind.CHOICE, question, answer))
        chosen = shuffled(card.id, wrong)[:WRONG]
        yield replace(card, choices=shuffled(card.id, (answer, *chosen)))


def _true_or_false(material: CardMaterial, table: CardTable, cell: Cell) -> Iterator[Card]:
    """What a row says, or what another one says of its own key instead."""
    others = [o.text for o in table.column(cell.column) if not overlap(o.text, cell.text)]
    if not others:
        return
    is_true = coin(f"{cell.key}{cell.text}")
    text = cell.text if is_true else pick(cell.key, others)
    said = _told(material, table, cell, text)
    said += "" if said.endswith((".", "?")) else "."
    card = _card(material, table, cell, whether(material.frames, said, is_true=is_true))
    yield replace(card, choices=material.frames.sides)


def _match(material: CardMaterial, table: CardTable) -> Iterator[Card]:
    """The keys and their cells in the first column in which all differ."""
    frames = material.frames
    frame = frames.match_columns if table.label else frames.match_column
    for name in dict.fromkeys(cell.column for cell in table.cells):
        pairs: list[Cell] = []
        for cell in table.column(name):
            if not any(overlap(cell.text, o.text) for o in pairs):
                pairs.append(cell)
        if len(pairs) >= FEWEST_PAIRS and len(pairs) == len(table.column(name)):
            question = frame.format(label=table.label, column=name)
            asked = [(cell.key, cell.text) for cell in pairs]
            yield matching(material, question, asked, (table.start, table.end), table.title)
            return
