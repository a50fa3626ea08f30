"""Whether what is quoted has what a question asks for.

A topic's passages are found as well where the notes lack a detail that is asked for (a number, a
year, a name, a price, how many, a day, an hour, how long, a formula), or the very thing ("the
kernel trick" where only a kernel is told of), and no likeness tells: of what is quoted it is looked
at whether it has anything of the kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tutor.answer.asked import explained, sides, term_of
from tutor.answer.quoting.excerpts import Excerpt
from tutor.answer.quoting.quote import Quote
from tutor.index.lexical import LexicalIndex
from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.names import names_somebody
from tutor.text.numerals import MONTHS, SPELLED
from tutor.text.terms import (
    content_words,
    content_words_of_both,
    numbered,
    question_language,
    question_words,
)
from tutor.text.words import STOP_WORDS_OF_BOTH

_CALLED = re.compile(
    r"(?:\A\W*|\b(?:el|la|del?|en|the|of|in|does|is) )"
    r"((?!numero|number)[^\W\d_]{3,}[ -]\d{1,3}(?:\.\d{1,3})*)(?![\w,])"
)
"""Something with its number, not an amount: "sumo 5", "marca 30 grados"."""
_ITEM_MARK = re.compile(r"^\W*(\d{1,3}(?:\.\d{1,3})*)[.) ]", re.MULTILINE)
_WHO = (
    r"(?:\A|[¿,;:(] ?|\b(?:y|and|de|con|by) )(?:quien(?:es)? (?:(?:l[aeo]s?|se|ya|no|h[ab]\w+) )*"
    r"(?:\w+(?:o|ron)\b(?<!\bpuedo)|fue(?:ron)? (?:el|la|los|las)\b)"
    r"|who (?!can|may|must|should|do|have|\w+s\b|are)\w)"
)
"""Asks for a person who did something: not "someone who", nor "quién es X", which any words on X
may answer, nor "quién escribe las historias", which a role answers."""
_ASKS_NAME = re.compile(
    rf"{_WHO}|(?P<where>\b(?:en|de|desde|in|at|from) (?:que|which|what)"
    r" (?:universidad|ciudad|pais|empresa|university|city|country|company)\b(?! conviene))"
)
"""Or for a place or a firm, whose name looks like a person's, or like `_PLACE`."""
_PLACE = re.compile(r"(?:\b(?:en|in|at)(?: (?:el|la|the))?|:\**) [A-ZÁÉÍÓÚÑ]\w")
_WHICH_YEAR = re.compile(r"\b(?:en|de|desde|a) (?:que|cual) ano\b|\b(?:what|which) year\b")
_YEAR = re.compile(
    r"(?<![\d.,])(?:(?:1\d|20)\d\d(?![.,]?\d)|\d{1,4}(?= ?(?:[ad]\. ?(?:de )?C|B\.? ?C|A\.? ?D)\b))"
)
_ASKS_PRICE = re.compile(
    r"\A(?!\W*\w+[aei]r\b).*\bcuanto (?:cuesta|costo)n?(?! en\b| \w+[aei]r\b)"
    r"|\A\W*(?:(?:y )?cual (?:es|era) )?(?:el )?precio de (?:un[ao]?|el|la|l[oa]s) "
    r"|\bhow much (?:do|does|did)\b.* cost\b"
)
"""Not what computing something costs ("cuánto cuesta ordenar"), nor what prices have to do with
("elasticidad precio de la demanda")."""
_PRICE = re.compile(r"[$€£] ?\d|\d ?[$€£]|\b(?:dolar|euro|dollar|pound|usd|eur)")
_ASKS_DAY = re.compile(
    r"\bcuando (?:es|son|sera|hay|tenemos) (?:(?:el|la|los|las) )?(?:primer |segundo )?"
    r"(?:examen|parcial|final|prueba|quiz|entrega|clase|tutoria|vacaciones|recuperacion)"
    r"|\b(?:que|cual) (?:dia|fecha) (?:es|son|sera|hay|tenemos|se)\b"
    r"|\bwhen (?:is|are) the (?:exam|midterm|final|quiz|deadline|class|lecture|holiday)"
)
_DAY = re.compile(
    rf"\b(?:{'|'.join(MONTHS)}|lunes|martes|miercoles|jueves|viernes|sabado|domingo"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:semana|week) \d+|\d{1,2}[/-]\d{1,2})\b"
)
_ASKS_HOUR = re.compile(r"\b(?:a|hasta|desde) que hora\b|\bwhat time (?:is|are|does|do)\b")
_HOUR = re.compile(
    r"\b(?:\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|h)|medi(?:a ?noche|o ?dia)|midnight|noon)\b"
)
_UNITS = r"tiempos?|segundos?|minutos?|horas?|dias?|semanas?|mes(?:es)?|anos?|decadas?|siglos?"
_UNITS_EN = r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)"
_ASKS_LENGTH = re.compile(
    r"(?:\A|[¿?,;:]|\b(?:y|and) (?=(?:\w{1,3} )?(?:cuant|how )))(?:(?!\b(?:por que|why)\b).)*"
    rf"\b(?:cuanto (?:tiempo|dur[aoe]\w*)|cuant[oa]s (?:{_UNITS})"
    rf"|how long (?:do|does|did)|how many (?:{_UNITS_EN}))\b"
)
"""Not in a clause that asks why: "por qué importa cuánto dura"."""
_SEVERAL = rf"una?|an?|veinti\w+|(?:{'|'.join(SPELLED)})(?: y \w+)?"
_LENGTH = re.compile(
    rf"(?:\b(?:{_SEVERAL})|\d\)?) ?-?(?:{_UNITS}|{_UNITS_EN}|min|ms|[hs])\b"
    r"|\b\d{3,4} ?[-–a] ?\d{3,4}\b|\b[oθ] ?\("
)
"""How long something takes: a number of them, two years, or how it grows."""
_ASKS_FORMULA = re.compile(r"(?<!\bse )(?<!\buna )(?<!\ban )\b(?:formula|ecuacion|equation)\b")
_FORMULA = re.compile(r"[=≈≤≥∝∼←→⟶⇌⇄∑∫√]|\)/|\b(?:log|ln|exp|max|min) ?\(")
_ASKS_COMPLEXITY = re.compile(
    r"\bcomplejidad (?:temporal|espacial|del?|en|tienen?)\b|\bnotacion o\b|\bo grande\b|\bbig o\b"
    r"|\b(?:time|space) complexity\b|\bcomplexity of\b"
)
_COMPLEXITY = re.compile(
    r"\b[oθω] ?\(|lineal|cuadratic|logari|exponen|constante|polinom|factorial|linear|quadratic"
    r"|logarithm|constant"
)
_OF_COMPLEXITY = content_words_of_both(
    "complejidad temporal espacial tiempo espacio notación grande algoritmo peor caso"
    " complexity time space notation big algorithm worst case"
)
_ASKS_NUMBER = re.compile(
    r"(?:\A\W*|[¿,;:(] ?|\b(?:y|and) )(?:(?:a(?: partir de)?|con|de|en|por|in|of|to|with) )?"
    r"(?:cuant[oa]s|cuanta gente|how many"
    r"|(?:que|which|what) (?:puerto|porcentaje|port|percentage)) \w{3,}"
)
_NUMBER = re.compile(
    r"(?<![\w.,-])(?!(?:19|20)\d\d\b(?! ?(?:[^\W\d_]{3,}s|[kmg]?[bgmw]|hz)\b))\d"
    rf"|\b(?:{'|'.join(SPELLED.keys() - {'uno', 'one'})}"
    r"|veinti\w+|una? (?:sol[oa]|unic[oa]|vez)|mitad|half|doble|double|pares|parejas?|mill[io]\w+"
    r"|infinit\w*|single|(?:exactly|only|just) one|exactamente una?)\b|[∞√∑]|\bo ?\("
    r"|:\s*\Z|\b(?:son|are|hay):?(?: \w+){1,5},(?: \w+){1,5}(?:,| [ye] | and )"
)
"""How many there are, or where they are told, one by one: not a year, nor what has a number in its
name ("cp1251")."""
_LOOKS = (
    (_ASKS_NUMBER, _NUMBER),
    (_ASKS_PRICE, _PRICE),
    (_ASKS_DAY, _DAY),
    (_ASKS_HOUR, _HOUR),
    (_ASKS_LENGTH, _LENGTH),
)
_SENTENCE_END = re.compile(r"(?<=[.;])\s|\n")
_NAMED = range(2, 4)
"""Words of a name that means something else than they do by themselves."""
_JOINING = frozenset("de del la el los las of the".split())
"""Small words within a name."""


