"""Two questions in one: "qué es X y cómo se evita", "what is X? Give me an example"."""

from __future__ import annotations

import re

from tutor.text.folding import fold
from tutor.text.terms import content_words

_ASKS = (
    r"(?:(?:a|de|en|con|por|para|desde|hasta) )?"
    r"(?:que|cual(?:es)?|como|cuando|cuant[oa]s?|quien(?:es)?|donde)\b|por ?que\b"
    r"|(?:(?:from|in|of|to) )?(?:how|why|what|when|where|which|who)\b"
)
_WANTS = (
    r"(?:(?:pon(?:me)?|dame|da|con|muestra(?:me)?|give(?: me)?|show(?: me)?|with) )?"
    r"(?:(?:un|una|algun|an?|some|the) )?(?:ejemplos?|examples?)\b"
    r"|(?:su|la|its|the) (?:formula|equation)\b"
)
_BETWEEN = re.compile(
    rf"[,;]? ?\b(?:y|e|and)\b,? (?={_ASKS}|{_WANTS})|[,;] ?(?={_ASKS}|{_WANTS})|[?.]\W+(?=\w)"
)
"""What stands between two questions: the second begins with a word that asks, or is a sentence of
its own."""
_ASKING = re.compile(
    rf"(?:\W*\w+\W+){{0,3}}?\W*"
    rf"(?:{_ASKS}|(?:explic|defin|describ|diferencia|explain|differen)\w*|dime\b|decime\b)"
)
"""How the first one begins: "in this example, how …?" is a single one."""


def first_of_two(question: str) -> str:
    """The first of two questions in one, without its signs; empty for a single question.

    "ventajas y desventajas de X", "cuándo y por qué …" are single ones.
    """
    between = _BETWEEN.search(fold(question))
    first = question[: between.start()].strip(" ,;¿?.") if between else ""
    asks = " " in first and _ASKING.match(fold(first)) and content_words(first)
    return first if asks else ""
