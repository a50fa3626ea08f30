"""The second look at a card that a model wrote: what does not pass it never becomes a card."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tutor.answer.quoting.words import content_words
from tutor.answer.verification import Verdict, verify
from tutor.map.wording import is_readable, key_words, stands_alone
from tutor.study.card import Card, CardKind
from tutor.study.making.choosing import overlap, shuffled, tells
from tutor.study.making.material import headed
from tutor.study.writing.drafts import LONGEST, answered
from tutor.study.writing.passages import gives_reason
from tutor.text.folding import folded
from tutor.text.language import detect_language

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder
    from tutor.llm.chat_model import ChatModel
    from tutor.study.writing.drafts import Draft
    from tutor.study.writing.passages import Task

FEWEST_WRONG = 2
"""With fewer wrong answers left there is nothing to choose from."""
_KNOWN = 0.5
"""Share of a question's words that the passage and its headings have, in one language."""
_AGREES = 0.5
"""Share of the words of the shorter of two answers that they have in common."""
_WHY = re.compile(r"[¿\s]*(?:por qu[eé]|why)\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:diferenci\w+|distingu\w+|compar\w+|frente a|differ\w*|unlike|versus)\b", re.IGNORECASE
)
_OF_THE_NOTES = re.compile(
    r"\b(?:(?:la|esta|una) (?:oraci[oó]n|frase)|(?:el|al|del|este) (?:texto|fragmento|pasaje)"
    r"|apuntes|pregunta|respuesta|tarjeta|(?:the|this) (?:sentence|text|excerpt|passage|card)"
    r"|(?:the|these) notes|question|answer)\b",
    re.IGNORECASE,
)
_NARROWED = re.compile(
    r"(?:(?:el|la|los|las|una?|the|an?) )?(?P<noun>[^\W\d]+) (?:con|de|del|sin|para|with|of|for) "
    r"(?:(?:el|la|los|las|una?|the|an?) )?(?P<of>[^\W\d]+)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:equivalentes?|parecid[oa]s?|similar(?:es)?|lo (?:mismo|contrario)|equivalent|the same"
    r"|the opposite)\b(?! (?:a|al|que|to|as|of)\b)",
    re.IGNORECASE,
)
"""What compares with something that is not said."""
_OPENING = re.compile(
    r"\A(?:(?:porque|es|son|que|se|una?|el|la|los|las|because|is|are|it|they|an?|the)\s+)+",
    re.IGNORECASE,
)
"""What an answer may begin with that the sentence says otherwise."""
_GLOSS = re.compile(r"\s\([^()]*\)")
_WORD = re.compile(r"\w+")
_NOT_SAID = re.compile(r"\bno consta\b|\bnot stated\b", re.IGNORECASE)
_INTERROGATIVE = re.compile(
    r"\A[¿\s]*(?:(?:a|con|de|en|para|por) )?(?:qu[eé]|cu[aá]l(?:es)?|c[oó]mo|cu[aá]nd?t?[oa]s?"
    r"|d[oó]nde|qui[eé]n(?:es)?|what|which|how|when|where|who|why)\b\s*",
    re.IGNORECASE,
)


class Reason(StrEnum):
    """Why there is no card."""

    ORDERS = "orders"
    """The passage has a sentence that orders a model about: it was not sent."""
    UNUSABLE = "unusable"
    """The reply is no card: no JSON of the schema, cut off, in another language."""
    UNCLEAR = "unclear"
    """The question needs its surroundings, names no subject, or speaks of what is not there."""
    GIVEN_AWAY = "given_away"
    """The question holds its answer."""
    UNSUPPORTED = "unsupported"
    """The sentence does not say the answer."""
    DISAGREES = "disagrees"
    """Asked back, the passage gives another answer."""


@dataclass(frozen=True, slots=True)
class Looked:
    """What the look came to: a card, or the reason why there is none.

    `back` is the answer that the passage gave when it was asked back. `wrong_dropped` are the wrong
    answers that could be right, or were there already.
    """

    card: Card | None
    reason: Reason | None = None
    back: str = ""
    wrong_dropped: int = 0


def second_look(task: Task, draft: Draft, model: ChatModel, embedder: Embedder) -> Looked:
    """Look at a draft again: by rules, by the verifier of answers, and by asking it back.

    Raises `EngineError`, `EmbedderError`.
    """
    question, answer = draft.question, draft.answer
    reason = _faulty(task, question, answer)
    if reason is None and not _is_said(task, question, answer, embedder):
        reason = Reason.UNSUPPORTED
    if reason:
        return Looked(None, reason)
    back = answered(task, question, model)
    if not agree(back, answer, question):
        return Looked(None, Reason.DISAGREES, back)
    wrong = _wrong(task, draft, embedder)
    card = _card(task, draft, wrong, model.name)
    return Looked(card, None, back, len(draft.wrong) - len(wrong))


