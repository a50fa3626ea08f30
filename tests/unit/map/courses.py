"""Small courses for tests of the map, and their maps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.stores import RECIPE
from tests.unit.study.material import notes
from tutor.index.store import Indexed, Manifest
from tutor.map.course_map import CourseMap
from tutor.map.files import make_map, opened
from tutor.model import CleanText, Source

Document = tuple[Source, CleanText]

SEARCH = notes(
    "# Búsqueda informada",
    "P La búsqueda informada usa una función heurística para expandir nodos.",
    "D Definición (Función heurística). Una función heurística h(n) estima el costo del camino "
    "más barato desde el nodo n hasta la meta.",
    "# Heurística admisible",
    "D Definición (Heurística admisible). Una función heurística es admisible si nunca estima de "
    "más el costo hasta la meta.",
    "P La heurística admisible más simple es la función heurística nula. Toda heurística "
    "admisible (admissible heuristic) sirve para A*.",
    path="02_a.pdf",
    title="Búsqueda informada",
    week=2,
)
TREES = notes(
    "# Árboles de decisión",
    "P Los árboles de decisión parten los datos. Cada árbol de decisión mide la entropía de un "
    "nodo (Quinlan, 1986).",
    "D Definición (Entropía). La entropía de un conjunto es la cantidad media de información de "
    "sus clases, medida en bits.",
    "# Ganancia de información",
    "D Definición (Ganancia de información). La ganancia de información de un atributo es la "
    "entropía del nodo menos la entropía media de sus hijos.",
    "P La ganancia de información (information gain, IG) guía el árbol de decisión.",
    path="07_b.pdf",
    title="Árboles de decisión",
    week=7,
)


def manifest_of(documents: list[Document], generation: int = 1) -> Manifest:
    indexed = tuple(
        Indexed(replace(source, authors=("Ana Mora",)), {}, text.page_starts)
        for source, text in documents
    )
    return Manifest(generation, RECIPE, indexed)


def map_file(folder: Path, documents: list[Document], generation: int = 1) -> Path:
    """Make the map of a course, as its index would have it made."""
    folder.mkdir(exist_ok=True)
    texts = {source.id: text for source, text in documents}
    return make_map(folder, manifest_of(documents, generation), texts.__getitem__)


@cache
def _map_of(documents: tuple[Document, ...]) -> tuple[str, bytes]:
    """The name and the content of their map: most tests ask the same few maps."""
    with TemporaryDirectory() as folder:
        path = map_file(Path(folder), list(documents))
        return path.name, path.read_bytes()


@contextmanager
def course_map(folder: Path, *documents: Document) -> Iterator[CourseMap]:
    """The map of these documents, opened."""
    name, content = _map_of(documents)
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(content)
    with opened(path) as connection:
        yield CourseMap(path, connection)
