"""What the notes define: a term, and what they say of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tutor.map.lesson import TOLD, Item, Lesson, LessonPart, items_of
from tutor.map.wording import (
    capitalised,
    closed,
    is_readable,
    is_whole,
    key_words,
    stands_alone,
)
from tutor.model import Block, BlockKind
from tutor.text.folding import folded
from tutor.text.paragraphs import ITEM, joined_lines
from tutor.text.sentences import split_sentences

_NUMBERED = r"\s*(?:\d+(?:\.\d+)*)?\s*"
_FORMAL = re.compile(
    rf"(?:Definici[oó]n|Definition){_NUMBERED}\(([^()]{{3,80}})\)\s*[.:]?\s*", re.IGNORECASE
)
_LABEL = re.compile(r"(?:[❒❑□]\s)?([^\n.:;–—→?¿]{2,70}?)(?::|\s[–—]|\s?→)\s+(?=\S)")
_NO_LABEL = frozenset(
    "ejemplo nota observacion ejercicio caso paso demostracion solucion recuerda atencion entonces"
    " luego pasos causas remedios salida entrada teorema proposicion lema corolario propiedad tarea"
    " definicion algoritmo conclusion notacion objetivo ventaja ventajas desventaja desventajas"
    " lectura resumen fuente detalle example note remark exercise step proof solution case input"
    " output reading require ensure source summary anecdota curiosidad leyenda remedio".split()
)
"""First words of labels that name no term."""
_NO_TERM = frozenset(
    "importante consejo consejos clave claves ojo advertencia aviso cuidado motivacion modelo"
    " beware important warning tip tips key hint caution model motivation".split()
)
"""Words of labels that have no other: "Importante: …", but not "Clave primaria: …"."""
_SAYS = {
    language: re.compile(
        rf"(?:(?P<article>{articles})\s)?(?P<term>(?:[^,.;:()«»\"=]|\((?:o|or) [^()]*\)){{2,60}}?)"
        r"(?:\s\((?P<gloss>[^()=]{2,60})\))?(?:,[^,.;:]{3,60},)?"
        rf"\s(?P<verb>{verbs})\s(?P<said>(?:{begins})\s.+)",
        re.DOTALL,
    )
    for language, articles, verbs, begins in (
        (
            "es",
            "Una?|El|La|Los|Las|Un[oa]s",
            "es|son|se define como|consiste en|se denomina",
            r"una?|el|la|los|las|lo|aquel\w*|tod[oa]s?|cualquier|un[oa]s|cuando",
        ),
        (
            "en",
            "An?|The",
            "is|are|is defined as|consists of|refers to",
            "an?|the|any|all|when",
        ),
    )
}
_VAGUE = re.compile(
    r"\b(?:objetivo|idea|problema|resultado|razon|diferencia|ventajas?|desventajas?|clave|segund[oa]"
    r"|mejor|peor|unic[oa]|primer[oa]?|ultim[oa]|otr[oa]s?|solucion(?:es)?|consecuencia|mayor|menor"
    r"|no|ya|si|se|que|pero|hay|cada|goal|aim|idea|problem|result|reason|difference|key|best|only"
    r"|first|second|last|other|solution|there|not|it|what|which)\b"
)
"""Words of a subject that is no term: what is said of it holds of this place alone."""
_CLAUSE = re.compile(
    r"(?:el|la|los|las|the|de|del|of|con|with|si|if|cuando|when|para|por|en|in|a|al|se|no|tambien"
    r"|tampoco|ademas|several|two|three|four|dos|tres|cuatro|vari[oa]s|algun[oa]s)\s"
    r"|.*\b(?:es|son|esta|estan|hay|is|are|can|has|have|tiene|tienen|puede|pueden|importan?)\b"
    r"|\w+[aei]r\s"
    r"|.*\b(?!(?:de|a|en|con|por|para|sin|sobre|y|o|e|entre|hacia|hasta|of|and|or|in|to|for)\b)"
    r"[^\W\d_]+ (?:el|la|los|las|un|una|the|cada|each)\b"
)
"""A label, folded, that is no noun: it begins as half a sentence, or has a verb and its object."""
_NEXT_LABEL = re.compile(r"(?<=[.;]) [A-ZÁÉÍÓÚÑ][^.:;]{2,40}: ")
_REMARK = re.compile(r"\n(?:Observaci[oó]n|Nota|Ejemplo|Remark|Note|Example)\b.*", re.DOTALL)
_GLOSS = re.compile(r"\s*\([^()]*\)")
_MOST_IN_LABEL = 5
_OPENED = re.compile(r"(?:siguientes?|following)\b[^.\n]*:\n|as follows")
"""What points to a formula that comes with it."""
_BEFORE = re.compile(r"\b(?:anterior(?:es)?|previous|above)\b", re.IGNORECASE)
_SHORTEST, _LONGEST = 20, 420
"""Characters of what is said of a term."""
_SHORTEST_LINE = 8
"""Characters of a line; shorter ones are parts of a formula that was drawn in several."""
_MOST_WORDS = 7
STATED = (*TOLD, BlockKind.LIST, BlockKind.FORMULA)
"""Blocks that say something in words and formulas."""


class Cue(StrEnum):
    """Why something is taken for a name; the first three are the forms of a definition."""

    FORMAL = "formal"
    """ "Definición (X). …" """
    SAYS = "says"
    """ "Un X es un …" """
    LABEL = "label"
    """ "X: …", at the head of a block or of the items of a list."""
    WHOLE_TITLE = "whole title"
    """The title of a section."""
    TITLE = "title"
    """A part of a title."""
    GLOSS = "gloss"
    """It has a translation or an acronym in parentheses, or stands in a glossary."""
    ROW = "row"
    """The head of a row, in a table of methods, models, measures …"""
    NAMED = "named"
    """A law, a method or the like that bears somebody's name: "teorema de Gauss-Markov"."""
    REPEATED = "repeated"
    """The course has it often, other texts do not."""
    PERSON = "person"
    """Somebody whose work is cited."""


