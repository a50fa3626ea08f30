"""Tests that are coroutines; a course with definitions, of which a map can be drawn."""

from __future__ import annotations

import asyncio
import inspect
import shutil
from pathlib import Path

import pytest

from tests.course import Workspace, index_with_map
from tests.once import made_once
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


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Each test of the app has an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.fixture(scope="session")
def mapped_once(_indexed_once: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """An indexed course with two communities that nobody changes, one for all processes."""

    def make(root: Path) -> None:
        shutil.copytree(_indexed_once.root, root)
        one_column(root / "notes" / "02_SEMANA_AI_20250811_1.pdf", [_SEARCH], title="Búsqueda")
        one_column(root / "notes" / "03_SEMANA_AI_20250818_1.pdf", [_TREES], title="Más árboles")
        index_with_map(Workspace(root))

    return Workspace(made_once(tmp_path_factory, "mapped-course", make))


@pytest.fixture
def mapped(mapped_once: Workspace, tmp_path: Path) -> Workspace:
    """A copy of that course."""
    shutil.copytree(mapped_once.root, tmp_path / "mapped")
    return Workspace(tmp_path / "mapped")
