"""Which words texts of all kinds have."""

from __future__ import annotations

from functools import cache

from tutor.text.folding import folded


def is_general(word: str) -> bool:
    """Whether Spanish or English has a word, with or without its accents, whatever a course has.

    Their some 30,000 most frequent words each. Speer 2022, wordfreq.
    """
    return folded(word) in _general()


@cache
def _general() -> frozenset[str]:
    from wordfreq import get_frequency_dict  # noqa: PLC0415 - 0.2 s, which few questions need

    lists = (get_frequency_dict(language, "small") for language in ("es", "en"))
    return frozenset(folded(word) for words in lists for word in words)
