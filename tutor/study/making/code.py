"""Cards of listings: a function of Python with a line left out."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from tutor.map.lesson import LessonPart
from tutor.model import BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import shuffled
from tutor.study.making.material import BLANK, CardMaterial

_FEWEST_LINES, _MOST_LINES = 4, 32
_COMMENT = re.compile(r"\s+#.*\Z")
_MOST = 2
"""Cards of a function."""


def code_cards(material: CardMaterial) -> Iterator[Card]:
    """The cards of the functions that a document lists."""
    for part in material.parts:
        for block in part.blocks:
            if block.kind is BlockKind.CODE:
                listing = material.slice(block.start, block.end)
                for function in _functions(listing):
                    place = block.start, block.end
                    yield from _of_function(material, part, (listing, function), place)


def _functions(listing: str) -> Iterator[ast.FunctionDef]:
    """The functions of a listing that is Python and whole; none of any other."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what the listing might have written better
            tree = ast.parse(listing)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node


def _of_function(
    material: CardMaterial,
    part: LessonPart,
    listed: tuple[str, ast.FunctionDef],
    place: tuple[int, int],
) -> Iterator[Card]:
    listing, function = listed
    lines = listing.split("\n")[function.lineno - 1 : function.end_lineno]
    if not _FEWEST_LINES <= len(lines) <= _MOST_LINES:
        return
    asked = [
        node.lineno - function.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Return | ast.Expr)
        and _is_asked(node, function.lineno)
    ]
    for index in shuffled(function.name, asked)[:_MOST]:
        line = lines[index]
        answer = _COMMENT.sub("", line).strip()
        indent = line[: len(line) - len(line.lstrip())]
        code = "\n".join((*lines[:index], f"{indent}{BLANK}", *lines[index + 1 :]))
        question = material.frames.code.format(term=function.name, said=code, blank=BLANK)
        yield material.card(CardKind.CODE, question, answer, place, (part.topic, function.name))


def _is_asked(node: ast.Assign | ast.AugAssign | ast.Return | ast.Expr, first: int) -> bool:
    """Whether a statement of one line computes something."""
    computes = node.value is not None and any(
        isinstance(inner, ast.Call | ast.BinOp | ast.Subscript | ast.Compare)
        for inner in ast.walk(node.value)
    )
    return computes and first < node.lineno == node.end_lineno
