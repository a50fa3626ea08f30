"""Questions by rules: what a sentence of the notes defines, counts, dates, explains or compares.

Each rule reads one sentence (with the label or list beside it) and asks for the part that it
states, in one of several forms. Subjects that only mean something in their place ("este método",
"el resultado") are left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.evaluation.question_patterns import (
    AUTHOR,
    BECAUSE,
    CONTRAST,
    COPULA,
    COUNT,
    DEFINED,
    INVENTOR,
    LABEL,
    LISTED,
    NAMED,
    PRONOUN,
    SETTING,
    THEOREM,
)
from tutor.evaluation.question_words import (
    ARTICLES,
    DEICTIC,
    SYMBOL,
    article,
    feminine,
    is_vague,
    lowered,
    names_something,
)
from tutor.grounding.words import content_words, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

_LEAST_SAID = 4
"""Content words that a definition has at least."""
_LEAST_TOLD = 3
"""Content words that stand before a name that is explained."""
_MIN_ANSWER = 25
_MAX_ANSWER = 420


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question that `text[start:end]` answers; `answer` is the reference answer."""

    kind: str
    question: str
    answer: str
    start: int
    end: int


def proposals(
    text: str, spans: list[tuple[int, int]], language: str, random: Random
) -> Iterator[Proposal]:
    """The questions that rules find in a passage; `spans` are its sentences."""
    yield from _labelled(text, spans, language, random)
    for index, (start, end) in enumerate(spans):
        sentence = " ".join(text[start:end].split())
        if not _MIN_ANSWER <= len(sentence) <= _MAX_ANSWER or not sentence[0].isupper():
            continue
        listed = _list_after(text, spans, index)
        if listed is not None:
            yield from _of_list(sentence, text[start:listed], start, listed)
        if not sentence.endswith((".", "!")):
            continue
        for rule in _RULES:
            found = rule(sentence, language, random)
            if found is not None:
                kind, question, answer = found
                yield Proposal(kind, question, answer, start, end)
                break


def _labelled(
    text: str, spans: list[tuple[int, int]], language: str, random: Random
) -> Iterator[Proposal]:
    for pattern in (LABEL, THEOREM):
        for match in pattern.finditer(text):
            begin = match.end()
            end = _statement_end(text, begin, spans)
            name = " ".join((match[match.lastindex or 1]).split())
            if end is None or not names_something(name):
                continue
            answer = " ".join(text[begin:end].split())
            if pattern is THEOREM:
                kind, question = "concept", _of_theorem(match[1], name, language)
            elif _is_formula(answer):
                kind, question = "formula", _of_formula(name, language, random)
            else:
                kind, question = "definition", _of_name(name, answer, language, random)
            yield Proposal(kind, question, answer, begin, end)


def _statement_end(text: str, begin: int, spans: list[tuple[int, int]]) -> int | None:
    """Where what a label announces ends; None where it cannot be quoted as a whole."""
    ends = [stop for _start, stop in spans if stop > begin + _MIN_ANSWER][:2]
    if not ends:
        return None
    end = ends[-1] if SETTING.match(text, begin) else ends[0]
    whole = text[begin:end].rstrip()
    cut = whole.endswith((":", ",")) or (not whole.endswith(".") and "=" not in whole)
    return None if cut or len(whole) > _MAX_ANSWER else end


def _of_theorem(label: str, name: str, language: str) -> str:
    if language == "en":
        return f"What does the {label.lower()} «{name}» state?"
    if fold(name).startswith(("teorema", "lema")):
        return f"¿Qué dice el {lowered(name)}?"
    return f"¿Qué dice el {label.lower()} de {lowered(name)}?"


def _of_formula(name: str, language: str, random: Random) -> str:
    name = lowered(name)
    if language == "en":
        return f"What is the formula of {name}?"
    of = {"el": "del ", "la": "de la "}.get(article(name))
    if of is None:
        return f"formula de {name}"
    return random.choice([f"¿Cuál es la fórmula {of}{name}?", f"formula de {name}"])


def _of_name(name: str, answer: str, language: str, random: Random) -> str:
    """Asks for a name; with an article where the answer has it or its ending tells."""
    first = fold(name).split()[0]
    name = lowered(name)
    if language == "en":
        return random.choice([f"What is meant by {name}?", f"How is {name} defined?"])
    forms = [f"¿Qué se entiende por {name}?", f"definición de {name}"]
    opening = fold(answer).split()[:2]
    if len(opening) == 2 and opening[0] in {"un", "una"} and opening[1] == first:
        forms = [f"¿Qué es {opening[0]} {name}?", f"¿A qué se le llama {name}?"]
    elif article(name):
        forms = [f"¿Qué es {article(name)} {name}?", *forms]
    return random.choice(forms)


def _definition(sentence: str, language: str, random: Random) -> tuple[str, str, str] | None:
    match = COPULA.match(sentence)
    if match is None or not names_something(match["subject"]):
        return None
    if sum(word.weight == 1 for word in content_words(match["rest"])) < _LEAST_SAID:
        return None
    subject = lowered(match["subject"])
    if language == "en":
        return "definition", f"What {match['verb']} {subject}?", sentence
    if is_vague(subject):
        which = "Cuáles" if match["verb"] == "son" else "Cuál"
        return "fact", f"¿{which} {match['verb']} {subject}?", sentence
    plural = match["verb"] == "son"
    forms = [f"¿Qué {match['verb']} {subject}?"]
    if not plural and subject.startswith(("un ", "una ")):
        forms += [f"¿A qué se le llama {subject.split(' ', 1)[1]}?", f"explíqueme qué es {subject}"]
    return "definition", random.choice(forms), sentence


