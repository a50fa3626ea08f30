"""Text -> the terms that a lexical index compares, in the language of the text or the question's.

Words are stemmed (Snowball) without accents and case. What is no plain word is kept as it is
written, besides its parts: `A*`, `C++`, `train_test_split`, `k-means`, `f(n)`, `3.14`, `x2`. A noun
and the number behind it are one more term: `tarea 2`, `teorema 3.1`. A dictionary has English words
in Spanish, for questions in one language over notes in the other.

`content_words` are for comparing two texts of any language: fewer, and stemmed in one way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple, TypeAlias

from tutor.text.folding import fold, folded, unaccented
from tutor.text.language import Language, count_function_words, stemmer
from tutor.text.numerals import ROMAN
from tutor.text.other_names import other_acronyms
from tutor.text.words import STOP_WORDS, STOP_WORDS_OF_BOTH

TERMS_VERSION = 11

_TERM = re.compile(
    r"(\b[^\W\d_](?:\+\+|[*#])(?!\w))"  # A*, C++, C#
    r"|(\b\d+(?:[.,]\d+)*\b)"  # a number
    r"|(\w+(?:[.\-’'&]\w+)*)"
)
_APPLICATION = re.compile(r"\b\w{1,3}\([\w|,¬ ]{1,12}\)")
"""A formula's `f(n)`, `P(A|B)`."""
_POSSESSIVE = re.compile(r"(?<=\w)'s\b", re.IGNORECASE)
_POWER = re.compile(r"(?<=\w)\^\{?(?=\w)")
_INDEX = re.compile(r"(?<=\w)_\((\w{1,8})\)")
"""An index that Unicode cannot write, as reading a page sets it: "k_(cat)", typed "kcat"."""
_PART = re.compile(
    r"[^\W\d_a-z]+(?![a-z])\d*|[^\W\d_a-z]?[a-z]+\d*|\d+[^\W\d_]*|[^\W_]+"  # camelCase, too
)
_ROMAN = {roman.upper(): number for roman, number in ROMAN.items() if roman not in ("v", "x")}
_ROMAN |= {roman: number for roman, number in ROMAN.items() if len(roman) > 1}
"""Without what is mostly a variable: V, X, and i."""
_NUMBERED = re.compile(
    r"(?<![\w.])([^\W\d_]{3,40})[ -]"
    rf"(\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}(?![.,]?\d)|{'|'.join(_ROMAN)})(?!\w)"
)
"""What is called by its number: a noun with an integer, or with one that counts chapters, too."""
_STRAIGHT = dict(zip("−–‐‑’", "----'", strict=True))
_COGNATES = re.compile(r"\w{3,}(?:[aeio]l|[ao][rn])s")
"""Plurals in English of what may end so in Spanish, too, where their plural has another vowel:
"sectors", not "Keplers".
"""
_WITHOUT_E = re.compile(r"s[^aeiouhw]")
"""How a word begins in English that begins with "es" in Spanish: "spectral"."""
_MAX_ACRONYM = 4
_MAX_TERM = 64
"""Characters of the longest term; what runs on is no word but debris."""
_WORD = re.compile(r"[^\W\d_]+")
_WHO = re.compile(r"\W*who\b", re.IGNORECASE)
"""English, where a question begins with it, and not the name of an organisation."""
_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")
_COMMAND = re.compile(r"\\(?:[a-z]{1,30}|[^\w\s])")
"""TeX's, such as `\\not` and `\\,`: the word alone says little, or nothing."""
_SYMBOLIC = re.compile(rf"\b[a-z][*+#]+|[a-z]{{2,}}\+\+|{_COMMAND.pattern}")
"""Names such as A*, C++ and C#, whose letter alone says nothing; k-means++ is not k-means."""

_Token: TypeAlias = tuple[str, str, str]
"""A name with a sign or a formula, else a number, else a word or what hangs together as one."""


def passage_terms(text: str, language: Language) -> list[str]:
    """The terms of a passage in that language, in order, with repetitions."""
    stem = stemmer(language).stemWord
    terms = [term for token in _tokens(text) for term in _passage_terms(token, language)]
    return terms + [f"{stem(word)} {number}" for word, number in _numbered(text)]


@lru_cache(maxsize=65_536)
def _passage_terms(token: _Token, language: Language) -> tuple[str, ...]:
    """Those of a token; most stand in a course many times."""
    stop, stem = STOP_WORDS[language], stemmer(language)
    return tuple(
        term if kept else stem.stemWord(term)
        for term, kept in _raw_terms(token)
        if kept or term not in stop
    )


