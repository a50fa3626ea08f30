"""Whether what is quoted holds the detail that a question asks for: its number, a year, a name,
a price, a day, an hour.

The topic's passages are found as well where the notes lack the detail, and no likeness tells.
"""

from __future__ import annotations

import re

from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.names import names_somebody
from tutor.text.numerals import MONTHS
from tutor.text.terms import content_words_of_both, question_language
from tutor.text.words import STOP_WORDS_OF_BOTH

_NUMBERED = re.compile(r"(?<![\w.])([^\W\d_]{3,})[ -]?(\d{1,3})(?![\w.,]?\d)(?!\w)")
_WHO = re.compile(
    r"(?:\A|[¿,;:(] ?|\b(?:y|and|de|con|by) )(?:quien(?:es)?|who)\b"
    r"(?! (?:es|son|is|are|puede|debe)\b)"
)
"""Asks for a person: not "someone who", nor "quién es X", which any words on X may answer."""
_WHICH_YEAR = re.compile(r"\b(?:en|de|desde|a) (?:que|cual) ano\b|\b(?:what|which) year\b")
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?![.,]?\d)")
_ASKS_PRICE = re.compile(
    r"\bcuanto (?:cuesta|costo)n?(?! en\b| \w+[aei]r\b)|\bprecio de (?:un[ao]?|el|la|l[oa]s) "
    r"|\bhow much (?:do|does|did)\b.* cost\b"
)
"""Not what computing something costs: "cuánto cuesta ordenar"."""
_PRICE = re.compile(r"[$€£] ?\d|\d ?[$€£]|\b(?:dolar|euro|dollar|pound|usd|eur)")
_ASKS_DAY = re.compile(
    r"\bcuando (?:es|son|sera|hay|tenemos) (?:(?:el|la|los|las) )?(?:primer |segundo )?"
    r"(?:examen|parcial|final|prueba|quiz|entrega|clase|tutoria|vacaciones|recuperacion)"
    r"|\b(?:que|cual) (?:dia|fecha) (?:es|son|sera|hay|tenemos|se)\b"
    r"|\bwhen (?:is|are) the (?:exam|midterm|final|quiz|deadline|class|lecture|holiday)"
)
_DAY = re.compile(
    rf"\b(?:{'|'.join(MONTHS)}|lunes|martes|miercoles|jueves|viernes|sabado|domingo"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:semana|week) \d+|\d{1,2}[/-]\d{1,2})\b"
)
_ASKS_HOUR = re.compile(r"\b(?:a|hasta|desde) que hora\b|\bwhat time (?:is|are|does|do)\b")
_HOUR = re.compile(
    r"\b(?:\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|h)|medi(?:a ?noche|o ?dia)|midnight|noon)\b"
)
_LOOKS = ((_ASKS_PRICE, _PRICE), (_ASKS_DAY, _DAY), (_ASKS_HOUR, _HOUR))
_SENTENCE = re.compile(r"(?<=[.;])\s|\n")


def lacks_detail(question: str, told: str) -> bool:
    """Whether a question asks for a detail of which what is told has nothing of the kind."""
    asked = folded(question)
    return (
        _is_of_another(question, told)
        or bool(_WHO.search(asked) and not names_somebody(told, question))
        or bool(_WHICH_YEAR.search(asked) and not _years(told) - _years(question))
        or any(asks.search(asked) and not _told(looks, question, told) for asks, looks in _LOOKS)
    )


def _told(looks: re.Pattern[str], question: str, told: str) -> bool:
    """Whether a sentence that looks so has a word of the question, or is in another language."""
    foreign = detect_language(told) != question_language(question)
    words = content_words_of_both(question)
    return any(
        looks.search(folded(sentence))
        and (foreign or not words.isdisjoint(content_words_of_both(sentence)))
        for sentence in _SENTENCE.split(told)
    )


def _years(text: str) -> set[str]:
    """The years of four digits in a text."""
    return set(_YEAR.findall(text))


def _is_of_another(question: str, told: str) -> bool:
    """Whether a question names something by its number ("tarea 4"), and what is told only others.

    Nothing else in a passage on the first assignment says that it is not the fourth.
    """
    numbered = _numbered(told)
    names = {name for name, _number in numbered}
    return any(name in names for name, _number in _numbered(question) - numbered)


def _numbered(text: str) -> set[tuple[str, str]]:
    """Nouns with the numbers right behind them: "práctica 3", "GPT-4"."""
    found = _NUMBERED.findall(folded(text))
    return {(name.removesuffix("s"), n) for name, n in found if name not in STOP_WORDS_OF_BOTH}
