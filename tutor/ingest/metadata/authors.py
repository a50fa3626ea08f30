"""Who wrote a document, from its head and its properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from tutor.ingest.metadata.names import NameRules, candidates
from tutor.text.folding import letters

MAX_AUTHORS = 8
MAX_LINES_BETWEEN_PEOPLE = 3
"""Names that follow after more lines than these are the text's, unless a cue precedes them."""


class _Role(Enum):
    AUTHOR = "author"
    OTHER = "other"
    UNSAID = "unsaid"


# "Elaborado por", "Autora:", "Students"; a bare "por" counts only where a line begins.
_AUTHOR_CUE = (
    r"(?:elaborad|realizad|escrit|presentad|preparad|redactad|hech|tomad|desarrollad|compilad)[oa]s?"
    r"\s+por|autor(?:[ií]a|es|as|a|\(es\)|/a|a/es)?|authors?|(?:written|prepared) by|estudiantes?"
    r"|students?|alumn(?:[oa]s?|o/a|os/as)|integrantes|miembros|grupo de trabajo"
    r"|apuntador(?:es|as?)?|escriba|scribes?|nombres?(?:\s+y\s+apellidos?)?|names?|equipo"
)
# Those who taught, checked or translated did not write; the text says so.
_OTHER_CUE = (
    r"docentes?|profesor(?:es|as|a|\(a\)|/a)?|profa?\.|catedr[aá]tic[oa]s?|c[aá]tedra|tutor(?:es|as|a)?"
    r"|instructor(?:es|as|a|s)?|lecturers?|professors?|teachers?|advisors?"
    r"|supervis(?:or|ors|ora|ores)"
    r"|(?:impartid|dictad|revisad|traducid|corregid|editad|dirigid|tutelad|supervisad|coordinad)[oa]s?"
    r"\s+por|(?:taught|reviewed|translated|edited|supervised) by|traducci[oó]n(?:\s+de)?"
    r"|actualizaci[oó]n(?:es)?(?:\s+de)?|revisi[oó]n de|asesor(?:es|as|a)?|ayudantes?|asistentes?"
    r"|coordinador(?:es|as|a)?|director(?:es|as|a)?|encargad[oa]s?|responsables? de|titular(?:es)?"
    r"|agradecimientos|basad[oa] en|jefe de"
)
_CAPITAL = "(?-i:[A-ZÁÉÍÓÚÜÑ])"
_CUE = re.compile(
    rf"(?<![^\W_])(?:(?P<author>(?:{_AUTHOR_CUE})(?![^\W_])(?=\s*(?::|por\b|by\b|$)|\s+{_CAPITAL})"
    rf"|\A(?:por|by)(?=[\s:]\s*{_CAPITAL}))"
    rf"|(?P<other>(?:{_OTHER_CUE})(?![^\W_])))\s*(?:por\b|by\b)?\s*:?\s*",
    re.IGNORECASE,
)
_STAYS_OPEN = re.compile(r"(?:[,;:&]|\s(?:y|e|and))\s*\Z|\A\s*\Z")
_CONTINUES = re.compile(r"(?:y|e|and|&)\s")
_PLURAL = re.compile(r"(?:s|por|by|de)\s*:?\s*\Z", re.IGNORECASE)
_ACADEMIC_TITLE = re.compile(r"(?:dra?|ing|lic|m\.?sc|ph\.?d|mtr[oa])\.", re.IGNORECASE)


_Segment: TypeAlias = tuple[_Role, str, str]
"""Role, cue and text of a stretch of a line."""


@dataclass(slots=True)
class _Found:
    """Names by what the text says of them, each once, in reading order."""

    names: dict[_Role, dict[str, str]] = field(default_factory=lambda: {role: {} for role in _Role})

    def add(self, role: _Role, name: str) -> None:
        self.names[role].setdefault(letters(name), name)

    def of(self, role: _Role) -> list[str]:
        others = self.names[_Role.OTHER]
        return [name for key, name in self.names[role].items() if key not in others]

    def is_other(self, name: str) -> bool:
        return letters(name) in self.names[_Role.OTHER]


@dataclass(frozen=True, slots=True)
class Authors:
    """The authors, and the head's lines that hold nothing but people."""

    names: tuple[str, ...]
    people_lines: frozenset[str]


