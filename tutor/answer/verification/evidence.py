"""How well a span of a passage supports a claim: meaning, words, and what must agree.

A passage that lacks a name or an acronym of a claim does not support it. Nor does one that the
claim has exchanged things of: "A is on the left and B on the right" and "B is on the left and A on
the right" have the same words; only their order in parallel clauses tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tutor.answer.verification import formulas, numbers, polarity
from tutor.answer.verification.formulas import MATHS
from tutor.answer.verification.words import KnownWords, content_words, coverage
from tutor.text.folding import fold
from tutor.text.stopwords import STOP_WORDS_OF_BOTH

if TYPE_CHECKING:
    from tutor.answer.verification.candidates import Candidate, Claim
    from tutor.answer.verification.words import Word


_PARALLEL = re.compile(
    r";|(?<!\d)[.](?=\s)|,?\s+(?:y|e|pero|mientras(?: que)?|en cambio|and|but|while|whereas)\s+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r";|(?<!\d)[.](?=\s)|\n\s*\n|•")
_BULLET = re.compile(r"(?:^|\n)\s*[•◦▪*–-]\s")
_ENDS = 2
"""A clause has a beginning and an end if it has two words of its own."""
_NAME = re.compile(r"(?<=[a-záéíóúüñ,;] )[A-ZÁÉÍÓÚÜÑ][a-záéíóúüñ]{2,}(?:[A-Z][a-z]+)*\b")
"""A capitalised word in mid-sentence."""
_ACRONYM = re.compile(r"(?<![\w-])[A-ZÁÉÍÓÚÑ]{2,6}(?:-\d+)?(?![\w(])")
_QUOTED = re.compile(r"\*\*[^*\n]+\*\*")
UNRELATED = (
    "El equipo ganó el partido con dos goles en el segundo tiempo.",
    "Se añade la harina y se hornea la masa durante media hora.",
    "El tren a la costa sale por la mañana desde la estación central.",
    "The recipe needs two eggs and a cup of sugar.",
    "The king died and his brother took the throne.",
    "Heavy rain is expected in the mountains tomorrow.",
)
"""Sentences that no course claim means. Embedders differ in how near they put what has nothing
to do with each other (E5: 0.75 and more): a cosine counts from there."""
COVERAGE_WEIGHT = 0.5
"""What all words shared are worth, where 1 is the distance from unrelated to equal meaning."""
NEAR_SHARE = 0.5
"""What a word counts that stands not in the quoted sentence but beside it."""
MIN_EVIDENCE = 0.83
"""Evidence from which a claim is supported in its own language."""
MIN_EVIDENCE_ACROSS = 0.65
"""The same across languages."""


def exchanged(claimed: str, passage: str) -> bool:
    """Two clauses, each of which begins as one of the passage's and ends as the other."""
    divisions = [
        [content_words(part) for part in boundary.split(passage)]
        for boundary in (_SENTENCE, _PARALLEL, _BULLET)
    ]
    lines = [content_words(line) for line in passage.split("\n")]
    for boundary in (_SENTENCE, _PARALLEL):
        parts = [content_words(part) for part in boundary.split(claimed)]
        for one, other in pairwise(parts):
            first, second = _apart(one, other), _apart(other, one)
            if any(_crossed(first, second, division) for division in divisions):
                return True
            if _columns_crossed(first, second, lines):
                return True
    return False


def _crossed(
    first: Sequence[Word], second: Sequence[Word], division: Sequence[Sequence[Word]]
) -> bool:
    one = [place for place, _ in _places(first, division)]
    other = [place for place, _ in _places(second, division)]
    if len(one) < _ENDS or len(other) < _ENDS:
        return False
    return one[0] == other[-1] and other[0] == one[-1] and one[0] != other[0]


def _columns_crossed(
    first: Sequence[Word], second: Sequence[Word], lines: Sequence[Sequence[Word]]
) -> bool:
    """The same in a table: the heads stand in one line, what belongs to them in another."""
    one, other = _places(first, lines), _places(second, lines)
    if len(one) < _ENDS or len(other) < _ENDS:
        return False
    if one[0][0] != other[0][0] or one[-1][0] != other[-1][0] or one[0][0] == one[-1][0]:
        return False
    return (one[0] < other[0]) != (one[-1] < other[-1])


