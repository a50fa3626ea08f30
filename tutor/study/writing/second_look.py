"""The second look at a card that a model wrote: what does not pass it never becomes a card."""

from __future__ import annotations

import re
from enum import StrEnum
from itertools import pairwise

from tutor.map.wording import is_readable, stands_alone
from tutor.study.card import Card
from tutor.study.making.choosing import tells
from tutor.study.making.material import headed
from tutor.study.writing.splitting import COPULA, AnswerRole, begun
from tutor.study.writing.tasks import Task
from tutor.text.folding import folded
from tutor.text.language import Language, detect_language, stemmer
from tutor.text.words import STOP_WORDS_OF_BOTH

_ASKS = {
    AnswerRole.OBJECT: re.compile(
        r"¿(?:a |en )?(?:qué|cuál(?:es)?)\b|(?:what|which)"
        r" (?:is|are|was|were|does|do|did|can|could|may|might|must|shall|should|will|would)\b",
        re.IGNORECASE,
    ),
    AnswerRole.REASON: re.compile(r"¿por qué\b|why\b", re.IGNORECASE),
}
"""How a question begins that asks for what it should."""
_LIMITS = frozenset(
    "no nunca ni sin solo solamente casi siempre todo toda todos todas cada not never only always"
    " every all without".split()
)
"""Words that turn round or limit what is said: a question has those of its sentence."""
_NEVER_SAID = re.compile(
    r"\b(?:(?:el|al|del|este) (?:texto|fragmento|pasaje)|apuntes|corchetes|brackets"
    r"|(?:the|this) (?:sentence|text|excerpt|passage|card)|(?:the|these) notes)\b",
    re.IGNORECASE,
)
_INTERROGATIVE = re.compile(
    r"\A[¿\s]*(?:(?:a|con|de|en|para|por) )?(?:qu[eé]|cu[aá]l(?:es)?|c[oó]mo|cu[aá]nd?t?[oa]s?"
    r"|d[oó]nde|qui[eé]n(?:es)?|what|which|how|when|where|who|why)\b\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\W_]+[*+#]*")
"""A word, or a name such as A*."""
_ARTICLES = frozenset("el la los las un una unos unas the a an".split())


class Reason(StrEnum):
    """Why there is no card."""

    ORDERS = "orders"
    """The passage has a sentence that orders a model about: it was not sent."""
    UNUSABLE = "unusable"
    """The reply is no question, or one in another language."""
    OTHER_WORDS = "other_words"
    """The question leaves out or adds something, or asks for something else."""
    GIVEN_AWAY = "given_away"
    """The question holds its answer."""


def fault(task: Task, question: str) -> Reason | None:
    """Why a question is not the one that the answer of a task belongs to; None where it is.

    It has all words of what the sentence tells before the answer, and no others.
    """
    parts = task.split
    one = question.endswith("?") and question.count("?") == 1 and is_readable(question)
    if not one or detect_language(question) != task.language or _NEVER_SAID.search(question):
        return Reason.UNUSABLE
    asked = _INTERROGATIVE.sub("", question)
    same = (
        _ASKS[parts.asked].match(question)
        and _stems(asked, task.language) == _stems(parts.told, task.language)
        and _limits(question) == _limits(parts.told)
        and _verb_in_place(task, asked)
        and _same_article(parts.told, asked)
        and stands_alone(asked)
    )
    if not same:
        return Reason.OTHER_WORDS
    return Reason.GIVEN_AWAY if tells(question, parts.answer) else None


def _verb_in_place(task: Task, asked: str) -> bool:
    """Whether the verb follows "¿qué" at once, or is the last word of an English question."""
    if task.split.asked is not AnswerRole.OBJECT:
        return True
    words = _WORD.findall(folded(asked))
    _asks, *verb = _WORD.findall(folded(begun(task.split, task.language)))
    if task.language == "es":
        return words[: len(verb)] == verb
    last = _WORD.findall(folded(task.split.told))[-1]
    return last in COPULA or _stems(words[-1], "en") == _stems(last, "en")


def _stems(text: str, language: Language) -> list[str]:
    """Of the words that have a meaning, by the language's own stemmer: "adds" is "add"."""
    words = _NAME.findall(folded(text))
    return sorted(stemmer(language).stemWords([w for w in words if w not in STOP_WORDS_OF_BOTH]))


def _same_article(told: str, asked: str) -> bool:
    """Whether the subject has its article: "el archivo" is a certain one, "un archivo" is any."""
    article, noun = _WORD.findall(folded(told))[:2]
    words = _WORD.findall(folded(asked).replace("del ", "de el ").replace(" al ", " a el "))
    return article not in _ARTICLES or (article, noun) in pairwise(words)


def _limits(text: str) -> frozenset[str]:
    return _LIMITS.intersection(_WORD.findall(folded(text)))


def made_card(task: Task, question: str, model: str) -> Card:
    """The card of a question that passed."""
    material, topic = task.passage.material, task.passage.topic
    return Card(
        id=task.card_id,
        kind=task.kind,
        question=headed(question, topic, question),
        answer=task.split.answer,
        origin=material.origin(task.start, task.end),
        subject=topic,
        language=task.language,
        model=model,
    )
