"""What the words of a follow-up stand for: one of several things by its place ("el segundo"), the
other of two ("la otra"), or both ("cada una"); and what compares two things without a name for them
("¿cuál es mejor?").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from tutor.answer.quoting.compared import sides
from tutor.answer.quoting.definitions import AnswerKind, stands_alone
from tutor.answer.wording import subject_in, told_of
from tutor.model import Turn
from tutor.search.contextual import BETWEEN
from tutor.search.follow_ups import (
    ARTICLE,
    BY_ITSELF,
    ONLY_JOINS,
    PICKED,
    PLACES,
    asks_which,
    bare,
    leading_name,
    named_instead,
    other_side,
)
from tutor.text.folding import as_typed, fold, folded
from tutor.text.numerals import ORDINALS
from tutor.text.terms import content_words

_ARTICLE = re.compile(rf"\A{ARTICLE} ", re.IGNORECASE)
_OTHER = re.compile(rf"\b(?P<the>del|al|el|l[ao]s?|the) otr?(?:[oa]s?|her)(?: one)?{BY_ITSELF}")
"""The other one of two things."""
_TWO = re.compile(
    r"(?:(?<=cual de )|(?<=which of ))(?:(?:l|es|est)[oa]s dos|the two|both)\b"
    rf"|(?:(?<=entre )|(?<=between ))(?:ell[oa]s|them)\b(?: dos\b)?"
    r"|\b(?:(?:l|es|est)[oa]s (?:ultim[oa]s )?dos(?: ultim[oa]s)?|amb[oa]s"
    rf"|cada un[oa](?: de ell[oa]s)?|both(?: of them)?|each(?: one)?|the two|them both){BY_ITSELF}"
)
"""Both of two things."""
_FIRST_TWO = re.compile(
    rf"\b(?:l[oa]s (?:dos primer[oa]s|primer[oa]s dos)|the first two(?: ones)?){BY_ITSELF}"
)
"""The first two of several things."""
_COMPARES = re.compile(
    r"(?:(?:y|and) )?(?:(?:cual(?:es)?|que|es|son|las?|what|is|are|the) )*"
    r"(?:diferencias?|differences?|compara(?:los|las)|en que se (?:diferencian|distinguen)"
    r"|compare them|how (?:do|are) they differ(?:ent)?)(?: (?:hay|existen?))?"
)
"""Compares what it does not name."""
_EITHER = re.compile(
    r".*(?:[,:]|\b(?:mejor|conviene|entre|better|between)) (\w+(?: \w+)?) (?:o|u|or)"
    r" (\w+(?: \w+)?)\W*"
)
"""Asks which of two things it is: "¿qué topología conviene, estrella o malla?"."""
_WHICH_IF = re.compile(
    r"\W*(?:(?:y|entonces) )?cual (?:uso|usaria|elijo|conviene|prefiero|es mejor|sirve|va mejor)"
    r" (?:si|cuando|para|con) "
)
"""Asks which of what was named is for a case: "¿cuál uso si hay ruido?"."""
_PLURAL = re.compile(
    r"\b(?:l[oa]s|cuales(?: son)?(?: l[oa]s)?|which|the) [^\W\d_]{3,}s\b|\A\W*[^\W\d_]{4,}s de\b"
)
"""Asks for several things: "pilares de …", "dime los algoritmos"."""
_AND = re.compile(r" (?:y|e|and) ")
_COUNTED = re.compile(rf"\b(?:{'|'.join(ORDINALS)})(?= \w)")
"""Where a question counts what it asks about: "la primera forma normal"."""
_ITEM = re.compile(r"\s*([•◦○■▪‣*-]|\d{1,2}[.)])\s+(\S.*)")
_NAMED = re.compile(r": | \(| [–—-] ")
"""What stands behind the name of an item."""
_MOST_OF_ITEM = 8
"""Words by which an item is called that has no name of its own."""


def in_full(question: str, before: Sequence[Turn], language: str) -> str:
    """A question with what was asked about, compared or listed `before` in the place of the words
    that stand for it; empty for one without such words, or where nothing tells what they mean.
    """
    if not before:
        return ""
    forms = (_of_two, _compared, _picked)
    return next(filter(None, (form(question, before, language) for form in forms)), "")


def _compared(question: str, before: Sequence[Turn], language: str) -> str:
    """What compares the last two things that were asked about, or the last one with another."""
    if named := other_side(question):
        about = before[-1].standalone or before[-1].question
        two = [subject_in(about.partition(BETWEEN)[0]), named]
    elif _WHICH_IF.match(fold(question)) and _beside(before) and len(two := _two(before)) == 2:
        return f"{' o '.join(two)}: {question}"
    elif _COMPARES.fullmatch(bare(question)) or (asks_which(question) and _beside(before)):
        two = _two(before)
    else:
        return ""
    if not (two and all(two)):
        return ""
    one, other = (_ARTICLE.sub("", name) for name in two)
    return (
        f"difference between {one} and {other}"
        if language == "en"
        else f"diferencia entre {one} y {other}"
    )


def _of_two(question: str, before: Sequence[Turn], language: str) -> str:
    """What asks of both, or of the other one: "un ejemplo de cada una", "¿y la otra?"."""
    plain = fold(question)
    both, two = _TWO.search(plain), _two(before)
    if first := _FIRST_TWO.search(plain):
        both, two = first, _several(before)[:2]
    if both and len(two) == 2:
        named = (" and " if language == "en" else " y ").join(two)
        return f"{question[: both.start()]}{named}{question[both.end() :]}"
    other = _OTHER.search(plain)
    two = _two(before) if other and _beside(before) else []
    last = _spoken_of_last(two, before)
    if not (other and last):
        return ""
    meant = two[1 - two.index(last)]
    asked = before[-1].standalone or before[-1].question
    start, end = other.span()
    if ONLY_JOINS.fullmatch(plain[:start]) and not plain[end:].strip(" ?.!"):
        return asked.replace(last, meant) if last in asked and BETWEEN not in asked else ""
    return f"{question[:start]}{_preposition(other['the'])}{meant}{question[end:]}"


def _picked(question: str, before: Sequence[Turn], _language: str) -> str:
    return picked(question, _several(before), before[-1].standalone or before[-1].question)


def picked(question: str, items: Sequence[str], earlier: str = "") -> str:
    """A question that means one of the `items` by its place ("explica el segundo"), with its name;
    or that asks what the `earlier` one did of another place: "qué es la segunda forma normal" for
    "¿y la segunda?" behind "qué es la primera forma normal". Empty for any other.
    """
    plain = fold(question)
    found = PICKED.search(plain)
    if found is None:
        return ""
    which = found["which"]
    counted = _COUNTED.search(fold(earlier))
    if counted and which in PLACES and ONLY_JOINS.fullmatch(plain[: found.start()]):
        short = which.removesuffix("o") if which in ("primero", "tercero") else which
        return f"{earlier[: counted.start()]}{short}{earlier[counted.end() :]}"
    place = int(which[0]) if which[0].isdigit() else PLACES.get(which, len(items))
    if not 0 < place <= len(items):
        return ""
    before = f"{question[: found.start()]}{_preposition(found['the'])}"
    return f"{before}{items[place - 1]}{question[found.end() :]}"


def listed(answer: str, asked: str = "") -> list[str]:
    """What the items of the first list of an answer are called, without those below them; or those
    below the item that is what was `asked` for ("reference groups types").
    """
    items, words = _items(answer), content_words(asked)
    if not items:
        return []
    names = [content_words(name) for _mark, name in items]
    begun = (n for n in _opening_others(items) if names[n - 1] and names[n - 1] <= words)
    place = next(begun, 0)
    outer = {mark for mark, _name in items[:place]}
    below = takewhile(lambda item: item[0] not in outer, items[place:])
    return [name for mark, name in below if mark == items[place][0]]


def _items(answer: str) -> list[tuple[str, str]]:
    """The items of the first list of an answer: the sign before each, and what it is called."""
    items: list[tuple[str, str]] = []
    for line in answer.split("\n"):
        if item := _ITEM.match(line):
            name, *told = _NAMED.split(item[2], maxsplit=1)
            called = name if told else " ".join(item[2].split()[:_MOST_OF_ITEM])
            items.append((item[1].strip("0123456789"), called))
        elif items and line.strip():
            break
    return items


def _opening_others(items: Sequence[tuple[str, str]]) -> list[int]:
    """The places of items with which a list below another item begins."""
    marks = [mark for mark, _name in items]
    return [place for place in range(1, len(marks)) if marks[place] not in marks[:place]]


def _several(before: Sequence[Turn]) -> list[str]:
    """What was compared last, or listed where several things were asked for."""
    for turn in reversed(before):
        asked = turn.standalone or turn.question
        if compared := _sides(asked):
            return compared
        several = AnswerKind(asked).several or _PLURAL.search(folded(asked))
        if several and (items := listed(turn.answer, asked)):
            return items
        if stands_alone(turn.question):
            return []
    return []


def _two(before: Sequence[Turn]) -> list[str]:
    """The two things that were compared last, or asked about one behind the other; the later one
    behind.
    """
    names: list[str] = []
    for turn in reversed(before):
        asked = turn.question if BETWEEN in turn.standalone else turn.standalone or turn.question
        compared = _sides(asked)
        if len(compared) == 2 and all(name in compared for name in names):
            return compared
        name = _ARTICLE.sub("", told_of(asked))
        both = _AND.split(name)
        if len(both) == 2 and all(one in both for one in names):
            return both
        if name and name not in names:
            names.insert(0, name)
        if len(names) == 2:
            return names
    return []


def _sides(asked: str) -> list[str]:
    either = _EITHER.fullmatch(asked)
    return [*either.groups()] if either else [as_typed(asked, side) for side in sides(asked)]


def _spoken_of_last(two: Sequence[str], before: Sequence[Turn]) -> str:
    """Which of two things was asked about last; empty where both were, to compare them."""
    for turn in reversed(before):
        words = content_words(turn.standalone or turn.question)
        if held := [name for name in two if content_words(name) <= words]:
            return held[0] if len(held) == 1 else ""
    return ""


def _beside(before: Sequence[Turn]) -> bool:
    """Whether what was asked about last was named beside something else: "¿y X?", "X o Y"."""
    for turn in reversed(before):
        leans = BETWEEN in turn.standalone and leading_name(turn.question)
        if leans or named_instead(turn.question) or _sides(turn.standalone or turn.question):
            return True
        if stands_alone(turn.question):
            return False
    return False


def _preposition(article: str | None) -> str:
    return {"del": "de ", "al": "a "}.get(article or "", "")
