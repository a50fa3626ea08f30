"""Notes that do not agree are shown side by side."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.stores import LOCAL
from tests.unit.test_retrieval import NOTES, SPACE, STRATEGY, build, hybrid_over
from tutor.answer import Agent, answer
from tutor.answer.verification.contradiction import differs
from tutor.embedding import BundledEmbedder
from tutor.events import Finished
from tutor.index.store import open_store
from tutor.model import Answer, Citation, Filter, source_id

ASKED = "¿Cómo se entrena una red neuronal?"
_CORE = (
    "Un punto es núcleo (core) si hay al menos minPts puntos, contándolo a él, a menos de ε; es"
    " borde si no es núcleo pero está a esa distancia de uno, y ruido si no."
)
EVERYTHING = Filter()
OTHERWISE = NOTES["redes.pdf"].replace("capa por capa", "peso por peso")


def ask(
    store: Path, question: str, others: Mapping[str, str], asked: Filter = EVERYTHING
) -> Answer:
    embedder = BundledEmbedder()
    build(store, embedder, notes={**NOTES, **others}, authors=("Ana Mora",))
    with open_store(store, SPACE, LOCAL) as reader:
        agent = Agent(reader, embedder, STRATEGY, k=2, hybrid=hybrid_over(reader), filter=asked)
        *_others, last = answer(question, agent)
    assert isinstance(last, Finished)
    return last.answer


def test_another_document_that_says_it_otherwise_is_shown_with_its_name(tmp_path: Path) -> None:
    told = ask(
        tmp_path / "course",
        "¿Cómo se calcula el gradiente del error de una red neuronal?",
        {"redes2.pdf": OTHERWISE},
    )
    assert "Los apuntes no coinciden" in told.text
    assert "**redes.pdf** (Ana Mora)" in told.text
    assert "**redes2.pdf** (Ana Mora)" in told.text
    last = told.citations[-1]
    assert isinstance(last, Citation)
    said = last.hit.chunk.text[last.quote_start : last.quote_end]
    assert said.startswith("El gradiente del error se calcula")
    assert told.text[last.start : last.end].endswith(said)
    assert {one.hit.source.path for one in told.citations} == {"redes.pdf", "redes2.pdf"}


def test_a_document_that_is_not_asked_is_no_rival(tmp_path: Path) -> None:
    told = ask(
        tmp_path / "course",
        "¿Cómo se calcula el gradiente del error de una red neuronal?",
        {"redes2.pdf": OTHERWISE},
        Filter(documents=(source_id("redes.pdf"),)),
    )
    assert "gradiente" in told.text
    assert "no coinciden" not in told.text


def test_a_document_that_says_the_same_is_no_rival(tmp_path: Path) -> None:
    told = ask(tmp_path / "course", ASKED, {"copia.pdf": NOTES["redes.pdf"] + " Fin."})
    assert "no coinciden" not in told.text


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("La poda reduce el error de validación en 5 puntos.",) * 2 + (False,),
        (
            "La poda reduce el error de validación en 5 puntos.",
            "La poda reduce el error de validación en 8 puntos.",
            True,
        ),
        (
            "La heurística admisible nunca sobreestima el costo real.",
            "La heurística admisible siempre sobreestima el costo real.",
            True,
        ),
        (
            "La poda reduce el error de validación en 5 puntos.",
            "El gradiente reduce la pérdida de una red en 5 pasos.",
            False,
        ),
        ("Figura 1: la poda", "Figura 2: la poda", False),
        (  # what only says less
            "La humedad separa del todo las clases, con ganancia 0.971; el viento solo 0.020.",
            "La humedad separa del todo las clases, con ganancia 0.971.",
            False,
        ),
        ("2 | 4 | 3.4 | 0.6 | 0.36", "(4, 4) | −0.894 | (4.2, 3.6) | 0.2", False),
        (
            "3. Selección de clases de funciones a usar.",
            "1.3. Selección de clases de funciones",
            False,
        ),
        (
            "Escuela de Computación 4 de agosto de 2025 · versión 2",
            "Escuela de Computación 4 de agosto de 2025 · versión 1",
            False,
        ),
        (  # each in its own words
            _CORE,
            "• Núcleo: tiene al menos minPts puntos, contándose él, a menos de ε.",
            False,
        ),
    ],
)
def test_what_differs_speaks_of_the_same_and_says_something_else(
    one: str, other: str, told: bool
) -> None:
    assert differs(one, other) is told
    assert differs(other, one) is told
