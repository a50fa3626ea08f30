"""Units -> blocks: what each unit is, and which of them belong together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tutor.ingest.cleaning.units import Unit, body_size
from tutor.model import BlockKind, PageLine
from tutor.text.paragraphs import (
    CAPTION,
    CODE,
    IN_BRACKETS,
    ITEM,
    ends_sentence,
    is_formula,
    row_of,
)

_LABEL = re.compile(
    r"(?:Definici[oó]n|Teorema|Proposici[oó]n|Lema|Corolario|Propiedad|Ejemplo|Ejercicio|Nota"
    r"|Observaci[oó]n|Demostraci[oó]n|Axioma|Algoritmo|Definition|Theorem|Proposition|Lemma"
    r"|Corollary|Example|Remark|Proof)(?: \d+(?:\.\d+)*)?(?: ?\([^()\n]{2,120}\))?(?:[.:]|\Z)",
    re.IGNORECASE,
)
_RUN_IN = re.compile(r"[^.:–—]{2,90}?(?:[:.](?=\s|\Z)|\s[–—]\s)")
"""What stands in bold at the beginning of a paragraph: what it is about."""
_BOXED = re.compile(r"[❒❑□]\s[^–—]{2,90}\s[–—]\s")
_NUMBERED = re.compile(
    r"(\d{1,2}(?:\.\d{1,2}){0,3})\.? ?(?:\d{1,2}(?:\.\d{1,2}){0,3}[.:)] )?(?=[A-ZÁÉÍÓÚÑ¿\\])"
)
"""Its number, and the one that its writer gave it, too: "1.4 2.4. Diodos"."""
_LETTERED = re.compile(r"\(?(?:[A-Z]|[IVX]{2,5})[.)] ?(?=[A-ZÁÉÍÓÚÑ¿])")
_COUNTED = re.compile(r"\(?\d{1,2}[.)] ?(?=[A-ZÁÉÍÓÚÑ¿])")
_LONGEST_HEADING = 120
_LARGE = 1.1
"""A heading's type is so many times the body's."""
_DECIMAL = re.compile(r"\d+\.\d+ ")
_STEP = re.compile(r"(?:Paso|Etapa|Caso|Parte|Step|Case) [^\s:.]{1,12}[:.]", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_OF_TABLE = re.compile("Tabla|Cuadro|Table", re.IGNORECASE)
_SINGLE = (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.CAPTION)
_IN_FORMULA = re.compile("[=∑∏∫]")
_WRITTEN = re.compile("[Α-Ωα-ω²³⁰¹⁴-ₜ√∑∏∫∂∮·×÷≈≤≥]")
"""Signs that formulas have, and hardly a line of code."""
_CODED = re.compile(r"[;{}\[\]\"'#$|<>:]|[=!+*/-]=|//|\*\*|<-|[a-z]{3,}\(|[a-z]_[a-z]{3}")
_TEXT = 20
"""Words of what is no title, and names nobody."""
_SCRAP = 28
"""A line of at most so many characters can be a word in a drawing."""


@dataclass(slots=True)
class Draft:
    """A block before it has its place; `lead` is an offset in the block before, if it has one:
    where what opens this one begins, or the table of which this is the caption.
    """

    kind: BlockKind
    units: list[Unit]
    level: int = 0
    lead: int | None = None

    @property
    def text(self) -> str:
        """Its units, a line each."""
        return "\n".join(unit.text for unit in self.units)


def blocks_of(units: Sequence[Unit]) -> list[Draft]:
    """The blocks that units make, in order."""
    units = _with_rows(units)
    body = body_size(unit.style for unit in units)
    kinds = _without_bylines(units, [_kind(unit, body) for unit in units])
    drafts = _grouped(units, _with_figures(units, kinds, body))
    for draft in drafts:
        if draft.kind is BlockKind.CODE and _is_lone_formula(draft.text):
            draft.kind = BlockKind.FORMULA
    _set_levels(drafts)
    for before, draft in pairwise(drafts):
        draft.lead = _lead(before, draft.kind)
    for place in range(1, len(drafts)):
        if _captions_above(drafts, place):
            drafts[place].lead = 0
    for draft in drafts:
        _finish(draft)
    return drafts


def _finish(draft: Draft) -> None:
    """Rows get their separators; other tabs are spaces."""
    for unit in draft.units:
        if draft.kind is BlockKind.TABLE:
            made = row_of(unit.text.split("\t"))
        else:
            made = unit.text.replace("\t", " ")
            made = made if draft.kind is BlockKind.CODE else made.strip()
        unit.starts = [(page, min(start, len(made))) for page, start in unit.starts]
        unit.text = made
    if draft.kind is BlockKind.CODE:
        indent = min(len(u.text) - len(u.text.lstrip()) for u in draft.units)
        for unit in draft.units:
            unit.text = unit.text[indent:]
        draft.units[0].text = draft.units[0].text.lstrip()


# --- What a unit is ----------------------------------------------------------------------------


def _kind(unit: Unit, body: float) -> BlockKind:
    text, style = unit.text, unit.style
    if style.kind is BlockKind.TABLE and CAPTION.match(text.strip()) and "\t" not in text.strip():
        return BlockKind.CAPTION  # above a table, taken for its first row
    is_code = style.mono or (not style.size and CODE.match(text))
    tests = (
        (BlockKind.CODE, is_code),
        (BlockKind.CAPTION, CAPTION.match(text)),
        (BlockKind.DEFINITION, _is_definition(text, style)),
        (BlockKind.HEADING, _is_heading(unit, body)),
        (BlockKind.LIST, ITEM.match(text) and not _DECIMAL.match(text)),
        (BlockKind.FORMULA, is_formula(text)),
    )
    found = next((kind for kind, fits in tests if fits), BlockKind.PARAGRAPH)
    return style.kind or found


def _is_definition(text: str, style: PageLine) -> bool:
    if _LABEL.match(text) and (style.label or style.bold or not style.size):
        return True
    run_in = style.label and _RUN_IN.match(text) and not ITEM.match(text)
    return bool(run_in or _BOXED.match(text))


def _is_heading(unit: Unit, body: float) -> bool:
    text, style = unit.text, unit.style
    numbered = _NUMBERED.match(text) is not None
    worded = _LETTERS.search(text) or (numbered and style.bold)
    equates = not (numbered or style.bold) and " = " in IN_BRACKETS.sub("", text)
    no_title = equates or is_formula(text) or "\t" in text or not worded
    if no_title or len(text) > _LONGEST_HEADING:
        return False
    if not style.parted and (text[0] == "(" or text[0].islower()):
        return False
    if not style.size:
        return numbered and style.parted and not text.endswith((".", ",", ";", ":"))
    large = style.bold and style.parted and style.size >= _LARGE * body
    if text.endswith((",", ";")) or (not (numbered or large) and text.endswith(".")):
        return False
    if not numbered and ITEM.match(text):
        counted = large and _COUNTED.match(text) is not None
        return counted or (style.bold and _LETTERED.match(text) is not None)
    return style.bold or style.size >= _LARGE * body


def _is_lone_formula(text: str) -> bool:
    """Whether a line in a font of one width is a formula: "F = K·q₁·q₂ / r²"."""
    written = " = " in text and "\n" not in text and _WRITTEN.search(text)
    return bool(written) and not _CODED.search(text) and not CODE.match(text.strip())


def _without_bylines(units: Sequence[Unit], kinds: list[BlockKind]) -> list[BlockKind]:
    """Under the title, and above any text, stand names and a date, larger than the text and no
    headings.
    """
    first = [place for place, unit in enumerate(units) if unit.page == 0]
    largest = max((units[place].style.size for place in first), default=0.0)
    for place in first:
        text, style = units[place].text, units[place].style
        if style.size >= 0.95 * largest:
            continue
        if len(text.split()) >= _TEXT:
            break
        if kinds[place] is BlockKind.HEADING and not (style.bold or _NUMBERED.match(text)):
            kinds[place] = BlockKind.PARAGRAPH
    return kinds


def _with_rows(units: Sequence[Unit]) -> list[Unit]:
    """Neighbouring lines with the same number of cells are the rows of a table without rules."""
    made = list(units)
    start = 0
    while start < len(made):
        cells = made[start].text.count("\t")
        stop = start + 1
        while stop < len(made) and cells and made[stop].text.count("\t") == cells:
            if _is_another_table(made[stop - 1], made[stop]):
                break
            stop += 1
        rows = made[start:stop]
        if len(rows) > 1 and _are_rows([row.text for row in rows]):
            for row in rows:
                parted = row is rows[0]
                row.style = replace(row.style, kind=BlockKind.TABLE, parted=parted)
        start = stop
    return made


def _is_another_table(above: Unit, below: Unit) -> bool:
    """Whether a table with rules begins behind one on the same page, and does not go on in the next
    column, as wide as before.
    """
    one, other = above.style, below.style
    ruled = one.kind is other.kind is BlockKind.TABLE
    begins = ruled and other.parted and above.page == below.page
    goes_on = abs(one.left - other.left) > 1 > abs(one.right - one.left - other.right + other.left)
    return begins and not goes_on


def _are_rows(texts: Sequence[str]) -> bool:
    worded = _LETTERS.search(texts[0]) and not is_formula(texts[0])
    return bool(worded) and not any(map(ITEM.match, texts))


def _with_figures(units: Sequence[Unit], kinds: list[BlockKind], body: float) -> list[BlockKind]:
    """Three and more scraps in a row are the words in a drawing."""
    open_kinds = (BlockKind.PARAGRAPH, BlockKind.FORMULA, BlockKind.HEADING)
    start = 0
    while start < len(units):
        stop = start
        while stop < len(units) and kinds[stop] in open_kinds and _is_scrap(units[stop], body):
            stop += 1
        if stop - start >= 3:
            kinds[start:stop] = [BlockKind.FIGURE] * (stop - start)
        start = max(stop, start + 1)
    return kinds


def _is_scrap(unit: Unit, body: float) -> bool:
    text = unit.text
    if _NUMBERED.match(text) or unit.style.size > _LARGE * body > 0:
        return False
    # Without a layout, what a line end divided has to be read as what never was.
    one_line = unit.lines == 1 or not unit.style.size
    told = ends_sentence(text) or _IN_FORMULA.search(text)
    return len(text) <= _SCRAP and one_line and not told


# --- Which belong together ---------------------------------------------------------------------


def _grouped(units: Sequence[Unit], kinds: Sequence[BlockKind]) -> list[Draft]:
    drafts: list[Draft] = []
    edges = _page_edges(units)
    for place, (unit, kind) in enumerate(zip(units, kinds, strict=True)):
        following = kinds[place + 1] if place + 1 < len(kinds) else None
        last = drafts[-1] if drafts else None
        if last and _belongs(last, unit, kind, following, edges[last.units[0].page]):
            last.units.append(unit)
        else:
            drafts.append(Draft(kind, [unit]))
    return drafts


def _page_edges(units: Sequence[Unit]) -> dict[int, float]:
    """The left edge of the text of each page."""
    lefts: dict[int, Counter[float]] = {}
    for unit in units:
        lefts.setdefault(unit.page, Counter())[round(unit.edge)] += unit.lines
    return {page: counts.most_common(1)[0][0] for page, counts in lefts.items()}


def _belongs(
    last: Draft, unit: Unit, kind: BlockKind, following: BlockKind | None, edge: float
) -> bool:
    if last.kind is BlockKind.LIST:
        return kind is BlockKind.LIST or _is_inside_item(last, unit, kind, following)
    if last.kind is BlockKind.DEFINITION:
        goes_on = kind is BlockKind.PARAGRAPH and _continues_definition(last, unit)
        return kind is BlockKind.FORMULA or goes_on or _is_boxed(last, unit, kind, edge)
    if last.kind is not kind or kind in _SINGLE:
        return False
    if kind is BlockKind.CODE and unit.style.parted:
        return last.units[-1].text.lstrip().startswith("##") == unit.text.startswith("##")
    return kind is not BlockKind.TABLE or not unit.style.parted


def _is_inside_item(last: Draft, unit: Unit, kind: BlockKind, following: BlockKind | None) -> bool:
    """What is set in under an item, as long as it is a formula or a paragraph."""
    if kind not in (BlockKind.FORMULA, BlockKind.PARAGRAPH) or not unit.style.size:
        return False
    item = last.units[0].style
    inside = unit.style.left > item.left + 0.5 * item.size
    return inside and (following is BlockKind.LIST or unit.text[:1].islower())


def _is_boxed(last: Draft, unit: Unit, kind: BlockKind, edge: float) -> bool:
    """Whether a unit is set in as far as the statement before it: both are in one box."""
    first = last.units[0]
    box = min(each.edge for each in last.units if not is_formula(each.text) or each is first)
    inset = first.style.size > 0 and box > edge + 0.4 * first.style.size
    within = inset and unit.edge > box - 1 and unit.page == first.page
    if kind is BlockKind.DEFINITION:
        return within and _STEP.match(unit.text) is not None
    return within and kind in (BlockKind.PARAGRAPH, BlockKind.LIST)


def _continues_definition(last: Draft, unit: Unit) -> bool:
    """After a formula the sentence goes on: "donde …"."""
    return len(last.units) > 1 and unit.text[:1].islower() and not ends_sentence(last.text)


def _lead(before: Draft, kind: BlockKind) -> int | None:
    """Where, in the block before, the sentence begins that opens a block of this kind."""
    opened = (BlockKind.LIST, BlockKind.TABLE, BlockKind.FORMULA, BlockKind.CODE)
    if kind not in opened or before.kind in (*opened, BlockKind.HEADING, BlockKind.FIGURE):
        return None
    text = before.text
    if before.kind is BlockKind.CAPTION:
        return 0
    if text.endswith((".", "!", "?")):
        return None
    ends = [match.end() for match in re.finditer(r"[.!?…] (?=[A-ZÁÉÍÓÚÑ¿¡(])", text)]
    return ends[-1] if ends else 0


def _captions_above(drafts: Sequence[Draft], place: int) -> bool:
    """Whether a draft is the caption of the table above it: that has no other, nor is one below."""
    table, caption = drafts[place - 1 : place + 1]
    around = (*drafts[max(0, place - 2) : place - 1], *drafts[place + 1 : place + 2])
    return (
        caption.kind is BlockKind.CAPTION
        and _OF_TABLE.match(caption.text) is not None
        and table.kind is BlockKind.TABLE
        and all(one.kind not in (BlockKind.CAPTION, BlockKind.TABLE) for one in around)
    )


# --- Levels of headings ------------------------------------------------------------------------


def _set_levels(drafts: Sequence[Draft]) -> None:
    """The depth of its number; without one, that of numbered headings set alike, or its rank."""
    headings = [draft for draft in drafts if draft.kind is BlockKind.HEADING]
    numbered: dict[tuple[float, bool], int] = {}
    for draft in headings:
        number = _NUMBERED.match(draft.text)
        if number:
            draft.level = number[1].count(".") + 1
            numbered.setdefault(_look(draft), draft.level)
    looks = sorted({_look(draft) for draft in headings}, reverse=True)
    for draft in headings:
        if not draft.level:
            draft.level = numbered.get(_look(draft), 1 + looks.index(_look(draft)))


def _look(draft: Draft) -> tuple[float, bool]:
    style = draft.units[0].style
    return round(2 * style.size) / 2, style.bold
