"""How special a word is to a course, against texts of all kinds."""

from __future__ import annotations

from math import log10

from tutor.text.folding import folded

_UNSEEN = 1.0
"""Zipf frequency of a word that general texts do not have."""


def weirdness(word: str, count: int, words: int) -> float:
    """How much more often a course has a word than general texts, as a power of ten.

    The course has it `count` times among its `words`. Ahmad, Gillam and Tostevin 1999, "University
    of Surrey participation in TREC8: weirdness indexing".
    """
    from wordfreq import zipf_frequency  # noqa: PLC0415 - 0.2 s, needed to build a map only

    general: float = max(
        zipf_frequency(word.lower(), "es", "small"),
        zipf_frequency(folded(word), "en", "small"),
        _UNSEEN,
    )
    return log10(max(1, count) / max(1, words)) + 9 - general
