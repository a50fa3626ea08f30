"""How a card asks, in the language of its document: contents of the cards, not of the interface."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tutor.text.language import Language

BLANK = "____"
"""What stands for the words that a card leaves out."""
_REWORDED = re.compile(
    r"(?P<before>\A|\A\[[^\]]*\] )(?P<word>"
    r"Completa(?=: | con la fórmula: | la lista de \d)|Relaciona(?= cada )|Explica(?= «))"
)
_FORMERLY = {"Completa": "Complete", "Relaciona": "Relacione", "Explica": "Explique"}


@dataclass(frozen=True, slots=True)
class Frames:
    """The questions of a language; `{}` fields are words of the notes."""

    what_is: str
    definition: str
    labelled: str
    theorem: str
    which_term: str
    cloze: str
    formula: str
    items: str
    points: str
    row: str
    key: str
    is_true: str
    row_says: str
    means: str
    match: str
    match_column: str
    match_columns: str
    code: str
    true: str
    false: str


FRAMES: dict[Language, Frames] = {
    "es": Frames(
        what_is="¿Qué {verb} {term}?",
        definition="¿Cómo se define «{term}»?",
        labelled="Explica «{term}».",
        theorem="¿Qué afirma «{term}»?",
        which_term="¿A qué término corresponde esta descripción? {said}",
        cloze="Completa: {said}",
        formula="Completa con la fórmula: {said}",
        items="Completa la lista de {n} puntos: {said}",
        points="¿Cuáles son los {n} puntos de «{term}»?",
        row="{key} ({label}) · {column}: {blank}",
        key="{cell}. ¿{label}?",
        is_true="¿Verdadero o falso? {said}",
        row_says="{key} ({label}) · {column}: {cell}.",
        means="«{term}»: {said}",
        match="Relaciona cada término con su descripción.",
        match_column="Relaciona cada término con su «{column}».",
        match_columns="Relaciona cada «{label}» con su «{column}».",
        code="Falta una línea ({blank}) en este código de «{term}». ¿Cuál?\n\n{said}",
        true="Verdadero",
        false="Falso",
    ),
    "en": Frames(
        what_is="What {verb} {term}?",
        definition="How is “{term}” defined?",
        labelled="Explain “{term}”.",
        theorem="What does “{term}” say?",
        which_term="Which term is described here? {said}",
        cloze="Complete: {said}",
        formula="Complete with the formula: {said}",
        items="Complete the list of {n} points: {said}",
        points="Which are the {n} points of “{term}”?",
        row="{key} ({label}) · {column}: {blank}",
        key="{cell}. {label}?",
        is_true="True or false? {said}",
        row_says="{key} ({label}) · {column}: {cell}.",
        means="“{term}”: {said}",
        match="Match each term with its description.",
        match_column="Match each term with its “{column}”.",
        match_columns="Match each “{label}” with its “{column}”.",
        code="A line ({blank}) is missing in this code of “{term}”. Which?\n\n{said}",
        true="True",
        false="False",
    ),
}


def formerly(question: str) -> str:
    """A question in the words that it was first asked in: those that a card is known by.

    So a card that is asked otherwise keeps its schedule here, and its note in Anki.
    """
    return _REWORDED.sub(lambda found: found["before"] + _FORMERLY[found["word"]], question, 1)
