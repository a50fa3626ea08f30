"""Which names become concepts, and what is known of each."""

from __future__ import annotations

import pytest

from tests.unit.map.courses import SEARCH, TREES, Document
from tests.unit.study.material import notes
from tutor.map.concepts import CourseConcepts, concepts_of
from tutor.map.facts import facts_of
from tutor.map.model import Concept, Kind


def found_in(*documents: Document) -> CourseConcepts:
    return concepts_of([facts_of(source, text) for source, text in documents])


def concept(found: CourseConcepts, name: str) -> Concept:
    (one,) = [one for one in found.concepts if name in one.names]
    return one


def test_definitions_titles_and_glosses_name_concepts() -> None:
    found = found_in(SEARCH, TREES)
    names = {one.name for one in found.concepts}
    assert {"función heurística", "heurística admisible", "entropía", "árbol de decisión"} <= names
    gain = concept(found, "ganancia de información")
    assert gain.english == "information gain"
    assert gain.defined
    assert gain.place.document == TREES[0].id
    assert TREES[1].text[gain.place.start :].startswith("Definición (Ganancia de información)")


def test_all_ways_of_writing_a_name_are_one_concept() -> None:
    found = found_in(TREES)
    tree = concept(found, "árbol de decisión")
    number = found.concepts.index(tree)
    written = {
        facts.text.text[mention.start : mention.end] for facts, mention in found.mentions[number]
    }
    assert written == {"Árboles de decisión", "árboles de decisión", "árbol de decisión"}


def test_words_that_any_text_has_are_no_concepts() -> None:
    document = notes(
        "# Implementación",
        "P La implementación es sencilla.",
        "# El problema y sus límites",
        "P El problema tiene límites y los datos también.",
        "# Retropropagación",
        "P La retropropagación calcula el gradiente. La retropropagación es exacta.",
    )
    names = {one.name.lower() for one in found_in(document).concepts}
    assert "retropropagación" in names
    assert names.isdisjoint({"implementación", "problema", "el problema", "límites", "datos"})


def test_a_label_that_only_points_names_nothing() -> None:
    labels = "Importante Consejo Clave Ojo Advertencia Nota Warning Tip".split()
    said = "columna que identifica cada fila de una tabla."
    lines = [f"• {label}: {said}" for label in (*labels, "Clave primaria", "Consejo de Estado")]
    names = facts_of(*notes("# Tablas", "L " + "\n".join(lines))).names
    assert {name.text for name in names} == {"Tablas", "Clave primaria", "Consejo de Estado"}


def test_an_acronym_is_another_name_of_what_its_letters_begin() -> None:
    document = notes(
        "# Redes",
        "P La red neuronal recurrente (recurrent neural network) lee secuencias paso a paso.",
        "# RNN",
        "P Una RNN comparte pesos. La RNN olvida.",
    )
    one = concept(found_in(document), "RNN")
    assert one.acronym == "RNN"
    assert "red neuronal recurrente" in one.names


def test_two_defined_things_stay_two_whatever_stands_in_parentheses() -> None:
    document = notes(
        "# Índices",
        "D Definición (Búsqueda densa). La búsqueda densa compara vectores de pasajes y preguntas.",
        "P La búsqueda densa (text embeddings) es rápida.",
        "D Definición (Text embeddings). Los text embeddings son vectores que dicen qué significa "
        "un texto.",
    )
    found = found_in(document)
    assert concept(found, "búsqueda densa") != concept(found, "text embeddings")


def test_whom_the_notes_cite_is_a_person() -> None:
    assert concept(found_in(TREES), "Quinlan").kind is Kind.PERSON


@pytest.mark.parametrize(
    ("term", "said", "kind"),
    [
        ("Retropropagación", "Es un algoritmo que calcula el gradiente por capas", Kind.METHOD),
        (
            "Ley de Bayes",
            "Es la regla que da la probabilidad de una causa",
            Kind.FORMULA,
        ),
        ("Entropía", "Es la cantidad media de información de una fuente", Kind.CONCEPT),
    ],
)
def test_kinds_are_told_by_names_and_definitions(term: str, said: str, kind: Kind) -> None:
    found = found_in(notes("# Temas", f"D Definición ({term}). {said}, según el curso."))
    assert found.concepts[0].kind is kind


def test_a_course_without_definitions_has_the_concepts_of_its_titles() -> None:
    document = notes(
        "# Regresión logística",
        "P La regresión logística separa dos clases. La regresión logística da probabilidades.",
    )
    (one,) = [one for one in found_in(document).concepts if "logística" in one.name]
    assert not one.defined
    assert one.place.start == 0


def test_a_document_without_words_has_no_concepts() -> None:
    assert found_in(notes("P 1 2 3")).concepts == ()


def test_a_formal_definition_and_its_translated_subject_are_one_concept() -> None:
    document = notes(
        "# Redes",
        "D Definición (Red convolucional). Una red neuronal convolucional (convolutional neural "
        "network, CNN) es una red cuyas capas aplican filtros con los mismos pesos.",
        "# Redes neuronales convolucionales (CNN)",
        "P Las redes neuronales convolucionales ven imágenes.",
    )
    found = found_in(document)
    assert concept(found, "red convolucional") == concept(found, "red neuronal convolucional")


def test_who_gave_the_second_name_is_no_part_of_it() -> None:
    document = notes(
        "# Random forest",
        "P Un bosque aleatorio (random forest; Breiman, 2001) junta árboles. El bosque aleatorio "
        "vota, y el bosque aleatorio yerra poco.",
    )
    found = found_in(document)
    assert concept(found, "bosque aleatorio") == concept(found, "random forest")
