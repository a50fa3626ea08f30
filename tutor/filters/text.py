"""What the recognisers share: a question without accents and case, and the words around a filter.

Patterns are matched against the folded question, which has a character for each of the question's.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tutor.types import Filter

MATERIAL = (
    r"(?:clases?|apuntes?|notas|sesion(?:es)?|leccion(?:es)?|documentos?|pdfs?|archivos?|ficheros?"
    r"|material(?:es)?|diapositivas|presentacion(?:es)?|lecturas?"
    r"|class(?:es)?|notes?|sessions?|lessons?|lectures?|documents?|files?|materials?|slides"
    r"|presentations?)"
)
"""What a course is written down in, or taught in."""
_LEAD = r"(?:(?:en|de|segun|durante|con|in|from|of|during|according\s+to|per)\s+)?"
_ARTICLE = r"(?:(?:el|la|los|las|lo|the)\s+)?"
_OF_MATERIAL = re.compile(
    rf"(?<!\w){_LEAD}{_ARTICLE}(?:{MATERIAL}|lo\s+visto)\s+(?:de|del|of|from|in|en|on|for)\s+\Z"
)
"""What may stand before `la semana 5` and belongs to it: `en los apuntes de`."""
_FEW_WORDS = 80
"""Characters."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Found:
    """A filter that `question[start:end]` names."""

    start: int
    end: int
    filter: Filter


@dataclass(frozen=True, slots=True)
class Word:
    """A folded word and its span."""

    key: str
    start: int
    end: int


def folded(text: str) -> str:
    """Lower case without accents, character by character: a composed text keeps its offsets."""
    return "".join(unicodedata.normalize("NFD", char)[0].lower()[:1] for char in text)


def words_of(text: str) -> list[Word]:
    """The words of a folded text."""
    return [Word(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]


def keys_of(text: str) -> tuple[str, ...]:
    """A name or a title as words to compare."""
    return tuple(_WORD.findall(folded(unicodedata.normalize("NFC", text))))


def before(pattern: re.Pattern[str], text: str, end: int) -> re.Match[str] | None:
    """The match of a pattern, anchored at its end, of the few words that end at `end`."""
    return pattern.search(text, max(0, end - _FEW_WORDS), end)


def material_before(text: str, start: int) -> int | None:
    """Where `los apuntes de`, which ends at `start`, begins; None where there is no such thing."""
    match = before(_OF_MATERIAL, text, start)
    return match.start() if match else None


def word_at(words: Iterable[Word], start: int) -> int | None:
    """The place of the first word from `start` on."""
    return next((place for place, word in enumerate(words) if word.start >= start), None)
