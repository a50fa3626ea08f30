"""What is to be chosen from, in an order that a card keeps; and what must not stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar

from tutor.answer.quoting.words import content_words
from tutor.study.making.frames import BLANK

T = TypeVar("T")

WRONG = 3
"""Wrong choices beside the right one."""
_SAME = 0.5
"""Share of the words of two descriptions (Jaccard index) from which they may say the same."""
_AFTER_BLANK = re.compile(rf"{BLANK}\w*(?: ?\([^()]*\))?")


def shuffled(seed: str, values: Iterable[T]) -> tuple[T, ...]:
    """The values in an order that the seed and their texts alone decide."""
    return tuple(sorted(values, key=lambda value: _digest(f"{seed}\x1f{value}")))


def mixed(seed: str, values: Sequence[T]) -> tuple[T, ...]:
    """The same, but never in the order given."""
    made = shuffled(seed, values)
    return made if made != tuple(values) else (*made[1:], made[0])


def coin(seed: str) -> bool:
    """Heads or tails, by the seed alone."""
    return int(_digest(seed)[:8], 16) % 2 == 0


def pick(seed: str, values: Sequence[T]) -> T:
    """One of the values, by the seed and their texts alone."""
    return shuffled(seed, values)[0]


def alike(one: str, other: str) -> bool:
    """Whether two descriptions may be of the same thing."""
    words, others = _words(one), _words(other)
    return len(words & others) >= _SAME * max(1, len(words | others))


def overlap(one: str, other: str) -> bool:
    """Whether one term holds all words of the other, as a kind of it or another name would."""
    words, others = _words(one), _words(other)
    return not words or not others or words <= others or others <= words


def masked(said: str, term: str) -> str:
    """What is said, with a blank for the term and for a translation in parentheses after it."""
    words = [re.escape(word[: max(4, len(word) - 2)]) + r"\w*" for word in re.findall(r"\w+", term)]
    hidden = re.sub(r"\b" + r"\W+".join(words), BLANK, said, flags=re.IGNORECASE)
    return _AFTER_BLANK.sub(BLANK, hidden)


def tells(said: str, term: str) -> bool:
    """Whether a description names half of the words of what it describes."""
    words = _words(term)
    return 2 * len(words & _words(said)) >= len(words)


@lru_cache(maxsize=16_384)
def _words(text: str) -> frozenset[str]:
    """Each description of a course is compared with all others."""
    return content_words(text)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
