"""Blocks, headings, table rows and formulas against pages that were marked by hand.

    python -m scripts.block_quality FOLDER [MARKS...] [--list]

`FOLDER` holds the PDFs that `MARKS` name; the marks that come with the tests are the default. A
file of marks has for each page a line `@ PATH PAGE`, then a line for each block in reading order:
its kind (`H1` to `H4` heading, `P` paragraph, `D` definition, `L` list, `T` table, `C` code, `K`
caption, `F` formula, `X` drawing; `~` after it where the block began on an earlier page) and its
first words, of a heading all words, of a formula how it should read, with `^(…)` and `_(…)`.
`R` lines are a table's rows. `--list` prints what was missed.
"""

from __future__ import annotations

import argparse
import re
import sys
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cache
from itertools import groupby
from pathlib import Path

from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.model import Block, BlockKind, CleanText, source_id
from tutor.text.folding import letters, letters_with_offsets

MARKS = Path(__file__).resolve().parent.parent / "tests" / "data" / "blocks"
KINDS = {
    "H": BlockKind.HEADING,
    "P": BlockKind.PARAGRAPH,
    "D": BlockKind.DEFINITION,
    "L": BlockKind.LIST,
    "T": BlockKind.TABLE,
    "C": BlockKind.CODE,
    "K": BlockKind.CAPTION,
}
SLACK = 2
"""Letters by which a boundary may differ."""
READABLE = 0.85
"""Least likeness of a formula's symbols, scripts and brackets apart, for it to be readable."""


@dataclass(slots=True)
class Mark:
    kind: str
    text: str
    continued: bool = False
    rows: list[list[str]] = field(default_factory=list)


@dataclass(slots=True)
class MarkedPage:
    path: str
    number: int
    marks: list[Mark] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("marks", type=Path, nargs="*", default=sorted(MARKS.glob("*.txt")))
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    for path in options.marks:
        counts: Counter[str] = Counter()
        for page in read_marks(path):
            document = read(options.folder, page.path)
            for what in score(page, document, counts):
                if options.list:
                    print(f"{page.path} {page.number}: {what}")
        print(path.stem, row(counts), sep="\n")
    return 0


def read_marks(path: Path) -> list[MarkedPage]:
    pages: list[MarkedPage] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, text = line.partition(" ")
        if kind == "@":
            name, _, number = text.rpartition(" ")
            pages.append(MarkedPage(name, int(number)))
        elif kind == "R":
            pages[-1].marks[-1].rows.append([cell.strip() for cell in text.split(" | ")])
        elif kind:
            pages[-1].marks.append(Mark(kind[0], text, kind.endswith("~")))
    return pages


@cache
def read(folder: Path, name: str) -> CleanText:
    return clean(read_pdf(folder / name, source_id(name), ocr="off"))


# --- One page ----------------------------------------------------------------------------------


def score(page: MarkedPage, document: CleanText, counts: Counter[str]) -> Iterator[str]:
    """Add a page's counts; yields what is wrong."""
    start = document.page_starts[page.number - 1]
    end = [*document.page_starts[page.number :], len(document.text)][0]
    text = document.text[start:end]
    blocks = [block for block in document.blocks if start <= block.start < end]
    begun = _beginnings(text, [(block, block.start - start) for block in blocks])
    yield from _boundaries(page, letters(text), begun, counts)
    yield from _headings(page, document, blocks, counts)
    yield from _rows(page, text, counts)
    yield from _formulas(page, text, counts)


def _beginnings(text: str, blocks: Iterable[tuple[Block, int]]) -> dict[int, Block]:
    """The blocks by where they begin, counted in letters of the page."""
    _, offsets = letters_with_offsets(text)
    return {bisect_left(offsets, start): block for block, start in blocks}


def _place(mark: Mark, folded: str, position: int) -> int | None:
    """Where a mark begins, in letters; -1 where its words are not there, None if it has none."""
    words = letters("".join(mark.rows[0]) if mark.rows else mark.text)
    if mark.kind == "F":
        words = letters(re.sub(r"[_^]\(", "(", mark.text))[:12]
    if mark.kind == "X" or len(words) < 2:
        return None
    at = folded.find(words, position)
    return at if at >= 0 else folded.find(words)


def _boundaries(
    page: MarkedPage, folded: str, begun: dict[int, Block], counts: Counter[str]
) -> Iterator[str]:
    matched: set[int] = set()
    position = 0
    for mark in page.marks:
        at = _place(mark, folded, position)
        if at is None:
            continue
        near = min(begun, key=lambda x: abs(x - at), default=-99)
        hit = at >= 0 and abs(near - at) <= SLACK
        matched |= {near} if hit else set()
        if mark.kind != "F":
            position = max(position, at)
            yield from _judged(mark, begun[near] if hit else None, counts)
    skipped = (BlockKind.FORMULA, BlockKind.FIGURE)
    least = SLACK + 1 if page.marks[0].continued else 0
    made = [at for at, block in begun.items() if block.kind not in skipped and at >= least]
    counts["blocks"] += len(made)
    counts["blocks right"] += sum(at in matched for at in made)
    yield from (f"{begun[at].kind} begins at letter {at}" for at in made if at not in matched)


