"""Whether the notes answer a question, decided from its passages before anything is generated.

A logistic model adds up plain signals: how near the best passage is, compared with how near the
course's chunks are to each other and to the question, and which of the question's words the notes
hold. `scripts/fit_answerability.py` fits the coefficients and the threshold, and measures both.

A topic's passages are found as well where the notes lack a detail that is asked for (a number, a
year, a name, a price, how many, a day, an hour, how long, a formula), and no likeness tells: of
what is quoted it is looked at whether it has anything of the kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tutor.model import Answerability, Hit, Vectors
from tutor.text.folding import folded
from tutor.text.language import detect_language
from tutor.text.names import names_somebody
from tutor.text.numerals import MONTHS, SPELLED
from tutor.text.terms import (
    content_words,
    content_words_of_both,
    is_numbered,
    numbered,
    passage_terms,
    question_language,
)
from tutor.text.words import RAREST, zipf

if TYPE_CHECKING:
    from tutor.index.lexical import LexicalIndex, QuestionTerm

DEPTH = 6
"""Passages that are looked at, the best ones; the model was fitted with as many."""
BIAS = -0.507
WEIGHTS: Mapping[str, float] = {
    "nearness": 0.947,
    "first": 4.023,
    "unknown": -4.184,
    "foreign": 1.099,
}
"""Fitted before unknown everyday words counted for less. A new fit was worse: it gave `unknown` a
greater weight, which undid that change."""
THRESHOLD = 0.035
"""Below this probability lie .3 % of the answerable questions used for fitting, and 2 % of those
over courses that nothing was fitted on."""
SURE = 0.174
"""Below this one lie 4 % of those that courses answer, and 8 to 11 % over courses that nothing was
fitted on: what is found is said to be near, not to be the answer."""

_FEWEST = 4
"""With fewer chunks a course does not tell how near they are to each other: words decide alone."""
_USUAL_NEARNESS = -0.69
_LEAST_SPREAD = 1e-3
_EVERYDAY = 6.0
"""Zipf frequency of a word of which it tells nothing that the notes lack it: "gran", "gracias"."""
_SENTENCE = "sentence"
_DENSE = "dense"
_CALLED = re.compile(
    r"(?:\A\W*|\b(?:el|la|del?|en|the|of|in|does|is) )"
    r"((?!numero|number)[^\W\d_]{3,}[ -]\d{1,3}(?:\.\d{1,3})*)(?![\w,])"
)
"""Something with its number, not an amount: "sumo 5", "marca 30 grados"."""
_ITEM_MARK = re.compile(r"^\W*(\d{1,3}(?:\.\d{1,3})*)[.) ]", re.MULTILINE)
_KIND_ASKED_FOR = re.compile(
    r"(?:\A\W*|[¿,;:(] ?|\b(?:y|and|a|con|de|en|por|in|of|to|with) )"
    r"(?:que|cual(?:es)?(?: son l[oa]s)?|which|what) ([^\W\d_]{3,}s|(?<=\bpor que )[^\W\d_]{4,})"
    r"(?= \w)"
)
"""Of what kind the answer is to be: "con qué elementos se dopa", which no note may say; or what is
to be explained. "Qué quark …" asks for what the notes may lack."""
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


@dataclass(frozen=True)
class Reference:
    """What a question is measured against.

    `background` are vectors of chunks all over the course, shape (m, dim); `lexical` is the index
    of its words.
    """

    background: Vectors
    lexical: LexicalIndex

    @cached_property
    def neighbours(self) -> tuple[float, float]:
        """The mean cosine of a chunk to its nearest one, and the spread of all their cosines."""
        cosines = self.background @ self.background.T
        pairs = cosines[np.triu_indices(len(cosines), 1)]
        np.fill_diagonal(cosines, -1.0)
        return float(cosines.max(axis=1).mean()), max(float(pairs.std()), _LEAST_SPREAD)


def by_words(lexical: LexicalIndex) -> Reference:
    """What a question is measured against while a course has no vectors: its words decide alone."""
    return Reference(np.empty((0, 0), np.float32), lexical)


def judge(question: str, hits: Sequence[Hit], reference: Reference) -> Answerability:
    """Whether the notes answer a question, from the passages found for it, best first.

    Looks at the first `DEPTH` hits, so as many should be retrieved even when fewer are wanted;
    embeds nothing.
    """
    if not hits:
        return Answerability(answerable=False, evidence=0.0, threshold=THRESHOLD)
    evidence = probability(signals(question, hits, reference))
    answerable = evidence >= THRESHOLD
    return Answerability(answerable, evidence, THRESHOLD, near=answerable and evidence < SURE)


def probability(
    values: Mapping[str, float], bias: float = BIAS, weights: Mapping[str, float] = WEIGHTS
) -> float:
    """The probability that a question with these signals is answerable, a priori one of two."""
    total = bias + sum(weight * values[name] for name, weight in weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def signals(question: str, hits: Sequence[Hit], reference: Reference) -> dict[str, float]:
    """The signals by name, from the first `DEPTH` hits.

    `nearness` is how far the best cosine of a hit's best sentence, of its chunk where that is not
    known, lies above that of neighbouring chunks, in standard deviations of the course's.
    `first` and `unknown` are the shares of the question's terms, weighted by their rarity, that the
    first passage and that no passage of the course holds, everyday words for less. `foreign` is 1
    where a passage is in another language than the question: words are found then as the dictionary
    has them, which lacks many, so that what is unknown says nothing.
    """
    hits, terms = hits[:DEPTH], reference.lexical.score(question).terms
    terms = [term for term in terms if not is_numbered(term.forms[0])]
    kinds = content_words(" ".join(_KIND_ASKED_FOR.findall(folded(question))))
    terms = [term for term in terms if len(term.holders) or kinds.isdisjoint(term.forms)]
    language = question_language(question)
    spoken = [detect_language(hit.chunk.text) for hit in hits]
    held = frozenset(passage_terms(hits[0].chunk.text, spoken[0]))
    foreign = any(own != language for own in spoken)
    whole = sum(term.rarity for term in terms) or 1.0
    unknown = 0.0 if foreign else sum(t.rarity * _told_by(t) for t in terms if not len(t.holders))
    nearness = _USUAL_NEARNESS
    if len(reference.background) >= _FEWEST:
        near, spread = reference.neighbours
        best = (hit.retrievers.get(_SENTENCE) or hit.retrievers.get(_DENSE) or hit for hit in hits)
        nearness = (max(one.score for one in best) - near) / spread
    return {
        "nearness": nearness,
        "first": sum(t.rarity for t in terms if not held.isdisjoint(t.forms)) / whole,
        "unknown": unknown / whole,
        "foreign": float(foreign),
    }


def _told_by(lacking: QuestionTerm) -> float:
    """How much it tells, from 0 to 1, that the notes lack a term: little where it is an everyday
    word ("conviene"), which they say otherwise.
    """
    known = max(map(zipf, lacking.forms))
    return min(1.0, max(0.0, (_EVERYDAY - known) / (_EVERYDAY - RAREST)))


def lacks_detail(question: str, told: str) -> bool:
    """Whether a question asks for a detail of which what is told has nothing of the kind."""
    asked = folded(question)
    name = _ASKS_NAME.search(asked)
    named = name and (names_somebody(told, question) or (name["where"] and _PLACE.search(told)))
    return (
        is_of_another(question, told)
        or bool(name and not named)
        or bool(_WHICH_YEAR.search(asked) and not _years(told) - _years(question))
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


def lacks_number(question: str, heading: str, told: str, lexical: LexicalIndex) -> bool:
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
