"""Questions about a course that a language model turns into queries of its map."""

from __future__ import annotations

import tomllib
from collections.abc import Generator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import ScriptedModel
from tests.unit.map.courses import SEARCH, TREES, course_map
from tests.unit.test_answer_map import _ask, _pages, _routes
from tutor.answer.ways.queries import asks, queried
from tutor.errors import EngineError
from tutor.events import Notice, Stage, Token, Waiting
from tutor.map.cypher import QueryTable
from tutor.model import Citation, Route

QUESTION = "¿Qué documento nombra más veces la entropía, y en qué semana?"
QUERY = (
    "MATCH (s:Section)-[m:MENTIONS]->(c:Concept), (d:Document) WHERE d.id = s.document"
    " AND c.name = 'entropía' RETURN d.title, d.week, sum(m.times) AS n ORDER BY n DESC LIMIT 1"
)
BROKEN = "MATCH (d:Documento) RETURN d.title"


def test_the_query_and_its_table_are_shown_with_the_pages(tmp_path: Path) -> None:
    model = ScriptedModel([f"```cypher\n{QUERY}\n```"])
    events, told = _ask(tmp_path, QUESTION, route=Route.MAP, model=model)
    assert _routes(events)[-1] == (Route.MAP, "query")
    assert f"```cypher\n{QUERY}\n```" in told.text
    assert "- Árboles de decisión · 7 · " in told.text
    (cited,) = told.citations
    assert isinstance(cited, Citation)
    assert (cited.hit.source.path, cited.first_page) == ("07_b.pdf", 1)
    assert told.text[cited.start : cited.end].startswith("- Árboles de decisión")
    assert told.route is Route.MAP
    (prompt,) = model.prompts  # nobody writes below a table
    assert prompt[-1].content == QUESTION


def test_a_number_without_a_page_is_shown_all_the_same(tmp_path: Path) -> None:
    model = ScriptedModel(["MATCH (d:Document) WHERE d.pages < 9 RETURN count(d) AS documents"])
    question = "¿Qué número de documentos cabe en menos de 9 páginas?"
    events, told = _ask(tmp_path, question, route=Route.MAP, model=model)
    assert told.text.endswith("\n- 2")
    assert "".join(one.text for one in events if isinstance(one, Token)) == told.text
    assert told.citations == ()


def test_a_concept_is_shown_with_its_definition(tmp_path: Path) -> None:
    query = "MATCH (c:Concept) WHERE c.name = 'ganancia de información' RETURN c.name, c.english"
    question = "¿Cómo se dice «ganancia de información» en inglés y por qué, cuándo o dónde?"
    model = ScriptedModel([query])
    _events, told = _ask(tmp_path, question, route=Route.MAP, model=model)
    assert "- ganancia de información · information gain" in told.text
    assert _pages(told) == {"07_b.pdf"}


def test_a_broken_query_is_mended_once(tmp_path: Path) -> None:
    model = ScriptedModel([BROKEN], [QUERY])
    events, _told = _ask(tmp_path, QUESTION, route=Route.MAP, model=model)
    assert _routes(events)[-1] == (Route.MAP, "query")
    assert [message.content for message in model.prompts[1]][-2] == BROKEN
    assert "Documento" in model.prompts[1][-1].content


@pytest.mark.parametrize(
    "query",
    [
        BROKEN,
        "CREATE (:Week {number: 13})",
        "MATCH (d:Document) WHERE d.week = 99 RETURN d.title",
        "No sé.",
        "",
    ],
)
def test_without_a_table_the_map_answers_as_it_does_without_a_model(
    tmp_path: Path, query: str
) -> None:
    model = ScriptedModel([query], [query], ["Los apuntes no cubren esto."])
    events, told = _ask(tmp_path, QUESTION, route=Route.MAP, model=model)
    assert (Route.MAP, "query") not in _routes(events)
    assert "cypher" not in told.text
    assert told.text


def test_a_model_that_goes_away_is_told_and_the_map_answers(tmp_path: Path) -> None:
    model = ScriptedModel([EngineError("no server", "start it")])
    events, told = _ask(tmp_path, QUESTION, route=Route.MAP, model=model)
    assert Notice("no server start it") in events
    assert told.text


@pytest.mark.parametrize(
    "question", [QUESTION, "¿Qué es la entropía?", "¿Qué semanas hablan de la fotosíntesis?"]
)
def test_a_question_that_was_not_sent_to_the_map_is_no_query(tmp_path: Path, question: str) -> None:
    model = ScriptedModel([QUERY])
    events, _told = _ask(tmp_path, question, model=model)
    assert (Route.MAP, "query") not in _routes(events)
    shown = tomllib.loads((files("tutor.answer.ways") / "queries.toml").read_text("utf-8"))
    schema = shown["schema"].strip()
    assert not any(message.content == schema for prompt in model.prompts for message in prompt)


def test_a_form_answers_without_asking_the_model_for_a_query(tmp_path: Path) -> None:
    model = ScriptedModel(["Está en la semana 7."])
    question = "¿Qué semanas hablan de la entropía?"
    events, _told = _ask(tmp_path, question, route=Route.MAP, model=model)
    assert _routes(events)[-1] == (Route.MAP, "form:places")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (QUESTION, True),
        ("cuantos conceptos define la semana 3", True),
        ("Which author wrote most?", True),
        ("entropía", False),
        ("resume los árboles", False),
    ],
)
def test_only_what_asks_is_turned_into_a_query(question: str, *, asked: bool) -> None:
    assert asks(question) is asked


def test_all_queries_that_the_model_is_shown_can_be_run(tmp_path: Path) -> None:
    shown = tomllib.loads((files("tutor.answer.ways") / "queries.toml").read_text("utf-8"))
    with course_map(tmp_path / "store", SEARCH, TREES) as course:
        for _question, query in shown["pairs"]:
            assert course.query(query).columns
    assert len({question for question, _query in shown["pairs"]}) == len(shown["pairs"]) >= 30


def test_that_the_model_is_waited_for_is_told() -> None:
    class Slow(ScriptedModel):
        def stream(self, messages: Any, **_options: Any) -> Generator[Any, None, Any]:
            yield Waiting(Stage.READING, 1.0)
            return (yield from super().stream(messages))

    asked = queried(QUESTION, Slow([QUERY]), lambda _query: QueryTable(("n",), ((1,),), cut=False))
    assert isinstance(next(asked), Waiting)
    with pytest.raises(StopIteration) as ended:
        next(asked)
    assert ended.value.value.cypher == QUERY
