"""The numbers of a sentence, whatever way they are written, and whether a passage has them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tutor.text.folding import fold
from tutor.text.numerals import SPELLED

_NUMBER = re.compile(
    # Thousands in groups of three, a decimal fraction, or plain digits. Not part of a name.
    r"(?<![\w.,])\d{1,3}(?:[.,  \u202f]\d{3})+(?![\d])(?:[.,]\d+)?"
    r"|(?<![\w.,])\d+[.,]\d+(?!\d)|(?<![A-Za-z\d.,])\d+"
)
_LIST_NUMBER = re.compile(r"^\s*(?:[-*+>]\s*)*\(?\d{1,2}[.)]\s+", re.MULTILINE)
_INDEX = re.compile(r"[_^]\{?[-\d]+\}?|[⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉]+")
"""Exponents and subscripts, which a PDF's text runs into what they belong to."""
_SPELLED_NUMBER = re.compile(rf"(?<![\w-])(?:{'|'.join(SPELLED)})(?![\w-])")
_COUNTED = re.compile(r"\s+(?:de |of )?([^\W\d_]{3,6})")


@dataclass(frozen=True, slots=True)
class Number:
    """A number's canonical forms (more than one where `1.500` may be read in two ways).

    `counted` is how the word after it begins ("person" of "tres personas"), `spelled` tells words
    from digits.
    """

    forms: frozenset[str]
    spelled: bool
    counted: str


def numbers(text: str) -> list[Number]:
    """The numbers of a text; numbers of list items are none."""
    plain = _INDEX.sub(_blank, _LIST_NUMBER.sub(_blank, fold(text)))
    digits = [(match, _forms(match[0]), False) for match in _NUMBER.finditer(plain)]
    words = [
        (match, frozenset({SPELLED[match[0]]}), True)
        for match in _SPELLED_NUMBER.finditer(plain)
        if match[0] not in {"uno", "one"}  # mostly a pronoun
    ]
    found = []
    for match, forms, spelled in (*digits, *words):
        counted = _COUNTED.match(plain, match.end())
        found.append(Number(forms, spelled, counted[1] if counted else ""))
    return found


def agree(claimed: str, quote: str, surroundings: str) -> bool:
    """Whether the quoted sentence or those around it have every number of the claim.

    A number that counts something must not count it otherwise there. One in words may be no
    figure of the passage ("dos variables" for X and Y), so it may also be missing.
    """
    here, near = numbers(quote), numbers(surroundings)
    for number in numbers(claimed):
        if any(number.forms & other.forms for other in here):
            continue
        if number.counted and any(number.counted == other.counted for other in here or near):
            return False
        if not number.spelled and not any(number.forms & other.forms for other in near):
            return False
    return True


def _forms(written: str) -> frozenset[str]:
    """Every number that the digits may stand for: `1.500` is 1500 in Spain and 1.5 elsewhere."""
    compact = re.sub(r"\s", "", written)
    forms = set[str]()
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+|\d+", compact):
        forms.add(re.sub(r"[.,]", "", compact).lstrip("0") or "0")
    if re.fullmatch(r"\d+[.,]\d+", compact):
        forms.add(_decimal(*re.split("[.,]", compact)))
    elif len(parts := re.split(r"[.,]", compact)) > 2 and not forms:
        forms.add(_decimal("".join(parts[:-1]), parts[-1]))
    return frozenset(forms)


def _decimal(whole: str, fraction: str) -> str:
    return f"{whole.lstrip('0') or '0'}.{fraction.rstrip('0')}".rstrip(".")


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
