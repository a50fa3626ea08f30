"""How a concept of the map is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

from tests.unit.map.courses import course_map
from tests.unit.study.material import notes
from tests.unit.test_answer_map import Notes
from tutor.cli.commands.map import MappedCourse, _write_head

SAYS = "D Definición (Entropía). La entropía es una medida {} de las clases de un nodo."


def test_definitions_that_differ_stand_side_by_side_and_equal_ones_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = [
        notes("# Entropía", SAYS.format(said), path=f"0{week}_a.pdf", week=week)
        for week, said in ((1, "del desorden"), (2, "del orden"), (3, "del desorden"))
    ]
    with course_map(tmp_path, *documents) as course:
        reader = cast("Any", Notes(*documents))  # what an index has of sources and texts
        concept = course.concept("entropía")
        assert concept is not None
        _write_head(MappedCourse("curso", course, reader), concept)
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("una medida del desorden de las clases") == 1
    assert shown.count("una medida del orden de las clases") == 1
    assert "01_a.pdf" in shown
    assert "02_a.pdf" in shown