def find_authors(lines: Sequence[str], pdf_author: str, rules: NameRules) -> Authors:
    """The authors named in a document's head, at most `MAX_AUTHORS`, in reading order.

    Names after a cue such as "Autores:" count before names that stand on lines of their own;
    names that the text gives to a lecturer, reviser or translator count nowhere. The PDF's author
    property adds a name that the head shows too, and stands alone where the head names nobody.
    """
    found = _Found()
    people_lines = frozenset(_read(_with_wrapped_names(lines, rules), rules, found))
    names = found.of(_Role.AUTHOR) or found.of(_Role.UNSAID)
    of_property = [
        name
        for name in candidates(pdf_author, rules)
        if rules.looks_like_name(name) and not found.is_other(name)
    ]
    if names:
        head = letters(" ".join(lines))
        of_property = [name for name in of_property if letters(name) in head]
    unique: dict[str, str] = {}
    for name in [*names, *of_property]:
        unique.setdefault(letters(name), name)
    return Authors(tuple(unique.values())[:MAX_AUTHORS], people_lines)


def _with_wrapped_names(lines: Sequence[str], rules: NameRules) -> list[str]:
    """The lines, with a last name that was wrapped ("Dr. Ana María" / "Solano") put back."""
    joined: list[str] = []
    for line in lines:
        wrapped = f"{joined[-1]} {line}" if joined else ""
        if (
            joined
            and _ACADEMIC_TITLE.match(joined[-1])
            and len(line.split()) == 1
            and any(
                rules.looks_like_name(name) and rules.confirmed(name)
                for name in candidates(wrapped, rules)
            )
        ):
            joined[-1] = wrapped
        else:
            joined.append(line)
    return joined


def _read(lines: Sequence[str], rules: NameRules, found: _Found) -> Iterator[str]:
    """Fill `found`; yields the lines that are about people."""
    carried = previous = _Role.UNSAID
    strangers = 0
    listing = False
    for line in lines:
        segments = list(_segments(line, previous if _CONTINUES.match(line) else carried))
        if strangers > MAX_LINES_BETWEEN_PEOPLE and not any(cue for _, cue, _ in segments):
            continue
        named = [_take(role, text, rules, found) for role, _, text in segments]
        about_people = any(named) or any(cue for _, cue, _ in segments)
        if about_people:
            yield line
        strangers = 0 if about_people else strangers + bool(any(found.names.values()))
        previous = segments[-1][0]
        cue = segments[-1][1]
        listing = named[-1] and not cue if listing else bool(_PLURAL.search(cue)) and not named[-1]
        carried = _carried(segments[-1], named=named[-1], listing=listing)


def _segments(line: str, carried: _Role) -> Iterator[_Segment]:
    """(role, cue, text) for each stretch of the line that one cue governs."""
    cues = list(_CUE.finditer(line))
    first = cues[0].start() if cues else len(line)
    before = line[:first]
    if before.strip() or not cues:
        trailing = (
            bool(cues) and cues[0]["other"] is not None and not line[cues[0].end() :].strip(" ).,")
        )
        yield (_Role.OTHER if trailing else carried), "", before
    ends = [*(cue.start() for cue in cues[1:]), len(line)]
    for cue, end in zip(cues, ends, strict=False):
        role = _Role.AUTHOR if cue["author"] else _Role.OTHER
        yield role, cue[0], line[cue.end() : end]


def _take(role: _Role, text: str, rules: NameRules, found: _Found) -> bool:
    """Add the names in `text`; whether there were any.

    Without a cue every piece of the line has to be a name, or prose would be mined for names.
    """
    pieces = list(candidates(text, rules))
    shaped = [piece for piece in pieces if rules.looks_like_name(piece)]
    if role is _Role.UNSAID:
        alone = bool(shaped) and pieces[0] == shaped[0] and len(shaped) >= len(pieces) - 1
        shaped = shaped if alone and not any(map(_is_prose, pieces)) else []
        shaped = [piece for piece in shaped if rules.stands_alone(piece)]
    if role is _Role.AUTHOR and rules.finder is not None:
        shaped = [piece for piece in shaped if rules.confirmed(piece)]
    for piece in shaped:
        found.add(role, piece)
    return bool(shaped)


def _is_prose(piece: str) -> bool:
    return sum(word[:1].islower() for word in piece.split()) > 3


def _carried(last: _Segment, *, named: bool, listing: bool) -> _Role:
    """The role that the next line inherits.

    Authors are listed one a line until a line names nobody. A lecturer is one line, unless the
    line is left open or belongs to a list, which a plural cue with nobody on its own line opens.
    """
    role, _, text = last
    if role is _Role.AUTHOR:
        return role if named or not text.strip(" :") else _Role.UNSAID
    goes_on = role is _Role.OTHER and (_STAYS_OPEN.search(text) or (listing and named))
    return role if goes_on else _Role.UNSAID