_FEWEST_WORDS = {
    Cue.FORMAL: 1,
    Cue.SAYS: 3,
    Cue.LABEL: 4,
}
"""Words that carry meaning, of what is said, unless it is a formula."""


@dataclass(frozen=True, slots=True)
class Definition:
    """`said` of `term` at `text[start:end]`; `block` is where the block begins that holds it.

    `named` is the term as a question names it, with its article.
    """

    term: str
    said: str
    start: int
    end: int
    block: int
    topic: str
    form: Cue
    named: str = ""
    plural: bool = False


def definitions(lesson: Lesson) -> list[Definition]:
    """What a document defines, in order; a term once in each of its sections."""
    kept: dict[tuple[str, str], Definition] = {}
    for part in lesson.parts:
        for found in _of_part(lesson, part):
            kept.setdefault((part.topic, folded(found.term)), found)
    return list(kept.values())


def _of_part(lesson: Lesson, part: LessonPart) -> Iterator[Definition]:
    for place, block in enumerate(part.blocks):
        if block.kind is BlockKind.DEFINITION:
            yield from _of_statement(lesson, part, block, _end(part.blocks[place:]))
        elif block.kind is BlockKind.LIST:
            yield from _of_list(lesson, part, block)
        elif block.kind is BlockKind.PARAGRAPH:
            yield from _sentences(lesson, part, block)


def _end(blocks: tuple[Block, ...]) -> int:
    """Where a statement ends that goes on in the blocks after its own."""
    end = blocks[0].end
    for block in blocks[1:]:
        if block.kind not in STATED or block.kind is BlockKind.DEFINITION:
            break
        end = block.end
    return end


def _of_statement(lesson: Lesson, part: LessonPart, block: Block, end: int) -> Iterator[Definition]:
    text = lesson.slice(block.start, end)
    for pattern, form in ((_FORMAL, Cue.FORMAL), (_LABEL, Cue.LABEL)):
        label = pattern.match(text)
        if label is None:
            continue
        term = " ".join(label[1].split(",")[0].split())
        said = _said(text[label.end() :])
        if _fits(term, said, form):
            said = capitalised(said)
            yield Definition(term, said, block.start, end, block.start, part.topic, form)
        return


def _said(text: str) -> str:
    """What a label stands before: up to a remark, or to the next label of the same line."""
    said = joined_lines(_REMARK.sub("", text))
    following = _NEXT_LABEL.search(said)
    return said[: following.start()] if following else said


