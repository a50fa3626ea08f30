"""Names and acronyms of a claim: a passage that lacks one does not support the claim."""

from __future__ import annotations

import re

from tutor.answer.verification.formulas import MATHS
from tutor.answer.verification.words import KnownWords, content_words
from tutor.text.folding import fold
from tutor.text.stopwords import STOP_WORDS_OF_BOTH

_NAME = re.compile(r"(?<=[a-záéíóúüñ,;] )[A-ZÁÉÍÓÚÜÑ][a-záéíóúüñ]{2,}(?:[A-Z][a-z]+)*\b")
"""A capitalised word in mid-sentence."""
_ACRONYM = re.compile(r"(?<![\w-])[A-ZÁÉÍÓÚÑ]{2,6}(?:-\d+)?(?![\w(])")
_QUOTED = re.compile(r"\*\*[^*\n]+\*\*")


def known(claimed: str, passage: str, *, across: bool = False) -> bool:
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