def _named(sentence: str, language: str, random: Random) -> tuple[str, str, str] | None:
    match = NAMED.match(sentence)
    if match is None or not names_something(match["name"]):
        return None
    if len(content_words(match["what"])) < _LEAST_TOLD:
        return None
    name = match["name"]
    if language == "en":
        return "definition", f"What is meant by {name}?", sentence
    forms = [f"¿A qué se le llama {name}?", f"¿Qué significa {name}?"]
    return "definition", random.choice(forms), sentence


def _procedure(sentence: str, language: str, _random: Random) -> tuple[str, str, str] | None:
    match = DEFINED.match(sentence)
    if match is None or language == "en" or not names_something(match["subject"]):
        return None
    kind = "definition" if match["verb"].startswith("se define") else "procedure"
    return kind, f"¿Cómo {match['verb']} {lowered(match['subject'])}?", sentence


def _count(sentence: str, language: str, _random: Random) -> tuple[str, str, str] | None:
    match = COUNT.match(sentence)
    if match is None or language == "en" or not names_something(match["subject"]):
        return None
    if match["subject"].startswith(("Un ", "Una ", "Unos ", "Unas ")):
        return None  # an example, mostly: "Una urna tiene 5 bolas rojas"
    what = match["what"]
    many = "Cuántas" if feminine(what) else "Cuántos"
    return "fact", f"¿{many} {what} {match['verb']} {lowered(match['subject'])}?", sentence


def _author(sentence: str, language: str, random: Random) -> tuple[str, str, str] | None:
    passive = AUTHOR.match(sentence)
    if passive is not None and names_something(passive["subject"]):
        subject = lowered(passive["subject"])
        if language == "en":
            return "fact", f"Who proposed {subject}?", sentence
        forms = [f"¿Quién propuso {subject}?", f"¿De dónde viene {subject}, quién lo propuso?"]
        return "fact", random.choice(forms), sentence
    active = INVENTOR.match(sentence)
    if active is None or language == "en":
        return None
    what = re.split(r",| en (?=\d{4})", active["what"])[0].strip()
    verb = _SINGULAR.get(active["verb"], active["verb"])
    if not names_something(what) or not what.startswith(
        ("el ", "la ", "los ", "las ", "un ", "una ")
    ):
        return None
    return "fact", f"¿Quién {verb} {what}?", sentence


_SINGULAR = {
    "propusieron": "propuso", "publicaron": "publicó", "inventaron": "inventó",
    "presentaron": "presentó", "introdujeron": "introdujo", "demostraron": "demostró",
    "crearon": "creó",
}  # fmt: skip


def _reason(sentence: str, language: str, _random: Random) -> tuple[str, str, str] | None:
    match = BECAUSE.match(sentence)
    if match is None or language == "en":
        return None
    fact = match["fact"]
    first = fold(fact).split()[0]
    opens = first in ARTICLES and first not in {"a", "an", "the"}
    if not opens or len(content_words(fact)) < 3 or SYMBOL.search(fact):
        return None
    if fold(fact).split()[1] in DEICTIC or " que " in fact:
        return None
    return "concept", f"¿Por qué {lowered(fact)}?", sentence


def _contrast(sentence: str, language: str, random: Random) -> tuple[str, str, str] | None:
    match = CONTRAST.match(sentence)
    if match is None or language == "en":
        return None
    one, other = lowered(match["one"]), lowered(match["other"])
    if not names_something(one) or not names_something(other) or "también" in (one + other):
        return None
    heads = [{word.stem for word in content_words(name)} for name in (one, other)]
    alike = len(match["turn"]) > 2 or bool(heads[0] & heads[1])
    if not alike or heads[0] == heads[1]:
        return None
    forms = [f"¿En qué se diferencian {one} y {other}?", f"diferencia entre {one} y {other}"]
    return "comparison", random.choice(forms), sentence


def _of_list(sentence: str, whole: str, start: int, end: int) -> Iterator[Proposal]:
    match = LISTED.match(sentence)
    if match is None or (match["subject"] and not names_something(match["subject"])):
        return
    number, what = match["number"], match["what"].strip()
    if match["there"]:
        if len(content_words(what)) < 2 or PRONOUN.search(what):
            return
        question = f"¿Qué {number} {what} hay?"
    elif match["verb"].startswith("tien"):
        question = f"¿Qué {number} {what} {match['verb']} {lowered(match['subject'])}?"
    else:
        *verb, preposition = match["verb"].split()
        asked = f"{preposition.capitalize()} qué {number} {what}"
        question = f"¿{asked} {' '.join(verb)} {lowered(match['subject'])}?"
    yield Proposal("list", question, " ".join(whole.split()), start, end)


def _list_after(text: str, spans: list[tuple[int, int]], index: int) -> int | None:
    """Where the list ends that a sentence with a colon announces; None without one."""
    start, end = spans[index]
    if ":" not in text[start:end]:
        return None
    last = None
    for begin, stop in spans[index + 1 : index + 8]:
        if not re.match(r"(?:[•◦▪*–-]|\(?\d{1,2}[.)]|[a-z]\))\s", text[begin:stop]):
            break
        last = stop
    if last is None:
        return end if text[start:end].rstrip().endswith((".", ";")) else None
    return last if last - start <= 2 * _MAX_ANSWER else None


_RULES: tuple[Callable[[str, str, Random], tuple[str, str, str] | None], ...] = (
    _contrast,
    _author,
    _named,
    _reason,
    _count,
    _procedure,
    _definition,
)


def _is_formula(text: str) -> bool:
    return "=" in text and len(content_words(text)) < 7 and not SETTING.match(text)
