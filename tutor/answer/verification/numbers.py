"""The numbers of a sentence, whatever way they are written, and whether a passage has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
_SPELLED_NUMBER = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(SPELLED, key=len, reverse=True))})(?![\w-])"
)
_COUNTED = re.compile(r"\s+(?:de |of )?([^\W\d_]{3,})")


@dataclass(frozen=True, slots=True)
class Number:
    """A number's canonical forms (more than one where `1.500` may be read in two ways).

    `counted` is the word after it ("personas" of "tres personas"), `spelled` tells words from
    digits.
    """

    forms: frozenset[str]
    spelled: bool
    counted: str


def numbers(text: str) -> list[Number]:
    """The numbers of a text in their order; numbers of list items are none."""
    plain = _INDEX.sub(_blank, _LIST_NUMBER.sub(_blank, fold(text)))
    found = [(m.start(), m.end(), _forms(m[0]), False) for m in _NUMBER.finditer(plain)]
    found += [
        (m.start(), m.end(), frozenset({SPELLED[m[0]]}), True)
        for m in _SPELLED_NUMBER.finditer(plain)
        if m[0] not in {"uno", "one"}  # mostly a pronoun
    ]
    return [Number(f, spelled, _counted(plain[end:])) for _, end, f, spelled in sorted(found)]


def agree(claimed: str, quote: str, surroundings: str) -> bool:
    """Whether the quoted sentence or those around it have every number of the claim.

    A number that counts something must not count it otherwise there. One in words may be no
    figure of the passage ("dos variables" for X and Y), so it may also be missing.
    """
    quoted, around = numbers(quote), numbers(surroundings)
    here = {form for number in quoted for form in number.forms}
    near = {form for number in around for form in number.forms}
    return all(
        bool(number.forms & here)
        or (
            not _counted_otherwise(number, quoted or around)
            and (number.spelled or bool(number.forms & near))
        )
        for number in numbers(claimed)
    )


def _counted_otherwise(number: Number, known: Iterable[Number]) -> bool:
    return any(
        other.counted and other.counted[:6] == number.counted[:6] and not other.forms & number.forms
        for other in known
    )


def _counted(rest: str) -> str:
    match = _COUNTED.match(rest)
    return match[1] if match else ""


def _forms(written: str) -> frozenset[str]:
    """Every number that the digits may stand for: `1.500` is 1500 in Spain and 1.5 elsewhere."""
    compact = re.sub(r"\s", "", written)
    forms = set[str]()
    if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+|\d+", compact):
        forms.add(_plain(re.sub(r"[.,]", "", compact)))
    elif re.search(r"[.,].*[.,]", compact):
        whole, fraction = re.split(r"[.,](?=\d+$)", compact)
        forms.add(_plain(re.sub(r"[.,]", "", whole) + "." + fraction))
    if re.fullmatch(r"\d+[.,]\d+", compact):
        forms.add(_plain(compact.replace(",", ".")))
    return frozenset(forms)


def _plain(digits: str) -> str:
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
