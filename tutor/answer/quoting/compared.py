"""What a question compares ("X vs Y"), or wants each of ("qué son X e Y")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutor.text.folding import fold
from tutor.text.terms import content_words

_ARTICLE = r"(?:(?:el|la|los|las|un|una|the|an?) )?"
_SAME_AS = r"(?:es|son) (?:lo mismo que|iguale?s? (?:que|a))|the same as"
_COMPARES = re.compile(
    r"(?:(?:en|cual(?:es)?|que|son|es|hay|se|me|las?|explica\w*|dime|what|is|are|s|the|tell me"
    r"|explain)\W+)*(?:(?:diferencias?|diferencian?|distinguen?|comparacion|differences?"
    r"|comparison)(?: (?:principal(?:es)?|hay|existen?|que hay))* (?:(?:entre|de|between|of) )?"
    rf"|compar(?:a|ar|ame|e) |cambian? de ){_ARTICLE}(.+)"
    rf"|(?:is|are) {_ARTICLE}(.+ the same as\b.+)|(?:is|are) {_ARTICLE}(.+) the same"
    rf"|{_ARTICLE}(.+ (?:vs|versus|frente a|{_SAME_AS})\b.+)"
    rf"|(?:es|son) (?:lo mismo|iguales) (?:entre )?{_ARTICLE}(.+)"
    rf"|how (?:do|does|is|are) (?=.* differ){_ARTICLE}(.+?)(?: differ\w*)?"
)
_COMPARES_BEHIND = re.compile(
    r"(?!how\b)(.+? (?:y|e|and|vs|versus|frente a)\b.+?)[,;:.]? [¿ ]*"
    r"(?:(?:y|en|cual(?:es)?|que|es|son|las?|sus?|se|hay|what|is|are|s|the|their|how|do|they)\W+)*"
    r"(?:diferencias?|diferencian?|distinguen?|cambia(?: de un[oa] a otr[oa])?|differences?|differ)"
)
"""What is compared, before the words that ask so."""
_AND = re.compile(rf",? (?:y|e|and|vs|versus|frente a|{_SAME_AS})\b[. ]*{_ARTICLE}|, {_ARTICLE}")
_ASKED_TOO = re.compile(
    r"(?:,|,? (?:y|e|and)) (?:(?:en|a|de|para) )?"
    r"(?:cual(?:es)?|cuando|cuanto|como|donde|que|por que|which|when|how|where|what|why)\b.*"
)
"""What else is asked of what is compared: "…, cuál conviene"."""
_AGAINST = re.compile(rf" (?:vs|versus|frente a)\b[. ]*{_ARTICLE}")
_WITH_ONE = re.compile(r" (?:con|with) (?:el|la|los|las|una?|the|an?) ")
_WITH = re.compile(rf" (?:differ\w* from|de|con|a|que|from|with) {_ARTICLE}")
_WITH_ARTICLE = re.compile(
    r" (?:del|al|(?:de|con|a) (?:el|la|los|las|una?)|(?:differ\w* )?(?:from|with) (?:the|an?)) "
)
"""Where a name has an "of" itself: "el análisis de errores del análisis ablativo"."""
_EXPLAINED = re.compile(
    r"(?:(?:me|puedes|podrias|quiero saber)\W+)*(?:(?:que|q|what) (?:es|son|significan?|is|are)"
    rf"|explica\w*|explain|define|defini(?:cion(?:es)?|tions?) (?:de|of)) {_ARTICLE}(.+)"
)
"""What asks what something is."""
_ASKS_MORE = re.compile(
    r"\b(?:sus?|como|cuando|donde|para|por|que|cual\w*|ejemplos?|diferenci\w*|entre|me"
    r"|its?|how|when|why|what|examples?|differ\w*|between)\b"
)
"""What asks for more of a thing than what it is."""
_MOST_WORDS = 4
"""Of a thing's name; what is longer asks for more than what it is."""
_MOST_SIDES = 3


def sides(question: str) -> list[str]:
    """The two or three things that are to be compared; none where the question is no such one."""
    plain = " ".join(fold(question).split()).strip(" ?¿.!")
    if behind := _COMPARES_BEHIND.fullmatch(plain):
        plain = f"diferencia entre {behind[1]}"
    asked = _COMPARES.fullmatch(plain)
    said = next(filter(None, asked.groups()), "") if asked else ""
    alone = _ASKED_TOO.sub("", said)
    return (_names(alone) if alone != said else []) or _names(said)


def _names(said: str) -> list[str]:
    """The things that are said to be compared, if they are two or three."""
    by_vs = _AGAINST.split(said)  # "backtracking vs branch and bound"
    names = by_vs if len(by_vs) > 1 and "," not in said else _AND.split(said)
    if len(names) == 1:
        parted = (mark for mark in (_WITH_ONE, _WITH_ARTICLE) if mark.search(said))
        names = next(parted, _WITH).split(said, maxsplit=1)
    noun = names[0].partition(" ")[0]  # "el error de tipo I y el de tipo II"
    names = [f"{noun} {name}" if name.startswith(("de ", "del ")) else name for name in names]
    return names if _are_sides(names) else []


def explained(question: str) -> list[str]:
    """X and Y of "what are X and Y", each with what they are to be in; none of another question."""
    asked = _EXPLAINED.fullmatch(" ".join(fold(question).split()).strip(" ?¿.!"))
    if asked is None or _ASKS_MORE.search(asked[1]):
        return []
    said, place, where = asked[1].partition(" in " if " in " in asked[1] else " en ")
    names = _AND.split(said)
    return [f"{name}{place}{where}" for name in names] if _are_sides(names) else []


def _are_sides(names: Sequence[str]) -> bool:
    whole = all(content_words(name) and len(name.split()) <= _MOST_WORDS for name in names)
    return whole and 2 <= len(names) <= _MOST_SIDES