def _judged(mark: Mark, block: Block | None, counts: Counter[str]) -> Iterator[str]:
    if mark.continued:
        return
    counts["marks"] += 1
    if block is None:
        yield f"no block begins at {mark.kind} {mark.text[:50]}"
        return
    counts["marks found"] += 1
    counts["kinds right"] += block.kind is KINDS[mark.kind]
    if block.kind is not KINDS[mark.kind]:
        yield f"{block.kind} for {mark.kind} {mark.text[:50]}"


def _headings(
    page: MarkedPage, document: CleanText, blocks: Sequence[Block], counts: Counter[str]
) -> Iterator[str]:
    made = [
        letters(document.text[block.start : block.end])
        for block in blocks
        if block.kind is BlockKind.HEADING
    ]
    wanted = [letters(mark.text) for mark in page.marks if mark.kind == "H"]
    both = sum((Counter(made) & Counter(wanted)).values())
    counts["headings"] += len(wanted)
    counts["headings found"] += both
    counts["headings made"] += len(made)
    for heading in Counter(wanted) - Counter(made):
        yield f"heading missed: {heading[:60]}"
    for heading in Counter(made) - Counter(wanted):
        yield f"no heading: {heading[:60]}"


def _rows(page: MarkedPage, text: str, counts: Counter[str]) -> Iterator[str]:
    lines: dict[str, list[str]] = defaultdict(list)
    for line in text.split("\n"):
        lines[letters(line)].append(line)
    for mark in page.marks:
        for cells in mark.rows:
            found = lines.get(letters("".join(cells)), [])
            whole = [letters(cell) for cell in cells]
            split = [[letters(cell) for cell in re.split(r"(?<!\S)\|(?!\S)", f)] for f in found]
            counts["rows"] += 1
            counts["rows whole"] += bool(found)
            counts["cells right"] += any([c for c in s if c] == whole for s in split)
            if not found:
                yield f"row: {' | '.join(cells)}"


def _formulas(page: MarkedPage, text: str, counts: Counter[str]) -> Iterator[str]:
    lines = [canonical(line) for line in text.split("\n")]
    whole = "".join(lines)
    for mark in page.marks:
        if mark.kind != "F":
            continue
        wanted = canonical(mark.text)
        counts["formulas"] += 1
        if wanted in whole:
            counts["exact"] += 1
        elif (likeness := max(like(symbols(wanted), symbols(line)) for line in lines)) >= READABLE:
            counts["readable"] += 1
            yield f"readable {likeness:.2f}: {mark.text}"
        else:
            yield f"debris {likeness:.2f}: {mark.text}"


# --- Formulas ----------------------------------------------------------------------------------

_SAME = str.maketrans({"−": "-", "–": "-", "∗": "*", "′": "'", "⋯": "…", "⋅": "·", "⊤": "T"})


def canonical(text: str) -> str:
    """One spelling: `^(…)` and `_(…)` for raised and lowered letters, no spaces."""
    made = []
    for mark, run in groupby(unicodedata.normalize("NFC", text), _mark):
        chars = "".join(run)
        plain = unicodedata.normalize("NFKC", chars) if mark else chars
        made.append(f"{mark}({plain})" if mark else plain)
    joined = "".join("".join(made).translate(_SAME).split()).replace("...", "…")
    return re.sub(r"\^\((['*]+)\)", r"\1", joined)


def _mark(char: str) -> str:
    form = unicodedata.decomposition(char)
    return "^" if form.startswith("<super>") else "_" if form.startswith("<sub>") else ""


def symbols(text: str) -> str:
    """What the formula is made of, without scripts' marks and brackets."""
    return re.sub(r"[\^_(){}\[\]/|]", "", text)


def like(wanted: str, line: str) -> float:
    """How much of `wanted` stands in `line` in order, little else between, from 0 to 1."""
    matcher = SequenceMatcher(None, wanted, line, autojunk=False)
    same = [block for block in matcher.get_matching_blocks() if block.size]
    if not same:
        return 0.0
    span = same[-1].b + same[-1].size - same[0].b
    return 2 * sum(block.size for block in same) / (len(wanted) + span)


MEASURES = (
    ("boundaries, recall", "marks found", "marks"),
    ("boundaries, precision", "blocks right", "blocks"),
    ("kinds, of the boundaries found", "kinds right", "marks found"),
    ("headings, recall", "headings found", "headings"),
    ("headings, precision", "headings found", "headings made"),
    ("table rows on one line", "rows whole", "rows"),
    ("table rows with their cells", "cells right", "rows"),
    ("formulas, exact", "exact", "formulas"),
    ("formulas, readable", "readable", "formulas"),
)


def row(counts: Counter[str]) -> str:
    return "\n".join(
        f"  {name:32} {counts[part] / max(counts[whole], 1):.3f}  {counts[part]}/{counts[whole]}"
        for name, part, whole in MEASURES
    )


if __name__ == "__main__":
    sys.exit(main())
