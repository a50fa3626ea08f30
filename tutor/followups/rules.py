"""Question -> a question that stands alone, by rules: what is used without a language model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.followups.completing import complete
from tutor.followups.context import LONGEST_ASKED, one_line, read_context
from tutor.followups.detection import opening_of
from tutor.followups.fragments import framed, is_fragment
from tutor.followups.grammar import LONGEST_QUESTION, tidy
from tutor.followups.references import references
from tutor.followups.resolving import resolve
from tutor.followups.words import INTERROGATIVES, language_of, split_words, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.types import Turn

_LOST = words("entiendo entendi comprendo understand")
_ASKED = re.compile(r"[?¿]")


def rewrite_by_rules(question: str, history: Sequence[Turn]) -> str:
    """A follow-up as a question that stands alone, in its own language.

    References are replaced by what they point at, fragments put into the question before, and
    what has no subject gets the topic. The question itself, on one line, where the conversation
    offers nothing to lean on.
    """
    asked = one_line(question)
    if not history or not asked or len(asked) > LONGEST_ASKED:
        return question
    spoken = language_of(asked, language_of(one_line(history[-1].question)))
    context = read_context(history, spoken)
    if not context.topic:
        return question
    resolved = asked if _is_lost(asked) else resolve(asked, context)
    body = resolved[opening_of(resolved) :].strip(" ¿?¡!.,;:")
    if not body:
        return question
    body = _verb_first(body, context.topic)
    if is_fragment(body):
        text = framed(body, context, frozenset(r.kind for r in references(asked)))
    elif resolved != asked:
        text = tidy(body, spoken, asks=True if _ASKED.search(asked) else None)
    else:
        text = complete(body, context, asks=_ASKED.search(asked) is not None)
    return text if text and len(text) <= LONGEST_QUESTION else question


def _is_lost(asked: str) -> bool:
    """`No lo entiendo` asks to explain; with the topic in its place it would ask nothing."""
    items = split_words(asked)
    return any(word.key in _LOST for word in items) and not any(w.is_specific for w in items)


def _verb_first(body: str, topic: str) -> str:
    """`¿Y eso cómo se demuestra?`: the topic goes behind the verb."""
    rest = body.removeprefix(topic).strip(" ,")
    asks = rest != body and split_words(rest)[:1] and split_words(rest)[0].key in INTERROGATIVES
    return f"{rest} {topic}" if asks else body
