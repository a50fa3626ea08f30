"""Cards with a blank: a term that a sentence introduces, its year, or the formula it opens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tutor.answer.quoting.words import content_words
from tutor.map.lesson import LessonPart
from tutor.map.parentheses import glossed_terms
from tutor.map.wording import (
    is_readable,
    is_whole,
    key_words,
    names_subject,
)
from tutor.model import BlockKind
from tutor.study.card import Card, CardKind
from tutor.study.making.frames import BLANK
from tutor.study.making.material import CardMaterial
from tutor.text.language import detect_language
from tutor.text.paragraphs import joined_lines
from tutor.text.sentences import split_sentences

_YEAR = re.compile(r"(?<=\ben )(?:1[5-9]|20)\d\d\b(?=[^\d%]|\Z)|(?<=\bin )(?:1[5-9]|20)\d\d\b")
_MATHS = re.compile(r"[=<>≤≥≈∑∫√→←∈^]|[₀-₉⁰-⁹]")
_NAMED = re.compile(r"[A-Z][A-Za-z0-9*-]*[A-Z0-9*][\w*-]*\s|(?:[A-Z][a-zé]+ ){2}")
"""A sentence may also begin with an acronym or a name."""
_REMARK = re.compile(r"(?:Nota|Observaci[oó]n|Remark|Note)\s*[.:]\s*", re.IGNORECASE)
_RELATION = re.compile(r"[=≔≈≤≥∝]")
_LABEL = re.compile(r"\s\((?:[A-Z]+\.)*\d+(?:\.\d+)*\)\W*\Z")
"""The number of an equation."""
_SYMBOL = re.compile(r"[Α-ω\u0300-\u036f_∂∇∆]|\([A-Z]+\.|" + _MATHS.pattern)
"""What no line has that says by itself what a formula is of."""
_MOST_RELATIONS = 3
"""What has more of them is a derivation."""
_LOOSE = re.compile(r"\d \d|^[=+*/)≔,]|[=+−*/(,]$|\( \)|[{}]\s*$|\s[.,]?\s\d\s|\w \. |[À-ÖØ-öø-ÿ¦]")
"""Traces of a formula of which parts stand elsewhere on the page, or whose signs were not told."""
_MARKUP = re.compile(r"[\n\\]")
_ARTICLE = re.compile(r"(?:el|la|los|las|una?|the|an?) ", re.IGNORECASE)
_ALONE = re.compile(rf"(?:{_ARTICLE.pattern})?\Z", re.IGNORECASE)
"""What stands before a blank that is the subject of its sentence ..."""
_PREDICATE = re.compile(
    r" (?!(?:a|al|con|contra|de|del|desde|e|en|entre|hacia|no|o|para|por|según|sin|sobre|u|y)\b)"
    r"[a-záéíóúñ]+ "
)
"""... and behind it: a word that may be a verb. What something does not do many things do not."""
_NAME = re.compile(r"(?<=[^.:] )[A-ZÁÉÍÓÚ]\w")
_FEWEST_WORDS = 5
_FEWEST_LEFT = 6
_SHORTEST, _LONGEST = 45, 260
_LONGEST_FORMULA = 110


def cloze_cards(material: CardMaterial) -> Iterator[Card]:
    """The cards with a blank of a document."""
    for part in material.parts:
        for block in part.blocks:
            if block.kind is BlockKind.FORMULA:
                continue
            body = material.slice(block.start, block.end)
            remark = _REMARK.match(body) if block.kind is BlockKind.DEFINITION else None
            if block.kind is BlockKind.PARAGRAPH or remark:
                start = block.start + (remark.end() if remark else 0)
                for first, last in split_sentences(material.slice(start, block.end)):
                    yield from _of_sentence(material, part, (start + first, start + last))
        yield from _formulas(material, part)


def _of_sentence(
    material: CardMaterial, part: LessonPart, place: tuple[int, int]
) -> Iterator[Card]:
    sentence = joined_lines(material.slice(*place))
    fits = (
        _SHORTEST <= len(sentence) <= _LONGEST
        and not _MARKUP.search(sentence)
        and (names_subject(sentence) or _NAMED.match(sentence))
        and is_whole(sentence)
        and is_readable(sentence)
        and len(key_words(sentence)) >= _FEWEST_WORDS
    )
    if not fits:
        return
    for start, end in (*_subjects(material, sentence), *_years(sentence)):
        said = f"{sentence[:start]}{BLANK}{sentence[end:]}"
        answer = sentence[start:end]
        told = content_words(said)
        if len(told) >= _FEWEST_LEFT and told.isdisjoint(content_words(answer)):
            question = material.frames.cloze.format(said=said)
            yield material.card(
                CardKind.CLOZE, question, answer, place, (_above(material, part, answer), answer)
            )


def _subjects(material: CardMaterial, sentence: str) -> Iterator[tuple[int, int]]:
    """Where a term with another name is what the sentence tells about.

    Elsewhere in a sentence a term is one of several that would do: "uses a ____". In English no
    rule tells where the subject ends.
    """
    if material.language != "es" or detect_language(sentence) != "es":
        return
    for start, end in glossed_terms(material, sentence):
        if _ALONE.match(sentence[:start]) and _PREDICATE.match(sentence[end:]):
            yield start, end


def _years(sentence: str) -> Iterator[tuple[int, int]]:
    """The years of a sentence that names somebody or something."""
    if not _MATHS.search(sentence) and _NAME.search(sentence):
        yield from (year.span() for year in _YEAR.finditer(sentence))


def _above(material: CardMaterial, part: LessonPart, answer: str) -> str:
    """What stands above the question: the topic or the title that has nothing of the answer."""
    told = content_words(answer)
    titles = (part.topic, material.source.title)
    return next((title for title in titles if told.isdisjoint(content_words(title))), "")


def _formulas(material: CardMaterial, part: LessonPart) -> Iterator[Card]:
    for before, block in pairwise(part.blocks):
        if block.kind is not BlockKind.FORMULA or before.kind is not BlockKind.PARAGRAPH:
            continue
        lead = joined_lines(material.slice(block.lead, before.end))
        formula = _LABEL.sub("", material.slice(block.start, block.end)).strip(" .,;")
        whole = (
            block.lead < block.start
            and lead.endswith(":")
            and _is_formula(formula)
            and _is_about(lead, part.topic)
            and len(key_words(lead)) >= _FEWEST_WORDS - 1
            and is_readable(f"{lead} {formula}")
        )
        if whole:
            said = f"{lead} {BLANK}"
            yield material.card(
                CardKind.CLOZE,
                material.frames.formula.format(said=said),
                formula,
                (block.lead, block.end),
                (part.topic, lead.rstrip(" :")),
            )


def _is_about(lead: str, heading: str) -> bool:
    """Whether a line has the matter of its heading for its subject, and no symbols.

    "The original uses ...:" tells nothing without the sentence before it.
    """
    about = content_words(" ".join(key_words(lead)[:2]))
    return (
        _ARTICLE.match(lead) is not None
        and names_subject(lead)
        and not _SYMBOL.search(lead)
        and not about.isdisjoint(content_words(heading))
    )


def _is_formula(text: str) -> bool:
    """Whether a formula is one line and has all its parts."""
    return (
        "\n" not in text
        and len(text) <= _LONGEST_FORMULA
        and 1 <= len(_RELATION.findall(text)) <= _MOST_RELATIONS
        and not _LOOSE.search(text)
    )
