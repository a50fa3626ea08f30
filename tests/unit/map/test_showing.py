"""How a concept of the map is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from tests.unit.map.courses import course_map
from tests.unit.study.material import notes
from tests.unit.test_answer_map import Notes
from tutor.presentation.topics import MapTopic, summary_of

SAYS = "D Definición (Entropía). La entropía es una medida {} de las clases de un nodo."


def test_definitions_that_differ_stand_side_by_side_and_equal_ones_once(
    tmp_path: Path,
) -> None:
    documents = [
        notes("# Entropía", SAYS.format(said), path=f"0{week}_a.pdf", week=week)
        for week, said in ((1, "del desorden"), (2, "del orden"), (3, "del desorden"))
    ]
    with course_map(tmp_path, *documents) as course:
        reader = cast("Any", Notes(*documents))  # what an index has of sources and texts
        concept = course.concept("entropía")
        assert concept is not None
        card = summary_of(MapTopic(concept.name, concept.place, concept), course, reader)
        quoted = [line for line in card.lines if line.quote]
    first, second = (reader.sources[line.place.document].path for line in quoted)
    assert "una medida del desorden de las clases" in quoted[0].quote
    assert "una medida del orden de las clases" in quoted[1].quote
    assert (first, second) == ("01_a.pdf", "02_a.pdf")
