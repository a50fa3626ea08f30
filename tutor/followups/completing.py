"""A follow-up that asks something without saying of what: the topic is put where it belongs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.followups.detection import (
    RELATES,
    acts_alone,
    begins_with_verb,
    lacks_owner,
    lacks_subject,
    picks,
)
from tutor.followups.grammar import is_plural, of, tidy
from tutor.followups.phrases import phrase_at, read
from tutor.followups.words import (
    ARTICLES,
    ATTRIBUTES,
    CLASSES,
    COPULAS,
    GENERIC_MODIFIERS,
    LIGHT_VERBS,
    ORDINALS,
    PREPOSITIONS,
    VERBS,
    fold,
    words,
)

if TYPE_CHECKING:
    from tutor.followups.context import Context
    from tutor.followups.phrases import Sentence

_WHY = words("por que y pero eso es asi entonces why and but is that so how come")
_SUBJECTLESS_ORDERS = words(
    "entiendo entendi entiende comprendo claro understand explain explica explicame explicas"
    " explicar aclara repite repeat clarify elaborate detalla amplia desarrolla profundiza"
)
_MORE = words("mas detalles detalle more else sigue continua continue further")
_OF_VERBS = words("hay existen existe there")
_BETWEEN = words("diferencia diferencias relacion semejanzas similitudes difference differences")
_MANNER = words("mejor otra vez nuevo despacio sencillo better again simpler slowly simply")


def complete(body: str, context: Context, *, asks: bool) -> str:
    """The question with its topic. `asks` says whether it had question marks."""
    sentence = read(body)
    keys = [word.key for word in sentence.items]
    if set(keys) <= _WHY and {"que", "why", "how"} & set(keys):
        return _why(context)
    if not any(word.is_specific or word.key in ATTRIBUTES for word in sentence.items):
        if set(keys) & _SUBJECTLESS_ORDERS:
            return _explain(keys, context)
        if set(keys) <= _MORE | words("que y hay tell me about dime cuentame da dame what say"):
            return _more(context)
    if (text := _compared(body, sentence, context)) is not None:
        return tidy(text, context.language, asks=asks or None)
    return tidy(_with_topic(sentence, context), context.language, asks=asks or None)


def _why(context: Context) -> str:
    spanish = context.language == "es"
    if context.statement:
        first, _, rest = context.statement.partition(" ")
        start = first if any(c.isupper() for c in first[1:]) else first[0].lower() + first[1:]
        if len(first) == 1 or first[-1:] in "*+#" or fold(first) in fold(context.topic).split():
            start = first if context.topic[:1].isupper() else start
        opening = "Por qué" if spanish else "Why is it that"
        return tidy(f"{opening} {start} {rest}", context.language, asks=True)
    asked = read(context.asked.strip(" ¿?¡!."))
    if spanish and asked.key(0) in COPULAS | VERBS | {"siempre"}:
        rest = asked.slice(0, len(asked.items))
        return tidy(f"Por qué {rest[0].lower()}{rest[1:]}", "es", asks=True)
    reason = "Cuál es la explicación" if spanish else "What is the explanation"
    return tidy(f"{reason}{of(context.topic, context.language)}", context.language, asks=True)


def _explain(keys: list[str], context: Context) -> str:
    simpler = set(keys) & words("sencillo simple simpler simply facil sencilla")
    again = set(keys) & words("vez nuevo again repite repeat")
    if context.language == "en":
        manner = " in simpler terms" if simpler else " again" if again else " better"
        return tidy(f"Explain {context.topic}{manner}", "en", asks=False)
    manner = "de forma más sencilla" if simpler else "otra vez" if again else "mejor"
    return tidy(f"Explica {manner} {context.topic}", "es", asks=False)


def _more(context: Context) -> str:
    if context.language == "en":
        return tidy(f"Tell me more about {context.topic}", "en", asks=False)
    return tidy(f"Explica con más detalle {context.topic}", "es", asks=False)


def _compared(body: str, sentence: Sentence, context: Context) -> str | None:
    """`¿cuál es más rápido?` gets the pair, `¿es mejor que B?` the one that is compared."""
    unnamed = not any(word.is_specific for word in sentence.items)
    graded = words("mas menos mejor peor more less better worse best") | GENERIC_MODIFIERS
    chooses = sentence.key(0) in words("cual cuales which what") and any(
        word.key in graded or word.key.endswith("er") for word in sentence.items[1:]
    )
    attribute = any(word.key in ATTRIBUTES for word in sentence.items)
    chooses = picks(sentence) or (unnamed and chooses and not attribute)
    if chooses and len(context.members) > 1:
        either = context.joined("o" if context.language == "es" else "or")
        return f"{body}, {either}"
    if (linked := re.sub(r"\bque ver con\b", f"que ver {context.topic} con", body)) != body:
        return linked
    if acts_alone(sentence) and (after := _verb_end(sentence)):
        return f"{body[:after]} {context.topic}{body[after:]}"
    if lacks_owner(sentence):
        after = sentence.items[2].end
        return f"{body[:after]} {context.topic}{body[after:]}"
    match = RELATES.search(fold(body))
    if match is None or len(fold(body)) != len(body):
        return None
    return _with_first(body, sentence, match, context)


def _verb_end(sentence: Sentence) -> int:
    """Where the verb of a question without a subject ends: before the first preposition."""
    if sentence.key(0) in COPULAS:
        return sentence.items[0].end
    start = 2 if sentence.key(0) == "por" else 1
    links = PREPOSITIONS
    first = next((w for w in sentence.items[start:] if w.key in links), None)
    before = [w for w in sentence.items if first and w.end < first.start]
    return before[-1].end if before else 0


def _with_first(
    body: str, sentence: Sentence, match: re.Match[str], context: Context
) -> str | None:
    """The topic as the first of the two that are compared."""
    link = re.search(r"\b(?:con|de|que|from|to|with|than)$", match[0])
    if link is None:
        return None
    difference = re.match(r"(?:diferencias?|differences?)\b", match[0])
    at = match.start() + link.start()
    if difference:
        conjunction = "entre" if context.language == "es" else "between"
        join = "y" if context.language == "es" else "and"
        rest = body[match.end() :].strip()
        return f"{body[:at].strip()} {conjunction} {context.topic} {join} {rest}"
    if re.match(r"(?:se )?diferencia|differ", match[0]):
        return f"{body[:at].strip()} {context.topic} {body[at:]}"
    copula = next((w for w in sentence.items if w.key in COPULAS and w.start < at), None)
    if copula is None:
        return None
    return f"{body[: copula.end]} {context.topic} {body[copula.end :].strip()}"


def _with_topic(sentence: Sentence, context: Context) -> str:
    items, language = sentence.items, context.language
    whole = " ".join(sentence.text.split())
    last = items[-1].key
    at = _attribute_end(sentence)
    if last in ORDINALS | words("otro otra other one") or (last in _OF_VERBS and at):
        return f"{whole}{of(context.topic, language)}"
    if at and sentence.key(at - 1) in _BETWEEN and len(context.members) == 2:
        between = "between" if language == "en" else "entre"
        return (
            f"{sentence.slice(0, at)} {between} {context.joined()} {sentence.slice(at, len(items))}"
        )
    if _wants_subject(sentence):
        return f"{whole} {_subject(last, context)}"
    if at:
        rest = sentence.slice(at, len(items))
        return f"{sentence.slice(0, at)}{of(context.topic, language)} {rest}"
    if phrase_at(sentence, 0) and not any(w.key in LIGHT_VERBS | VERBS for w in items):
        return f"{whole}{of(context.topic, language)}"
    return f"{whole} {'in' if language == 'en' else 'en'} {context.topic}"


def _wants_subject(sentence: Sentence) -> bool:
    """Whether the topic comes last, as the subject: `¿es óptimo?`, `¿puede fallar?`."""
    items = sentence.items
    asked = len(items) == 2 and items[0].key in {"que", "what"} and items[1].key not in CLASSES
    verb = items[-1].key in LIGHT_VERBS | VERBS and sentence.key(len(items) - 2) not in ARTICLES
    modal = begins_with_verb(sentence) and sentence.key(1)[-1:] == "r"
    bare = not any(word.is_specific or word.key in ATTRIBUTES for word in items)
    return verb or asked or modal or bare or lacks_subject(sentence)


def _subject(verb: str, context: Context) -> str:
    """The topic, or what was asked of it where only that agrees with a verb in the plural."""
    agrees = context.language == "es" and verb.endswith("n")
    many = is_plural(context.phrase, "es") and not is_plural(context.topic, "es")
    if agrees and not many and len(context.members) == 2 and not is_plural(context.topic, "es"):
        return context.joined()
    return context.phrase if agrees and many else context.topic


def _attribute_end(sentence: Sentence) -> int:
    """Where the last noun that asks for something of the topic ends, its adjectives included."""
    found = [i for i, word in enumerate(sentence.items) if word.key in ATTRIBUTES]
    if not found:
        return 0
    at = found[-1] + 1
    while at < len(sentence.items) and sentence.key(at) in GENERIC_MODIFIERS:
        at += 1
    return at
