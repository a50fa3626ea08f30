"""Single words of Spanish and English: those that tell no text from another, stems, sounds.

The lists of stop words are those of bm25s, in lower case without accents; the few words added are
those with which students ask.
"""

from __future__ import annotations

import gzip
import re
from functools import cache, lru_cache
from importlib import metadata
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from math import log10
from pathlib import Path
from typing import Any
from unicodedata import normalize

import Stemmer

from tutor.text.folding import folded
from tutor.text.language import Language

_SPELLINGS = [
    (re.compile(spelt), heard)
    for spelt, heard in (
        ("(?<!c)h", ""),
        ("ll", "y"),
        ("v", "b"),
        ("c(?=[ei])|z", "s"),
        ("c(?!h)|qu(?=[ei])", "k"),
        ("g(?=[ei])", "j"),
        ("gu(?=[ei])", "g"),
        (r"(.)\1", r"\1"),
    )
]
_LANGUAGES: tuple[Language, ...] = ("es", "en")
UNSEEN = 1.0
"""Zipf frequency of a word that no list has; the rarest of those has 3."""
_NUMBER = 5.0
_LETTERS = re.compile(r"[^\W\d_²³¹⁰⁴-⁹₀-₉]+")
_NAMES = {"es": "spanish", "en": "english"}


def _lists() -> Any:
    """The module `bm25s.stopwords` without its package, which loads SciPy and tqdm (0.25 s)."""
    package = find_spec("bm25s")
    assert package is not None  # noqa: S101 - a dependency
    assert package.origin is not None  # noqa: S101
    path = Path(package.origin).with_name("stopwords.py")
    spec = spec_from_file_location("bm25s_stopwords", path)
    assert spec is not None  # noqa: S101
    assert spec.loader is not None  # noqa: S101
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_LISTS = _lists()
STOP_WORDS: dict[Language, frozenset[str]] = {
    "es": frozenset(
        [
            *map(folded, _LISTS.STOPWORDS_SPANISH),
            *"""cada cuales cuanta cuantas cuanto cuantos cuya cuyo hace hacer hacen segun sirve
            aclarame ayudame cuentame dame define defineme describe dime ensename enumerame explica
            explicame explicarme hazme hola indicame listame mencioname muestrame podrias ponme
            puedes quisiera recuerdame resumeme
            contame decime definime describime haceme mostrame podes poneme queres recordame
            resumi resumime sabes vos
            aclarar alguien aparece aparecen aprendimos ayuda ayudar buenas comprender
            comprendo concepto consiste consisten contaron cubre das describeme dice
            dicen dijeron dijo duda dudas echame ensenan ensenaron enseno entender
            entiende entiendo estudiamos estudian explican explicaron explicas explico
            favor gustaria habla hablame hablamos hablan hablaron hablo info menciona
            mencionan mencionaron menciono necesito onda pasame platicame porfa profe
            queda quedo quiero refiere sabe saber significa significan tratan vemos
            vieron vimos vio
            debemos debes debo haces hacemos hago podemos puedo""".split(),
        ]
    ),
    "en": frozenset(
        [
            *_LISTS.STOPWORDS_EN_PLUS,
            *"""define describe don explain explained get give hello hi info know mention mentioned
            mentions please said saw say says see seen talk talked tell understand want
            whose""".split(),
        ]
    ),
}
STOP_WORDS_OF_BOTH = STOP_WORDS["es"] | STOP_WORDS["en"]


@cache
def stemmer(language: Language) -> Stemmer.Stemmer:
    """The stemmer of a language, for words without accents in lower case."""
    return Stemmer.Stemmer(_NAMES[language])


def sound(word: str) -> str:
    """A word without accents as it is heard, a letter for each sound of Spanish (seseo)."""
    for spelt, heard in _SPELLINGS:
        word = spelt.sub(heard, word)
    return word


def is_general(word: str) -> bool:
    """Whether Spanish or English has a word, with or without its accents, whatever a course has.

    Their some 30,000 most frequent words each. Speer 2022, wordfreq.
    """
    return folded(word) in _general()


@lru_cache(maxsize=65_536)
def zipf(word: str) -> float:
    """The logarithm of a word's occurrences in a billion of words, in Spanish or English.

    Indices and exponents part words, and what is nothing else is a number, of which all texts have
    many. English is taken to have no accents.
    """
    spanish, english = map(_frequencies, _LANGUAGES)
    parts = _LETTERS.findall(normalize("NFC", word).casefold())
    if not parts:
        return _NUMBER
    plain = folded(word).casefold()
    all_parts = -log10(sum(10 ** -spanish.get(part, UNSEEN) for part in parts))
    return max(round(all_parts, 2), english.get(plain, UNSEEN))


@cache
def _frequencies(language: Language) -> dict[str, float]:
    """The Zipf frequencies of the most frequent words of a language, in lower case, as wordfreq has
    them. Importing it takes 0.15 s, and asking it 30 µs a word.

    The file has a header, then lists of words, each ten to the hundredth part rarer than the last.
    """
    import msgpack  # noqa: PLC0415 - wordfreq's own way of reading it; few commands need it

    name = f"wordfreq/data/small_{language}.msgpack.gz"
    path = Path(str(metadata.distribution("wordfreq").locate_file(name)))
    with gzip.open(path) as file:
        _header, *lists = msgpack.load(file)
    return {word: (900 - rank) / 100 for rank, words in enumerate(lists) for word in words}


@cache
def _general() -> frozenset[str]:
    return frozenset(folded(word) for one in _LANGUAGES for word in _frequencies(one))
