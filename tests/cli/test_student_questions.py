"""What a student typed first, over the sample notes: each was once answered badly."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from scripts._course import ask, course_agent
from tests.course import REPO, Workspace
from tutor.config import load_config
from tutor.model import Strategy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tutor.answer import Agent

NOTES = (
    "01_SEMANA_AI_20250804_2",
    "02_SEMANA_AI_20250814_1",
    "03_SEMANA_AI_20250818_1",
    "04_SEMANA_AI_20250828_1",
    "05_SEMANA_AI_20250901_1",
    "06_SEMANA_AI_20250908_1",
    "07_SEMANA_AI_20250915_2",
    "08_SEMANA_AI_20250922_1",
    "09_SEMANA_AI_20250929_2",
)


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """Answers with quotes from some of the sample notes."""
    course = Workspace(tmp_path_factory.mktemp("student"))
    course.notes.mkdir()
    for name in NOTES:
        shutil.copy(REPO / "notes" / f"{name}.pdf", course.notes)
    assert course.run_here("index", TUTOR_EMBEDDER_PRECISION="auto").returncode == 0
    settings = course.environment(TUTOR_ENGINE="extractive", TUTOR_EMBEDDER_PRECISION="auto")
    own = {name: value for name, value in settings.items() if name.startswith("TUTOR_")}
    with course_agent(load_config(course.root, own)) as opened:
        yield opened


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("¿Qué es una red neuronal?", "neuronas, organizadas en capas y unidas por conexiones"),
        ("cual es la formula de la entropia?", "H(S) = − ∑ₖ₌₁ᴷ pₖ log₂ pₖ"),
        ("¿Cuál es la fórmula de Bayes?", "P(H | E) = (P(E | H)P(H))/(P(E))"),
        ("¿Qué es A*?", "Expande el nodo con menor f(n) = g(n) + h(n)."),
        ("precisión vs exhaustividad", "| Precisión (precision) | VP/(VP + FP) |"),
        ("precisión vs exhaustividad", "(recall) | VP/(VP + FN) |"),
        ("¿Quién inventó el perceptrón?", "1958 | Rosenblatt presenta el perceptrón"),
        ("kien invento el perseptron", "1958 | Rosenblatt presenta el perceptrón"),
        ("¿Por qué lasso anula coeficientes?", "El rombo de ℓ₁ tiene esquinas sobre los ejes"),
        ("¿Qué heurísticas se vieron en la semana 2?", "h₁: número de piezas fuera de lugar"),
        ("pasos de k-means", "2. Asignar cada punto al centroide más cercano."),
        ("un ejemplo de A*", "Traza de A* en el grafo de carreteras"),
        ("resume la semana 5", "La función sigmoide"),
        ("temas del curso", "Búsqueda informada: heurísticas y A*"),
        ("3 preguntas de práctica", "Preguntas de repaso"),
    ],
)
def test_the_answer_tells_it(agent: Agent, strategy: Strategy, question: str, told: str) -> None:
    answer = ask(question, agent, strategy).answer
    assert not answer.abstained
    assert told in answer.text


@pytest.mark.parametrize("strategy", Strategy)
def test_a_fragment_of_a_word_is_never_quoted(agent: Agent, strategy: Strategy) -> None:
    answer = ask("¿Qué es una red neuronal?", agent, strategy).answer
    assert len({answer.text[one.start : one.end] for one in answer.citations}) == len(
        answer.citations
    )
    for one in answer.citations:
        assert answer.text[one.start : one.end].endswith((".", ":", "|"))


@pytest.mark.parametrize(
    ("typed", "language"), [("hola", "es"), ("gracias", "es"), ("thanks", "en")]
)
def test_small_talk_is_one_friendly_line_in_its_language(
    agent: Agent, typed: str, language: str
) -> None:
    answer = ask(typed, agent).answer
    assert not answer.citations
    assert "\n" not in answer.text
    assert ("apuntes" in answer.text) == (language == "es")
