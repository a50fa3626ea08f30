"""A typed answer compared with a card's: leniently, and with what was missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isclose

from tutor.study.card import IN_OWN_WORDS, Card, CardKind, is_said
from tutor.study.choices import PAIR, choices_typed, gives_up, is_side, letters_of
from tutor.study.formulas import same_formula
from tutor.text.folding import folded
from tutor.text.language import Language, stemmer
from tutor.text.words import STOP_WORDS, is_general, sound

_LONGEST = 2000
"""Characters of a typed answer that are read."""
_PARTLY = 0.5
"""Share of an answer's words from which on a typed one is partly right."""
_FEW = 4
"""An answer of so few words is a name: what else is typed with it must be little."""
_ENOUGH = 3
"""Words of an answer without its parentheses for which these may be left out."""
_SAYS_SOMETHING = 3
"""Letters without which nothing is said in words of one's own."""
_MISSPELT = 7
"""Letters of a word from which on there may be a slip in it. Of 659 such words in the answers
of the sample course's cards three pairs are alike so, none two terms: "secuencia", "secuencial".
"""
_ROUNDED = 0.02
"""Share of a number that rounding may change: 3.1 is 3.14, 0.9 is not 0.94."""
_NUMBER = re.compile(r"[-−+]?\d+(?:[.,]\d+)?")
_TOKEN = re.compile(r"[-−+]?\d+(?:[.,]\d+)?|[^\W\d_]\*(?!\w)|\w+")
_SEPARATORS = re.compile(r"[;\n]|,(?!\d)")
_AND = re.compile(r"\s+(?:y|e|and)\s+")
_NUMBERING = re.compile(r"^\s*(?:[-•*]|\d{1,2}[.)])\s+")
_ASIDE = re.compile(r":|[,;(](?!\d)")
_PARENTHESES = re.compile(r"\s*\(([^()]*)\)")
_OPERATOR = re.compile(r"[-+*/%@<>=!&|^~]+")
_RELATION = re.compile(r"[=≈∝≤≥/]")
_NEGATIONS = frozenset("no ni nunca jamas sin tampoco not never without nor neither".split())


class TypedVerdict(StrEnum):
    """How much of the answer was typed."""

    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"
    OPEN = "open"
    """Said in words of one's own: whether they mean the same cannot be told by comparing."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The verdict on a typed answer; `missing` are the words, items or pairs that it lacks."""

    verdict: TypedVerdict
    missing: tuple[str, ...] = ()


def compare(typed: str, card: Card) -> Compared:
    """Compare what was typed with a card's answer.

    Accents, case, articles, endings of words and a slip in a long word do not matter, nor how far
    a number is rounded; items of a list may come in any order unless it has one; formulas may be
    written otherwise. What is said in one's own words is wrong only where it says nothing.
    """
    typed = typed.strip()[:_LONGEST]
    if card.kind is CardKind.MATCH and card.items and card.choices:
        return _of_pairs(typed, card)
    if card.choices:
        return _of_choice(typed, card)
    if card.items:
        return _of_items(typed, card)
    compared = max(
        (_of_text(typed, answer, card) for answer in (*_spellings(card), *card.also)),
        key=lambda compared: (_RANK[compared.verdict], -len(compared.missing)),
    )
    return (
        compared if compared.verdict is TypedVerdict.RIGHT else _in_own_words(typed, card, compared)
    )


def _in_own_words(typed: str, card: Card, compared: Compared) -> Compared:
    """The verdict on what is not right by its words, but may say the same in others."""
    if _is_untold(typed, card):
        return Compared(TypedVerdict.OPEN)
    if not is_said(card):
        return compared
    if typed and (gives_up(typed) or is_side(typed) or len(typed) < _SAYS_SOMETHING):
        return Compared(TypedVerdict.WRONG, compared.missing)
    return compared if compared.verdict is TypedVerdict.PARTLY else Compared(TypedVerdict.OPEN)


def _plain(text: str) -> str:
    return folded(" ".join(text.split())).strip(" .")


