"""What stands before a colon: a name that can be asked for, or a label of its section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tutor.map.lesson import TOLD, Lesson, items_of
from tutor.map.wording import key_words
from tutor.model import Block, BlockKind
from tutor.text.folding import folded
from tutor.text.paragraphs import IN_BRACKETS
from tutor.text.words import OF_ANY_SUBJECT

_OF_A_SECTION = OF_ANY_SUBJECT | frozenset(
    "alcance ambito antecedente aplicacion aporte aportacion aspecto beneficio caracteristica"
    " clasificacion comentario comparacion comparativa componente composicion concepto conclusion"
    " condicion consecuencia"
    " contenido contexto critica debate descripcion desventaja detalle diferencia duracion"
    " efecto ejemplo enfoque error etapa evolucion factor fecha finalidad formula ecuacion"
    " funcionamiento fundamento hallazgo hecho idea impacto implicacion importancia"
    " inconveniente integrante interpretacion justificacion leccion limitacion"
    " limitante lugar mecanismo"
    " meta miembro motivo objetivo observacion origen participante paso perspectiva posicion"
    " problema procedimiento proposito propiedad protagonista punto razon recomendacion regla"
    " reivindicacion represion requerimiento requisito resultado rol significado sintoma"
    " correlacion relevancia situacion solucion supuesto tarea tipo ubicacion uso utilidad ventaja"
    " causas elementos"
    " estructura estructuras funciones limites metodos pasos procesos relaciones riesgos tecnicas"
    " valores aim assumption benefit causes characteristic comparison conclusion condition"
    " consequence description"
    " detail duration equation fact finding functions goal impact implication importance"
    " interpretation justification limitation location mechanism member motive objective origin"
    " participant problem property purpose reason recommendation requirement result role rule scope"
    " solution step symptom".split()
)
"""Nouns, mostly singular, that say what is told of a section's matter, and name none."""
_OF_ANY_NOUN = frozenset(
    "adicional basico basica central clave claves comun comunes corto destacado destacada especial"
    " esencial especifico especifica final fundamental general importante inicial largo mayor"
    " mediano menor notable particular plazo practico practica principal rapido rapida relevante"
    " tipico tipica clinico clinica statement"
    " additional basic common general important key long main major short special term"
    " typical dos tres cuatro cinco seis siete two three four five six seven".split()
)
"""What may be said of any of them."""
_OF_A_DOCUMENT = frozenset(
    "apuntes capitulo clase contenidos fundamentos glosario indice introduccion parte tabla"
    " profundizacion repaso resumen semana sesion tema unidad chapter class introduction lecture"
    " part review session summary table unit week".split()
)
_LABEL = re.compile(r"([^\n.:;?¿]{2,70}?)(?: \([^()]*\))?:(?:\s|\Z)")


def is_generic(title: str) -> bool:
    """Whether a title fits any subject, so that it tells nobody what its section is about."""
    words = key_words(IN_BRACKETS.sub(" ", title))
    rest = [word for word in words if word not in _OF_A_DOCUMENT]
    return not rest or _is_of_a_section(rest)


def announces(word: str) -> bool:
    """Whether a word, folded, says that several things of any subject follow."""
    return word.endswith("s") and (_is_noun(word) or not _OF_ANY_NOUN.isdisjoint(_forms(word)))


def is_facet(label: str) -> bool:
    """Whether a label tells what is said of the matter of its heading, and names nothing itself:
    "Regla especial".
    """
    return _is_of_a_section(key_words(label))


def recurring(lessons: Iterable[Lesson]) -> frozenset[str]:
    """Labels, folded, that a course has several times under headings that name them not."""
    times: Counter[str] = Counter()
    for lesson in lessons:
        for part in lesson.parts:
            told = set(key_words(f"{lesson.source.title} {part.topic}"))
            for label in _labels(lesson, part.blocks):
                if told.isdisjoint(key_words(label)):
                    times[folded(label)] += 1
    return frozenset(label for label, found in times.items() if found > 1)


def _labels(lesson: Lesson, blocks: Iterable[Block]) -> Iterator[str]:
    """What stands before a colon where a block or an item of a list begins."""
    for block in blocks:
        if block.kind is BlockKind.LIST:
            texts = [item.text for item in items_of(lesson.text, block)]
        elif block.kind in TOLD:
            texts = [lesson.slice(block.start, block.end)]
        else:
            continue
        yield from (found[1].strip() for found in map(_LABEL.match, texts) if found)


def _is_of_a_section(words: Sequence[str]) -> bool:
    """Whether all words are such nouns, and what may be said of any of them."""
    return any(map(_is_noun, words)) and all(
        _is_noun(word) or not _OF_ANY_NOUN.isdisjoint(_forms(word)) for word in words
    )


def _is_noun(word: str) -> bool:
    return not _OF_A_SECTION.isdisjoint(_forms(word))


def _forms(word: str) -> tuple[str, str, str]:
    return word, word.removesuffix("s"), word.removesuffix("es")
