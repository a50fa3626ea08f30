"""What stands in parentheses: a second name of a term, or whom the notes cite; and addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutor.map.lesson import Lesson
from tutor.map.wording import FOREIGN, key_words
from tutor.model import CleanText
from tutor.text.folding import folded
from tutor.text.words import STOP_WORDS, STOP_WORDS_OF_BOTH

_GLOSSED = re.compile(
    r"((?:[^\W\d_][\w-]*\*? ){0,4}[^\W\d_][\w-]*\*?)"
    r" \(([^()\d=.,;:\"]{2,50}(?:, [A-Z]{2,6})?)(?:[;,] [^()=:]{3,40} \d{4})?\)"
)
"""A second name, and perhaps who gave it: "(random forest; Breiman, 2001)"."""
_SUBJECT = re.compile(r"(?:El|La|Los|Las|Una?|The|An?) ([^\s,.;:()]+(?: [^\s,.;:()]+){0,5}) (?=\()")
_LINKS = frozenset("de del en por con sin primero a of in by with".split())
_SELF = re.compile(r"mism[oa]s?\b")
_SURNAME = (
    r"\b(?:(?:van|von)(?: der| den)? )?(?:Mc|Mac|Le|De|La|O['’])?[A-ZÁÉÍÓÚÑ][a-záéíóúñüöä]+\b"
)
_PEOPLE = rf"{_SURNAME}(?:(?:, | y | and | & |-){_SURNAME})*(?: (?:y otros|and others|et al\.?))?"
_YEAR = r"(1[5-9]\d\d|20\d\d)"
_CITED = re.compile(
    rf"\((?:[^()]*?[;,] )?({_PEOPLE}),? {_YEAR}[a-z]?\)"
    rf"|({_PEOPLE}) \({_YEAR}[a-z]?\)"
)
"""In parentheses, or as the subject of a sentence."""
_ADDRESS = re.compile(r"https?://[^\s<>()\"'»”]+[^\s<>()\"'»”.,;:]")
_ACTING = re.compile(rf"({_PEOPLE}) (?:publican?|proponen?|presentan?|ganan?|inventan?|dan?)\b")
_TITLED = re.compile(r"[A-Z][\w-]* (?:of |de )?\Z|\bof \Z")
_BETWEEN = re.compile(r", | y | and | & | et al\.?")
_OTHERS = frozenset(("otros", "others"))


def glossed_terms(lesson: Lesson, sentence: str) -> Iterator[tuple[int, int]]:
    """Where a sentence has a term together with another name of it in parentheses."""
    if "(" not in sentence:  # what the pattern would take long to find out
        return
    for found in _GLOSSED.finditer(sentence):
        own = STOP_WORDS[lesson.language] & set(folded(found[2]).split())
        if own or not FOREIGN[lesson.language].search(found[2]) or not found[2].isascii():
            continue
        subject = _SUBJECT.match(sentence)
        if subject and subject.end() == found.start(2) - 1 and _is_term(subject[1]):
            yield subject.start(1), found.end()
            continue
        start = _begin(lesson, found[1])
        if key_words(found[1][start:]) and not _SELF.match(found[1][start:]):
            yield found.start() + start, found.end()


def _is_term(phrase: str) -> bool:
    """Whether a subject is a noun with what hangs on it: no article, verb or pronoun within."""
    inner = set(folded(phrase).split()) & STOP_WORDS_OF_BOTH
    return inner <= _LINKS


def _begin(lesson: Lesson, phrase: str) -> int:
    """Where a term begins, of which the end is known.

    It has no word before it that binds sentences; of what is left, the longest that the document
    has in another place, too, else all.
    """
    starts = [0, *(found.end() for found in re.finditer(" ", phrase))]
    ends = [*starts[1:], len(phrase) + 1]
    tokens = [folded(phrase[a : b - 1]) for a, b in zip(starts, ends, strict=True)]
    first = 0
    for place, token in enumerate(tokens):
        linked = token in ("de", "del", "of") and place > first
        if token in STOP_WORDS_OF_BOTH and not linked:
            first = place + 1
    candidates = [
        place for place in range(first, len(tokens)) if tokens[place] not in STOP_WORDS_OF_BOTH
    ]
    if first and tokens[first - 1] in ("se", "is", "are"):
        candidates = candidates[1:]
    for place in candidates[:-1]:
        if lesson.folded.count(" ".join(tokens[place:])) > 1:
            return starts[place]
    return starts[candidates[0]] if candidates else len(phrase)


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation at `text[start:end]`: what it says, and its year or its address."""

    title: str
    start: int
    end: int
    year: int | None = None
    url: str = ""
    people: tuple[str, ...] = ()


def people_in(sentence: str) -> tuple[str, ...]:
    """Who does something, at the beginning of a sentence: "McCulloch y Pitts publican …"."""
    found = _ACTING.match(sentence)
    return _names(found[1]) if found else ()


def _names(people: str) -> tuple[str, ...]:
    return tuple(name for name in _BETWEEN.split(people) if name and name not in _OTHERS)


def cited(text: CleanText) -> Iterator[Cited]:
    """What a document cites, in order of kind and place."""
    for found in _CITED.finditer(text.text):
        if found[3] and _TITLED.search(text.text, max(0, found.start() - 40), found.start()):
            continue  # the last word of a longer name
        who, year = " ".join((found[1] or found[3]).split()), int(found[2] or found[4])
        yield Cited(f"{who}, {year}", found.start(), found.end(), year, people=_names(who))
    for found in _ADDRESS.finditer(text.text):
        yield Cited(found[0], found.start(), found.end(), url=found[0])