def _wanted(answer: str, card: Card, language: Language) -> dict[str, str]:
    """The words that an answer has to have: of one in one's own words none of the question, nor of
    one or two letters, nor in parentheses if others are left.
    """
    whole = _words(answer, language)
    if not (is_said(card) or card.kind is CardKind.LIST):
        return whole
    asked = _words(card.question, language) if card.kind in IN_OWN_WORDS else {}
    for text in (_PARENTHESES.sub("", answer), answer):
        found = {
            key: shown
            for key, shown in _words(text, language).items()
            if key not in asked
            and (len(shown) > 2 or shown.isupper() or not shown.isalpha() or key in _NEGATIONS)
        }
        if len(found) >= _ENOUGH:
            return found
    return found or whole


def _is_untold(typed: str, card: Card) -> bool:
    """Whether both are formulas, and whether they are the same one cannot be computed."""
    formulas = _RELATION.search(card.answer) and _RELATION.search(typed)
    return (
        bool(formulas)
        and card.kind is not CardKind.CODE
        and same_formula(typed, card.answer) is None
    )


_RANK = {TypedVerdict.WRONG: 0, TypedVerdict.PARTLY: 1, TypedVerdict.RIGHT: 2}


def matches(card: Card) -> dict[int, str]:
    """Which choice's letter belongs to which item's number, for a card of pairs."""
    letters = {choice: chr(ord("a") + place) for place, choice in enumerate(card.choices)}
    found: dict[int, str] = {}
    for number, item in enumerate(card.items, 1):
        for line in card.answer.split("\n"):
            if line.startswith(f"{item} → "):
                found[number] = letters.get(line.removeprefix(f"{item} → "), "")
    return found


def _of_pairs(typed: str, card: Card) -> Compared:
    wanted = matches(card)
    given = {int(number): letter for number, letter in PAIR.findall(typed.lower())}
    missing = [
        f"{number}{letter}" for number, letter in wanted.items() if given.get(number) != letter
    ]
    return _judged(missing, len(wanted))


def may_be_answer(letter: str, card: Card) -> bool:
    """Whether a letter that does something else may as well be meant as the card's answer."""
    answers = (*_spellings(card), *card.also)
    return folded(letter) in {*map(folded, answers), *letters_of(card)}


def _of_choice(typed: str, card: Card) -> Compared:
    right = choices_typed(typed, card) == [card.answer]
    return Compared(TypedVerdict.RIGHT) if right else Compared(TypedVerdict.WRONG, (card.answer,))


def _of_items(typed: str, card: Card) -> Compared:
    given = [
        part
        for piece in _SEPARATORS.split(typed)
        for some in dict.fromkeys((piece, *_AND.split(piece)))
        if (part := _NUMBERING.sub("", some).strip(" .:"))
    ]
    places = [_place(item, given, card) for item in card.items]
    missing = [item for item, place in zip(card.items, places, strict=True) if place is None]
    if not missing and card.ordered and places != sorted(places, key=lambda place: place or 0):
        return Compared(TypedVerdict.PARTLY, tuple(card.items))
    return _judged(missing, len(card.items))


def _place(item: str, given: Sequence[str], card: Card) -> int | None:
    """Where an item was typed; of a long one its beginning will do, as in "Name: what it is"."""
    name = _ASIDE.split(item)[0]
    is_long = ":" in item or len(item.split()) > _FEW
    for place, part in enumerate(given):
        for wanted in (item, name) if is_long else (item,):
            if _of_text(part, wanted, card).verdict is TypedVerdict.RIGHT:
                return place
    return None


def _spellings(card: Card) -> list[str]:
    """An answer; without its parentheses, and what stands in them: "red neuronal (RNA)"; of
    "Name: what it is" in a table the name.
    """
    answer = card.answer
    name, colon, _rest = answer.partition(": ")
    if colon and card.kind is CardKind.ROW:
        return [answer, name]
    inner = _PARENTHESES.findall(answer)
    outer = _PARENTHESES.sub("", answer).strip()
    if len(inner) == 1 and len(outer.split()) <= _FEW and not same_formula(answer, answer):
        return [answer, *(text for text in (outer, inner[0].strip()) if text)]
    return [answer]


