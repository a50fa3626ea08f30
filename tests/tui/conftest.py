"""A course with definitions, of which a map can be drawn."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock

from tests.course import Workspace
from tests.pdfs import one_column

_SEARCH = """*Definición (Función heurística).* Una función heurística h(n) estima el costo del
camino más barato desde el nodo n hasta la meta.

== Heurística admisible

*Definición (Heurística admisible).* Una función heurística es admisible si nunca estima de más el
costo hasta la meta.

La heurística admisible más simple es la función heurística nula. Toda heurística admisible
(admissible heuristic) sirve para la búsqueda."""
_TREES = """Los árboles de decisión parten los datos. Cada árbol de decisión mide la entropía de un
nodo (Quinlan, 1986).

*Definición (Entropía).* La entropía de un conjunto es la cantidad media de información de sus
clases, medida en bits.

== 2.1 Ganancia de información

*Definición (Ganancia de información).* La ganancia de información de un atributo es la entropía del
nodo menos la entropía media de sus hijos. La ganancia de información (information gain, IG) guía el
árbol de decisión."""


@pytest.fixture(scope="session")
def mapped_once(_indexed_once: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An indexed course with two communities that nobody changes, one for all processes."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    workspace = Workspace(shared / "mapped-course")
    with FileLock(shared / "mapped-course.lock"):
        if not workspace.root.exists():
            made = Workspace(tmp_path_factory.mktemp("mapped") / "course")
            shutil.copytree(_indexed_once.root, made.root)
            one_column(made.notes / "02_SEMANA_AI_20250811_1.pdf", [_SEARCH], title="Búsqueda")
            one_column(made.notes / "03_SEMANA_AI_20250818_1.pdf", [_TREES], title="Más árboles")
            done = made.run("index", TUTOR_READING_WORKERS="0", TUTOR_MAP_AFTER_INDEXING="true")
            assert done.returncode == 0, done.stderr
            made.root.rename(workspace.root)
    return workspace


@pytest.fixture
def mapped(mapped_once: Workspace, tmp_path: Path) -> Workspace:
    """A copy of that course."""
    shutil.copytree(mapped_once.root, tmp_path / "mapped")
    return Workspace(tmp_path / "mapped")