def question_terms(text: str, language: Language) -> list[tuple[str, ...]]:
    """A question's terms, each once, as the forms under which a passage may hold it.

    A word is looked for as either language stems it and as it is written, since passages are
    stemmed in their own language and hold terms of the other. English words, which questions in
    Spanish have, too ("¿qué es el overfitting?"), are also looked for by what they mean in Spanish.
    """
    stop = STOP_WORDS[language]
    stemmers = [stemmer(known) for known in STOP_WORDS]
    english, only_english = stemmer("en").stemWord, _dictionary().only_english
    forms: dict[str, tuple[str, ...]] = {}
    for term, kept in (raw for token in _tokens(text) for raw in _raw_terms(token)):
        if kept:
            # "d_k" stands as dₖ in notes
            forms[term] = tuple(dict.fromkeys((term, term.replace("_", ""))))
        elif term not in stop:
            foreign = language == "en" or english(term) in only_english
            stems = {stemmer.stemWord(term) for stemmer in stemmers}
            stems |= {term, *(spanish_stems(term) if foreign else ())}
            forms[term] = tuple(sorted(stems))
    for word, number in _numbered(text):
        if word in forms:
            forms[f"{word} {number}"] = tuple(f"{form} {number}" for form in forms[word])
    return list(dict.fromkeys(forms.values()))


def is_numbered(term: str) -> bool:
    """Whether a term is a word with the number behind it."""
    return " " in term


def _numbered(text: str) -> list[tuple[str, str]]:
    """Words that are no small ones, with the numbers behind them."""
    found = _NUMBERED.findall(unaccented(text))
    named = [(word.casefold(), _ROMAN.get(number, number)) for word, number in found]
    return [one for one in named if one[0] not in STOP_WORDS_OF_BOTH]


def _tokens(text: str) -> list[_Token]:
    """Formulas such as `f(n)` first, then everything from the first word to the last."""
    for curved, straight in _STRAIGHT.items():
        text = text.replace(curved, straight)
    plain = _with_indices(_POSSESSIVE.sub("", unaccented(text)))
    if "^" in plain:
        plain = _POWER.sub("", plain)
    applied = [(found.replace(" ", ""), "", "") for found in _APPLICATION.findall(plain)]
    commands = [(found, "", "") for found in _COMMAND.findall(plain)]
    return applied + commands + _TERM.findall(plain)


def _with_indices(text: str) -> str:
    """The text with indices joined to what they are of."""
    return _INDEX.sub(r"\1", text) if "_(" in text else text


def _raw_terms(token: _Token) -> tuple[tuple[str, bool], ...]:
    """Terms before stemming, and whether they are kept as they are written.

    A word, or an identifier or compound and its parts.
    """
    symbolic, number, run = (form[:_MAX_TERM] for form in token)
    if not run:
        return ((symbolic.casefold() or number.replace(",", "."), True),)
    parts = _PART.findall(run)
    whole = run.casefold()
    if len(parts) > 1 and all(len(part) == 1 for part in parts):
        return ((whole.replace(".", ""), True),)
    separate = [
        (part.casefold(), part.isupper() and 1 < len(part) <= _MAX_ACRONYM) for part in parts
    ]
    return ((whole, True), *separate) if len(parts) > 1 else tuple(separate)


class _Dictionary(NamedTuple):
    """Stems of one language by those of the other, and the stems that only one of them has."""

    spanish_of: Mapping[str, tuple[str, ...]]
    english_of: Mapping[str, tuple[str, ...]]
    only_english: frozenset[str]
    only_spanish: frozenset[str]


def spanish_stems(word: str) -> tuple[str, ...]:
    """The stems that an English word, folded, may have in a Spanish text: those of what it means,
    that of "neoliberal" for "neoliberals", whose plural is "neoliberales", and of "espectral" for
    "spectral".
    """
    alike = [word[:-1]] if _COGNATES.fullmatch(word) else []
    if _WITHOUT_E.match(word) and f"e{word}" not in STOP_WORDS["es"]:
        alike.append(f"e{word}")
    means = _dictionary().spanish_of.get(stemmer("en").stemWord(word), ())
    return (*map(stemmer("es").stemWord, alike), *means)


