"""Who wrote a document: persons that spaCy finds in its head, else in the PDF's properties."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from tutor.ingest.metadata.people import NameFinder
from tutor.text.folding import letters
from tutor.text.names import known_in_lower_case

MAX_AUTHORS = 8
MAX_NAME_CHARS = 60

_AUTHOR = re.compile(
    r"(?:\b(?:autor(?:a|as|es|[ií]a)?|authors?|estudiantes?|students?|alumn[oa]s?|integrantes"
    r"|apuntador(?:a|es)?|scribes?)|(?:^|\b\w+(?:[dth][oa]s?|ed|en)\s+)(?:por|by))\b[\s:]*",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:prof(?:a?\.|\.ª|es+or(?:as?|es)?)|docentes?|tutor(?:as?|es)?|lecturers?|instructor(?:as?|e?s)?"
    r"|(?:traduc|revis|impart|dict|actualiz)(?:[ai]d[oa]s?|a?c?i[oó]n(?:es)?)"
    r"|(?:translated|reviewed|edited|taught))(?!\w)(?:\s+(?:por|by|de)\b)?[\s:]*",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"\([^)]*\)|<[^>]*>|\S*@\S*|\b[A-Z]?\d[\d.-]*\b|[\d*†‡§¶¹²³⁰-⁹ª]"
    r"|\b(?:dra?|ing|lic|profa?|m\.?sc|ph\.?d|mtr[oa])\.",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*(?:[,;|•·&/]\s|(?<=\w\w)\.\s|\s[-–—]\s|(?:\s|^)(?:y|e|and)\s)\s*")
_CONTINUES = re.compile(r"(?:y|e|and)\s")
_WORD = r"[^\W\d_a-zß-ÿ](?:[\w'’-]*[^\W\d_A-ZÀ-Þ]|\.)"
_NAME = re.compile(rf"{_WORD}(?: (?:(?:de|del|la|las|los|van|von) )*{_WORD}){{1,4}}")


def find_authors(
    lines: Sequence[str], topics: Set[str], pdf_author: str, finder: NameFinder | None
) -> tuple[list[str], frozenset[str]]:
    """The authors, at most `MAX_AUTHORS`, in reading order; and the head's lines about people.

    Names after a cue such as "Autores:" go before names on lines of their own, and those before
    the PDF's author. Whom a line calls a lecturer, reviser or translator is none. `topics` are the
    folded words of headings, and those that the text writes in lower case.
    """
    said: list[str] = []
    alone: list[str] = []
    others: list[str] = []
    people: set[str] = set()
    into = before = alone
    listing = False
    for line in lines:
        cue = _OTHER.search(line) or _AUTHOR.search(line)
        if cue:
            into = others if cue.re is _OTHER else said
        elif _CONTINUES.match(line):
            into = before
        pieces = _pieces(cue.re.sub(" ; ", line) if cue else line)
        names = [piece for piece in pieces if _is_name(piece, finder)]
        if into is alone and not (
            finder
            and names[:1] == pieces[:1] != []
            and len(names) >= len(pieces) - 1
            and any(_is_no_topic(name, topics, finder) for name in names)
        ):
            names = []
        into += names
        opened = cue is not None and not pieces
        listing = opened or (listing and bool(names))
        if names or opened:
            people.add(line)
        before = into
        if not (names or opened) or (into is others and not listing):
            into = alone
    names = said or alone or [piece for piece in _pieces(pdf_author) if _is_name(piece, finder)]
    unique = dict.fromkeys(name for name in names if name not in others)
    return list(unique)[:MAX_AUTHORS], frozenset(people)


def _pieces(text: str) -> list[str]:
    parts = (part.strip(" .,:;–—-_*\"'“”«»") for part in _SEPARATOR.split(_NOISE.sub(" ", text)))
    return [part.title() if part.isupper() else " ".join(part.split()) for part in parts if part]


def _is_name(piece: str, finder: NameFinder | None) -> bool:
    """Whether this has the shape of a name and, if there is a finder, is a person to it."""
    if len(piece) > MAX_NAME_CHARS or not _NAME.fullmatch(piece):
        return False
    return finder is None or piece in finder(f"Escrito por {piece}, estudiante.")


def _is_no_topic(name: str, topics: Set[str], finder: NameFinder) -> bool:
    """Whether `name` is a person where nothing says so.

    One of the words must be none that newspapers write in lower case. The sentence above draws
    145 of 245 topics in, and all of 95 names; where a word is of topics another has to as
    well: 28 and 81.
    """
    words = re.findall(r"\b[^\W\d_a-zß-ÿ]\w\w+", name)
    if all(map(known_in_lower_case, words)):
        return False
    plain = topics.isdisjoint(map(letters, words))
    return plain or name in finder(f"Gracias a {name} por todo.")
