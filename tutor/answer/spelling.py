"""Words that the notes do not know, but nearly: what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutor.index.lexical import LexicalIndex
from tutor.model import Hit
from tutor.text.folding import folded
from tutor.text.words import STOP_WORDS, is_general

SHORTEST = 6
"""Letters of a word that is corrected: short ones resemble too many others."""

_WORD = re.compile(r"[^\W\d_]+")
_Q = re.compile(r"(?<!\b\w y )(?<!\b\w, )\bq(?= +(?!learning\b)[^\W\d_]{2})")
"""What is "que" in a message, and neither a variable nor "Q-learning"."""
_FOR = re.compile(r"\bpa\b(?= +[^\W\d_]{2})")
_WHY = re.compile(r"\b(?:xq|pq|porq)\b")


def written_out(question: str) -> str:
    """A question in which what messages shorten ("q es", "xq") is written out."""
    return _WHY.sub("por qué", _FOR.sub("para", _Q.sub("que", question)))


def respelt(question: str, lexical: LexicalIndex) -> dict[str, str]:
    """The unknown words of a question, and the terms of the notes that sound like them.

    Names and acronyms are left alone: another name is no misspelling. So are words that Spanish or
    English has ("matrícula" is no misspelling of "matrix"), and short ones, but for those that a
    `k` stands in as in messages (`kien`, `komo`).
    """
    terms = {}
    for match in _WORD.finditer(question):
        word = match[0]
        named = any(map(str.isupper, word[1:])) or (word[0].isupper() and match.start() > 1)
        if (plain := _plain(folded(word))) in STOP_WORDS["es"] and plain != folded(word):
            terms[word] = plain
        elif len(word) >= SHORTEST and not named and not is_general(word):
            asked = lexical.score(word).terms
            unknown = asked and not any(len(term.holders) for term in asked)
            if unknown and (like := lexical.like(folded(word))):
                terms[word] = like
    return terms


def _plain(word: str) -> str:
    return re.sub("k(?=[ei])", "qu", word).replace("k", "c")


def with_words(question: str, terms: dict[str, str], hits: Sequence[Hit] = ()) -> str:
    """The question with these terms, each as a word of the passages that begins with it."""
    for word, term in terms.items():
        written = next(
            (
                found[0].lower()
                for hit in hits
                for found in _WORD.finditer(hit.chunk.text)
                if folded(found[0]).startswith(term) and term not in STOP_WORDS["es"]
            ),
            term,
        )
        question = re.sub(rf"\b{re.escape(word)}\b", written, question)
    return question
