"""What may lead to a week, a day, a name or a title: `en los apuntes de la …`, `según la profe …`.

Patterns are matched against the folded question, which has a character for each of the question's.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from tutor.model import Filter
from tutor.text.folding import fold
from tutor.text.stopwords import STOP_WORDS_OF_BOTH

MATERIAL = re.compile(
    r"(?:clases?|apuntes?|notas|sesion(?:es)?|leccion(?:es)?|documento?s?|pdfs?|archivos?"
    r"|material(?:es)?|diapositivas|presentacion(?:es)?|presentations?|lecturas?"
    r"|class(?:es)?|notes?|sessions?|lessons?|lectures?|files?|materials?|slides)(?!\w)"
)
"""What a course is written down in, or taught in."""
_LEAD = re.compile(
    r"(?<!\w)(?:(?:(?P<says>segun|de\s+acuerdo\s+(?:con|a)|conforme\s+a|according\s+to|per"
    r"|dicen?|explican?|define|pone|does)"
    r"|(?P<preposition>antes\s+de|before|hasta|until|up\s+to|a\s+partir\s+de|desde|since"
    r"|despues\s+de|after|entre|between|en|del?|durante|in|on|from|of|during))\s+)?"
    rf"(?:(?:el|la|los|las|the)\s+)?(?:(?P<material>{MATERIAL.pattern}|semana|week)\s+)?"
    r"(?:(?:escrit[oa]s?\s+|written\s+)?(?:titulad[oa]s?|de|del|en|por|sobre|of|on|from|by|titled)\s+)?"
    r"(?:(?:el|la|the)\s+)?(?:dia\s+)?"
    r"(?:(?:lunes|martes|miercoles|jueves|viernes|sabado|(?:mon|tues|wednes|thurs|fri|satur)day),?\s+)?"
    r"[\"“«'‘]?\Z"
)
_FEW_WORDS = 80
"""Characters."""
_NEXT_WORD = re.compile(r"\s+(\w+)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A filter that `question[start:end]` names."""

    start: int
    end: int
    filter: Filter


@dataclass(frozen=True, slots=True)
class Lead:
    """The words before what is named: where they begin, and what they are."""

    start: int
    says: bool
    preposition: str
    material: str


def lead_before(text: str, start: int) -> Lead:
    """What leads to the name that begins at `start`; empty where nothing does."""
    match = _LEAD.search(text, max(0, start - _FEW_WORDS), start)
    if match is None:
        return Lead(start, says=False, preposition="", material="")
    preposition = " ".join((match["preposition"] or "").split())
    return Lead(match.start(), match["says"] is not None, preposition, match["material"] or "")


def is_complete(text: str, end: int) -> bool:
    """Whether a name that ends here goes no further: a sign or a stop word follows."""
    following = _NEXT_WORD.match(text, end)
    return following is None or following[1] in STOP_WORDS_OF_BOTH


def keys_of(text: str) -> tuple[str, ...]:
    """A name or a title as words to compare."""
    return tuple(re.findall(r"\w+", fold(unicodedata.normalize("NFC", text))))
