"""Cards with a blank: a term that a sentence introduces, the formula it opens; or a line of a
function in Python.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from itertools import pairwise

from tutor.map.lesson import LessonPart
from tutor.map.parentheses import glossed_terms
from tutor.map.wording import is_readable, is_whole, key_words, names_subject
from tutor.model import BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import shuffled
from tutor.study.making.headings import named_topic, titles_over
from tutor.study.making.material import BLANK, CardMaterial
from tutor.text.paragraphs import joined_lines
from tutor.text.sentences import split_sentences
from tutor.text.terms import content_words

_NAMED = re.compile(r"[A-Z][A-Za-z0-9*-]*[A-Z0-9*][\w*-]*\s|(?:[A-Z][a-zé]+ ){2}")
"""A sentence may also begin with an acronym or a name."""
_RELATION = re.compile(r"[=≔≈≤≥∝]")
_LABEL = re.compile(r"\s\((?:[A-Z]+\.)*\d+(?:\.\d+)*\)\W*\Z")
"""The number of an equation."""
_SYMBOL = re.compile(r"[Α-ω\u0300-\u036f_∂∇∆=<>≤≥≈∑∫√→←∈^₀-₉⁰-⁹]")
"""What no line has that says by itself what a formula is of."""
_ALONE = re.compile(r"(?:(?:el|la|los|las|una?) )?\Z", re.IGNORECASE)
"""What stands before a blank that is the subject of its sentence."""
_FEWEST_LEFT = 6
"""Words with a meaning that a question has beside its blank."""

_FEWEST_LINES, _MOST_LINES = 4, 32
_COMMENT = re.compile(r"\s+#.*\Z")
_MOST_OF_FUNCTION = 2
"""Cards of a function."""


def cloze_cards(material: CardMaterial) -> Iterator[Card]:
    """The cards with a blank of a document."""
    for part in material.parts:
        for block in part.blocks:
            if block.kind is BlockKind.PARAGRAPH:
                for first, last in split_sentences(material.slice(block.start, block.end)):
                    place = block.start + first, block.start + last
                    yield from _of_sentence(material, part, place)
        yield from _formulas(material, part)


def _of_sentence(
    material: CardMaterial, part: LessonPart, place: tuple[int, int]
) -> Iterator[Card]:
    sentence = joined_lines(material.slice(*place))
    named = names_subject(sentence) or _NAMED.match(sentence)
    if not named or "\\" in sentence or not is_whole(sentence):  # of TeX
        return
    for start, end in _subjects(material, sentence):
        said = f"{sentence[:start]}{BLANK}{sentence[end:]}"
        answer = sentence[start:end]
        words, told = content_words(answer), content_words(said)
        if told.isdisjoint(words) and len(told) >= _FEWEST_LEFT:
            topic = named_topic(material, part.topic, place[0])
            titles = filter(None, (topic, *titles_over(material, place[0]), part.topic))
            above = next((title for title in titles if words.isdisjoint(content_words(title))), "")
            question = material.frames.cloze.format(said=said)
            yield material.card(CardKind.CLOZE, question, answer, place, (above, answer))


def _subjects(material: CardMaterial, sentence: str) -> Iterator[tuple[int, int]]:
    """Where a term with another name is what the sentence tells about.

    Elsewhere in a sentence a term is one of several that would do: "uses a ____". In English no
    rule tells where the subject ends.
    """
    if material.language == "es":
        for start, end in glossed_terms(material, sentence):
            if _ALONE.match(sentence[:start]):
                yield start, end


def _formulas(material: CardMaterial, part: LessonPart) -> Iterator[Card]:
    """The formulas of one line that a paragraph on the matter of its heading opens."""
    for before, block in pairwise(part.blocks):
        if block.kind is not BlockKind.FORMULA:
            continue
        lead = joined_lines(material.slice(block.lead, before.end))
        formula = _LABEL.sub("", material.slice(block.start, block.end)).strip(" .,;")
        is_whole_formula = "\n" not in formula and _RELATION.search(formula)
        opened = lead.endswith(":") and is_readable(f"{lead} {formula}")
        if is_whole_formula and opened and _is_about(lead, part.topic):
            question = material.frames.formula.format(said=f"{lead} {BLANK}")
            place, about = (block.lead, block.end), (part.topic, lead.rstrip(" :"))
            yield material.card(CardKind.CLOZE, question, formula, place, about)


def _is_about(lead: str, heading: str) -> bool:
    """Whether a line has the matter of its heading for its subject, and no symbols.

    "The original uses ...:" tells nothing without the sentence before it.
    """
    about = content_words(" ".join(key_words(lead)[:2]))
    return (
        names_subject(lead)
        and not _SYMBOL.search(lead)
        and not about.isdisjoint(content_words(heading))
    )


# --- code ---


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
    for index in shuffled(function.name, asked)[:_MOST_OF_FUNCTION]:
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