def falls_short(
    question: str,
    quotes: Sequence[Quote],
    found: Sequence[Excerpt],
    lexical: LexicalIndex | None,
    *,
    leading: int = 1,
) -> bool:
    """Whether the `leading` quotes lack the detail that a question asks for (what the others tell
    of may be another thing), all quotes the formula or complexity, or the first one what is called
    by its number; or nothing that was `found` tells of the very thing.

    `lexical` are the words of the notes; without them less is looked at.
    """
    told = "\n".join(f"{one.text}\n{one.hit.source.title}" for one in quotes[:leading])
    if lacks_detail(question, told) or lacks_shape(question, [quote.text for quote in quotes]):
        return True
    if lexical is None:
        return False
    named = (*sides(question), *explained(question))
    return (
        lacks_item_number(question, quotes[0].heading, told, lexical)
        or not is_told(question, found, lexical)
        or any(map(lexical.lacks, named))
    )


def lacks_detail(question: str, told: str) -> bool:
    """Whether a question asks for a detail of which what is told has nothing of the kind."""
    asked = folded(question)
    name = _ASKS_NAME.search(asked)
    named = name and (names_somebody(told, question) or (name["where"] and _PLACE.search(told)))
    return (
        is_of_another(question, told)
        or bool(name and not named)
        or bool(_WHICH_YEAR.search(asked) and not gives_year(question, told))
        or any(asks.search(asked) and not _told(looks, question, told) for asks, looks in _LOOKS)
    )


