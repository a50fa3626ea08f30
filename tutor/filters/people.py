"""Authors of the course's notes as a question names them: `según Zúñiga`, `Brown's notes`.

Only names that the course knows count: a whole name, or a surname that one author alone has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.filters.text import MATERIAL, Found, before, keys_of, word_at, words_of
from tutor.types import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tutor.filters.text import Word

_SURNAMES = 2
"""Surnames of a Spanish name of four words or more: the last two."""
_PERSON = (
    r"(?:(?:el|la|los|las|the)\s+)?"
    r"(?:(?:prof(?:esora?|es|e)?|dra?|ing|lic|autora?|estudiante|companer[oa]"
    r"|author|student|professor)\.?\s+)?"
)
_NOTES_OF = re.compile(
    rf"(?<!\w)(?:(?:en|de|segun|con|in|from|according\s+to|per)\s+)?"
    rf"(?:(?:el|la|los|las|the)\s+)?{MATERIAL}\s+"
    rf"(?:de|del|of|by|from|(?:escrit|hech|tomad)[oa]s?\s+por|written\s+by)\s+{_PERSON}"
)
_ACCORDING_TO = re.compile(
    r"(?<!\w)(?:segun|(?:de\s+acuerdo|conforme)\s+(?:con|a)|according\s+to|as\s+per)\s+"
    rf"(?:(?:dicen?|explican?)\s+)?{_PERSON}"
)
_AND = re.compile(r"\s*,\s*|\s+(?:y|e|o|and|or)\s+")
_OWNED = re.compile(
    r"['’]s?\s+(?:class(?:es)?|notes|documents?|files?|lectures?|slides|lessons?)(?!\w)"
)
_OWNED_LEAD = re.compile(r"(?<!\w)(?:in|from|according\s+to|per|of)\s+\Z")
_PUBLICATION = re.compile(r"\s*(?:[(\[]?\d{4}|,?\s+et\s+al|y\s+(?:otros|col))|\s+y\s+(?:otros|col)")
"""Behind a name it makes it one of the literature."""
_PAUSE = re.compile(
    r"\s*(?:[,;:.?!)¿]|\Z)"
    r"|\s+(?:cual|como|cuando|donde|quien|what|which|how|when|where|who|why|is|are)(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Names:
    """Authors by the word sequences that name them, and the single words that name one of them."""

    forms: dict[tuple[str, ...], frozenset[str]]
    given: dict[tuple[str, ...], frozenset[str]]


def names_of(authors: Iterable[str]) -> Names:
    """How the authors can be called."""
    forms: dict[tuple[str, ...], set[str]] = {}
    given: dict[tuple[str, ...], set[str]] = {}
    holders: dict[str, set[str]] = {}
    for author in authors:
        words = keys_of(author)
        for word in words:
            holders.setdefault(word, set()).add(author)
        for form in _forms(words):
            forms.setdefault(form, set()).add(author)
        if len(words) > 1:
            given.setdefault(words[:1], set()).add(author)
    alone = {word for word, people in holders.items() if len(people) == 1}
    return Names(
        {form: frozenset(p) for form, p in forms.items() if len(form) > 1 or form[0] in alone},
        {form: frozenset(p) for form, p in given.items() if form[0] in alone},
    )


def find_authors(question: str, text: str, names: Names) -> Iterator[Found]:
    """The authors that a question names; `text` is the question folded."""
    if not names.forms:
        return
    words = words_of(text)
    for trigger, called in (
        (_NOTES_OF, {**names.given, **names.forms}),
        (_ACCORDING_TO, names.forms),
    ):
        for match in trigger.finditer(text):
            authors, end = _people(question, text, words, match.end(), called)
            if authors:
                yield Found(match.start(), end, Filter(authors=tuple(sorted(authors))))
    yield from _owners(text, words, {**names.given, **names.forms})


def _forms(words: tuple[str, ...]) -> set[tuple[str, ...]]:
    if len(words) < 2:
        return {words} if words else set()
    surnames = words[1:] if len(words) <= _SURNAMES + 1 else words[-_SURNAMES:]
    single = {(surname,) for surname in surnames}
    return {words, words[:2], surnames, *single, *((words[0], surname) for surname in surnames)}


def _people(
    question: str,
    text: str,
    words: Sequence[Word],
    start: int,
    called: dict[tuple[str, ...], frozenset[str]],
) -> tuple[set[str], int]:
    """The authors named from `start` on, one after another, and where they end."""
    authors: set[str] = set()
    end = start
    while True:
        begin = start
        if authors:
            link = _AND.match(text, end)
            if link is None:
                return authors, end
            begin = link.end()
        named = _longest(text, words, begin, called)
        if named is None or not _is_person(question, text, begin, named[1], named[2]):
            return authors, end
        authors |= called[named[0]]
        end = named[1]


def _longest(
    text: str,
    words: Sequence[Word],
    start: int,
    called: dict[tuple[str, ...], frozenset[str]],
) -> tuple[tuple[str, ...], int, bool] | None:
    """The longest name that begins exactly at `start`, its end, and whether it is one word."""
    place = word_at(words, start)
    if place is None or words[place].start != start:
        return None
    for length in range(max(map(len, called)), 0, -1):
        run = words[place : place + length]
        form = tuple(word.key for word in run)
        if (
            len(run) == length
            and form in called
            and not re.search(r"[^\w\s.-]", text[start : run[-1].end])
        ):
            return form, run[-1].end, length == 1
    return None


def _is_person(question: str, text: str, start: int, end: int, alone: bool) -> bool:
    """Whether a name goes no further than this, and is nobody else's.

    `según Mora Díaz` is not about Paula Mora, `según Brown et al.` is about a publication, and
    `según campos de texto` about nobody.
    """
    if _PUBLICATION.match(text, end):
        return False
    if question[end : end + 1] in {"-", "_"}:
        return False
    following = question[end:].lstrip(" ")
    if following[:1].isupper() and question[start : start + 1].isupper():
        return False
    return not alone or question[start].isupper() or _PAUSE.match(text, end) is not None


def _owners(
    text: str, words: Sequence[Word], called: dict[tuple[str, ...], frozenset[str]]
) -> Iterator[Found]:
    """`in Paula Cordero's notes`."""
    for owned in _OWNED.finditer(text):
        run: list[Word] = [word for word in words if word.end <= owned.start()]
        for length in range(max(map(len, called)), 0, -1):
            name = run[-length:]
            form = tuple(word.key for word in name)
            if len(name) == length and name[-1].end == owned.start() and form in called:
                lead = before(_OWNED_LEAD, text, name[0].start)
                start = lead.start() if lead else name[0].start
                yield Found(start, owned.end(), Filter(authors=tuple(sorted(called[form]))))
                break
