"""Communities: the same of the same notes, named by what is central, and kept across updates."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from tests.unit.map.courses import Document, course_map, map_file
from tests.unit.study.material import notes
from tutor.map.course_map import CourseMap
from tutor.map.files import opened

TOPICS = {
    "árbol de decisión": ("entropía de nodo", "ganancia de información", "índice de Gini"),
    "red neuronal": ("función de activación", "propagación hacia adelante", "sesgo de capa"),
    "heurística admisible": (
        "costo uniforme",
        "factor de ramificación",
        "profundización iterativa",
    ),
}
PRINT = """
import sys
from pathlib import Path
from tests.unit.map.test_communities import COURSE, told
from tests.unit.map.courses import course_map
with course_map(Path(sys.argv[1]), *COURSE) as course:
    print(told(course))
"""


def document(topic: str, terms: tuple[str, ...]) -> Document:
    parts = [f"# {topic.capitalize()}"]
    for number, term in enumerate(terms):
        other = terms[number - 1]
        defined = (
            f"D Definición ({term.capitalize()}). La {term} es una cantidad con la que se explica "
            f"la {other} de un {topic} en cada paso."
        )
        said = f"P La {term} va con la {other}; el {topic} necesita la {term} y la {other}."
        parts += [f"# {term.capitalize()}", defined, said]
    return notes(*parts, path=f"{topic}.pdf", title=topic)


COURSE = [document(topic, terms) for topic, terms in TOPICS.items()]


def told(course: CourseMap) -> str:
    said = [
        (one.id, one.name, one.parent, [c.id for c in one.central])
        for one in course.communities(None)
    ]
    return hashlib.sha256(repr((said, list(course.concepts))).encode()).hexdigest()


def test_each_topic_is_a_community_with_definitions_to_sum_it_up(tmp_path: Path) -> None:
    with course_map(tmp_path, *COURSE) as course:
        found = course.communities(0)
        assert len(found) == len(TOPICS)
        for community in found:
            topic = community.central[0].place.document.removesuffix(".pdf")
            assert set(TOPICS[topic]) <= {one.name for one in community.central}
            assert community.summary
            assert all(one.defined for one in community.summary)
            assert community.name.split(" · ")[0] == community.central[0].name
            assert course.community_of(community.central[0], 0) == community


def test_the_same_notes_make_the_same_map_whatever_the_hashes_of_texts(tmp_path: Path) -> None:
    root = str(Path(__file__).resolve().parents[3])
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    elsewhere = subprocess.run(
        [sys.executable, "-c", PRINT, str(tmp_path / "elsewhere")],
        env={**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": seed},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with course_map(tmp_path / "here", *COURSE) as course:
        assert elsewhere == f"{told(course)}\n"


def test_a_community_keeps_its_id_when_another_document_comes(tmp_path: Path) -> None:
    with course_map(tmp_path, *COURSE[:2]) as course:
        before = {one.central[0].place.document: one.id for one in course.communities(0)}
    path = map_file(tmp_path, COURSE, generation=2)
    with opened(path) as connection:
        after = {
            one.central[0].place.document: one.id
            for one in CourseMap(path, connection).communities(0)
        }
    assert len(after) == len(before) + 1
    assert before.items() <= after.items()
