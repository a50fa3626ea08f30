"""Single words of Spanish and English: those that tell no text from another, sounds, how frequent.

The lists of stop words are those of bm25s, in lower case without accents; the few words added are
those with which students ask.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
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
UNSEEN = 1.0
"""Zipf frequency of a word that no list has; the rarest of those has 3."""


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


def is_slip(one: str, other: str) -> bool:
    """Whether a letter more, less or else, or two in the other order, make one word the other."""
    short, long = sorted((one, other), key=len)
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) - len(short) == 1:
        return short[at:] == long[at + 1 :]
    turned = f"{short[:at]}{short[at : at + 2][::-1]}{short[at + 2 :]}"
    return len(long) == len(short) and (short[at + 1 :] == long[at + 1 :] or turned == long)


def is_general(word: str) -> bool:
    """Whether Spanish or English has a word, with or without its accents, whatever a course has.

    Their some 30,000 most frequent words each. Speer 2022, wordfreq.
    """
    return folded(word) in _general()


@lru_cache(maxsize=65_536)
def zipf(word: str) -> float:
    """The logarithm of a word's occurrences in a billion of words, in Spanish or English."""
    from wordfreq import zipf_frequency  # noqa: PLC0415 - 0.15 s, needed to build a map only

    found: float = max(
        zipf_frequency(word.lower(), "es", "small"),
        zipf_frequency(folded(word), "en", "small"),
        UNSEEN,
    )
    return found


@cache
def _general() -> frozenset[str]:
    from wordfreq import get_frequency_dict  # noqa: PLC0415 - as above, which few questions need

    lists = (get_frequency_dict(language, "small") for language in ("es", "en"))
    return frozenset(folded(word) for words in lists for word in words)
