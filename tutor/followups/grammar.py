"""Little grammar: articles that agree, contractions, question marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.followups.words import COPULAS, INTERROGATIVES, PREPOSITIONS, fold, split_words, words

if TYPE_CHECKING:
    from tutor.followups.words import Language

LONGEST_QUESTION = 320
"""Characters; what is longer did not become readable."""
_FEMININE = re.compile(r"(?:a|as|cion|ciones|sion|siones|dad|dades|tud|itudes|ez|sis|triz|trices)$")
_MASCULINE = words(
    "problema problemas sistema sistemas programa programas esquema esquemas teorema teoremas tema"
    " temas diagrama diagramas mapa mapas dia dias lema lemas dilema dilemas sintoma axioma"
    " axiomas idioma poema paradigma paradigmas histograma histogramas programas clima analisis"
)
_FEMININE_TOO = words(
    "variante variantes clave claves imagen imagenes velocidad"
    " base bases clase clases fase fases serie parte"
)
_ASKS = INTERROGATIVES | COPULAS | words("hay se puede puedes siempre tiene tienen sirve existe")
_ENGLISH_ASKS = words("do does did can could should would will has have")


def article(noun: str) -> str:
    """The definite article of a Spanish noun."""
    key = fold(noun)
    feminine = key in _FEMININE_TOO or (key not in _MASCULINE and _FEMININE.search(key) is not None)
    if _has_plural_ending(key):
        return "las" if feminine else "los"
    return "la" if feminine else "el"


def is_plural(phrase: str, language: Language) -> bool:
    """Whether a phrase such as `las ventajas` or `decision trees` is in the plural."""
    keys = ["" if word.text.isupper() else word.key for word in split_words(phrase)]
    if not keys:
        return False
    if language == "en":
        end = next((i for i, key in enumerate(keys) if i and key in PREPOSITIONS), len(keys))
        return keys[0] not in {"a", "an"} and _has_plural_ending(keys[end - 1])
    if keys[0] in {"la", "el", "lo", "un", "una", "a", "an"}:
        return False
    return keys[0] in {"los", "las", "unos", "unas"} or _has_plural_ending(keys[0])


def _has_plural_ending(key: str) -> bool:
    return key.endswith("s") and not key.endswith(("sis", "is", "ss", "'s", "us"))


def of(phrase: str, language: Language) -> str:
    """` de la entropía`, ` of entropy`."""
    return f" of {phrase}" if language == "en" else f" de {phrase}"


def tidy(text: str, language: Language, *, asks: bool | None = None) -> str:
    """One line with its contractions, its capital and its marks."""
    line = " ".join(text.split()).strip(" ¿?¡!.,;:")
    if not line:
        return ""
    if language == "es":
        line = re.sub(r"\b([Dd]e) el (?=\S)", r"\1l ", line)
        line = re.sub(r"\b([Aa]) el (?=\S)", r"\1l ", line)
    line = re.sub(r"\s+([,.;:?])", r"\1", line)
    if asks is None:
        asks = _is_question(line)
    name = split_words(line)[0].is_name if split_words(line) else True
    first = line if name else line[0].upper() + line[1:]
    if not asks:
        return first + "."
    return f"{first}?" if language == "en" else f"¿{first}?"


def _is_question(line: str) -> bool:
    keys = [word.key for word in split_words(line)]
    while keys and keys[0] in PREPOSITIONS:
        keys = keys[1:]
    if not keys:
        return False
    return keys[0] in _ASKS | _ENGLISH_ASKS or any(key in INTERROGATIVES for key in keys[:1])
