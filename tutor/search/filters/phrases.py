"""What a question names: authors and documents (`según Zúñiga`, `en 07_2.pdf`), and what may lead
to them, and to weeks and days (`en los apuntes de la …`).

Patterns are matched against the folded question, which has a character for each of the question's.
Only authors and documents that the course has count. A surname is often a word, and a title the
name of a subject, so alone they count only behind words that lead to an author or a document.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from tutor.model import Filter, Source, SourceId
from tutor.text.folding import fold
from tutor.text.numerals import ROMAN
from tutor.text.terms import content_words
from tutor.text.words import STOP_WORDS_OF_BOTH

if TYPE_CHECKING:
    Names = Mapping[tuple[str, ...], frozenset[str]]
    Titles = Mapping[tuple[str, ...], frozenset[SourceId]]


MATERIAL = re.compile(
    r"(?:clases?|apuntes?|notas|sesion(?:es)?|leccion(?:es)?|documento?s?|pdfs?|archivos?"
    r"|material(?:es)?|diapositivas|presentacion(?:es)?|presentations?|lecturas?"
    r"|class(?:es)?|notes?|sessions?|lessons?|lectures?|files?|materials?|slides)(?!\w)"
)
"""What a course is written down in, or taught in."""
_LEAD = re.compile(
    r"(?<!\w)(?:(?:(?P<says>segun|de\s+acuerdo\s+(?:con|a)|conforme\s+a|according\s+to|per"
    r"|dicen?|explican?|define|pone|does)"
    r"|(?P<preposition>antes\s+de|before|hasta|until|up\s+to|a\s+partir\s+de|desde|since"
    r"|despues\s+de|after|entre|between|en|del?|durante|in|on|from|of|during))\s+)?"
    rf"(?:(?:el|la|los|las|the)\s+)?(?:(?P<material>{MATERIAL.pattern}|semana|week)\s+)?"
    r"(?:(?:escrit[oa]s?\s+|written\s+)?(?:titulad[oa]s?|de|del|por|sobre|of|on|from|by|titled)\s+)?"
    r"(?:(?:el|la|the)\s+)?(?:dia\s+)?"
    r"(?:(?:lunes|martes|miercoles|jueves|viernes|sabado|(?:mon|tues|wednes|thurs|fri|satur)day),?\s+)?"
    r"[\"“«'‘]?\Z"
)
_ANY = re.compile(r"(?<!\w)(?:una?|an?|cualquier|algun|any|some)\s+\Z")
"""What stands before a document that is none of the course's: "en un documento de LaTeX"."""
_FEW_WORDS = 80
"""Characters."""
_NEXT_WORD = re.compile(r"\s+(\w+)")
_LONG = 6
"""Words of a title that nobody writes by chance."""
_ONE_DOCUMENT = re.compile(
    r"(?<!\w)(?:(?:(?:el|al|del|este|ese|mi|los|las|the|this|that)\s+)?"
    r"(?:documentos?|docs?|pdfs?|apuntes?|archivos?|diapositivas|presentacion|notas"
    r"|documents?|files?|slides|notes)"
    r"|(?:la|the)\s+(?:clase|leccion|presentacion|class|lecture|lesson|presentation))"
    r"\s+(?:de|del|sobre|of|on|about|titulad[oa]|titled)\s+(?:(?:el|la|los|las|the)\s+)?"
)
"""What leads to a document that is called by a part of its title."""
_JOINING = frozenset("de del el la los las y e con of the and".split())
"""Words within the name of a document that do not end it."""
_WORD_OR_SIGN = re.compile(r"(\w+)|[^\w\s]")
_LETTER = re.compile(r"\w")
_ABOUT_IT = re.compile(
    r"(?:de\s+que\s+(?:(?:se\s+)?trata|va)|resum\w+(?:\s+de)?|summar\w+(?:\s+of)?)\s+(?:(?:el|la)\s+)?\Z"
)
"""What leads to a file by its name alone, or to "Práctica 3", if the question ends with that."""
_QUOTES = {'"': '"', "“": "”", "«": "»", "'": "'", "‘": "’"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A filter that `question[start:end]` names."""

    start: int
    end: int
    filter: Filter


@dataclass(frozen=True, slots=True)
class Lead:
    """The words before what is named: where they begin, and what they are."""

    start: int
    says: bool
    preposition: str
    material: str


def lead_before(text: str, start: int) -> Lead:
    """What leads to the name that begins at `start`; empty where nothing does."""
    match = _LEAD.search(text, max(0, start - _FEW_WORDS), start)
    if match is None or (match["material"] and _ANY.search(text, 0, match.start("material"))):
        return Lead(start, says=False, preposition="", material="")
    preposition = " ".join((match["preposition"] or "").split())
    return Lead(match.start(), match["says"] is not None, preposition, match["material"] or "")


def is_complete(text: str, end: int) -> bool:
    """Whether a name that ends here goes no further: a sign or a stop word follows."""
    following = _NEXT_WORD.match(text, end)
    return following is None or following[1] in STOP_WORDS_OF_BOTH


def keys_of(text: str) -> tuple[str, ...]:
    """A name or a title as words to compare."""
    return tuple(re.findall(r"\w+", fold(unicodedata.normalize("NFC", text))))


def author_names(authors: Collection[str]) -> Names:
    """How the authors can be called; by a surname alone only where one author has it."""
    named: dict[tuple[str, ...], set[str]] = {}
    holders: dict[str, set[str]] = {}
    for author in authors:
        words = keys_of(author)
        surnames = words[1:] if len(words) < 4 else words[-2:]
        for word in words:
            holders.setdefault(word, set()).add(author)
        for form in {words, words[:2], surnames, *((words[0], name) for name in surnames)}:
            named.setdefault(form, set()).add(author)
        for name in surnames or words:
            named.setdefault((name,), set()).add(author)
    return {
        form: frozenset(people)
        for form, people in named.items()
        if len(form) > 1 or (form and len(holders[form[0]]) == 1)
    }


def find_authors(text: str, names: Names) -> Iterator[Phrase]:
    """The authors that a folded question names."""
    for start, end, form in _mentions(text, names):
        lead = lead_before(text, start)
        led = lead.says or lead.material
        if len(form) > 1 or (led and is_complete(text, end)):
            yield Phrase(lead.start, end, Filter(authors=tuple(sorted(names[form]))))


class DocumentNames(NamedTuple):
    """The documents by file name, by title, and by title without its subtitle; and all of these."""

    files: Titles
    whole: Titles
    short: Titles
    every: frozenset[tuple[str, ...]]


def _mentions(
    text: str, names: Collection[tuple[str, ...]]
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The longest names, given as words, in a text, one after another: start, end and words."""
    words = [(match.start(), match.end(), match[0]) for match in re.finditer(r"\w+", text)]
    longest, place = max(map(len, names), default=0), 0
    while place < len(words):
        for length in range(min(longest, len(words) - place), 0, -1):
            form = tuple(word for _start, _end, word in words[place : place + length])
            if form in names:
                yield words[place][0], words[place + length - 1][1], form
                place += length
                break
        else:
            place += 1


def document_names(sources: Collection[Source]) -> DocumentNames:
    """How the documents can be called."""
    tables: tuple[dict[tuple[str, ...], set[SourceId]], ...] = ({}, {}, {})
    for source in sources:
        main = re.split(r":|\(| [-–—] ", source.title)[0]
        names = (PurePosixPath(source.path).stem, source.title, main)
        for table, name in zip(tables, names, strict=True):
            table.setdefault(keys_of(name), set()).add(source.id)
    files, whole, short = ({k: frozenset(v) for k, v in one.items() if k} for one in tables)
    return DocumentNames(files, whole, short, frozenset({*files, *whole, *short}))


def find_documents(question: str, text: str, documents: DocumentNames) -> Iterator[Phrase]:
    """The documents that a question names; `text` is the question folded."""
    files, whole, short, every = documents
    for start, end, form in _mentions(text, every):
        lead = lead_before(text, start)
        quoted = _QUOTES.get(question[start - 1 : start]) == question[end : end + 1]
        extended = text.startswith(".pdf", end)
        ids: frozenset[SourceId] = frozenset()
        whole_of_it = _ABOUT_IT.search(text, 0, start) and not _LETTER.search(text, end)
        with_number = re.search(r"\d", text[start:end])
        if form in files:
            if extended or lead.material or whole_of_it or with_number:
                ids = files[form]
        elif quoted and form in whole:
            ids = whole[form] if lead.material or lead.preposition or lead.says else ids
        elif len(form) >= _LONG or (lead.material and is_complete(text, end)):
            ids = whole.get(form, ids) | short.get(form, ids)
        elif whole_of_it and with_number:
            ids = whole.get(form, ids)
        if ids:
            end_of_name = end + 4 * extended
            end_of_name += (
                _QUOTES.get(question[start - 1 : start]) == question[end_of_name : end_of_name + 1]
            )
            yield Phrase(lead.start, end_of_name, Filter(documents=tuple(sorted(ids))))


class TitleWords(NamedTuple):
    """The words of a document's title and of its file's name, each by its stem."""

    source: Source
    words: frozenset[str]


def title_words(sources: Collection[Source]) -> list[TitleWords]:
    """The words by which the documents can be called."""
    return [
        TitleWords(source, _stems(f"{source.title} {PurePosixPath(source.path).stem}"))
        for source in sources
    ]


def find_titled(text: str, titles: Sequence[TitleWords]) -> Iterator[Phrase]:
    """The documents that a folded question calls by some words of their titles.

    All words of the name have to stand in titles of one document alone, or of its versions.
    """
    for lead in _ONE_DOCUMENT.finditer(text):
        if _ANY.search(text, 0, lead.start()):
            continue
        end, left = lead.end(), list(titles)
        for match in _WORD_OR_SIGN.finditer(text, lead.end()):
            word = match[1]
            stems = _stems(word) if word else frozenset()
            if not stems:
                if word in _JOINING:
                    continue
                break
            left = [title for title in left if stems <= title.words]
            end = match.end()
        named = any(map(str.isalpha, text[lead.end() : end]))
        days = {title.source.date or title.source.title for title in left}
        if named and len(days) == 1:
            ids = sorted(title.source.id for title in left)
            yield Phrase(lead_before(text, lead.end()).start, end, Filter(documents=tuple(ids)))


def _stems(text: str) -> frozenset[str]:
    """Its content words by their stems, numerals as numbers."""
    words = re.findall(r"[^\W_]+", fold(text))
    return content_words(" ".join(ROMAN.get(word, word) for word in words))
