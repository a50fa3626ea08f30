"""What is to be chosen from, in an order that a card keeps; and what must not stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import TypeVar

from tutor.study.card import Card, CardKind
from tutor.study.making.material import BLANK, CardMaterial, Frames
from tutor.text.folding import folded
from tutor.text.paragraphs import IN_BRACKETS
from tutor.text.terms import content_words

T = TypeVar("T")

WRONG = 3
"""Wrong choices beside the right one."""
FEWEST_PAIRS, MOST_PAIRS = 3, 6
"""To match."""
_SAME = 0.5
"""Share of the words of two descriptions (Jaccard index) from which they may say the same."""
_STEM = 5
_KIN, DISTANT_KIN = 6, 4
"""Letters of one kind, and of families: "contexto", "contextual"; "Plinio", "pliniano"."""
_FEMININE = re.compile(r"\w+(?:as?|iones|ión|dad(?:es)?)\b", re.IGNORECASE)
_ARTICLE = re.compile(rf"\b(el|la|los|las|una?|unos|unas|al|del) {BLANK}", re.IGNORECASE)
_AFTER_BLANK = re.compile(rf"{BLANK}\w*(?: ?\([^()]*\))?")


def shuffled(seed: str, values: Iterable[T]) -> tuple[T, ...]:
    """The values in an order that the seed and their texts alone decide."""
    return tuple(sorted(values, key=lambda value: digest(f"{seed}\x1f{value}")))


def coin(seed: str) -> bool:
    """Heads or tails, by the seed alone."""
    return int(digest(seed)[:8], 16) % 2 == 0


def pick(seed: str, values: Sequence[T]) -> T:
    """One of the values, by the seed and their texts alone."""
    return shuffled(seed, values)[0]


def alike(one: str, other: str) -> bool:
    """Whether two descriptions may be of the same thing."""
    words, others = _words(one), _words(other)
    return len(words & others) >= _SAME * max(1, len(words | others))


def overlap(one: str, other: str) -> bool:
    """Whether one term holds all words of the other, as a kind of it or another name would, or
    an acronym ends with the letters of the other: "WLAN", "LAN".
    """
    words, others = _words(one), _words(other)
    is_kind = one.isupper() and other.isupper() and (one.endswith(other) or other.endswith(one))
    return is_kind or not words or not others or words <= others or others <= words


def masked(said: str, term: str) -> str:
    """What is said, with a blank for the term and for a translation in parentheses after it."""
    return _AFTER_BLANK.sub(BLANK, _forms(term).sub(BLANK, said))


def fits_blanks(said: str, term: str) -> bool:
    """Whether the term itself stands wherever what is said names it, not another form of it.

    Brackets may have it in another language.
    """
    forms = _forms(term).finditer(IN_BRACKETS.sub(" ", said))
    return all(folded(found[0]) == folded(term) for found in forms)


def _forms(term: str) -> re.Pattern[str]:
    """The term in singular and plural, masculine and feminine."""
    words = [re.escape(word[: max(4, len(word) - 2)]) + r"\w*" for word in re.findall(r"\w+", term)]
    return re.compile(r"\b" + r"\W+".join(words), re.IGNORECASE)


def fits_article(said: str, wrong: Iterable[str]) -> bool:
    """Whether an article before a blank leaves most choices open, by gender and number."""
    found = _ARTICLE.search(said)
    kinds = [(_FEMININE.match(one) is not None, one.split()[0][-1] == "s") for one in wrong]
    article = found[1].lower() if found else ""
    wanted = article.rstrip("s").endswith("a"), article.endswith("s")
    return found is None or kinds.count(wanted) >= WRONG - 1


def related(one: str, other: str) -> bool:
    """Whether a third of the words of one description is in the other one, too: what is said of
    one thing may then be true of the other.
    """
    first, second = stems(one), stems(other)
    return 3 * len(first & second) >= max(1, min(len(first), len(second)))


def tells(said: str, term: str) -> bool:
    """Whether a description names half of the words of what it describes."""
    words = _words(term)
    return 2 * len(words & _words(said)) >= len(words)


def stands_out(answer: str, wrong: Iterable[str], told: str) -> bool:
    """Whether the right choice alone has a word that the question has."""
    words = stems(told)
    return bool(stems(answer) & words) and not any(stems(one) & words for one in wrong)


def stems_tell(said: str, term: str, letters: int = _KIN) -> bool:
    """Whether a description has a word of the family of a term's only word."""
    of_term = stems(term, letters)
    return len(of_term) == 1 and bool(of_term & stems(said, letters))


def stems(text: str, letters: int = _STEM) -> set[str]:
    """The first letters of the words that carry meaning: "canal largo" has one of "canales"."""
    return {word[:letters] for word in _words(text)}


def whether(frames: Frames, said: str, *, is_true: bool) -> tuple[CardKind, str, str]:
    """Kind, question and answer of a card that asks whether something is so."""
    answer = frames.true if is_true else frames.false
    return CardKind.TRUE_FALSE, frames.is_true.format(said=said), answer


def matching(
    material: CardMaterial,
    question: str,
    pairs: Iterable[tuple[str, str]],
    place: tuple[int, int],
    topic: str,
) -> Card:
    """The card that asks which of several things is said of which: what, and what is said of it."""
    asked = list(pairs)[:MOST_PAIRS]
    said = tuple(text for _item, text in asked)
    card = material.card(
        CardKind.MATCH,
        question,
        "\n".join(f"{item} → {text}" for item, text in asked),
        place,
        (topic, ""),
        items=tuple(item for item, _text in asked),
    )
    mixed = shuffled(card.id, said)
    return replace(card, choices=mixed if mixed != said else (*said[1:], said[0]))


@lru_cache(maxsize=16_384)
def _words(text: str) -> frozenset[str]:
    """Each description of a course is compared with all others."""
    return content_words(text)


def digest(text: str) -> str:
    """What stands for a text in an order that only texts decide."""
    return sha256(text.encode()).hexdigest()
