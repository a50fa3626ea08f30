"""Whether what is quoted holds the detail that a question asks for: its number, a year, a name.

The topic's passages are found as well where the notes lack the detail, and no likeness tells.
"""

from __future__ import annotations

import re

from tutor.text.folding import folded
from tutor.text.names import names_somebody
from tutor.text.stopwords import STOP_WORDS_OF_BOTH

_NUMBERED = re.compile(r"(?<![\w.])([^\W\d_]{3,})[ -]?(\d{1,3})(?![\w.,]?\d)(?!\w)")
_WHO = re.compile(
    r"(?:\A|[¿,;:(] ?|\b(?:y|and|de|con|by) )(?:quien(?:es)?|who)\b"
    r"(?! (?:es|son|is|are|puede|debe)\b)"
)
"""Asks for a person: not "someone who", nor "quién es X", which any words on X may answer."""
_WHICH_YEAR = re.compile(r"\b(?:en|de|desde|a) (?:que|cual) ano\b|\b(?:what|which) year\b")
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?![.,]?\d)")


def lacks_detail(question: str, told: str) -> bool:
    """Whether a question asks for a detail of which what is told has nothing of the kind."""
    asked = folded(question)
    return (
        _is_of_another(question, told)
        or bool(_WHO.search(asked) and not names_somebody(told, question))
        or bool(_WHICH_YEAR.search(asked) and not _years(told) - _years(question))
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
