"""What the words of a question say: which of them the passages and the course hold."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.coverage.tokens import TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tutor.coverage.reading import TextReader


_SENTENCE_OPENING = re.compile(r"(?:^|[.!?:;]\s)[\W_]*$")

_ASKED = {
    kind: re.compile(pattern, re.IGNORECASE)
    for kind, pattern in {
        "number": r"\b(cu[aá]nt[oa]s?|qu[eé] (porcentaje|tama[nñ]o)|what percent(age)?|"
        r"how (many|much|long|big|large|old|fast|far|often))\b",
        "date": r"\b(cu[aá]ndo|qu[eé] (a[nñ]o|siglo|fecha|d[eé]cada|mes)|when|"
        r"(what|which) (year|century|date))\b",
        "person": r"\b(qui[eé]n(es)?|who|whose|whom)\b",
        "formula": r"\b(f[oó]rmula|ecuaci[oó]n|derivada|formula|equation|derivative)\b",
    }.items()
}
_GIVEN = {
    "number": re.compile(
        r"\d|\b(dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|cien|mil|mitad|doble|"
        r"two|three|four|five|six|seven|eight|nine|ten|half|twice)\b",
        re.IGNORECASE,
    ),
    "date": re.compile(
        r"\b(1\d{3}|20\d\d|siglo|century|enero|febrero|marzo|abril|mayo|junio|julio|agosto|"
        r"septiembre|octubre|noviembre|diciembre|january|february|march|april|june|july|august|"
        r"september|october|november|december)\b",
        re.IGNORECASE,
    ),
    "person": re.compile(r"(?<=[\w,;)] )[A-ZÁÉÍÓÚÑ][a-záéíóúñü]{2,}"),
    "formula": re.compile(r"[=≈≤≥∑√]"),
}


@dataclass(frozen=True, slots=True)
class Wording:
    """Shares from 0 to 1.

    `first` and `any` are the question's terms, weighted by their rarity in the course, that the
    first passage and that any of the passages holds; `unknown` those that the course never uses.
    `names_missing` is the share of its names, acronyms and numbers that no passage holds,
    `kind_missing` the share of the best passages without the kind of thing that it asks for.
    """

    first: float
    any: float
    unknown: float
    names_missing: float
    kind_missing: float


def wording(
    question: str,
    passages: Sequence[str],
    reader: TextReader,
    holders: Mapping[str, int],
    total: int,
) -> Wording:
    """Compare a question with its passages, best first; `holders` as `Calibration` has them."""
    held = [reader.terms(text) for text in passages]
    together = frozenset[str]().union(*held)
    whole = first = anywhere = unknown = 0.0
    for forms in reader.question_terms(question, reader.language_of(question)):
        seen = any(form in together for form in forms)
        count = sum(holders.get(form, 0) for form in forms) or int(seen)
        rarity = term_rarity(count, total)
        whole += rarity
        anywhere += rarity * seen
        first += rarity * (bool(held) and any(form in held[0] for form in forms))
        unknown += rarity * (count == 0)
    whole = whole or 1.0
    return Wording(
        first / whole,
        anywhere / whole,
        unknown / whole,
        _names_missing(question, passages),
        _kind_missing(question, passages[:3]),
    )


def term_rarity(count: int, total: int) -> float:
    """The inverse document frequency of a term that `count` of `total` passages hold."""
    count = min(count, total)
    return math.log(1 + (total - count + 0.5) / (count + 0.5))


def _names_missing(question: str, passages: Sequence[str]) -> float:
    names = {
        _folded(match[0])
        for match in TOKEN.finditer(question)
        if _is_name(match[0], opening=bool(_SENTENCE_OPENING.search(question[: match.start()])))
    }
    if not names:
        return 0.0
    present = {_folded(match[0]) for text in passages for match in TOKEN.finditer(text)}
    present |= {part for token in present for part in re.split(r"[.\-]", token)}
    return sum(name not in present for name in names) / len(names)


def _is_name(token: str, *, opening: bool) -> bool:
    """Whether a token keeps its spelling in every language: a name, an acronym, a number."""
    if any(char.isdigit() for char in token) or any(char.isupper() for char in token[1:]):
        return True
    return token[0].isupper() and not opening


def _kind_missing(question: str, passages: Sequence[str]) -> float:
    asked = [kind for kind, pattern in _ASKED.items() if pattern.search(question)]
    if not asked or not passages:
        return 0.0
    lacking = [not _GIVEN[kind].search(text) for kind in asked for text in passages]
    return sum(lacking) / len(lacking)


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))
