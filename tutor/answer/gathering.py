"""All that documents have of one kind, for who revises: "fórmulas de la semana 6", "definiciones de
la clase de árboles".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from tutor.answer.outline import DocumentOf, definition_in, latest, line_of, title_line
from tutor.answer.quoting import Quote
from tutor.i18n import catalog
from tutor.map.lesson import items_of
from tutor.model import Block, BlockKind, CleanText, Source
from tutor.search.filters import subject_words
from tutor.text.folding import folded
from tutor.text.paragraphs import CELL_SEPARATOR, is_formula, unnumbered
from tutor.text.sentences import split_sentences
from tutor.text.words import STOP_WORDS_OF_BOTH

MOST = 80
"""Of all documents; how many more there are is told."""
LONGEST = 300
"""Characters of what is told of one."""

Told: TypeAlias = Iterator[tuple[int, int, str]]
"""Start, end and words of each thing of a kind in a block."""
Kind: TypeAlias = Callable[[CleanText, Block, str], Told]
"""What a block has of a kind, given the heading above it."""

_EXERCISES = re.compile(r"[\W\d]*(?:ejercicios|problemas|exercises|problems)\b")
_VALUE = re.compile(r"\w+ [=≈] [\d.,]+")
"""The value of a curve, in a drawing."""
_FORMULA_HEAD = re.compile(r"formula|ecuacion|equation")


def kind_asked_for(question: str) -> Kind | None:
    """The kind that a question asks for, if it asks for nothing else."""
    kinds = {_KINDS.get(word) for word in subject_words(question)}
    return kinds.pop() if len(kinds) == 1 else None


def gathered(
    kind: Kind, sources: Collection[Source], document_of: DocumentOf, language: str
) -> list[Quote]:
    """What these documents have of a kind.

    Each quote's text is an item of a Markdown list: a document, a heading, or one of these things.
    """
    lines = list(_lines(kind, sources, document_of))
    if len(lines) > MOST:
        more = catalog(language).gettext("… and %(count)d more lines") % {
            "count": len(lines) - MOST
        }
        last = lines[MOST - 1]
        lines[MOST - 1 :] = [replace(last, text=f"{last.text}\n- {more}")]
    return lines


def _lines(kind: Kind, sources: Collection[Source], document_of: DocumentOf) -> Iterator[Quote]:
    for source in latest(sources):
        document = document_of(source.id)
        heading: Block | None = None
        title, titled, begun = "", False, False
        for block in document.blocks:
            if block.kind is BlockKind.HEADING:
                heading, titled = block, False
                title = " ".join(document.text[block.start : block.end].split())
            for start, end, text in kind(document, block, title):
                if not begun:
                    yield title_line(source, document)
                if heading and not titled:
                    span = (heading.start, heading.end)
                    yield line_of(source, document, span, f"**{unnumbered(title)}**", 1)
                begun = titled = True
                yield line_of(source, document, (start, end), text, 2)


def _definitions(document: CleanText, block: Block, _title: str) -> Told:
    """The first sentence of each, with the formula that it opens."""
    text = document.text[block.start : block.end]
    said, length = definition_in(text) if block.kind is BlockKind.DEFINITION else ("", 0)
    if said and not said.endswith("."):
        formula = text[length:].strip().partition("\n")[0]
        length = text.index(formula, length) + len(formula)
        said = f"{said} {formula}".strip(" ,;")
    if said:
        yield block.start, block.start + length, said


def _formulas(document: CleanText, block: Block, _title: str) -> Told:
    """What stands by itself, in a definition or a theorem, or in a column of formulas."""
    text = document.text[block.start : block.end]
    if block.kind is BlockKind.FORMULA and not (_VALUE.fullmatch(text) or _breaks_off(text)):
        yield block.start, block.end, _in_one_line(text).rstrip(",;")
    elif block.kind is BlockKind.DEFINITION and not _labelled("ejemplo|example", text):
        start = block.start
        for line in text.split("\n"):
            if start > block.start and is_formula(line):
                yield start, start + len(line), line.strip().rstrip(",;")
            start += len(line) + 1
    elif block.kind is BlockKind.TABLE:
        heads = text.partition("\n")[0].split(CELL_SEPARATOR)
        column = next((n for n, head in enumerate(heads) if _FORMULA_HEAD.match(folded(head))), 0)
        for row in document.rows(block) if column else ():
            cells = document.text[row.start : row.end].split(CELL_SEPARATOR)
            if column < len(cells) and cells[column]:
                yield row.start, row.end, f"{cells[0]}: {cells[column]}"


def _breaks_off(text: str) -> bool:
    """Whether a formula goes on in the text ("… > 1.5: es"), or in a drawing ("∗ =")."""
    last = folded(text).split()[-1:]
    in_words = any(len(word) > 1 and word in STOP_WORDS_OF_BOTH for word in last)
    return in_words or not last or not re.search(r"\w", last[0])


def _examples(document: CleanText, block: Block, _title: str) -> Told:
    return _statements("ejemplo|example", document, block)


def _theorems(document: CleanText, block: Block, _title: str) -> Told:
    laws = "teorema|proposicion|lema|corolario|propiedad|theorem|proposition|lemma|corollary"
    return _statements(laws, document, block)


def _statements(names: str, document: CleanText, block: Block) -> Told:
    """The first sentences of what is labelled so."""
    text = document.text[block.start : block.end]
    if block.kind is BlockKind.DEFINITION and _labelled(names, text):
        spans = [end for _start, end in split_sentences(text)]
        end = max((end for end in spans if end <= LONGEST), default=spans[0] if spans else 0)
        yield block.start, block.start + end, _in_one_line(text[:end])


def _tables(document: CleanText, block: Block, _title: str) -> Told:
    text = document.text[block.start : block.end]
    if block.kind is BlockKind.CAPTION and _labelled("tabla|cuadro|table", text):
        yield block.start, block.end, _in_one_line(text)


def _exercises(document: CleanText, block: Block, title: str) -> Told:
    if block.kind is BlockKind.LIST and _EXERCISES.match(folded(title)):
        for item in items_of(document, block):
            yield item.start, item.end, f"{item.mark} {item.text}".strip()


def _labelled(names: str, text: str) -> bool:
    return re.match(rf"(?:{names})\b", folded(text[:40])) is not None


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


_KINDS: Mapping[str, Kind] = {
    word: kind
    for kind, words in (
        (_definitions, "definiciones definitions"),
        (_formulas, "formulas formulario ecuaciones equations"),
        (_examples, "ejemplos examples"),
        (_theorems, "teoremas proposiciones theorems propositions"),
        (_tables, "tablas cuadros tables"),
        (_exercises, "ejercicios exercises"),
    )
    for word in words.split()
}
