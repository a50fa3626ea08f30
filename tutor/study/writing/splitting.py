"""A sentence of the notes as what a question tells and what it asks for, told apart by rules.

What is asked for is the whole rest of the sentence, so that question and answer say together what
the sentence says: nothing that narrows it is lost between them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from tutor.map.frequent import rarity
from tutor.map.wording import key_words
from tutor.text.language import Language
from tutor.text.terms import content_words


class AnswerRole(StrEnum):
    """What the answer is to what is told."""

    OBJECT = "object"
    """What something is, has or does something to."""
    REASON = "reason"


@dataclass(frozen=True, slots=True)
class Split:
    """The beginning of a sentence, without what it adds in parentheses, and the rest of it."""

    told: str
    answer: str
    asked: AnswerRole


_GLOSS = re.compile(r" \([^()]*\)")
_ARTICLE: dict[Language, str] = {
    "es": r"(?:el|la|los|las|un|una(?! vez)|unos|unas|cada|tod[oa] (?:el|la)|tod[oa]s l[oa]s)",
    "en": r"(?:the|an?|each|every|all(?! \w+(?:ed|ly)\b))",
}
_OBJECT = {
    language: re.compile(rf"(?<=\w) (?={article}\s)", re.IGNORECASE)
    for language, article in _ARTICLE.items()
}
"""Where an object begins: at an article after a word that is no preposition, so mostly a verb."""
_NO_VERB = frozenset(
    "a al con de del en y e o u ni por para sin sobre entre hasta desde según que como más menos"
    " contra ante bajo tras mediante durante mientras of in on at by with for from and or to into"
    " than as between over only about across after against before behind beyond both during"
    " onto through under until upon via while within without"
    " not sino saber comparar dentro hacia tanto veces todo toda todos todas".split()
)
COPULA = frozenset("es son is are".split())
_AIM = re.compile(r"(.*\bpermiten?) (\w+[aei]r(?: \w+mente)?)\Z", re.IGNORECASE)
"""What is allowed: "¿Qué permite medir la regla?" would ask for what measures it."""
_REASON = re.compile(r",? (?=(?:porque|ya que|puesto que|debido a que|because)\b)", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:que|qué|cómo|cuáles|cuál|cuánt[oa]s?|cuy[oa]s?|donde|quien|which|that|who|whose"
    r"|where|what|how|cuando|si|when|if)\b"
    r"|[,;:]",
    re.IGNORECASE,
)
"""What has a verb of its own, or may: the first article behind it is not that of the object."""
_BOUND = re.compile(r"\b(?:y|e|o|u|ni|no|and|or|not)\b|=", re.IGNORECASE)
"""What is told of two things, or is not so: an answer may be that of one of two verbs."""
_UNFINISHED = re.compile(
    r"\w(?:[aei]ndo|ing)\Z"
    r"|(?<!\bpuede)(?<!\bpueden) \w+[aei]r(?:se)?(?: \w+mente)?\Z"
    r"| to \w+\Z"
    r"|\b(?:allows?|lets?|enables?|helps?|causes?|forces?)\Z",
    re.IGNORECASE,
)
"""Verbs whose object is not what the sentence is about: "aprende ajustando", "sirve para ver"."""
_MORE = re.compile(
    r"\b(?:también|además|asimismo|ahora|finalmente|nuev[oa]s?|also|too|now|finally|new"
    r"|todavía|aún|probablemente|quizás?|still|yet|probably|perhaps|ejemplos?|examples?|un caso"
    r"|otr[oa]s?|segund[oa]|tercer[oa]?|cuart[oa]|other|second|third|fourth"
    r"|más|menos|mejor(?:es)?|peor(?:es)?|mayor(?:es|ía)?|menor(?:es)?|primer[oa]?s?"
    r"|(?:la|una) parte|ideas?|resultantes?|descrit[oa]s?|insertad[oa]s?|anterior(?:es)?"
    r"|more|most|less|least|best|worst|first|part|resulting|previous)\b"
    r"|\b(?:ha|han|has|have) \w+\Z",
    re.IGNORECASE,
)
"""What says that there is another one or another answer, was one once, is an example or one of
several by its rank, or stands in what came before."""
_ANY = re.compile(r"(?:una?|an?)\s", re.IGNORECASE)
_NAME = re.compile(r"(?<=\s)[A-ZÁÉÍÓÚÑ«“\"\\]|\w-\w|\A[^\s_]+ \S+\Z")
"""What makes a name of a subject: a capital, quotation marks, a hyphen, or no article.

