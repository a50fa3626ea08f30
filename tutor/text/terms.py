"""Text -> the terms that a lexical index compares.

Words are stemmed (Snowball) without accents and case. What is no plain word is kept as it is
written, besides its parts: `A*`, `C++`, `train_test_split`, `k-means`, `f(n)`, `3.14`, `x2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tutor.text.folding import unaccented
from tutor.text.language import Language
from tutor.text.stems import stemmer
from tutor.text.stopwords import STOP_WORDS
from tutor.text.translations import spanish_stems

TERMS_VERSION = 2

_TERM = re.compile(
    r"(?P<symbolic>\b[^\W\d_](?:\+\+|[*#])(?!\w))"  # A*, C++, C#
    r"|(?P<number>\b\d+(?:[.,]\d+)*\b)"
    r"|(?P<run>\w+(?:[.\-’'&]\w+)*)"
)
_APPLICATION = re.compile(r"\b\w{1,3}\([\w|,¬ ]{1,12}\)")
"""A formula's `f(n)`, `P(A|B)`."""
_POWER = re.compile(r"(?<=\w)\^\{?(?=\w)")
_PART = re.compile(
    r"[^\W\d_a-z]+(?![a-z])\d*|[^\W\d_a-z]?[a-z]+\d*|\d+[^\W\d_]*|[^\W_]+"  # camelCase, too
)
_STRAIGHT = str.maketrans("−–‐‑’", "----'")
_MAX_ACRONYM = 4
_MAX_TERM = 64
"""Characters of the longest term; what runs on is no word but debris."""


def passage_terms(text: str, language: Language) -> list[str]:
    """The terms of a passage in that language, in order, with repetitions."""
    stop, stem = STOP_WORDS[language], stemmer(language)
    return [
        term if kept else stem.stemWord(term)
        for term, kept in _raw_terms(text)
        if kept or term not in stop
    ]


def question_terms(text: str, language: Language) -> list[tuple[str, ...]]:
    """A question's terms, each once, as the forms under which a passage may hold it.

    A word is looked for as either language stems it and as it is written, since passages are
    stemmed in their own language and hold terms of the other; an English word in Spanish, too.
    """
    stop = STOP_WORDS[language]
    stemmers = [stemmer(known) for known in STOP_WORDS]
    translated = spanish_stems if language == "en" else _untranslated
    forms = {
        term: (term,)
        if kept
        else tuple(
            sorted({term, *translated(term), *(stemmer.stemWord(term) for stemmer in stemmers)})
        )
        for term, kept in _raw_terms(text)
        if kept or term not in stop
    }
    return list(dict.fromkeys(forms.values()))


def _untranslated(_term: str) -> tuple[str, ...]:
    return ()


def _raw_terms(text: str) -> Iterator[tuple[str, bool]]:
    """Terms before stemming, and whether they are kept as they are written."""
    plain = _POWER.sub("", unaccented(text.translate(_STRAIGHT)))
    for match in _APPLICATION.finditer(plain):
        yield match[0].replace(" ", "").casefold(), True
    for match in _TERM.finditer(plain):
        term, kind = match[0][:_MAX_TERM], match.lastgroup
        if kind == "run":
            yield from _of_run(term)
        elif kind == "number":
            yield term.replace(",", "."), True
        else:
            yield term.casefold(), True


@lru_cache(maxsize=32_768)
def _of_run(run: str) -> tuple[tuple[str, bool], ...]:
    """A word, or an identifier or compound and its parts; most stand in a course many times."""
    parts = _PART.findall(run)
    whole = run.casefold()
    if len(parts) > 1 and all(len(part) == 1 for part in parts):
        return ((whole.replace(".", ""), True),)
    separate = [
        (part.casefold(), part.isupper() and 1 < len(part) <= _MAX_ACRONYM) for part in parts
    ]
    return ((whole, True), *separate) if len(parts) > 1 else tuple(separate)