def _apart(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """The words that only the first clause has."""
    among = KnownWords(others)
    return [word for word in words if not among.has(word)]


def _places(words: Sequence[Word], division: Sequence[Sequence[Word]]) -> list[tuple[int, int]]:
    """In which part and where there the words stand; those that stand there twice tell nothing."""
    places = []
    for word in words:
        found = [
            (number, index)
            for number, part in enumerate(division)
            for index, other in enumerate(part)
            if other.stem == word.stem
        ]
        if len(found) == 1:
            places.append(found[0])
    return places


def names_known(claimed: str, passage: str, *, across: bool = False) -> bool:
    """Whether every name and acronym of the claim is in the passage.

    An acronym may be spelled out there. Across languages acronyms differ and are not compared.
    """
    text = MATHS.sub(" ", claimed)
    vocabulary = KnownWords(content_words(passage), across=across)
    running = _QUOTED.sub(lambda m: m[0].lower(), text)
    if not all(
        vocabulary.has(word)
        for match in _NAME.finditer(running)
        for word in content_words(match[0])
    ):
        return False
    return across or all(
        _acronym_known(match[0], passage, claimed) for match in _ACRONYM.finditer(text)
    )


def _acronym_known(acronym: str, passage: str, claimed: str) -> bool:
    letters = fold(acronym.split("-", maxsplit=1)[0])
    folded = fold(passage)
    if re.search(rf"(?<![^\W\d_]){re.escape(letters)}s?(?![^\W\d_])", folded):
        return True
    initials = [_initials(text) for text in (folded, fold(claimed))]
    return any(letters in row or letters[::-1] in row for row in initials)


def _initials(folded: str) -> str:
    words = re.findall(r"[^\W\d_]+", folded)
    return "".join(word[0] for word in words if word not in STOP_WORDS_OF_BOTH)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a span says for a claim. `meaning` is 0 for unrelated and 1 for equal sentences.

    It is `complete` if it has all numbers and names of the claim.
    """

    span: Candidate
    meaning: float
    words: float
    complete: bool
    contradicts: bool
    across: bool

    @property
    def total(self) -> float:
        """What spans are compared by."""
        return self.meaning + COVERAGE_WEIGHT * self.words

    @property
    def supports(self) -> bool:
        """Whether it is enough, and nothing is missing or said otherwise."""
        return self.margin >= 0 and self.complete and not self.contradicts

    @property
    def margin(self) -> float:
        """By how much it is more (or less) than a claim needs."""
        return self.total - (MIN_EVIDENCE_ACROSS if self.across else MIN_EVIDENCE)

    @property
    def support(self) -> float:
        """The evidence between 0 (none) and 1 (quoted); 0.5 is just enough."""
        room = 1 + COVERAGE_WEIGHT - (self.total - self.margin)
        return min(1.0, max(0.0, 0.5 + 0.5 * self.margin / room))


def weigh(claim: Claim, span: Candidate, cosine: float, unrelated: float, passage: str) -> Evidence:
    """The evidence of a span; `unrelated` is the claim's mean cosine to what is unrelated."""
    across = claim.across(span)
    here = _shared(claim, coverage(claim.words, span.words, across=across), span.values)
    near = _shared(claim, coverage(claim.words, span.near_words, across=across), span.near_values)
    return Evidence(
        span,
        meaning=(cosine - unrelated) / max(1e-6, 1 - unrelated),
        words=here + NEAR_SHARE * (near - here),
        complete=numbers.agree(claim.text, span.text, span.near)
        and names_known(claim.text, f"{passage} {claim.context}", across=across),
        contradicts=_contradicts(claim.text, span, passage),
        across=across,
    )


def _shared(claim: Claim, words: float, values: frozenset[str]) -> float:
    """The share of the claim's words and numbers; a number counts like a word."""
    weight = sum(word.weight for word in claim.words)
    known = sum(bool(number.forms & values) for number in claim.numbers)
    whole = weight + len(claim.numbers)
    return (weight * words + known) / whole if whole else 0.0


def _contradicts(claim: str, span: Candidate, passage: str) -> bool:
    """Whether something is calculated, negated, reversed or exchanged in one and not the other."""
    return (
        not formulas.agree(claim, passage)
        or polarity.opposed(claim, span.text)
        or exchanged(claim, span.near)
    )