def english_stems(forms: Sequence[str]) -> tuple[str, ...]:
    """The stems of the English words for a Spanish one that is looked for under these forms."""
    known = _dictionary().english_of
    return tuple(dict.fromkeys(stem for form in forms for stem in known.get(form, ())))


def question_language(question: str, usual: str = "") -> Language:
    """The language of a question, told by words that every sentence needs.

    Where it has none, or as many of both: `usual`, or else the language that alone knows more of
    its words, Spanish if they are as many.
    """
    spanish, english = count_function_words(question)
    english += _WHO.match(question) is not None
    if spanish == english and usual:
        return "en" if usual == "en" else "es"
    if spanish == english:
        words, dictionary = [folded(word) for word in _WORD.findall(question)], _dictionary()
        english = len(dictionary.only_english.intersection(stemmer("en").stemWords(words)))
        spanish = len(dictionary.only_spanish.intersection(stemmer("es").stemWords(words)))
    return "en" if english > spanish else "es"


@cache
def _dictionary() -> _Dictionary:
    """Read from lines such as `network: red redes`, 4,000 of them."""
    text = files("tutor.text").joinpath("translations.txt").read_text(encoding="utf-8")
    english, spanish = stemmer("en").stemWord, stemmer("es").stemWords
    spanish_of: dict[str, tuple[str, ...]] = {}
    english_of: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        word, _colon, meanings = line.partition(": ")
        stem = english(word)
        stems = spanish(folded(meanings).split())
        spanish_of[stem] = tuple(dict.fromkeys([*spanish_of.get(stem, ()), *stems]))
        english_of |= {one: (*english_of.get(one, ()), stem) for one in stems}
    known, foreign = frozenset(english_of), frozenset(spanish_of)
    return _Dictionary(spanish_of, english_of, foreign - known, known - foreign)


@lru_cache(maxsize=4096)  # of one question's passages most are asked for three times
def content_words(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning, without accents and case.

    One stemmer (Snowball's Spanish one) serves for both sides of a comparison, whatever their
    language: it only has to bring equal words together.
    """
    plain = _with_indices(folded(text))
    words = [word for word in _LETTERS_OR_DIGITS.findall(plain) if word not in STOP_WORDS_OF_BOTH]
    return frozenset([*stemmer("es").stemWords(words), *_SYMBOLIC.findall(plain)])


def numbered(text: str) -> frozenset[tuple[str, str]]:
    """What is called by its number ("práctica 3", "teorema 5.1", "GPT-4"): stems of words, and the
    numbers behind them.
    """
    stem = stemmer("es").stemWord
    return frozenset((stem(word), number) for word, number in _numbered(text))


def content_words_in_order(text: str) -> list[tuple[int, str]]:
    """Where each word that carries meaning begins, and its stem; numbers are no words here."""
    stem = stemmer("es").stemWord
    return [
        (match.start(), stem(match[0]))
        for match in _LETTERS_OR_DIGITS.finditer(fold(text))
        if match[0] not in STOP_WORDS_OF_BOTH and len(match[0]) > 1 and match[0].isalpha()
    ]


def content_words_of_both(text: str) -> frozenset[str]:
    """`content_words`, and the Spanish stems that the dictionary has for English words."""
    spanish_of, stem = _dictionary().spanish_of, stemmer("en").stemWord
    words = map(stem, _LETTERS_OR_DIGITS.findall(folded(text)))
    return content_words(text).union(*(spanish_of.get(word, ()) for word in words))


def question_words(question: str, language: Language) -> Mapping[str, str]:
    """The words of a question that carry meaning, by the forms under which `content_words` has them
    in a text: an English one stands for its translations, too, an acronym for others of the same.
    """
    words = {word: word for word in content_words(question)}
    for word in tuple(words):
        words = dict.fromkeys(other_acronyms([word]), word) | words
    if language == "en":
        for word in _LETTERS_OR_DIGITS.findall(folded(question)):
            own = stemmer("es").stemWord(word)
            for form in (stemmer("en").stemWord(word), *spanish_stems(word)):
                if own in words:
                    words.setdefault(form, own)
    return words


def question_numbers(
    question: str, words: Mapping[str, str]
) -> Mapping[tuple[str, str], tuple[str, str]]:
    """What a question calls by its number, by the forms under which `numbered` has it in a text.

    `words` are its `question_words`.
    """
    return {
        (form, number): (own, number)
        for stem, number in numbered(question)
        for form, own in words.items()
        if own == stem
    }
