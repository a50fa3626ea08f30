"""What was typed where there is a choice; and what was typed by one who does not know."""

from __future__ import annotations

import re
import unicodedata
from string import ascii_lowercase

from tutor.search.filters import LONGEST_QUESTION
from tutor.study.card import Card, CardKind
from tutor.text.folding import folded
from tutor.text.numerals import ONE_TO_TWELVE, ORDINALS
from tutor.text.terms import content_words

PAIR = re.compile(r"(\d{1,2})\s*[-:=→>.)]*\s*([a-z])\b")
_MANY = 3
"""Digits of a number that no choice has."""
_SIDES = (
    frozenset("v verdad verdadero verdadera cierto cierta correcto si t true yes right".split()),
    frozenset("f falso falsa incorrecto no mentira false wrong".split()),
)
"""What stands for a statement that is true, and for one that is not, besides the choices."""
_NUMBERED = re.compile(
    r"\W*(?:(?:la|el|es|the|opcion|respuesta|numero|letra|option|answer|number|letter)"
    r"(?:\s*:\s*|\s+))*"
    r"\(?(\w+)(?:\s*[).:]\s*(.*)|(?:\s+(?:es|is)(?:\s+(?:la|el|the))?(?:\s+(?:opcion|respuesta))?"
    r"\s+(?:correct[ao]?|buena|right)(?:\s+(?:one|answer|option))?)?\W*)"
)
"""A number, a letter or one of them in words, with what may stand around it."""
_WORD = re.compile(r"\w+")
_GIVES_UP = re.compile(
    r"(?:(?:yo |pues )?no (?:sé\b.*|se|(?:lo|la) s[eé]\b.*|(?:lo |la )?(?:recuerdo|me acuerdo)\b.*"
    r"|tengo (?:ni )?idea|sabr[ií]a\b.*|me suena)"
    r"|(?:lo|la|se me) (?:he |ha )?olvid(?:ado|[eéoó])"
    r"|ni idea|no idea|idk|nos[eé]|i (?:don ?t|do not) (?:know|remember)"
    r"|paso|pass|nada|nothing|x+)?"
)
"""In words with their accents: "no se actualiza" says something."""


def gives_up(typed: str) -> bool:
    """Whether nothing was typed, or that one does not know."""
    said = unicodedata.normalize("NFC", typed[:LONGEST_QUESTION]).casefold()
    return _GIVES_UP.fullmatch(" ".join(_WORD.findall(said))) is not None


def is_side(typed: str) -> bool:
    """Whether what was typed says only that something is true, or is not."""
    return any(folded(typed).strip(" .!¡") in words for words in _SIDES)


def letters_of(card: Card) -> list[str]:
    """The letters that may be typed for the numbers of a card's choices; pairs have their own."""
    return [] if card.kind is CardKind.MATCH else [*ascii_lowercase[: len(card.choices)]]


def choices_typed(typed: str, card: Card) -> list[str]:
    """The choices that what was typed may stand for: a number or its letter, also in words; how
    one begins; words that one alone has.
    """
    typed = typed.strip()[:LONGEST_QUESTION]
    if typed.isdecimal() and len(typed) < _MANY and 1 <= int(typed) <= len(card.choices):
        return [card.choices[int(typed) - 1]]
    start = folded(typed)
    exact = [choice for choice in card.choices if start and folded(choice) == start]
    if exact:
        return exact[:1]
    if (place := _place(start, card)) is not None:
        return [card.choices[place]]
    begun = [choice for choice in card.choices if start and folded(choice).startswith(start)]
    if begun or not (words := content_words(typed)):
        return begun
    return [choice for choice in card.choices if words <= content_words(choice)]


def _place(typed: str, card: Card) -> int | None:
    """The place of the choice that a folded text names; None where it names none."""
    letters = letters_of(card)
    if typed in letters:
        return letters.index(typed)
    if card.kind is CardKind.TRUE_FALSE:
        for place, words in enumerate(_SIDES):
            if typed.strip(" .!¡") in words:
                return place
    if not (match := _NUMBERED.fullmatch(typed)):
        return None
    name, said = match.groups()
    if name in letters:
        place = letters.index(name)
    else:
        digits = str(ONE_TO_TWELVE.get(name, "")) or ORDINALS.get(name.replace("ero", "er"), name)
        place = int(digits) - 1 if digits.isdecimal() and len(digits) < _MANY else -1
    if not 0 <= place < len(card.choices):
        return None
    fits = not said or folded(card.choices[place]).startswith(said)
    return place if fits else None


def is_unfit(typed: str, card: Card) -> bool:
    """Whether what was typed is none of the choices, or none alone, and says something else than
    that one does not know.
    """
    if not card.choices or gives_up(typed):
        return False
    if card.kind is CardKind.MATCH:
        return not PAIR.search(typed.lower())
    return len(choices_typed(typed, card)) != 1
