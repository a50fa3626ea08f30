"""A follow-up as it stands by itself: with the subject of the question before, or as that question
asked of what it names instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tutor.search.follow_ups import (
    ARTICLE,
    ASKING,
    DONE,
    JOINING,
    TELLING,
    THING,
    WANTED,
    WHAT_IT_HAS,
    asks_to_explain,
    done_with_it,
    has_no_subject,
    other_named,
    words_of,
)
from tutor.text.folding import fold, folded
from tutor.text.words import OF_ANY_SUBJECT, STOP_WORDS_OF_BOTH

_OWNED = re.compile(
    r"\b(?:sus?|its?|their)\s+"
    r"|\s+(?:de|sobre|of|for|about) (?:es[eao]|est[eao]|ello|that|this|it|them)\b(?=\W*\Z)",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    rf"\b(?:del?|of|for) (?P<name>(?:{ARTICLE} )?(?:(?!\b(?:del?|of|for) )[^?])+?)"
    r"[\s?.!]*\Z",
    re.IGNORECASE,
)
"""What something was asked of: "la complejidad de A*"."""
_OWNER = re.compile(rf" (?:del|(?:de|of) {ARTICLE}) .*\Z", re.IGNORECASE)
"""Whose it is: "la precisión de un clasificador", not "descenso de gradiente"."""
_IN_ANOTHER = re.compile(
    r"\W*(?:y|e|and)\s+(?P<how>(?:en|con|para|por|a|sobre|contra|with|in|for|to|on)) "
    rf"(?P<name>(?:{ARTICLE} )?{TELLING}(?: {TELLING})?)"
    r"(?P<more>,? (?:cu[aá]nt[oa]s?|c[oó]mo|cu[aá]l(?:es)?|qu[eé]|how|what)"
    r" (?:es|son|vale|valen|da|dan|pasa|is|are|happens))?[\s?.!]*\Z",
    re.IGNORECASE,
)
"""Asks the same with another detail: "¿y en 3FN?", "y con el determinante cuánto da"."""
_MAY_BE_OF_IT = re.compile(r"[^\W\d_A-Z]+")
"""One word, which may belong to the name of what was asked about: "consistente" behind "heurística
admisible"."""
_OF_ONE = re.compile(
    rf"(?P<the>\b(?:el|la|the) )?\b(?P<had>{TELLING}) (?P<of>de|of) (?:una?|an?)"
    rf" (?P<thing>{TELLING})\W*\Z",
    re.IGNORECASE,
)
"""What was asked of some thing: "la esperanza de una Poisson"."""
_DEFINITE = re.compile(rf"(?:el|la|the) (?P<name>{TELLING})", re.IGNORECASE)
_NOUN = re.compile(r"[^\W\d_]{4,}")
_ITS = re.compile(r"\b(?:sus?|its|their)\s+(\w+(?:\s+\w+)?)\W*\Z", re.IGNORECASE)
"""What is asked for of what was said before: "y su complejidad temporal"."""
_DONE_WITH = re.compile(
    rf"(?:(?:qui[eé]n(?:es)?|{ASKING})(?: se)? (?!(?:no|lo|s[oó]lo|to|do)\b)\w+(?:[oó]|ron)"
    r"|who (?!(?:is|are|was)\b)\w+) (?P<name>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
"""The same of what is named: "quién propuso X", "cómo evito X"."""


def restated(question: str, subject: str, language: str) -> str:
    """A follow-up that asks something of the `subject` of the question before, and of nothing else,
    as it stands by itself: "ejemplo de k-means" for "un ejemplo" behind "¿Qué es k-means?". Empty
    for any other, and without a subject.
    """
    if subject and asks_to_explain(question):
        return f"{'explain' if language == 'en' else 'explica'} {subject}"
    parted = JOINING.fullmatch(_OWNED.sub("", question))
    asked = parted["asked"] if parted else ""
    if subject and (done := done_with_it(asked)):
        return f"{done['asks']} {done['done']} {subject}{done['more']}"
    if subject and has_no_subject(asked):
        return f"{asked} {subject}"
    words = words_of(asked)
    owned = frozenset(words_of(its[1])) if (its := _ITS.search(question)) else frozenset()
    kinds = OF_ANY_SUBJECT | DONE | owned
    known = STOP_WORDS_OF_BOTH.union(kinds, WANTED)
    if not subject or kinds.isdisjoint(words) or not known.issuperset(words):
        return ""
    if words[-1] in ("it", "them"):
        return f"{asked[: -len(words[-1])]}{subject}"
    of = ("of " if language == "en" else "de ") if words[-1] not in DONE else ""
    return f"{asked} {of}{subject}"


def done_with(question: str) -> str:
    """What is named in a question like those that `restated` makes of "quién la propuso"; empty for
    any other.
    """
    done = _DONE_WITH.fullmatch(question)
    return done["name"] if done else ""


def asked_of_another(earlier: str, subject: str, question: str) -> str:
    """What was asked before of a `subject`, asked of what a follow-up names instead: "qué es ridge"
    for "¿y ridge?" behind "qué es lasso". Empty for any other follow-up.
    """
    if detail := _IN_ANOTHER.match(question):
        how, called = detail["how"], question[detail.start("how") : detail.end("name")]
        like = [*re.finditer(rf"\b{how} (?:{ARTICLE} )?{TELLING}(?: {TELLING})?", earlier)]
        of_one = _OF_ONE.search(earlier) if detail["more"] and not like else None
        if of_one:
            return f"{earlier[: of_one.end('of')]} {detail['name']}"
        start, end = like[0].span() if len(like) == 1 else (0, 0)
        return f"{earlier[:start]}{called}{earlier[end:]}" if end else ""
    other = other_named(_without_what_was_asked(question, earlier))
    if other is None:
        return ""
    called, whose = other["called"], _WHOSE.search(earlier)
    of_it = re.search(rf"\b(?:del?|of|for) (?:{ARTICLE} )?{re.escape(subject)}\W*\Z", earlier)
    if other["of"] and whose and not (subject and of_it):
        start, end = whose.span("name")
    elif not subject or (WHAT_IT_HAS.match(fold(earlier)) and not other["of"]):
        return _of_another_thing(earlier, called)
    elif not other["of"] and " " in subject and _MAY_BE_OF_IT.fullmatch(called):
        return ""
    else:
        head = subject if " de " in called else _OWNER.sub("", subject)
        rest = re.escape(subject[len(head) :])
        named = re.search(rf"(?:\b{ARTICLE} )?{re.escape(head)}(?={rest}\W*\Z)", earlier)
        start, end = named.span() if named else (0, 0)
    if earlier[:start].endswith((" de ", " of ")) and not re.match(
        rf"{ARTICLE} ", earlier[start:end]
    ):
        called = other["name"]
    asked = f"{earlier[:start]}{called}{earlier[end:]}" if end else ""
    return re.sub(r"\bde el ", "del ", asked)


def _of_another_thing(earlier: str, called: str) -> str:
    """What was asked before of the only thing that it names with an article, asked of another that
    has one and as many words; empty where there are several, or it is named what it is of.
    """
    named = [*THING.finditer(earlier)]
    alike = (
        len(named) == 1 and THING.match(called) and len(named[0][0].split()) <= len(called.split())
    )
    if not alike or earlier[named[0].end() :].lstrip().startswith(("de ", "del ", "of ")):
        return ""
    start, end = named[0].span()
    return f"{earlier[:start]}{called}{earlier[end:]}"


def with_its_noun(word: str, earlier: str, subject: str, notes: Iterable[str]) -> str:
    """What was asked before of its `subject`, asked of what one `word` tells from that: "qué es la
    elasticidad cruzada" for "¿y la cruzada?" behind "qué es la elasticidad precio". Empty unless
    the `notes` say so, and not only the labels of a drawing.
    """
    blocks = [" ".join(block.split()) for text in notes for block in folded(text).split("\n\n")]
    for noun in _NOUN.findall(earlier):
        named = rf"{folded(noun)} {re.escape(folded(word))}"
        if any(re.search(rf"\w\W+{named}\b|\b{named}\W+\w", block) for block in blocks):
            told = subject if folded(subject).startswith(folded(noun)) else noun
            beside = re.search(rf"\b{re.escape(noun)} {TELLING}", earlier)
            if told == noun and beside and any(folded(beside[0]) in block for block in blocks):
                told = beside[0]
            return earlier.replace(told, f"{noun} {word}", 1)
    return ""


def of_the_same(earlier: str, question: str, notes: Iterable[str]) -> str:
    """What was asked before of "a" thing, with what a follow-up names in the place of what was
    asked: "varianza de una Poisson" for "¿y la varianza?" behind "esperanza de una Poisson". Empty
    unless the `notes` speak of the thing, and of the other as something that things have.
    """
    asked, other = _OF_ONE.search(earlier), other_named(question)
    named = _DEFINITE.fullmatch(other["called"]) if other and not other["of"] else None
    if not (asked and named):
        return ""
    told = " ".join(folded("\n".join(notes)).split())
    had, thing = (rf"\b{re.escape(folded(word))}\b" for word in (named["name"], asked["thing"]))
    is_had = re.search(rf"{had} (?:del|(?:de|of) {ARTICLE}) ", told) and re.search(thing, told)
    has = re.search(rf"{folded(asked['had'])} (?:del|(?:de|of)(?: {ARTICLE})?) {had[2:]}", told)
    called = named[0] if asked["the"] else named["name"]
    whole = f"{earlier[: asked.start()]}{called}{earlier[asked.end('had') :]}"
    return whole if is_had and not has else ""


def _without_what_was_asked(question: str, earlier: str) -> str:
    """A follow-up without the words at its end with which the earlier question begins."""
    begun = " ".join(words_of(earlier))
    for match in re.finditer(r" (?=\S+ \S)", question):
        if f"{begun} ".startswith(f"{' '.join(words_of(question[match.end() :]))} "):
            return question[: match.start()]
    return question
