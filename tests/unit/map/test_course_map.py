"""What a map answers, on small courses whose every edge is known."""

from __future__ import annotations

from pathlib import Path

import ladybug
import pytest

from tests.unit.map.courses import SEARCH, TREES, course_map, map_file
from tests.unit.study.material import notes
from tutor.map.course_map import CourseMap
from tutor.map.files import opened
from tutor.map.model import Concept
from tutor.map.searching import concepts_called


def concept(course: CourseMap, name: str) -> Concept:
    found = course.concept(name)
    assert found is not None, name
    return found


@pytest.mark.parametrize("name", ["ENTROPÍA", "entropia", "la entropía", "entropías"])
def test_a_name_is_found_whatever_its_accents_case_and_number(tmp_path: Path, name: str) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        assert concept(course, name).name == "entropía"


def test_a_name_that_is_unknown_has_suggestions(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        assert course.concept("entropria") is None
        assert course.suggestions("entropria")[0].name == "entropía"
        assert "árbol de decisión" in {one.name for one in course.suggestions("decision")}
        assert course.suggestions("fotosíntesis") == []


def test_a_concept_is_found_by_what_other_books_and_english_call_it(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        assert concept(course, "decision tree").name == "árbol de decisión"
        assert concept(course, "árbol de clasificación").name == "árbol de decisión"
        assert course.concept("gradient descent") is None  # which is no topic of these
        for words in ("decision tr", "tree", "árboles de", "ARBOL"):
            assert "árbol de decisión" in {one.name for one in concepts_called(words, course)}
        entropy, *_others = concepts_called("entropy", course)  # by the dictionary
        assert entropy.name == "entropía"
        assert concepts_called("entropria", course)[0].name == "entropía"  # alike
        assert concepts_called("fotosíntesis", course) == []


def test_what_a_definition_uses_comes_before_it(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        admissible = concept(course, "heurística admisible")
        (step,) = course.before(admissible)
        assert step.source.name == "función heurística"
        said = SEARCH[1].text[step.place.start : step.place.end]
        assert said == "función heurística"
        assert [one.target for one in course.after(step.source)] == [admissible]


def test_relations_weeks_documents_authors_and_definitions(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        entropy = concept(course, "entropía")
        near = course.neighbours(entropy)
        assert "ganancia de información" in {one.concept.name for one in near}
        assert all(0 < one.weight <= 1 and one.places for one in near)
        assert course.weeks_of(entropy) == [7]
        ((document, times),) = course.documents_of(entropy)
        assert (document.path, times) == ("07_b.pdf", 5)
        assert document.authors == ("Ana Mora",)
        assert entropy.defined
        assert entropy.place == course.definitions(entropy)[0]
        assert not concept(course, "árbol de decisión").defined


def test_sections_say_how_often_and_where_they_name_a_concept(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        entropy = concept(course, "entropía")
        sections = course.sections_naming(entropy)
        assert sum(times for _title, times, _place in sections) == 5
        assert [place.start for *_told, place in sections] == sorted(
            place.start for *_told, place in sections
        )
        document = entropy.place.document
        named = {one: (times, place) for one, times, place in course.named_in(document)}
        assert named[entropy] == (5, sections[0][2])
        telling = [times * one.score for one, (times, _place) in named.items()]
        assert telling == sorted(telling, reverse=True)
        first = course.sections(document)[0]
        assert {one for one, *_told in course.named_in(first.id)} <= set(named)


def test_a_path_has_a_place_for_each_step(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        tree, gain = concept(course, "árbol de decisión"), concept(course, "information gain")
        steps = course.path(tree, gain)
        assert steps[0].source == tree
        assert steps[-1].target == gain
        assert all(step.place.page == 1 for step in steps)
        assert course.path(tree, tree) == []
        assert course.path(tree, concept(course, "Quinlan")) == []


def test_the_newest_version_of_a_lesson_speaks_alone(tmp_path: Path) -> None:
    old = notes(
        "# Perceptrón simple", "P El perceptrón simple.", path="a1.pdf", version="1", week=9
    )
    new = notes(
        "# Perceptrón multicapa",
        "P El perceptrón multicapa aprende.",
        path="a2.pdf",
        version="2",
        week=9,
    )
    with course_map(tmp_path, old, new) as course:
        assert course.concept("perceptrón simple") is None
        assert concept(course, "perceptrón multicapa").place.document == new[0].id
        assert [one.superseded for one in course.documents.values()] == [True, False]
        assert course.rows("MATCH (a)-[:SUPERSEDES]->(b) RETURN a.path, b.path") == [
            ["a2.pdf", "a1.pdf"]
        ]


def test_circles_of_what_comes_before_end(tmp_path: Path) -> None:
    path = map_file(tmp_path, [SEARCH, TREES])
    changed = tmp_path / "circle.lbug"
    changed.write_bytes(path.read_bytes())
    with ladybug.Database(changed) as database, ladybug.Connection(database) as connection:
        connection.execute(
            "MATCH (a:Concept {name: 'heurística admisible'}), (b:Concept {name: "
            "'función heurística'}) CREATE (a)-[:BEFORE {weight: 1.0, document: a.document, "
            "page: 1, start: 0, stop: 1}]->(b)"
        )
    with opened(changed) as reading:
        course = CourseMap(changed, reading)
        steps = course.before(concept(course, "heurística admisible"), depth=50)
        first, *others = [step.source.name for step in steps]
        assert first == "función heurística"
        assert "heurística admisible" not in others


def test_everything_in_a_map_has_a_place(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        lacking = "WHERE x.page IS NULL OR x.page < 1 RETURN count(x)"
        nodes = [n for n in course.state.nodes if course.state.nodes[n]]
        edges = [n for n in course.state.edges if course.state.edges[n]]
        assert {"Concept", "Section", "Author", "Week", "Reference"} <= set(nodes)
        for table in nodes:
            assert course.rows(f"MATCH (x:{table}) {lacking}") == [[0]]
        for table in edges:
            assert course.rows(f"MATCH ()-[x:{table}]->() {lacking}") == [[0]]


def test_a_course_of_one_page_and_one_without_words(tmp_path: Path) -> None:
    one_page = notes("P La entropía mide el desorden.")
    with course_map(tmp_path / "one", one_page) as course:
        assert course.concepts == {}
        assert course.communities() == []
        assert course.state.nodes["Document"] == 1
    with course_map(tmp_path / "none", notes("P 1")) as course:
        assert course.state.nodes["Section"] == 1
