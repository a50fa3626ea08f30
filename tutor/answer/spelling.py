"""Words that the notes do not know, but nearly: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutor.text.folding import folded

if TYPE_CHECKING:
    from tutor.index.lexical import LexicalIndex
    from tutor.model import Hit

SHORTEST = 6
"""Letters of a word that is corrected: short ones resemble too many others."""

_WORD = re.compile(r"[^\W\d_]+")


def respelt(question: str, lexical: LexicalIndex) -> dict[str, str]:
    """The unknown words of a question, and the terms of the notes that are spelt like them.

    Names and acronyms are left alone: another name is no misspelling.
    """
    terms = {}
    for match in _WORD.finditer(question):
        word = match[0]
        named = any(map(str.isupper, word[1:])) or (word[0].isupper() and match.start() > 1)
        if len(word) >= SHORTEST and not named:
            asked = lexical.terms(word)
            if asked and not any(term.holders for term in asked):
                like = lexical.like(folded(word))
                if like and like[0] == folded(word)[0]:
                    terms[word] = like
    return terms


def with_words(question: str, terms: dict[str, str], hits: Sequence[Hit] = ()) -> str:
    """The question with these terms, each as a word of the passages that begins with it."""
    for word, term in terms.items():
        written = next(
            (
                found[0].lower()
                for hit in hits
                for found in _WORD.finditer(hit.chunk.text)
                if folded(found[0]).startswith(term)
            ),
            term,
        )
        question = re.sub(rf"\b{re.escape(word)}\b", written, question)
    return question