def _of_text(typed: str, answer: str, card: Card) -> Compared:
    if card.kind is CardKind.CODE and _operators(typed) != _operators(answer):
        return Compared(TypedVerdict.WRONG, (answer,))
    if _plain(typed) == _plain(answer):
        return Compared(TypedVerdict.RIGHT)
    is_same = same_formula(typed, answer)
    if is_same:
        return Compared(TypedVerdict.RIGHT)
    language: Language = "en" if card.language == "en" else "es"
    wanted, given = _wanted(answer, card, language), _words(typed, language)
    pairs = {
        (key, one)
        for key, shown in wanted.items()
        for one, said in given.items()
        if _alike(key, one) or (card.kind is not CardKind.CODE and _misspelt(shown, said))
    }
    known, said_right = {key for key, _one in pairs}, {one for _key, one in pairs}
    missing = [shown for key, shown in wanted.items() if key not in known]
    extra = [one for one in given if one not in said_right]
    compared = _judged(missing, len(wanted))
    if is_same is False or not wanted:
        return Compared(TypedVerdict.WRONG, (answer,))
    if compared.verdict is TypedVerdict.RIGHT and (
        _NEGATIONS & set(extra) or (len(wanted) <= _FEW and len(extra) > len(wanted))
    ):
        return Compared(TypedVerdict.PARTLY, (answer,))
    return compared


def _operators(code: str) -> Counter[str]:
    """The operators of a line of code: `w -= x` is another one than `w += x`."""
    return Counter(_OPERATOR.findall(code))


def _judged(missing: Sequence[str], whole: int) -> Compared:
    if not missing:
        return Compared(TypedVerdict.RIGHT)
    partly = whole and 1 - len(missing) / whole >= _PARTLY
    return Compared(TypedVerdict.PARTLY if partly else TypedVerdict.WRONG, tuple(missing))


def _words(text: str, language: Language) -> dict[str, str]:
    """The words that matter by what they are compared by, each as it is written."""
    stem = stemmer(language)
    found: dict[str, str] = {}
    for shown in _TOKEN.findall(text):
        key = folded(shown)
        if key not in STOP_WORDS[language] or key in _NEGATIONS or len(key) == 1 == len(text):
            found.setdefault(key if _NUMBER.fullmatch(key) else stem.stemWord(key), shown)
    return found


def _misspelt(wanted: str, given: str) -> bool:
    """Whether two long words are heard alike, or one of the letters is missing, doubled, or has
    changed places with the next; not if both are words that everybody knows.
    """
    one, other = folded(wanted), folded(given)
    is_long = min(len(one), len(other)) >= _MISSPELT and (one + other).isalpha()
    slipped = len(one) != len(other) or sorted(one) == sorted(other)
    if not is_long or (is_general(one) and is_general(other)):
        return False
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - 20 ms, for misspelt words only

    alike = one[0] == other[0] and slipped and OSA.distance(one, other) <= 1
    return alike or sound(one) == sound(other)


def _alike(wanted: str, given: str) -> bool:
    """Whether two words are one, or two numbers are one rounded."""
    if wanted == given:
        return True
    if not (_NUMBER.fullmatch(wanted) and _NUMBER.fullmatch(given)):
        return False
    texts = [text.replace("−", "-").replace(",", ".") for text in (wanted, given)]
    a, b = map(float, texts)
    decimals, typed = (len(text.partition(".")[2]) for text in texts)
    # One decimal has to stay, and only what has two may be typed with more.
    nearly = min(decimals - 1, typed) >= 1 and isclose(a, b, rel_tol=_ROUNDED)
    return a == b or (nearly and abs(a - b) <= 0.5 * 10.0 ** -min(decimals, typed) + 1e-12)
