"""What the notes call by its number ("tarea 2", "ejercicio 4") is what a question finds by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pdfs
from tests.course import Workspace
from tests.once import made_once

TASKS = """
= Regularización
- El castigo encoge los coeficientes.
- Tarea 2: regresión sobre precios de casas; entrega el 8 de septiembre
"""
OTHER_TASKS = """
= Reducción de dimensionalidad
- Con 2 componentes se ven las tareas que quedan por hacer en esta parte del curso.
- Tarea 3: comparar dos proyecciones de los dígitos; entrega el 6 de octubre
"""
EXERCISES = """
= {title}
{text}
== Ejercicios
+ ¿Qué pasa si se duplica la tasa?
+ {second}
+ Dibuje la curva de los dos casos.
"""
NOT_THERE = (
    "Los apuntes no dicen exactamente esto",
    "Los apuntes no tratan este tema",
    "The notes do not say exactly this",
    "The notes do not cover this",
)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    def make(root: Path) -> None:
        workspace = Workspace(root)
        workspace.notes.mkdir(parents=True, exist_ok=True)
        pdfs.typeset(workspace.notes / "20250901_1.pdf", TASKS)
        pdfs.typeset(workspace.notes / "20250908_1.pdf", OTHER_TASKS)
        for name, title, second in (
            ("20250915_1.pdf", "Árboles de decisión", "Calcule la entropía de seis hojas."),
            ("20250922_1.pdf", "Regresión logística", "Si un error vale 9, ¿qué umbral conviene?"),
        ):
            text = f"Aquí se repasa lo que son {title.lower()} con sus ventajas y sus límites."
            source = EXERCISES.format(title=title, text=text, second=second)
            pdfs.typeset(workspace.notes / name, source)
        done = workspace.run_here("index")
        assert done.returncode == 0, done.stderr

    return Workspace(made_once(tmp_path_factory, "numbered-course", make))


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("que hay que hacer en la tarea 2", "precios de casas"),
        ("de que va la tarea 3", "comparar dos proyecciones"),
        ("instrucciones de la tarea2", "precios de casas"),
        ("what does assignment 3 ask for", "comparar dos proyecciones"),
        ("ejercicio 2 de la regresión logística", "Si un error vale 9, ¿qué umbral conviene?"),
        ("cuál es el ejercicio 2 de árboles de decisión", "Calcule la entropía de seis hojas."),
    ],
)
def test_what_is_asked_for_by_its_number_is_quoted_first(
    course: Workspace, question: str, says: str
) -> None:
    done = course.run_here("ask", question)
    first = " ".join(done.stdout.partition("[2]")[0].split())
    assert says in first, done.stdout


@pytest.mark.parametrize(
    "question",
    [
        "que pide la tarea 9",
        "what is assignment 7 about",
    ],
)
def test_a_number_that_the_notes_lack_is_said(course: Workspace, question: str) -> None:
    said = course.run_here("ask", question).stdout
    assert said.startswith(NOT_THERE), said


@pytest.mark.parametrize("before", ["ventajas de los árboles de decisión", "¿Qué es PCA?"])
def test_what_is_asked_of_a_part_is_found_behind_any_question(
    course: Workspace, before: str
) -> None:
    asked = "que entra en la tarea 3 y cuando se entrega"
    done = course.run_here("chat", typed=f"{before}\n{asked}\n")
    assert "comparar dos proyecciones" in done.stdout, done.stdout


def test_the_bare_name_of_a_part_asks_what_was_asked_before(course: Workspace) -> None:
    done = course.run_here("chat", typed="para cuándo es la tarea 2\ny la tarea 3?\n")
    assert "comparar dos proyecciones" in done.stdout, done.stdout
    assert "para cuándo es la tarea 2 · y la tarea 3?\n" in done.stderr
