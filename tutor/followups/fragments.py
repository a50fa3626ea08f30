"""A follow-up without a verb: `¿y en el caso continuo?`, `¿y las ventajas?`, `what about DFS?`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.followups.detection import begins_with_verb
from tutor.followups.grammar import article, is_plural, of, tidy
from tutor.followups.phrases import listed, read, topic_phrase
from tutor.followups.references import Kind
from tutor.followups.words import (
    ARTICLES,
    ATTRIBUTES,
    COPULAS,
    INTERROGATIVES,
    LIGHT_VERBS,
    PREPOSITIONS,
    VERBS,
    language_of,
    words,
)

if TYPE_CHECKING:
    from tutor.followups.context import Context
    from tutor.followups.phrases import Phrase, Sentence
    from tutor.followups.words import Language, Word

_EXAMPLES = words("ejemplo ejemplos ejercicio ejercicios contraejemplo contraejemplos"
                  " example examples exercise exercises counterexample")  # fmt: skip
_NOT_VERBS = words("uso calculo like paso")
_HAPPENS = {"es": "Qué ocurre", "en": "What happens"}
_PLAIN_ADJECTIVE = re.compile(r"(?:al|ica|ico|iva|ivo|osa|oso|ble|aria|ario)$")
_ADJECTIVE = re.compile(
    r"(?:al|ales|ica|ico|icas|icos|osa|oso|iva|ivo|ada|ado|ida|ido|ble|ar|aria|ario|usa|esa)$"
)
_BARE_ADJECTIVE = re.compile(r"(?:ble|ente|ante|al|ar|ica|ico|iva|ivo|osa|oso|ada|ado|ida|ido)s?$")
_NOT_ADJECTIVES = words(
    "agente coeficiente cociente componente constante cuadrante determinante estudiante gradiente"
    " pendiente señal variante"
)
_UNARTICLED = words("mas otro otra otros otras more another other un una unos unas a an algun")


def is_fragment(body: str) -> bool:
    """Whether a text neither asks nor orders anything: no interrogative, no verb."""
    sentence = read(body)
    keys = [word.key for word in sentence.items]
    if keys and keys[0] in {"si", "if"}:
        return True
    verbs = (LIGHT_VERBS | VERBS) - _NOT_VERBS - _UNARTICLED
    if begins_with_verb(sentence):
        return False
    for index, key in enumerate(keys):
        noun = index and keys[index - 1] in ARTICLES
        if key in INTERROGATIVES or (key in verbs and not noun):
            return False
        if re.search(r"[aeiáéí]r(?:lo|la|los|las)?$", key) and not noun and index == 0:
            return False
    return bool(keys)


def framed(body: str, context: Context, kinds: frozenset[Kind]) -> str:
    """A fragment as a whole question; `kinds` are those of the references resolved in it."""
    sentence = read(body)
    first = sentence.key(0)
    if first in PREPOSITIONS and first != "a" and kinds:
        return tidy(f"{_HAPPENS[context.language]} {body}", context.language, asks=True)
    if first in PREPOSITIONS and first != "a":
        return _added(body, context)
    if _head_is_attribute(sentence) or Kind.POSSESSIVE in kinds:
        return _of_topic(body, sentence, context, resolved=bool(kinds))
    if not any(word.is_specific for word in sentence.items):
        return _general(context)
    if kinds & {Kind.ORDINAL, Kind.OTHER} and context.answered:
        return _what_is(body, context)
    return _swapped(body, context)


def _head_is_attribute(sentence: Sentence) -> bool:
    return any(sentence.key(index) in ATTRIBUTES for index in range(min(3, len(sentence.items))))


def _of_topic(body: str, sentence: Sentence, context: Context, *, resolved: bool) -> str:
    """`¿Cuáles son las ventajas de A*?`, `Dame un ejemplo de A*.`."""
    spanish = context.language == "es"
    phrase = body if resolved else _with_topic(sentence, context)
    if sentence.key(0) in _UNARTICLED or any(word.key in _EXAMPLES for word in sentence.items[:4]):
        return tidy(f"{'Dame' if spanish else 'Give me'} {phrase}", context.language, asks=False)
    many = is_plural(body, context.language)
    if spanish:
        if many and sentence.key(0) not in ARTICLES:
            phrase = f"{article(sentence.items[0].text)} {phrase}"
        return tidy(f"{'Cuáles son' if many else 'Cuál es'} {phrase}", "es", asks=True)
    the = "" if sentence.key(0) in ARTICLES else "the "
    return tidy(f"What {'are' if many else 'is'} {the}{phrase}", "en", asks=True)


def _with_topic(sentence: Sentence, context: Context) -> str:
    """The topic right after the noun that asks for something of it."""
    at = next(i for i, word in enumerate(sentence.items) if word.key in ATTRIBUTES) + 1
    while at < len(sentence.items) and not _opens(sentence, at):
        at += 1
    head, rest = sentence.slice(0, at), sentence.slice(at, len(sentence.items))
    return f"{head}{of(context.topic, context.language)} {rest}"


def _opens(sentence: Sentence, index: int) -> bool:
    return sentence.gap(index) != "" or sentence.key(index) in PREPOSITIONS | {"y", "and"}


def _general(context: Context) -> str:
    """`¿más?`, `¿entonces?`: more of the topic."""
    if context.language == "en":
        return tidy(f"Tell me more about {context.topic}", "en", asks=False)
    return tidy(f"Explica con más detalle {context.topic}", "es", asks=False)


def _added(body: str, context: Context) -> str:
    """`¿y en el caso continuo?` joins the question before, in the place of its like."""
    if language_of(context.asked, context.language) != context.language:
        opening = "How does it stand with" if context.language == "en" else "Qué ocurre con"
        return tidy(f"{opening} {context.topic} {body}", context.language, asks=True)
    fragment, asked = read(body), read(context.asked.strip(" ¿?¡!."))
    like = [i for i in range(1, len(asked.items)) if _is_like(asked, i, fragment)]
    kept = asked.slice(0, like[-1]) if like else asked.slice(0, len(asked.items))
    return tidy(f"{kept} {body}", context.language, asks="?" in context.asked)


def _is_like(asked: Sentence, index: int, fragment: Sentence) -> bool:
    """`en el caso discreto` is what `en el caso continuo` takes the place of."""
    if asked.key(index) != fragment.key(0):
        return False
    if fragment.key(0) in {"si", "if"}:
        return True
    heads = [word.key for word in fragment.items[1:3] if word.key not in ARTICLES]
    there = [word.key for word in asked.items[index + 1 : index + 3] if word.key not in ARTICLES]
    return bool(heads and there) and heads[0] == there[0]


def _swapped(body: str, context: Context) -> str:
    """`what about DFS?` asks of DFS what was asked of the topic."""
    asked = read(context.asked.strip(" ¿?¡!."))
    phrase = topic_phrase(asked)
    same = language_of(context.asked, context.language) == context.language
    if phrase is None or not same or _compares(asked):
        return _what_is(body, context)
    if _belongs_to_topic(body, asked, phrase):
        return _what_is(
            f"{body} {'en' if context.language == 'es' else 'in'} {phrase.text}", context
        )
    new = _with_shared_noun(body, asked, phrase)
    new = new + _kept_complement(asked, phrase, body)
    link = "de " if asked.key(phrase.begin) == "del" else ""
    before = _agreeing(asked.slice(0, phrase.begin), phrase.text, body, context.language)
    after = asked.slice(phrase.end, len(asked.items))
    return tidy(f"{before} {link}{new} {after}", context.language, asks="?" in context.asked)


def _what_is(phrase: str, context: Context) -> str:
    many = is_plural(phrase, context.language)
    if context.language == "en":
        return tidy(f"What {'are' if many else 'is'} {phrase}", "en", asks=True)
    return tidy(f"Qué {'son' if many else 'es'} {phrase}", "es", asks=True)


def _belongs_to_topic(body: str, asked: Sentence, phrase: Phrase) -> bool:
    """`¿Y la heurística?` after `¿Qué es A*?`: that of A*, as its article says."""
    items = read(body).items
    definite = items[0].key in words("el la los las the")
    return (
        definite
        and asked.key(phrase.begin) not in ARTICLES | {"del"}
        and not any(word.is_name for word in items)
    )


def _with_shared_noun(body: str, asked: Sentence, phrase: Phrase) -> str:
    """`la regresión lineal`, then `¿y la logística?`: `la regresión logística`."""
    old, new = asked.items[phrase.begin : phrase.end], read(body).items
    bare = [word for word in (*old[2:], *new) if _is_bare_adjective(word)]
    if len(old) == 3 and len(new) == 1 and len(bare) == 2 and old[0].key in ARTICLES:
        return f"{old[0].text} {old[1].text} {new[0].text}"
    if len(old) < 2 or len(new) < 2 or old[0].key not in ARTICLES:
        return body
    if new[0].key in ARTICLES and new[1].key in {"de", "del"}:
        return f"{new[0].text} {old[1].text} {body[new[1].start :]}"
    links = [word.key for word in old[2:]]
    if old[0].key == new[0].key and len(new) == 2 and len(old) == 4 and links[0] == "de":
        adjective = _PLAIN_ADJECTIVE.search(new[1].key)
        return f"{phrase.text} {new[1].text}" if adjective else body
    alike = len(old) == 3 and len(new) == 2 and old[0].key == new[0].key
    if alike and old[0].key in ARTICLES and _ADJECTIVE.search(new[1].key):
        return f"{old[0].text} {old[1].text} {new[1].text}"
    return body


def _is_bare_adjective(word: Word) -> bool:
    plain = word.key not in _NOT_ADJECTIVES and not word.is_name
    return plain and _BARE_ADJECTIVE.search(word.key) is not None


def _compares(asked: Sentence) -> bool:
    return bool(listed(asked))


def _kept_complement(asked: Sentence, phrase: Phrase, body: str) -> str:
    """`la esperanza de una binomial`, then `¿y la varianza?`: still of a binomial."""
    both_definite = read(body).key(0) in ARTICLES and asked.key(phrase.begin) in ARTICLES
    if not both_definite or re.search(r"\b(?:de|del|of)\b", body):
        return ""
    for index in range(phrase.begin, phrase.end - 1):
        if asked.key(index) in {"de", "of"} and asked.key(index + 1) in words("un una a an"):
            return " " + asked.slice(index, phrase.end)
    return ""


def _agreeing(before: str, old: str, new: str, language: Language) -> str:
    """The words before the topic, with the copula in the number of the new one."""
    if not before or is_plural(old, language) == is_plural(new, language):
        return before
    *rest, last = before.split(" ")
    number = {"es": "son", "son": "es", "is": "are", "are": "is"}
    return " ".join([*rest, number.get(last, last) if last in COPULAS else last])
