"""Words divided at line ends made whole again, real hyphens kept.

What a hyphen at a line end was can only be guessed; the best witness is the document itself, which
mostly uses the same word elsewhere in the middle of a line. Where it does not, rules decide.
"""

from __future__ import annotations

import re
from collections import Counter

from tutor.text.words import is_general, zipf

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Only from the start of a word: else a long chain of words and hyphens takes quadratic time. The
# group is not possessive: early versions of Python 3.11 (3.11.2) find nothing then.
_LEFT = r"(?<![^\W_])(?<![^\W_]-)([^\W_]++(?:-[^\W_]++)*)"
_DIVIDED = re.compile(rf"{_LEFT}-\n([^\W_]+(?:-[^\W_]+)*)")
_DIVIDED_ANYHOW = re.compile(rf"{_LEFT}-\n{{1,3}}([^\W_]+(?:-[^\W_]+)*)")
_IN_CELL = re.compile(r"([^\W\d_]{2,})- (?!(?:and|ni|or|to)\b)(?=([^\W\d_]{2,}))")
_FREQUENT = 4.0
"""On Zipf's scale."""
_MAX_PART = 40

_ENGLISH_FIRST = frozenset(
    "cross data double few fine full half long low non off one real self short single step time"
    " two user well zero".split()
)
"""First parts that English compounds are written with a hyphen after."""


class WordCounts:
    """The words of a document with their numbers, hyphenated ones as well, in lower case."""

    def __init__(self, text: str) -> None:
        # A part of a divided word is no word.
        whole = _DIVIDED_ANYHOW.sub(" ", text)
        self._count = Counter(word.lower() for word in _WORD.findall(whole))

    def __getitem__(self, word: str) -> int:
        return self._count[word.lower()]


def divided_in_cells(text: str) -> str:
    """A row with the line ends put back at which words of its cells are divided; else the same.

    Two frequent words are none divided: "red- conjunto de nodos".
    """

    def divided(match: re.Match[str]) -> str:
        left, right = match.groups()
        is_one = is_general(left + right) or min(zipf(left), zipf(right)) < _FREQUENT
        return f"{left}-\n" if is_one else match[0]

    return _IN_CELL.sub(divided, text) if "\t" in text else text


def joined_words(text: str, vocabulary: WordCounts) -> str:
    """Words divided at line ends as one word, on the first of their lines."""

    def joined(match: re.Match[str]) -> str:
        left, right = match.groups()
        return f"{left}-{right}" if _keeps_hyphen(left, right, vocabulary) else left + right

    return _DIVIDED.sub(joined, text)


def _keeps_hyphen(left: str, right: str, vocabulary: WordCounts) -> bool:
    """Whether the hyphen belongs to the word."""
    first, last = left.rpartition("-")[2], right.partition("-")[0]
    if not _could_be_divided(first, last):
        return True
    hyphenated = vocabulary[f"{left}-{right}"] or vocabulary[f"{first}-{last}"]
    whole = vocabulary[first + last]
    if hyphenated or whole:
        return hyphenated > whole
    return _looks_compound(left, first, last, vocabulary)


def _could_be_divided(first: str, last: str) -> bool:
    if not (first.isalpha() and last.isalpha()) or max(len(first), len(last)) > _MAX_PART:
        return False
    if len(first) == 1 or len(last) == 1:
        return False  # Neither Spanish nor English typesetting leaves one letter alone.
    if last.isupper():
        return first.isupper() and len(first + last) > 6
    return last.islower() and not (first.isupper() and len(first) > 1)


def _looks_compound(left: str, first: str, last: str, vocabulary: WordCounts) -> bool:
    low, high = first.lower(), last.lower()
    if "-" in left or low in _ENGLISH_FIRST:
        return True
    both_words = vocabulary[low] and vocabulary[high] and min(len(low), len(high)) > 3
    return bool(both_words) and high != "mente"
