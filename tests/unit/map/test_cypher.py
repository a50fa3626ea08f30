"""Queries of others: what reads is answered, all else is refused in clear words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.map.courses import SEARCH, TREES, course_map
from tutor.errors import MapQueryError
from tutor.map.cypher import QueryLimits, check_read_only

READING = (
    "MATCH (c:Concept) RETURN c.name",
    "match (c:Concept) where c.name = 'CREATE; DROP' return c.`set`;",
    "// CREATE is only told of here\nMATCH (c) RETURN count(c)",
    "OPTIONAL MATCH (c) RETURN c /* DELETE */",
    "MATCH (c:Concept) RETURN c.set",
)
WRITING = (
    "CREATE (c:Week {number: 1})",
    "MATCH (c) SET c.name = 'x'",
    "MATCH (c) DETACH DELETE c",
    "MERGE (c:Week {number: 1})",
    "COPY (MATCH (c) RETURN c.id) TO 'out.csv'",
    "MATCH (c) RETURN c; DROP TABLE Concept",
    "LOAD FROM 'file.csv' RETURN *",
    "EXPORT DATABASE 'folder'",
    "INSTALL httpfs",
    "ATTACH 'x.db' AS x",
    "CALL timeout=0",
    "UNWIND range(1, 1000000000) AS x RETURN x",
    "",
    "  ;",
    "// nothing",
)


@pytest.mark.parametrize("query", READING)
def test_what_reads_is_let_through(query: str) -> None:
    assert check_read_only(query) == query.strip().rstrip(";")


@pytest.mark.parametrize("query", WRITING)
def test_what_does_anything_else_is_refused(query: str) -> None:
    with pytest.raises(MapQueryError) as refused:
        check_read_only(query)
    assert "MATCH" in refused.value.remedy


def test_rows_are_bounded_and_values_are_put_in(tmp_path: Path) -> None:
    with course_map(tmp_path, SEARCH, TREES) as course:
        table = course.query("MATCH (c:Concept) RETURN c.name, c.page", QueryLimits(rows=2))
        assert table.columns == ("c.name", "c.page")
        assert len(table.rows) == 2
        assert table.cut
        name = course.query("MATCH (c:Concept {id: $id}) RETURN c.name", id="entropia")
        assert (name.rows, name.cut) == ((("entropía",),), False)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("MATCH (c) RETRN c", "understood"),
        ("MATCH (c:Planet) RETURN c", "Planet"),
        ("MATCH (c:Concept) RETURN c.nothing", "nothing"),
        ("RETURN '" + "x" * 100_000, "understood"),
        ("MATCH (c) RETURN \x00", "understood"),
    ],
)
def test_what_makes_no_sense_is_told(tmp_path: Path, query: str, said: str) -> None:
    with course_map(tmp_path, TREES) as course, pytest.raises(MapQueryError, match=said):
        course.query(query)


def test_a_query_that_never_ends_is_stopped_and_the_map_goes_on(tmp_path: Path) -> None:
    nodes = ", ".join(f"(n{i})" for i in range(12))
    never = f"MATCH {nodes} WHERE n0.page + n1.page + n2.page + n11.page < 0 RETURN n0"
    with course_map(tmp_path, SEARCH, TREES) as course:
        with pytest.raises(MapQueryError, match="stopped"):
            course.query(never, QueryLimits(seconds=0.2))
        assert course.query("MATCH (c:Concept) RETURN count(c)").rows[0][0] > 3
