"""Questions about a course as a whole, answered from a real map over real notes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path

import pytest

from tests.passages import make_hit
from tests.scripted import FixedStore, ScriptedModel
from tests.unit.map.courses import SEARCH, TREES, Document, course_map
from tests.unit.study.material import notes
from tutor.answer import Agent, answer
from tutor.embedding import BundledEmbedder
from tutor.errors import MapError
from tutor.events import Event, Finished, Notice, Retrieved, Routed
from tutor.map.course_map import CourseMap
from tutor.map.model import DocumentNode
from tutor.model import Answer, Citation, CleanText, Hit, Route, Source, SourceId, Strategy, Turn

AUTHORS = ("Ana Mora",)


class Notes(FixedStore):
    """Whole documents; whatever is asked finds how each of them begins."""

    def __init__(self, *documents: Document) -> None:
        self._texts = {source.id: text for source, text in documents}
        self._known = {source.id: replace(source, authors=AUTHORS) for source, _text in documents}
        super().__init__([_beginning(source, text) for source, text in documents])

    @cached_property
    def sources(self) -> dict[SourceId, Source]:
        return self._known

    def text(self, source: SourceId) -> CleanText:
        return self._texts[source]


def _beginning(source: Source, text: CleanText) -> Hit:
    hit = make_hit(text.text[:400], path=source.path)
    return replace(hit, source=source, chunk=replace(hit.chunk, source_id=source.id))


def _ask(
    folder: Path,
    question: str,
    *documents: Document,
    route: Route | None = None,
    turns: Sequence[Turn] = (),
    model: ScriptedModel | None = None,
) -> tuple[Sequence[Event], Answer]:
    documents = documents or (SEARCH, TREES)
    agent = Agent(
        store=Notes(*documents),
        embedder=BundledEmbedder(),
        strategy=Strategy.FIXED,
        k=4,
        model=model,
        quotes_on_failure=True,
        course_map=partial(course_map, folder / "store", *documents),
    )
    events = list(answer(question, agent, turns, forced=route))
    assert isinstance(events[-1], Finished)
    return events, events[-1].answer


def _routes(events: Sequence[Event]) -> list[tuple[Route, str]]:
    return [(event.route, event.rule) for event in events if isinstance(event, Routed)]


def _pages(told: Answer) -> set[str]:
    return {one.hit.source.path for one in told.citations if isinstance(one, Citation)}


def test_where_something_is_treated_is_told_by_lesson_with_its_authors(tmp_path: Path) -> None:
    events, told = _ask(tmp_path, "¿Qué semanas hablan de la entropía y quién las escribió?")
    assert _routes(events)[-1] == (Route.MAP, "form:places")
    assert "Semana 7: **Árboles de decisión** (Ana Mora)" in told.text
    assert _pages(told) == {"07_b.pdf"}
    assert told.route is Route.MAP


def test_a_misspelt_name_is_the_one_that_is_spelt_like_it(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Qué semanas hablan de la entrompía?")
    assert told.text.startswith("«entropía» en los apuntes:")
    events, _told = _ask(tmp_path, "¿Qué semanas hablan de la antropía?")
    assert Route.MAP not in {route for route, _rule in _routes(events)}


def test_words_of_a_longer_name_are_told_as_they_were_said(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Qué semanas hablan de ganancia?")
    assert told.text.startswith("«ganancia» en los apuntes:")


def test_every_line_of_a_list_is_tied_to_the_notes(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Qué semanas hablan de heurística admisible?")
    lines = [line for line in told.text.splitlines() if line.lstrip().startswith("- ")]
    assert len(lines) == len(told.citations) > 1
    for one in told.citations:
        assert isinstance(one, Citation)
        assert told.text[one.start : one.end].lstrip().startswith("- ")
        quoted = one.hit.chunk.text[one.quote_start : one.quote_end]
        assert quoted in {SEARCH[0].id: SEARCH[1], TREES[0].id: TREES[1]}[one.hit.source.id].text


def test_a_relation_is_told_by_what_speaks_of_both(tmp_path: Path) -> None:
    events, told = _ask(
        tmp_path, "¿Qué relación hay entre la entropía y la ganancia de información?"
    )
    assert _routes(events)[-1] == (Route.MAP, "form:relation")
    assert "entropía del nodo menos la entropía media de sus hijos" in told.text


def test_what_has_to_be_known_before_comes_with_its_definition(tmp_path: Path) -> None:
    events, told = _ask(tmp_path, "¿Qué debo saber antes de la ganancia de información?")
    assert _routes(events)[-1] == (Route.MAP, "form:prerequisites")
    assert "**entropía**: Definición (Entropía)" in told.text
    assert told.text.index("**entropía**") < told.text.index("**ganancia de información**")
    assert "Heurística admisible" not in told.text


def test_what_the_notes_do_not_define_is_named_with_its_heading(tmp_path: Path) -> None:
    calculus = notes(
        "# 4.1 El gradiente",
        "P Con varias variables se usa el gradiente. El gradiente apunta cuesta arriba.",
        "# Aprender paso a paso",
        "P La tasa de aprendizaje se elige con cuidado, y la tasa de aprendizaje baja con el "
        "tiempo. Una tasa de aprendizaje alta rebota.",
        path="05_g.pdf",
        title="Cálculo",
        week=5,
    )
    networks = notes(
        "# Retropropagación",
        "D Definición (Retropropagación). La retropropagación calcula el gradiente de la pérdida, "
        "y con la tasa de aprendizaje corrige los pesos.",
        path="09_r.pdf",
        title="Redes",
        week=9,
    )
    _events, told = _ask(tmp_path, "¿Qué debo saber antes de retropropagación?", calculus, networks)
    lines = told.text.splitlines()
    assert "- **gradiente**" in lines
    assert "- **tasa de aprendizaje** (en «Aprender paso a paso»)" in lines
    assert _pages(told) == {"05_g.pdf", "09_r.pdf"}


def test_a_concept_that_stands_in_a_table_comes_with_its_row(tmp_path: Path) -> None:
    networks = notes(
        "# Redes recurrentes",
        "K Tabla 1: Medidas de una red",
        "T Medida | Para qué\nPerplejidad | Dice cuánto se duda\nExactitud | Cuenta aciertos",
        path="09_n.pdf",
        title="Medidas",
        week=9,
    )
    models = notes(
        "# Modelos de lenguaje",
        "D Definición (Modelo de lenguaje). Un modelo de lenguaje da una probabilidad a cada "
        "palabra, y su perplejidad dice cuánto duda; la perplejidad baja es mejor.",
        path="11_m.pdf",
        title="Modelos de lenguaje",
        week=11,
    )
    asked = "¿Qué debo saber antes de los modelos de lenguaje?"
    _events, told = _ask(tmp_path, asked, networks, models)
    assert "**perplejidad**: Perplejidad | Dice cuánto se duda\n" in told.text
    assert "Exactitud" not in told.text


def test_what_has_to_be_known_before_a_lesson_is_what_its_concepts_need(tmp_path: Path) -> None:
    later = notes(
        "# Poda",
        "D Definición (Poda). La poda quita las ramas de un árbol de decisión cuya ganancia de "
        "información es poca; la ganancia de información se mide con datos nuevos.",
        path="08_p.pdf",
        title="Poda",
        week=8,
    )
    for asked in ("¿Qué debo saber antes de la semana 8?", "qué hay que ver antes de la semana 8"):
        events, told = _ask(tmp_path, asked, TREES, later)
        assert _routes(events)[-1] == (Route.MAP, "form:prerequisites")
        assert _pages(told) == {"07_b.pdf"}
        assert "**ganancia de información**" in told.text


def _two_versions(*versions_of: str) -> list[tuple[Source, CleanText]]:
    """The same lesson twice, as versions of one day."""
    source, text = TREES
    day = date(2025, 9, 15)
    versions = [
        replace(source, id=SourceId(n), path=f"07_{n}.pdf", date=day, version=n)
        for n in versions_of or ("1", "2")
    ]
    return [(one, replace(text, source_id=one.id)) for one in versions]


def test_a_broad_question_is_not_answered_from_a_superseded_version(tmp_path: Path) -> None:
    documents = _two_versions()
    _events, told = _ask(
        tmp_path, "¿Cómo evolucionan las medidas de los nodos?", SEARCH, *documents
    )
    assert "07_1.pdf" not in _pages(told)


def test_the_lesson_before_and_after(tmp_path: Path) -> None:
    _events, after = _ask(tmp_path, "¿Qué se vio después de la búsqueda informada?")
    assert "Semana 7" in after.text
    _events, before = _ask(tmp_path, "¿Qué se vio antes de los árboles de decisión?")
    assert "Semana 2" in before.text


def test_nothing_comes_before_the_first_lesson_nor_after_the_last(tmp_path: Path) -> None:
    _events, first = _ask(tmp_path, "¿Qué se vio antes de la búsqueda informada?")
    assert first.text.startswith("Los apuntes no tienen nada antes de «")
    assert _pages(first) == {"02_a.pdf"}
    _events, last = _ask(tmp_path, "¿Qué sigue después de la semana 7?")
    assert last.text.startswith("Los apuntes no tienen nada después de «semana 7»")
    assert _pages(last) == {"07_b.pdf"}


@pytest.mark.parametrize(
    ("earlier", "question", "page"),
    [
        (["¿Qué semanas hablan de la entropía?"], "¿y quién lo escribió?", "07_b.pdf"),
        (["¿Qué es la ganancia de información?"], "¿en qué semana está?", "07_b.pdf"),
        (["¿Qué es la ganancia de información?", "dame un ejemplo"], "who wrote it?", "07_b.pdf"),
        (["¿Cómo evolucionan los métodos de búsqueda?"], "¿de quién es?", "02_a.pdf"),
        (["¿Cuándo vimos la búsqueda informada?"], "¿y después?", "07_b.pdf"),
        (["¿Quién escribió sobre la entropía?"], "¿y en qué fecha?", "07_b.pdf"),
        (["¿Qué se vio después de la búsqueda informada?"], "¿y antes de eso?", "02_a.pdf"),
        (["¿Qué se vio antes de los árboles?", "¿y después?"], "¿quién lo escribió?", "07_b.pdf"),
        (["¿Cuándo vimos la entropía?"], "¿qué semanas hablan de eso?", "07_b.pdf"),
        (["¿Qué es la ganancia de información?"], "¿eso en q pag sale?", "07_b.pdf"),
        (["¿Qué es la ganancia de información?"], "¿de dónde sale eso?", "07_b.pdf"),
        (["¿Qué es la ganancia de información?"], "y eso sale en que pagina?", "07_b.pdf"),
    ],
)
def test_what_is_asked_without_a_subject_is_asked_of_the_one_before(
    tmp_path: Path, earlier: Sequence[str], question: str, page: str
) -> None:
    turns = [Turn(one, one, "") for one in earlier]
    if len(turns) > 1:
        turns[-1] = replace(turns[-1], standalone=" · ".join(earlier))
    events, told = _ask(tmp_path, question, turns=turns)
    assert _routes(events)[-1][0] is Route.MAP
    assert _pages(told) == {page}


def test_who_wrote_what_was_counted(tmp_path: Path) -> None:
    asked = "¿Cuántos documentos hay?"
    _events, told = _ask(tmp_path, "¿quién los escribió?", turns=[Turn(asked, asked, "")])
    assert told.text.startswith("1 persona")


def test_without_a_subject_before_it_a_question_is_an_ordinary_one(tmp_path: Path) -> None:
    pizza = "¿Qué es una pizza?"
    for turns in ([], [Turn(pizza, pizza, "")]):
        events, _told = _ask(tmp_path, "¿quién lo escribió?", turns=turns)
        assert Route.MAP not in {route for route, _rule in _routes(events)}
    entropy = "¿Qué es la entropía?"
    events, _told = _ask(tmp_path, "¿y después?", turns=[Turn(entropy, entropy, "")])
    assert Route.MAP not in {route for route, _rule in _routes(events)}


def _dated() -> list[Document]:
    """Three lessons: of August 11, of September 15 in two versions, and of October 2."""
    search, trees = SEARCH, TREES
    first = (replace(search[0], date=date(2025, 8, 11)), search[1])
    last = replace(
        trees[0], id=SourceId("9"), path="09_c.pdf", week=9, title="Bosques", date=date(2025, 10, 2)
    )
    return [first, *_two_versions(), (last, replace(trees[1], source_id=last.id))]


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("¿Qué clases se dieron en septiembre?", {"07_2.pdf"}),
        ("¿Qué se vio en agosto?", {"02_a.pdf"}),
        ("Which lectures were given in August and September?", {"02_a.pdf", "07_2.pdf"}),
        ("¿Qué temas vimos entre el 20 de agosto y el 5 de octubre?", {"07_2.pdf", "09_c.pdf"}),
        ("¿Qué clases hubo antes del 15 de septiembre?", {"02_a.pdf"}),
        ("¿Qué clases hubo desde el 15 de septiembre?", {"07_2.pdf", "09_c.pdf"}),
        ("¿Quién escribió los apuntes de octubre?", {"09_c.pdf"}),
        ("¿Cuándo empezó el curso?", {"02_a.pdf"}),
        ("What was covered in the last lecture?", {"09_c.pdf"}),
    ],
)
def test_lessons_are_told_by_their_time(tmp_path: Path, question: str, pages: set[str]) -> None:
    events, told = _ask(tmp_path, question, *_dated())
    assert _routes(events)[-1][0] is Route.MAP
    assert _pages(told) == pages


def test_of_a_time_without_lessons_the_first_and_the_last_are_told(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Qué clases hubo en noviembre?", *_dated())
    assert told.text.startswith("Los apuntes no tienen ninguna clase de entonces.")
    assert _pages(told) == {"02_a.pdf", "09_c.pdf"}


def test_of_another_year_and_without_dates_a_question_is_an_ordinary_one(tmp_path: Path) -> None:
    for question, notes_of in (
        ("¿Qué se presentó en septiembre de 2022?", _dated()),
        ("¿Qué clases se dieron en septiembre?", [SEARCH, TREES]),
    ):
        events, _told = _ask(tmp_path, question, *notes_of)
        assert Route.MAP not in {route for route, _rule in _routes(events)}


def test_lessons_are_counted_without_older_versions(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Cuántas clases hubo en septiembre?", *_dated())
    assert told.text.startswith("1 clase:")
    assert _pages(told) == {"07_2.pdf"}
    _events, told = _ask(tmp_path, "¿Cuántos documentos hay de septiembre?", *_dated())
    assert told.text.startswith("2 documentos:")


def test_what_somebody_wrote_is_told_of_authors_only(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Qué escribió Ana Mora?")
    assert _pages(told) == {"02_a.pdf", "07_b.pdf"}
    events, _told = _ask(tmp_path, "¿Qué escribió Quinlan?")
    assert Route.MAP not in {route for route, _rule in _routes(events)}


def test_who_speaks_of_something_is_told_by_the_notes_where_they_have_no_authors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "¿Quién habla de la entropía?"
    events, _told = _ask(tmp_path, question)
    assert _routes(events)[-1] == (Route.MAP, "form:places")
    signed = CourseMap.__dict__["documents"].func

    def unsigned(course: CourseMap) -> dict[SourceId, DocumentNode]:
        return {key: replace(node, authors=()) for key, node in signed(course).items()}

    monkeypatch.setattr(CourseMap, "documents", property(unsigned))
    events, _told = _ask(tmp_path, question)
    assert Route.MAP not in {route for route, _rule in _routes(events)}


def test_documents_are_counted_and_named(tmp_path: Path) -> None:
    _events, told = _ask(tmp_path, "¿Cuántos documentos tiene el curso?")
    assert told.text.startswith("2 documentos:")
    assert _pages(told) == {"02_a.pdf", "07_b.pdf"}
    _events, told = _ask(tmp_path, "¿Cuántos documentos hablan de la entropía?")
    assert told.text.startswith("1 documento:")
    assert _pages(told) == {"07_b.pdf"}
    _events, told = _ask(tmp_path, "¿Cuántas semanas hablan de la entropía?")
    assert told.text.startswith("1 semana:")
    _events, told = _ask(tmp_path, "¿Cuántos autores tiene la semana 7?")
    assert told.text.startswith("1 persona")


def test_a_newer_version_is_told_and_the_older_one_not_quoted(tmp_path: Path) -> None:
    documents = _two_versions()
    _events, told = _ask(tmp_path, "¿Qué versiones hay de los apuntes de árboles?", *documents)
    assert "versión 1" in told.text
    assert "versión 2" in told.text
    other, words = TREES
    other = replace(
        other, id=SourceId("9"), path="09_c.pdf", week=9, title="Ensambles", version="1"
    )
    documents.append((other, replace(words, source_id=other.id)))
    _events, told = _ask(tmp_path, "¿Qué versiones hay de los apuntes de árboles?", *documents)
    assert _pages(told) == {"07_1.pdf", "07_2.pdf"}
    documents.pop()
    _events, told = _ask(tmp_path, "¿Dónde se habla de la ganancia de información?", *documents)
    assert _pages(told) == {"07_2.pdf"}


def test_version_10_is_newer_than_version_9(tmp_path: Path) -> None:
    documents = _two_versions("10", "9")
    _events, told = _ask(tmp_path, "¿Dónde se habla de la ganancia de información?", *documents)
    assert _pages(told) == {"07_10.pdf"}


def test_what_the_course_does_not_know_is_an_ordinary_question(tmp_path: Path) -> None:
    events, _told = _ask(tmp_path, "¿Qué semanas hablan de fotosíntesis?")
    assert Route.MAP not in {route for route, _rule in _routes(events)}


def test_a_question_sent_to_the_map_falls_back_to_the_notes_and_says_so(tmp_path: Path) -> None:
    events, told = _ask(tmp_path, "/mapa la entropía")
    assert _routes(events)[-1] == (Route.MAP, "form:topic")
    assert "**entropía**" in told.text
    events, _told = _ask(tmp_path, "fotosíntesis", SEARCH, route=Route.MAP)
    assert _routes(events)[-1] == (Route.FIXED, "fallback:map")
    assert any(isinstance(event, Notice) and "knows nothing" in event.text for event in events)


def test_a_route_that_was_chosen_is_kept(tmp_path: Path) -> None:
    events, _told = _ask(tmp_path, "¿Qué semanas hablan de la entropía?", route=Route.SEMANTIC)
    assert _routes(events) == [(Route.SEMANTIC, "option")]


def test_a_map_that_cannot_be_read_is_told_and_the_notes_answer() -> None:
    def broken() -> AbstractContextManager[CourseMap]:
        raise MapError("The map is broken.", "Delete it.")

    agent = Agent(
        store=Notes(TREES),
        embedder=BundledEmbedder(),
        strategy=Strategy.FIXED,
        k=4,
        course_map=broken,
    )
    events = list(answer("¿Qué semanas hablan de la entropía?", agent))
    assert any(isinstance(event, Notice) and "broken" in event.text for event in events)
    assert isinstance(events[-1], Finished)


def test_a_model_writes_below_what_the_map_says(tmp_path: Path) -> None:
    model = ScriptedModel(["La entropía se trata en la semana 7."])
    agent = Agent(
        store=Notes(SEARCH, TREES),
        embedder=BundledEmbedder(),
        strategy=Strategy.FIXED,
        k=4,
        model=model,
        course_map=partial(course_map, tmp_path / "store", SEARCH, TREES),
    )
    events = list(answer("¿Qué relación hay entre la entropía y los árboles?", agent))
    assert isinstance(events[-1], Finished)
    text = events[-1].answer.text
    assert text.index("en los apuntes") < text.index("La entropía se trata")
    assert "entropía" in str(model.prompts[0])
    assert next(len(e.hits) for e in events if isinstance(e, Retrieved)) <= agent.k


def test_topics_are_found_by_their_titles(tmp_path: Path) -> None:
    events, told = _ask(tmp_path, "resume lo de los árboles")
    assert _routes(events)[-1] == (Route.MAP, "form:topic")
    assert "Ganancia de información" in told.text


def test_a_topic_is_not_told_by_titles_alone(tmp_path: Path) -> None:
    lesson = notes(
        "# Integridad",
        "P Las formas normales evitan anomalías al borrar y al escribir los datos.",
        "P Sin formas normales (normal forms) un dato se guarda muchas veces.",
        path="03_c.pdf",
        title="Integridad",
        week=3,
    )
    events, told = _ask(tmp_path, "resume las formas normales", lesson, TREES)
    assert all(reason != "form:topic" for _route, reason in _routes(events))
    assert "evitan anomalías" in told.text


@pytest.mark.parametrize(
    "asked",
    [
        "hazme un resumen de la parte de ganancia de información",
        "haceme un resumen de la ganancia de información",
        "¿me resumes lo de la ganancia de información?",
        "Resumí la ganancia de información",
        "summary of the ganancia de información section of the course",
    ],
)
def test_a_section_that_is_called_so_is_told_whole(tmp_path: Path, asked: str) -> None:
    events, told = _ask(tmp_path, asked)
    assert _routes(events)[-1] == (Route.MAP, "form:topic")
    assert "es la entropía del nodo menos la entropía media de sus hijos." in told.text
    assert "La ganancia de información (information gain, IG) guía" in told.text
