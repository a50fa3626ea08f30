"""Who wrote a document, from its head and its properties; what a person's name looks like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from tutor.ingest.metadata.people import NameFinder
from tutor.text.folding import letters
from tutor.text.names import known_in_lower_case

MAX_AUTHORS = 8
MAX_NAME_CHARS = 60

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
_ACADEMIC_TITLE = re.compile(r"(?:dra?|ing|lic|m\.?sc|ph\.?d|mtr[oa])\.", re.IGNORECASE)

_PARTICLES = frozenset("da das de del den der di do dos e i la las los van von y".split(" "))
_TITLES = re.compile(
    r"(?<![^\W_])(?:dr|dra|drs|ing|lic|licda|m\.?\s?sc|m\.?\s?eng|ph\.?\s?d|mag|mgtr|mtro|mtra"
    r"|prof|profa|sr|sra|srta|mr|mrs|ms|d|dña|bach|est|esp|mba)\.(?=[\s,]|$)"
    r"|(?<![^\W_])(?:dr|dra|ing|lic|msc|phd|mtro|mtra|mag)(?=\s)",
    re.IGNORECASE,
)
# Addresses, codes and whatever stands in brackets; marks of footnotes after a name.
_NOISE = re.compile(
    r"\S*@\S*|(?:https?://|www\.)\S+|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}"
    r"|(?<![^\W_])[A-Za-z]{0,2}-?\d[\d.\-/]*|[*†‡§¶¹²³⁰-⁹ªº]+"
)
_ADDRESS = re.compile(r"@|://|www\.|\w\.\w")
_WORD = re.compile(r"[^\W\d_]+")
_SEPARATOR = re.compile(r"\s*(?:[;|•·&/]|\s[-–—]\s|\s(?:y|e|and|con)\s|\A(?:y|e|and)\s)\s*")
_TOKEN = re.compile(r"(?:[^\W\d_]['’])?[^\W\d_]+(?:[-'’‐‑][^\W\d_]+)*\.?|[^\W\d_]\.")

_INSTITUTIONS_AND_PLACES = (
    "academia admin administrador administrator argentina asociacion barcelona bogota bolivia"
    " buenos campus carrera cartago catedra catedras centro chile colegio college colombia costa"
    " cuba curso departamento department ecuador escuela espana facultad faculty fundacion grado"
    " granada grupo institute instituto laboratorio library lima london madrid master mexico"
    " microsoft ministerio nacional national office panama paraguay peru posgrado postgrado rica"
    " school sede sevilla society stanford tec tecnologico universidad universitat university"
    " uruguay user usuario valencia venezuela"
)
_DOCUMENT_WORDS = (
    "abstract algoritmos aprendizaje apuntes author authors autor autores capitulo ciencias"
    " clase computacion datos ejemplos ejercicios examen fecha figura guia hoja informatica"
    " ingenieria inteligencia introduccion learning leccion lecture machine manual maquina"
    " matematicas matematicos metodos modelos networks neuronales notas notes page pagina"
    " practica proyecto redes repaso resumen semana semestre sesion sistemas solucion tabla"
    " tarea tema temas teoria trabajo tutorial unidad version week"
)
_NOT_NAMES = frozenset((_INSTITUTIONS_AND_PLACES + " " + _DOCUMENT_WORDS).split())
_PLACE_BEGINNINGS = frozenset(("San", "Santa", "Santo", "Ciudad", "Villa"))
_PLACEHOLDERS = frozenset(
    "johndoe janedoe johnsmith yourname authorname firstlast juanperezejemplo"
    " microsoftoffice microsoftword adobeacrobat".split()
)


class _Role(Enum):
    AUTHOR = "author"
    OTHER = "other"
    UNSAID = "unsaid"


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


def find_authors(
    lines: Sequence[str], pdf_author: str, rules: NameRules
) -> tuple[list[str], frozenset[str]]:
    """The authors named in a document's head, at most `MAX_AUTHORS`, in reading order; and the
    head's lines that hold nothing but people.

    Names after a cue such as "Autores:" count before names that stand on lines of their own;
    names that the text gives to a lecturer, reviser or translator count nowhere. Where the head
    names nobody, the PDF's author property counts.
    """
    found = _Found()
    people_lines = frozenset(_read(_with_wrapped_names(lines, rules), rules, found))
    names = found.of(_Role.AUTHOR) or found.of(_Role.UNSAID)
    if not names:
        for name in filter(rules.looks_like_name, candidates(pdf_author, rules)):
            found.add(_Role.UNSAID, name)
        names = found.of(_Role.UNSAID)
    return names[:MAX_AUTHORS], people_lines


def _with_wrapped_names(lines: Sequence[str], rules: NameRules) -> list[str]:
    """The lines, with a last name that was wrapped ("Dr. Ana María" / "Solano") put back."""
    joined: list[str] = []
    for line in lines:
        if joined and len(line.split()) == 1 and _ACADEMIC_TITLE.match(joined[-1]):
            wrapped = f"{joined[-1]} {line}"
            names = candidates(wrapped, rules)
            if any(rules.looks_like_name(one) and rules.confirmed(one) for one in names):
                joined[-1] = wrapped
                continue
        joined.append(line)
    return joined


def _read(lines: Sequence[str], rules: NameRules, found: _Found) -> Iterator[str]:
    """Fill `found`; yields the lines that are about people.

    Authors are listed one a line until a line names nobody. A lecturer is one line, unless the
    line is left open, or a cue alone on its line opens a list.
    """
    carried = previous = _Role.UNSAID
    listing = False
    for line in lines:
        segments = list(_segments(line, previous if _CONTINUES.match(line) else carried))
        named = [_take(role, text, rules, found) for role, _, text in segments]
        if any(named) or any(cue for _, cue, _ in segments):
            yield line
        previous, cue, text = segments[-1]
        opened = not text.strip(" :")
        listing = opened if cue else listing and named[-1]
        goes_on = {
            _Role.AUTHOR: named[-1] or opened,
            _Role.OTHER: listing or _STAYS_OPEN.search(text) is not None,
            _Role.UNSAID: False,
        }
        carried = previous if goes_on[previous] else _Role.UNSAID


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
    if role is _Role.AUTHOR:
        shaped = list(filter(rules.confirmed, shaped))
    for piece in shaped:
        found.add(role, piece)
    return bool(shaped)


def _is_prose(piece: str) -> bool:
    return sum(word[:1].islower() for word in piece.split()) > 3


@dataclass(frozen=True, slots=True)
class NameRules:
    """Tells names from topics within one document.

    `common_words` are the folded words that the document's text writes in lower case: a person's
    names hardly ever occur so, a topic's words do.
    """

    common_words: frozenset[str]
    finder: NameFinder | None

    def looks_like_name(self, candidate: str) -> bool:
        """Two to five capitalised words (particles apart), no topic, institution or place."""
        tokens = _name_tokens(candidate)
        if not 2 <= len(tokens) <= 5 or len(candidate) > MAX_NAME_CHARS:
            return False
        spelled_out = [letters(token) for token in tokens if len(letters(token)) > 1]
        if not spelled_out or letters(candidate) in _PLACEHOLDERS or tokens[0] in _PLACE_BEGINNINGS:
            return False
        if not _NOT_NAMES.isdisjoint(spelled_out):
            return False
        common = sum(word in self.common_words for word in spelled_out)
        return 2 * common < len(spelled_out)

    def confirmed(self, candidate: str) -> bool:
        """Whether the recogniser, if there is one, takes `candidate` for a person.

        It is asked about a sentence made for it: of 105 names alone on a line it knew 89, so 102.
        """
        if self.finder is None:
            return True
        wanted = letters(candidate)
        names = self.finder(f"Escrito por {candidate}, estudiante.")
        return any(wanted == letters(name) for name in names)

    def stands_alone(self, candidate: str) -> bool:
        """Whether `candidate` is a person even where the page does not say so.

        The made-up sentence also draws 57 of 81 topics ("Procesos Gaussianos") in. So at least
        one of its words must be none that newspapers write in lower case.
        """
        words = [word for word in re.findall(r"[^\W\d_]{3,}", candidate) if word[0].isupper()]
        unknown = not all(map(known_in_lower_case, words))
        return self.finder is not None and unknown and self.confirmed(candidate)


def common_words_of(text: str) -> frozenset[str]:
    """The words of `text` that occur in lower case, folded; parts of addresses do not count."""
    running_text = " ".join(word for word in text.split() if not _ADDRESS.search(word))
    return frozenset(letters(word) for word in _WORD.findall(running_text) if word.islower())


def candidates(text: str, rules: NameRules) -> Iterator[str]:
    """The pieces of a line that could be names: titles, addresses and codes taken off."""
    cleaned = _NOISE.sub(" ", _TITLES.sub(" ", text))
    for group in _SEPARATOR.split(cleaned):
        parts = [part for part in (_tidy(part) for part in group.split(",")) if part]
        if len(parts) == 2 and _is_inverted(parts[0], parts[1], rules):
            yield f"{parts[1]} {parts[0]}"
        else:
            yield from parts


def _is_inverted(family: str, given: str, rules: NameRules) -> bool:
    """Whether this is "Pérez García, Juan" rather than "Juan Pérez, Cartago"."""
    lengths = len(family.split()), len(given.split())
    if lengths[0] > 2 or lengths[1] > 2 or 1 not in lengths:
        return False
    return rules.confirmed(given)


def _tidy(part: str) -> str:
    words = " ".join(part.split()).strip(" .:-–—_*\"'“”«»<>()[]")
    words = re.sub(r"\A(?:y|e|and)\s", "", words)
    return _title_case(words) if words.isupper() and len(words) > 3 else words


def _title_case(words: str) -> str:
    lowered = (word.lower() for word in words.split())
    return " ".join(word if word in _PARTICLES else word.title() for word in lowered)


def _name_tokens(candidate: str) -> list[str]:
    """The capitalised words, or none where a word is no part of a name."""
    tokens = [word for word in candidate.split() if word not in _PARTICLES]
    fit = all(_TOKEN.fullmatch(token) and token[0].isupper() for token in tokens)
    return tokens if fit and candidate.split()[:1] == tokens[:1] else []
