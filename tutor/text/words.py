"""Single words of Spanish and English: those that tell no text from another, sounds, how frequent.

The lists of stop words are those of bm25s, in lower case without accents; the few words added are
those with which students ask.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from gzip import decompress
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tutor.text.folding import folded
from tutor.text.language import Language

_SPELLINGS = [
    (re.compile(spelt), heard)
    for spelt, heard in (
        ("(?<!c)h", ""),
        ("y(?![aeiou])", "i"),
        ("ll", "y"),
        ("v", "b"),
        ("c(?=[ei])|z", "s"),
        ("c(?!h)|qu(?=[ei])", "k"),
        ("g(?=[ei])", "j"),
        ("gu(?=[ei])", "g"),
        (r"(.)\1", r"\1"),
    )
]
_MISSPELT = 1.5
"""The Zipf frequency below which misspelt words stand in a list, too."""
UNSEEN, RAREST = 1.0, 3.0
"""Zipf frequency of a word that no list has, and of the rarest that one has."""


def _folder(package: str) -> Path:
    """Where a package lies of which only a file is read: to import it takes 0.15 s and more."""
    found = find_spec(package)
    assert found is not None  # noqa: S101 - a dependency
    assert found.origin is not None  # noqa: S101
    return Path(found.origin).parent


def _lists() -> Any:
    """The module `bm25s.stopwords` without its package, which loads SciPy and tqdm."""
    spec = spec_from_file_location("bm25s_stopwords", _folder("bm25s") / "stopwords.py")
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
            *"""cada cuales cuanta cuantas cuanto cuantos cuya cuyo demasiada demasiado hace hacer
            hacen segun sirve sirven
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
            mencionan mencionaron menciono necesito pasame pide piden platicame porfa profe
            queda quedo quiero refiere sabe saber significa significan siglas trata tratan va
            vemos vieron vimos vio
            debemos debes debo decia decian haces hacemos hago podemos pongo puedo""".split(),
        ]
    )
    - {"estado", "estados", "sentido", "sentidos"},  # forms of verbs, but nouns of many courses
    "en": frozenset(
        [
            *_LISTS.STOPWORDS_EN_PLUS,
            *"""according ask asks cannot define describe don explain explained get give hello hi
            info know mention mentioned mentions ok okay please said saw say says see seen stand
            stands talk talked tell understand want whose""".split(),
        ]
    ),
}
STOP_WORDS_OF_BOTH = STOP_WORDS["es"] | STOP_WORDS["en"]
OF_ANY_SUBJECT = frozenset(
    "ejemplo ejemplos formula formulas ecuacion paso pasos tipo tipos ventaja ventajas desventaja"
    " desventajas inconvenientes contras beneficios caracteristicas propiedades diferencia"
    " diferencias causas limites limitaciones metricas riesgos codigo demostracion aplicaciones"
    " uso usos metodo algoritmo tecnica calcula calculan calcular calculo"
    " example examples equation step steps type types advantages disadvantages drawbacks benefits"
    " characteristics properties difference causes limits risks code proof applications use uses"
    " method algorithm technique".split()
)
"""What is asked of any subject."""


def sound(word: str) -> str:
    """A word without accents as it is heard, a letter for each sound of Spanish (seseo)."""
    for spelt, heard in _SPELLINGS:
        word = spelt.sub(heard, word)
    return word


def is_general(word: str) -> bool:
    """Whether Spanish or English has a word, with or without its accents, whatever a course has.

    Their some 30,000 most frequent words each. Speer 2022, wordfreq.
    """
    return folded(word) in _frequencies()


def zipf(word: str) -> float:
    """The logarithm of a word's occurrences in a billion of words, in Spanish or English, with or
    without its accents.
    """
    return _frequencies().get(folded(word), UNSEEN)


def is_word(plain: str) -> bool:
    """Whether Spanish or English has a word without accents, be it rare: 190,000 each."""
    return any(
        len(word) == len(plain) and (word == plain or folded(word) == plain)
        for frequency, words in _listed("large")
        if frequency >= _MISSPELT
        for word in words
    )


@cache
def _frequencies() -> Mapping[str, float]:
    """The Zipf frequencies of words without accents, in the language that has more of them."""
    found: dict[str, float] = {}
    for frequency, words in _listed("small"):
        for word in words:
            plain = word if word.isascii() else folded(word)
            found[plain] = max(found.get(plain, UNSEEN), frequency)
    return found


def _listed(size: str) -> Iterator[tuple[float, list[str]]]:
    """The words of both languages by their Zipf frequencies, from a list of one of two sizes.

    Behind a header it has the words of each hundredth below 9.
    """
    from msgpack import unpackb  # noqa: PLC0415 - what few questions need

    for language in ("es", "en"):
        packed = (_folder("wordfreq") / "data" / f"{size}_{language}.msgpack.gz").read_bytes()
        for number, words in enumerate(unpackb(decompress(packed))[1:]):
            yield 9 - number / 100, words