A word with low lines is a place to fill in.
"""
_COMMON = 3.3
"""Zipf frequency from which a word is no term of a course by itself."""
_FEWEST = 2
_FEWEST_ANSWERED = 3
"""Words with a meaning, of what is told and in the answer that are not, and of an answer."""
_BEFORE_VERB = frozenset(("se", "nos"))
"""What stands between "qué" and the last word of a verb."""
_MODALS = frozenset("must shall should will would".split())

_LAST = re.compile(r"\w+(?=\W*\Z)")


def split(sentence: str, language: Language, heading: str, title: str) -> Split | None:
    """What is told and what is asked for; None where rules do not tell, or too little is told.

    `heading` is that of the sentence, `title` its document's.
    """
    found = _split(sentence, language)
    unfit = (
        found is None
        or _BOUND.search(found.told)
        or _UNFINISHED.search(found.told)
        or _MORE.search(found.told)
        or not _is_named(found, heading)
        or _says_little(found, title)
    )
    return None if unfit else found


def _split(sentence: str, language: Language) -> Split | None:
    reason = _REASON.search(sentence)
    if reason and (told := _whole(sentence[: reason.start()])):
        return Split(told, sentence[reason.end() :], AnswerRole.REASON)
    for match in _OBJECT[language].finditer(sentence):
        before = sentence[: match.start()]
        is_inside = before.count("(") != before.count(")")
        if not is_inside and (told := _whole(before)):
            answer = sentence[match.start() + 1 :]
            if aim := _AIM.match(told):
                told, answer = aim[1], f"{aim[2]} {answer}"
            return Split(told, answer, AnswerRole.OBJECT)
    return None


def _whole(before: str) -> str:
    """What stands before an answer, without glosses; nothing where it does not end in a verb."""
    told = _GLOSS.sub("", before)
    last = _LAST.findall(told)
    ends = last and last[0].casefold() not in _NO_VERB
    return told if ends and not _CLAUSE.search(told) else ""


def _is_named(parts: Split, heading: str) -> bool:
    """Whether a heading has a word of what is told, or that is about a single special word.

    "Un caso especial" is of something else; a single common word, "el editor", is of one of them,
    unless the heading says no more. What is defined needs no heading if it has a name of its own:
    "KParts es una tecnología …".
    """
    if parts.asked is not AnswerRole.OBJECT:
        return not content_words(parts.told).isdisjoint(content_words(heading))
    named, _, verb = parts.told.rpartition(" ")
    is_name = _NAME.search(parts.told) is not None
    if verb in COPULA and is_name and len(named.split()) != _FEWEST and _ANY.match(parts.answer):
        return True
    is_under = not content_words(named).isdisjoint(content_words(heading))
    subject = " ".join(parts.told.split()[1:-1])
    if len(key_words(subject)) == 1:
        under = content_words(heading.rpartition(" › ")[2])
        is_special = rarity(subject) <= _COMMON or under == content_words(subject)
        return is_special and (is_under or verb in COPULA or not _ANY.match(parts.told))
    return is_under


def _says_little(parts: Split, title: str) -> bool:
    """Whether a subject is all of the course, or the answer some words, or what was told.

    Of what a document is called it says many things.
    """
    told, answer = content_words(parts.told), content_words(parts.answer)
    if parts.asked is not AnswerRole.OBJECT:
        return len(told) < _FEWEST
    *subject, verb = parts.told.split()
    is_one = _ANY.match(parts.told) is not None and not _ANY.match(parts.answer)
    return (
        len(answer) < _FEWEST_ANSWERED
        or len(answer - told) < _FEWEST
        or (verb not in COPULA and content_words(" ".join(subject)) <= content_words(title))
        or content_words(" ".join(key_words(parts.answer)[:_FEWEST])) <= told
        or (verb in COPULA and is_one)
    )


def begun(parts: Split, language: Language) -> str:
    """How the question begins that asks for an answer: "¿Qué filtra", "What does"."""
    if parts.asked is AnswerRole.REASON:
        return "¿Por qué" if language == "es" else "Why"
    *before, verb = parts.told.split()
    if language == "es":
        pronouns = takewhile(lambda word: word.casefold() in _BEFORE_VERB, reversed(before))
        return " ".join(("¿Qué", *reversed((verb, *pronouns))))
    if verb in COPULA:
        return f"What {verb}"
    modal = next((word for word in before[-2:] if word in _MODALS), "")
    return f"What {modal or ('does' if verb.endswith('s') else 'do')}"
