"""A follow-up as it stands by itself: with the subject of the question before."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tutor.search.follow_ups import (
    ASKING,
    DONE,
    JOINING,
    WANTED,
    asks_to_explain,
    done_with_it,
    words_of,
)
from tutor.text.folding import folded
from tutor.text.words import OF_ANY_SUBJECT, STOP_WORDS_OF_BOTH

_OWNED = re.compile(
    r"\b(?:sus?|its?|their)\s+"
    r"|\s+(?:de|sobre|of|for|about) (?:es[eao]|est[eao]|ello|that|this|it|them)\b(?=\W*\Z)",
    re.IGNORECASE,
)
_ITS = re.compile(r"\b(?:sus?|its|their)\s+(\w+(?:\s+\w+)?)\W*\Z", re.IGNORECASE)
"""What is asked for of what was said before: "y su complejidad temporal"."""
_NOUN = re.compile(r"[^\W\d_]{4,}")
_HAS = frozenset("tiene tienen has have".split())
_DONE_WITH = re.compile(
    rf"(?:(?:qui[eé]n(?:es)?|{ASKING})(?: se)? (?!(?:no|lo|s[oó]lo|to|do)\b)\w+(?:[oó]|ron)"
    r"|who (?!(?:is|are|was)\b)\w+) (?P<name>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""The same of what is named: "quién propuso X", "cómo evito X"."""


def restated(question: str, subject: str, language: str) -> str:
    """A follow-up that asks something of the `subject` of the question before, and of nothing else,
    as it stands by itself: "ejemplo de k-means" for "un ejemplo" behind "¿Qué es k-means?". Empty
    for any other, and without a subject.
    """
    if subject and asks_to_explain(question):
        return f"{'explain' if language == 'en' else 'explica'} {subject}"
    parted = JOINING.fullmatch(_OWNED.sub("", question))
    asked = parted["asked"] if parted else ""
    if subject and (done := done_with_it(asked)):
        return f"{done['asks']} {done['done']} {subject}{done['more']}"
    words = words_of(asked)
    owned = frozenset(words_of(its[1])) if (its := _ITS.search(question)) else frozenset()
    kinds = OF_ANY_SUBJECT | DONE | owned
    known = STOP_WORDS_OF_BOTH.union(kinds, WANTED, _HAS)
    if not subject or kinds.isdisjoint(words) or not known.issuperset(words):
        return ""
    if words[-1] in ("it", "them"):
        return f"{asked[: -len(words[-1])]}{subject}"
    of = ("of " if language == "en" else "de ") if words[-1] not in DONE | _HAS else ""
    return f"{asked} {of}{subject}"


def with_its_noun(word: str, earlier: str, subject: str, notes: Iterable[str]) -> str:
    """What was asked before of its `subject`, asked of what one `word` tells from that: "qué es la
    elasticidad cruzada" for "¿y la cruzada?" behind "qué es la elasticidad precio". Empty unless
    the `notes` say so, and not only the labels of a drawing.
    """
    blocks = [" ".join(block.split()) for text in notes for block in folded(text).split("\n\n")]
    for noun in _NOUN.findall(earlier):
        named = rf"{folded(noun)} {re.escape(folded(word))}"
        if any(re.search(rf"\w\W+{named}\b|\b{named}\W+\w", block) for block in blocks):
            told = subject if folded(subject).startswith(folded(noun)) else noun
            beside = re.search(rf"\b{re.escape(noun)} \w+", earlier)
            if told == noun and beside and any(folded(beside[0]) in block for block in blocks):
                told = beside[0]
            return earlier.replace(told, f"{noun} {word}", 1)
    return ""


def done_with(question: str) -> str:
    """What is named in a question like those that `restated` makes of "quién la propuso"; empty for
    any other.
    """
    done = _DONE_WITH.fullmatch(question)
    return done["name"] if done else ""
