"""How much of one text stands in another, told by words and numbers alone.

Judges and measures compare texts with this, never with the verification of answers: what checks the
product's answers cannot tell how good they are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable

from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.numerals import SPELLED
from tutor.text.terms import is_numbered, passage_terms

_NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*")
_SPELLED = {word: n for word, n in SPELLED.items() if n != "1" and int(n) <= 12}
"""Not one: `un` and `one` are articles and pronouns more often than numbers."""
_TAG = re.compile(r"<(?=\s*/?\s*(?:question|reference|answer|passage)\b)", re.IGNORECASE)
_PREFIX = 4
_ALIKE = 0.55
"""The share of the shorter of two words that cognates begin with in common."""
_YES = re.compile(r"\W*(?:sí\b|si(?=\s*(?:[,.:;!]|$))|yes\b|correcto\b|claro\b)", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nunca|tampoco|casi nunca|not|never)\b", re.IGNORECASE)


def tagged(tag: str, text: str, attributes: str = "") -> str:
    """The text between tags of a prompt that it cannot close itself."""
    return f"<{tag}{attributes}>\n{_TAG.sub('‹', text)}\n</{tag}>"


def words(text: str) -> list[str]:
    """The stems of a text's content words, each once; numbers are none."""
    terms = passage_terms(text, detect_language(text))
    stems = [term for term in terms if not is_numbered(term)]
    kept = (stem for stem in stems if stem not in _SPELLED and not stem[0].isdigit())
    return list(dict.fromkeys(kept))


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text in one spelling: `0,5` is `0.5`, `tres` is `3`."""
    digits = {match.replace(",", ".") for match in _NUMBER.findall(text)}
    spelled = {_SPELLED[w] for w in re.findall(r"\w+", folded(text)) if w in _SPELLED}
    return frozenset(digits | spelled)


def yes_or_no(text: str) -> bool | None:
    """What a text begins with, if that is a yes or a no."""
    if _NO.match(text):
        return False
    return True if _YES.match(text) else None


def share(wanted: Collection[str], *texts: str) -> float:
    """The share of some words that texts have, or cognates of them; 0 of none."""
    there = {word for text in texts for word in words(text)}
    return sum(_has(there, word) for word in wanted) / len(wanted) if wanted else 0.0


def news(question: str, text: str) -> list[str]:
    """The words of a text that its question lacks; all of them when it lacks none."""
    asked, said = set(words(question)), words(text)
    return [word for word in said if not _has(asked, word)] or said


def _has(there: Collection[str], word: str) -> bool:
    """Whether there is the word, or one that begins as it does."""
    if word in there or len(word) < _PREFIX:
        return word in there
    sizes = ((other, math.ceil(_ALIKE * min(len(word), len(other)))) for other in there)
    return any(word[: max(_PREFIX, size)] == other[: max(_PREFIX, size)] for other, size in sizes)


def contained(sentence: str, passages: Iterable[str]) -> float | None:
    """The share of a sentence's words that passages have; 0 where they lack a number of it.

    None for a sentence that has neither words nor numbers.
    """
    texts = list(passages)
    wanted, counted = words(sentence), numbers(sentence)
    if not wanted and not counted:
        return None
    if not counted <= frozenset().union(*map(numbers, texts)):
        return 0.0
    return share(wanted, *texts) if wanted else 1.0
