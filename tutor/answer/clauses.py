"""The parts of a question: two in one ("qué es X y cómo se evita", "what is X? An example"), what
is compared ("diferencia entre X e Y", "X vs Y"), and what something is asked of ("X en Y").
"""

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


_ARTICLE = r"(?:(?:el|la|los|las|un|una|the|an?) )?"
_COMPARES = re.compile(
    r"(?:(?:en|cual(?:es)?|que|son|es|hay|se|las?|explica\w*|dime|what|is|are|s|the|tell me"
    r"|explain)\W+)*(?:(?:diferencias?|diferencian?|distinguen?|comparacion|differences?"
    r"|comparison)(?: (?:principal(?:es)?|hay|existen?|que hay))* (?:(?:entre|de|between|of) )?"
    rf"|compar(?:a|ar|ame|e) |cambian? de ){_ARTICLE}(.+)"
    rf"|{_ARTICLE}(.+ (?:vs|versus|frente a)\b.+)"
    rf"|how (?:do|does|is|are) (?=.* differ){_ARTICLE}(.+?)(?: differ\w*)?"
)
_AND = re.compile(rf",? (?:y|e|and|vs|versus|frente a)\b[. ]*{_ARTICLE}|, {_ARTICLE}")
_WITH = re.compile(rf" (?:differ\w* from|de|con|a|from|with) {_ARTICLE}")
_WITH_ARTICLE = re.compile(
    r" (?:del|al|(?:de|con|a) (?:el|la|los|las|una?)|(?:differ\w* )?(?:from|with) (?:the|an?)) "
)
"""Where a name has an "of" itself: "el análisis de errores del análisis ablativo"."""
_MOST_WORDS = 4
"""Of a thing's name; what is longer asks for more than what it is."""
_MOST_SIDES = 3


_WITHIN = re.compile(rf"(.+) (?:en|in) {_ARTICLE}([^,;?.]+?)[\s?.!]*", re.DOTALL | re.IGNORECASE)


def sides(question: str) -> list[str]:
    """The two or three things that are to be compared; none where the question is no such one."""
    asked = _COMPARES.fullmatch(" ".join(fold(question).split()).strip(" ?¿.!"))
    said = next(filter(None, asked.groups()), "") if asked else ""
    names = _AND.split(said)
    if len(names) == 1:
        names = (_WITH_ARTICLE if _WITH_ARTICLE.search(said) else _WITH).split(said, maxsplit=1)
    noun = names[0].partition(" ")[0]  # "el error de tipo I y el de tipo II"
    names = [f"{noun} {name}" if name.startswith("de ") else name for name in names]
    whole = all(content_words(name) and len(name.split()) <= _MOST_WORDS for name in names)
    return names if whole and 2 <= len(names) <= _MOST_SIDES else []


def within(question: str) -> tuple[str, str]:
    """X and Y of "X in Y"; empty where the question is no such one."""
    asked = _WITHIN.fullmatch(question)
    return (asked[1], asked[2]) if asked else ("", "")
