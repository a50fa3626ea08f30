"""What a person's name looks like on a page, and what only looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import punkt
from punkt.rules import OrthoContext

from tutor.text.folding import letters

if TYPE_CHECKING:
    from tutor.ingest.metadata.people import NameFinder

MAX_NAME_CHARS = 60

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
    "johndoe janedoe johnsmith yourname authorname firstlast nombreapellido nombreyapellido"
    " nombreapellidos juanperezejemplo microsoftoffice microsoftword adobeacrobat".split(" ")
)


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
        """Whether the recogniser takes `candidate` for a person where one is expected.

        It is asked about a sentence made for it: of 105 names alone on a line it knew 89, so 102.
        """
        return self._recognised("Escrito por {}, estudiante.", candidate)

    def stands_alone(self, candidate: str) -> bool:
        """Whether `candidate` is a person even where the page does not say so.

        The made-up sentence also draws 57 of 81 topics ("Procesos Gaussianos") in. Words that
        newspapers write in lower case tell them apart: a candidate mostly of such words needs a
        second sentence to agree, one wholly of them is refused (97 names and 7 topics pass).
        """
        words = [word for word in re.findall(r"[^\W\d_]{3,}", candidate) if word[0].isupper()]
        share = sum(map(_known_in_lower_case, words)) / len(words) if words else 1.0
        return (
            share < 1
            and self.confirmed(candidate)
            and (share < 0.5 or self._recognised("Autor: {}.", candidate))
        )

    def _recognised(self, sentence: str, candidate: str) -> bool:
        if self.finder is None:
            return False
        wanted = letters(candidate)
        return any(wanted == letters(name) for name in self.finder(sentence.format(candidate)))


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
    return rules.finder is None or rules.confirmed(given)


def _tidy(part: str) -> str:
    words = " ".join(part.split()).strip(" .:-–—_*\"'“”«»<>()[]")
    words = re.sub(r"\A(?:y|e|and)\s", "", words)
    return _title_case(words) if words.isupper() and len(words) > 3 else words


def _title_case(words: str) -> str:
    lowered = [
        word.lower() if word.lower() in _PARTICLES else _capitalised(word) for word in words.split()
    ]
    return " ".join(lowered)


def _capitalised(word: str) -> str:
    return "-".join(part[:1].upper() + part[1:].lower() for part in word.split("-"))


def _name_tokens(candidate: str) -> list[str]:
    """The capitalised words, or none where a word is no part of a name."""
    tokens = [word for word in candidate.split() if word not in _PARTICLES]
    fit = all(_TOKEN.fullmatch(token) and token[0].isupper() for token in tokens)
    return tokens if fit and candidate.split()[:1] == tokens[:1] else []


def _known_in_lower_case(word: str) -> bool:
    """Whether the newspapers that Punkt was trained on have a word so, as hardly a name."""
    languages = ("spanish", "english")
    return any(punkt.load_model(one).ortho(word.lower()) & OrthoContext.LC for one in languages)