def _faulty(task: Task, question: str, answer: str) -> Reason | None:
    """What rules find in a question and its answer."""
    if task.language != detect_language(question) or not is_readable(f"{question} {answer}"):
        return Reason.UNUSABLE
    asked = _INTERROGATIVE.sub("", question)
    clear = (
        question.endswith("?")
        and question.count("?") == 1
        and key_words(asked)
        and stands_alone(asked)
        and not _OF_THE_NOTES.search(question)
        and (not _WHY.match(question) or gives_reason(task.sentence))
        and _is_known(task, question)
        and not _RELATIVE.search(answer)
        and not _is_wider(task, question)
    )
    if not clear:
        return Reason.UNCLEAR
    return Reason.GIVEN_AWAY if tells(question, answer) else None


def _is_known(task: Task, question: str) -> bool:
    """Whether a question speaks of what the passage speaks of; of another language's, who knows."""
    if task.language != task.passage.material.language:
        return True
    words = content_words(_INTERROGATIVE.sub("", question))
    source = task.passage.material.source
    told = content_words(f"{source.title} {task.passage.topic} {task.passage.text}")
    return len(words & told) >= _KNOWN * len(words)


def _is_wider(task: Task, question: str) -> bool:
    """Whether a question leaves out what narrows the sentence's subject: "un agente con metas"."""
    subject = _NARROWED.match(task.sentence)
    asked = content_words(f"{task.passage.topic} {question}")
    return (
        subject is not None
        and content_words(subject["noun"]) <= asked
        and not content_words(subject["of"]) <= asked
    )


def _is_said(task: Task, question: str, answer: str, embedder: Embedder) -> bool:
    """Whether the sentence says the answer: in a row of its words, and as the verifier finds, too.

    In another language than the notes' the verifier alone decides.
    """
    if _OF_THE_NOTES.search(answer) or not content_words(answer):
        return False
    same_language = task.language == task.passage.material.language
    if same_language and _words(_OPENING.sub("", answer)) not in _words(task.sentence):
        return False
    return _is_supported(f"{question}\n- {answer}", task.sentence, embedder)


def _words(text: str) -> str:
    """The words of a text between blanks, without what stands in parentheses after a word."""
    return f" {' '.join(_WORD.findall(folded(_GLOSS.sub('', text))))} "


def _is_supported(said: str, passage: str, embedder: Embedder) -> bool:
    verdicts = {one.verdict for one in verify(said, [passage], embedder)}
    return Verdict.SUPPORTED in verdicts and Verdict.UNSUPPORTED not in verdicts


def agree(back: str, answer: str, question: str) -> bool:
    """Whether two answers to a question say the same, by the words that it does not say itself."""
    if _NOT_SAID.search(back):
        return False
    told = content_words(question)
    mine, other = content_words(answer) - told, content_words(back) - told
    shorter = min(len(mine), len(other))
    return bool(shorter) and len(mine & other) >= _AGREES * shorter


def _wrong(task: Task, draft: Draft, embedder: Embedder) -> tuple[str, ...]:
    """The wrong answers that are not supported either, nor the right one in other words."""
    kept: list[str] = []
    for wrong in draft.wrong:
        fits = (
            0 < len(wrong) < LONGEST["wrong"]
            and not any(overlap(wrong, other) for other in (draft.answer, *kept))
            and not content_words(wrong) <= content_words(task.sentence)
            and not agree(wrong, draft.answer, draft.question)
            and not _is_supported(f"{draft.question}\n- {wrong}", task.passage.text, embedder)
        )
        if fits:
            kept.append(wrong)
    return tuple(kept)


def _hint(hint: str, answer: str) -> str:
    """A hint that tells nothing of the answer and was not cut off; else none."""
    useless = (
        len(hint) >= LONGEST["hint"]
        or _OF_THE_NOTES.search(hint)
        or content_words(hint) & content_words(answer)
    )
    return "" if useless else hint


def _card(task: Task, draft: Draft, wrong: tuple[str, ...], model: str) -> Card:
    question, answer = draft.question, draft.answer
    material, topic = task.passage.material, task.passage.topic
    choices = shuffled(question, (answer, *wrong)) if len(wrong) >= FEWEST_WRONG else ()
    return Card(
        id=task.card_id,
        kind=_kind(task, question, choices),
        question=headed(question, topic, question),
        answer=answer,
        origin=material.origin(task.start, task.end),
        subject=topic,
        choices=choices,
        language=task.language,
        hint=_hint(draft.hint, answer),
        model=model,
    )


def _kind(task: Task, question: str, choices: tuple[str, ...]) -> CardKind:
    """What a question really asks for, whatever was asked of the model."""
    if choices:
        return CardKind.CHOICE
    if _WHY.match(question):
        return CardKind.WHY
    if _COMPARES.search(question):
        return CardKind.COMPARE
    return CardKind.APPLY if task.kind is CardKind.APPLY else CardKind.QUESTION