def _of_list(lesson: Lesson, part: LessonPart, block: Block) -> Iterator[Definition]:
    """The labels of a list, where its items have them; else what they say that something is."""
    items = list(items_of(lesson.text, block))
    labels = [_LABEL.match(item.text) for item in items]
    if sum(map(bool, labels)) < max(2, 0.6 * len(items)):
        for item in items:
            yield from _of_item(lesson, part, block, item)
        return
    for item, label in zip(items, labels, strict=True):
        if label is None:
            continue
        said = closed(item.text[label.end() :])
        term = label[1].strip()
        if _fits(term, said, Cue.LABEL):
            place = item.start, item.end, block.start
            yield Definition(term, capitalised(said), *place, part.topic, Cue.LABEL)


def _of_item(lesson: Lesson, part: LessonPart, block: Block, item: Item) -> Iterator[Definition]:
    """What the first sentence of an item says that something is: "• Un grafo es un conjunto …"."""
    if _SAYS[lesson.language].match(item.text) is None:  # split_sentences is dear
        return
    first, last = next(iter(split_sentences(item.text, lesson.language)))
    sentence = closed(item.text[first:last])
    found = _SAYS[lesson.language].match(sentence)
    named = found is not None and (found["article"] or found["gloss"])
    if found is not None and named and _is_subject(found, sentence, part.topic):
        place = item.start, item.end
        definition = of_sentence(found, place, block.start, part.topic)
        if _fits(found["term"], definition.said, Cue.SAYS):
            yield definition


def _sentences(lesson: Lesson, part: LessonPart, block: Block) -> Iterator[Definition]:
    body = lesson.slice(block.start, block.end)
    for first, last in split_sentences(body, lesson.language):
        sentence = joined_lines(body[first:last])
        found = _SAYS[lesson.language].match(sentence)
        if found is None or not _is_subject(found, sentence, part.topic):
            continue
        place = block.start + first, block.start + last
        definition = of_sentence(found, place, block.start, part.topic)
        if _fits(found["term"], definition.said, Cue.SAYS):
            yield definition


def of_sentence(found: re.Match[str], place: tuple[int, int], block: int, topic: str) -> Definition:
    """What a sentence says that something is: its article, term, verb, and what is said."""
    article, term = found["article"] or "", found["term"]
    return Definition(
        term[0].upper() + term[1:] if article else term,
        capitalised(found["said"]),
        *place,
        block,
        topic,
        Cue.SAYS,
        named=f"{article.lower()} {term}".strip(),
        plural=found["verb"] in ("son", "are"),
    )


def _is_subject(found: re.Match[str], sentence: str, topic: str) -> bool:
    """Whether what stands before the verb is a term rather than a thing of this place."""
    term, article = found["term"], found["article"]
    words = key_words(term)
    if _VAGUE.search(folded(term)) or not stands_alone(sentence):
        return False
    if article is None:
        return found["gloss"] is not None or (term.isupper() and len(words) == 1)
    if article in ("Un", "Una", "Unos", "Unas", "A", "An"):
        return True
    is_named = found["gloss"] is not None or set(words) <= set(key_words(topic))
    return bool(words) and is_named


def _is_label(text: str) -> bool:
    """Whether what stands before a colon is a short name."""
    named = _GLOSS.sub("", text)
    return len(named.split()) <= _MOST_IN_LABEL and not _CLAUSE.match(folded(text))


def _fits(term: str, said: str, form: Cue) -> bool:
    """Whether a term and what is said of it make a card."""
    words = key_words(term)
    if (
        not 1 <= len(words) <= _MOST_WORDS
        or words[0] in _NO_LABEL
        or _NO_TERM.issuperset(words)
        or ITEM.match(said)
        or len(term.split()) > _MOST_WORDS + 2
        or not term[0].isalpha()
    ):
        return False
    if sum(map(str.isalpha, term)) < 0.7 * len(term.replace(" ", "")):
        return False
    if form is Cue.LABEL and not _is_label(term):
        return False
    told = _OPENED.sub(" ", said)
    enough = "=" in said or len(key_words(said)) >= _FEWEST_WORDS[form]
    outside = _BEFORE.search(said) if form is Cue.FORMAL else not stands_alone(told)
    return (
        enough
        and not outside
        and _SHORTEST <= len(said) <= _LONGEST
        and not said.startswith("(")
        and not said.endswith("?")
        and is_whole(said)
        and all(len(line) >= _SHORTEST_LINE for line in said.split("\n"))
        and is_readable(f"{term} {said}")
    )