def gives_year(question: str, told: str) -> bool:
    """Whether a question asks for a year, and what is told has one that it does not name."""
    return bool(_WHICH_YEAR.search(folded(question)) and _years(told) - _years(question))


def lacks_shape(question: str, told: Sequence[str]) -> bool:
    """Whether a question asks for a formula or a complexity, and no quote looks like one; that of
    what has no word for its subject is of another.
    """
    asked = folded(question)
    if _ASKS_FORMULA.search(asked) and not _FORMULA.search(folded("\n".join(told))):
        return True
    subject = content_words_of_both(question) - _OF_COMPLEXITY
    own = [text for text in told if not subject.isdisjoint(content_words_of_both(text))]
    shown = _COMPLEXITY.search(folded("\n".join(own if subject else told)))
    return bool(_ASKS_COMPLEXITY.search(asked)) and not shown


def _told(looks: re.Pattern[str], question: str, told: str) -> bool:
    """Whether a sentence that looks so has a word of the question, or is in another language."""
    foreign = detect_language(told) != question_language(question)
    words = content_words_of_both(question)
    return any(
        looks.search(folded(sentence))
        and (foreign or not words.isdisjoint(content_words_of_both(sentence)))
        for sentence in _SENTENCE_END.split(told)
    )


def _years(text: str) -> set[str]:
    """The years of four digits in a text."""
    return set(_YEAR.findall(text))


def is_of_another(question: str, told: str) -> bool:
    """Whether a question names something by its number ("tarea 4"), and what is told only others.

    Nothing else in a passage on the first assignment says that it is not the fourth.
    """
    others, items = numbered(told), _ITEM_MARK.findall(told)
    names = {name for name, _number in others}
    parts = {(name, number.partition(".")[0]) for name, number in others}
    asked = numbered("\n".join(_CALLED.findall(folded(question)))) - others - parts
    return any(name in names and number not in items for name, number in asked)


def lacks_item_number(question: str, heading: str, told: str, lexical: LexicalIndex) -> bool:
    """Whether the notes number such things as a question names, but have none of its number, and
    what is told has no item, nor heading, with it: "ejercicio 14" of eight under "Ejercicios".
    """
    marks, titled = _ITEM_MARK.findall(told), content_words(heading)
    for name in _CALLED.findall(folded(question)):
        noun, number = re.split("[ -]", name)
        listed = marks and not titled.isdisjoint(content_words(noun))
        if number not in marks and (listed or lexical.lacks_number(name)):
            return True
    return False


def is_told(question: str, ranked: Sequence[Excerpt], lexical: LexicalIndex) -> bool:
    """Whether what was found for a question tells of the very thing that it asks about; true unless
    that is a name of two or three words ("what is the kernel trick?"), all of which the notes have,
    but no statement, with the headings above it, together.
    """
    name = term_of(question, itself=True)
    small = STOP_WORDS_OF_BOTH.intersection(re.findall(r"\w+", folded(name)))
    if not small <= _JOINING:
        return True
    forms = question_words(name, question_language(question))
    words = frozenset(forms.values())
    if len(words) not in _NAMED or not all(len(t.holders) for t in lexical.score(name).terms):
        return True
    for excerpt in ranked:
        above = content_words(excerpt.above) | content_words(excerpt.title)
        for statement in excerpt.statements():
            held = above | content_words(statement.words)
            if words <= frozenset(forms[form] for form in held & forms.keys()):
                return True
    return False
