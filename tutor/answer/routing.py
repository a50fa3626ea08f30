"""Where a question goes: to the notes, the map or the web; and what only greets or thanks.

A slash word decides, else an option, a keyword, or the strategy in force, in this order. Keywords
are whole words or phrases, compared without accents and in lower case; what hyphens, dots or
apostrophes join is one longer word (`web-based`, `web.xml`). A keyword that is a Spanish verb in
`-ar`, given as infinitive or imperative (`investigar`, `investiga`), stands for the forms in which
a request is made: infinitive, gerund, second persons, `investiguemos`, each with its pronouns
(`investígalo`). Nouns of the same family (`investigación`) and forms that tell what somebody does
or did (`investigan`, `investigó`) are not among them. Any other single word stands for its plural,
too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tutor.i18n import catalog
from tutor.model import Route, Strategy
from tutor.text.folding import fold, folded
from tutor.text.terms import content_words

COMMANDS = {
    "web": Route.WEB,
    "mapa": Route.MAP,
    "map": Route.MAP,
    "fijo": Route.FIXED,
    "fixed": Route.FIXED,
    "semantico": Route.SEMANTIC,
    "semantic": Route.SEMANTIC,
    "notas": None,
    "notes": None,
}
"""Slash words without accents; None is the strategy in force."""

_COMMAND = re.compile(r"[\s\u200b\u2060\ufeff]*/(\w+)(?=\s|:|\Z):?")
_JOINERS = r"[-.'’_@\u2010\u2011]"
_BEFORE = rf"(?<!\w)(?<!\w{_JOINERS})"
_AFTER = rf"(?!\w)(?!{_JOINERS}\w)"
_SHORTEST_IMPERATIVE = 5
"""Letters of the shortest word in `-a` taken for an imperative: `busca` is one, `data` is none."""
_SHORTEST_INFINITIVE = 5
_SOFT_STEMS = (("c", "qu"), ("g", "gu"), ("z", "c"))
"""How a stem is spelt before `e`: busca, busque; investiga, investigue; analiza, analice."""
_PRONOUNS = "(?:me|te|se|nos|os|les?)?(?:l[aeo]s?|me|nos)?"
_POLITE = "(?:por favor|(?:me )?(?:puedes|podrias)|quiero que|please|can you|could you)"
_ASKING = r"(?=(?:por |a |en )?(?:que|como|cual(?:es)?|cuando|donde|quien|what|how|who)\b)"
_GREETINGS = {
    "es": ("hola", "buenas", "buenos dias", "buenas tardes", "buenas noches", "que tal"),
    "en": ("hello", "hi", "hey", "good morning", "good afternoon", "good evening"),
}
_THANKS = {
    "es": frozenset(
        "gracias ok okey vale listo perfecto genial entendido entendi buenisimo excelente adios"
        " chao acuerdo".split()
    ),
    "en": frozenset("thanks thank ok okay great perfect understood got bye cool nice".split()),
}
"""What thanks, agrees, or takes leave; with nothing else than words beside it, it asks nothing."""
_BESIDE_THANKS = {
    "es": frozenset(
        "muchas muchisimas mil claro bien muy super jaja jajaja ah ya profe profesor profesora"
        " crack tutor amigo bro si por todo la ayuda lo eso de buena bueno hasta luego".split()
    ),
    "en": frozenset("you many a lot very much so it fine all the help".split()),
}
_ABILITIES = {
    "es": frozenset({
        "ayuda", "que puedes hacer", "que sabes hacer", "para que sirves", "quien eres",
        "como funcionas", "me puedes ayudar", "puedes ayudarme", "me puedes ayudar a estudiar",
    }),
    "en": frozenset({
        "help", "what can you do", "how do you work", "who are you", "what are you",
        "can you help me", "can you help me study",
    }),
}  # fmt: skip
_NOT_WORDS = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class RoutedQuestion:
    """A question without its slash word, where it goes, and which rule said so.

    `rule` is `command:/web`, `option`, `keyword:internet` (as configured) or `strategy`.
    """

    question: str
    route: Route
    rule: str


def looks_like_command(word: str) -> bool:
    """Whether a word is written as slash words are; few paths and formulas are."""
    return word == "/" or re.fullmatch(r"/[^\W\d_][^\W_]+:?", word) is not None


def route(
    question: str,
    *,
    strategy: Strategy,
    web_keywords: Sequence[str],
    forced: Route | None = None,
) -> RoutedQuestion:
    """Where a question goes.

    A slash word is typed for one question and outweighs `forced`, the option of a whole run. A
    slash word that names no route stays where it is. The question may be empty afterwards.
    """
    if (match := _COMMAND.match(question)) and (word := _compared(match[1])) in COMMANDS:
        chosen = COMMANDS[word] or Route(strategy.value)
        return RoutedQuestion(question[match.end() :].strip(), chosen, f"command:/{word}")
    asked = question.strip()
    if forced is not None:
        return RoutedQuestion(asked, forced, "option")
    if keyword := fired_keyword(asked, web_keywords):
        return RoutedQuestion(asked, Route.WEB, f"keyword:{keyword}")
    return RoutedQuestion(asked, Route(strategy.value), "strategy")


def fired_keyword(question: str, keywords: Sequence[str]) -> str:
    """The keyword that comes first in the question, the longest one there; empty if none does."""
    text = _compared(question)
    found = [
        (match.start(), -match.end(), position)
        for position, pattern in enumerate(_patterns(tuple(keywords)))
        if pattern and (match := pattern.search(text))
    ]
    return keywords[min(found)[2]] if found else ""


def without_keywords(question: str, keywords: Sequence[str]) -> str:
    """The question without what sends it to the web ("busca en la web"), if any is left."""
    text = fold(question)
    for pattern in filter(None, _patterns(tuple(keywords))):
        phrase = re.compile(
            rf"(?:{_request()})?(?:\b(?:y|and|o|or)\s+)?"
            rf"(?:\b(?:en|por|in|on|la|el|the)\s+)*{pattern.pattern}[,:]?\s*"
        )
        for match in reversed([*phrase.finditer(text)]):
            question = question[: match.start()] + question[match.end() :]
            text = text[: match.start()] + text[match.end() :]
    asking = re.match(_request() + _ASKING, text)
    return question[asking.end() if asking else 0 :].strip()


def asked_at_home(question: str, keywords: Sequence[str]) -> str:
    """What the notes are asked where the web is not: all of it where a keyword is its subject
    ("¿qué es internet?"); empty where nothing is asked ("busca en internet").
    """
    left = without_keywords(question, keywords)
    if not left and len(question.split()) > 1:
        return ""
    requests = re.search(_request(), fold(question))
    return left if requests or content_words(left) else question


@lru_cache(maxsize=1)
def _request() -> str:
    """A pattern of what begins a sentence and asks to look something up."""
    verbs = "|".join(map(_verb_forms, ("buscar", "consultar", "investigar", "mirar")))
    english = r"search|look(?:\s+it)?(?:\s+up)?|find(?:\s+out)?"
    return rf"(?:^|(?<=[.;:,!?¿¡]))\s*(?:{_POLITE}[\s,]+)*(?:{verbs}|{english})\s+"


def _compared(text: str) -> str:
    """Lower case, without accents and invisible characters."""
    return folded("".join(char for char in text if unicodedata.category(char) != "Cf"))


@lru_cache(maxsize=8)
def _patterns(keywords: tuple[str, ...]) -> tuple[re.Pattern[str] | None, ...]:
    return tuple(_pattern(keyword) for keyword in keywords)


def _pattern(keyword: str) -> re.Pattern[str] | None:
    first, *others = keyword.split() or [""]
    if not _compared(first):
        return None
    forms = _verb_forms(first) or (re.escape(_compared(first)) + ("" if others else _plural(first)))
    phrase = r"\s+".join([forms, *(re.escape(_compared(word)) for word in others)])
    return re.compile(f"{_BEFORE}{phrase}{_AFTER}")


def _verb_forms(word: str) -> str:
    """A pattern of the forms in which a verb makes a request; empty for what is no verb in -ar."""
    verb = _compared(word)
    accented = len(unicodedata.normalize("NFD", word)) != len(unicodedata.normalize("NFC", word))
    if accented or not verb.isalpha():
        return ""
    if verb.endswith("ar") and len(verb) >= _SHORTEST_INFINITIVE:
        stem = verb[:-2]
    elif verb.endswith("a") and len(verb) >= _SHORTEST_IMPERATIVE:
        stem = verb[:-1]
    else:
        return ""
    soft = next(
        (stem[: -len(hard)] + soft for hard, soft in _SOFT_STEMS if stem.endswith(hard)), stem
    )
    with_pronouns = f"(?:{stem}(?:ar|ando|ad|a)|{soft}(?:emos|en|e)){_PRONOUNS}"
    return f"(?:{with_pronouns}|{stem}(?:as|amos|ais)|{soft}(?:es|eis))"


def _plural(word: str) -> str:
    last = _compared(word)[-1]
    if not last.isalpha():
        return ""
    return "s?" if last in "aeiou" else "(?:e?s)?"


def small_talk_reply(question: str) -> str:
    """What is said to a question that only greets, thanks, or asks what can be asked, in its
    language; empty for others.
    """
    said = _NOT_WORDS.sub(" ", folded(question)).strip()
    for language in ("es", "en"):
        say = catalog(language)
        begun = (one for one in _GREETINGS[language] if f"{said} ".startswith(f"{one} "))
        greeting = max(begun, key=len, default="")
        asked = said.removeprefix(greeting).strip()
        if asked in _ABILITIES[language]:
            return say.gettext(
                "I answer with what your notes say, each sentence with its page. Ask what "
                "something is, for a formula, steps, an example, a difference, a summary or all "
                "formulas of a week; “quiz me on week 3” lets me ask you."
            )
        if greeting and frozenset(asked.split()) <= _BESIDE_THANKS[language]:
            return say.gettext("Hello! Ask whatever you want to know from your notes.")
        words = frozenset(said.split())
        others = words - _THANKS[language]
        if others < words and others <= _BESIDE_THANKS[language]:
            return say.gettext("You are welcome. What else do you want to know from your notes?")
    return ""
