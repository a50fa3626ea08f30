"""All formulas, definitions … of what a question names, each with its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pdfs
from tests.course import Workspace
from tests.once import made_once
from tutor.answer.gathering import MOST, gathered, kind_asked_for
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.model import CleanText, Source, SourceId

LESSON = r"""
#set text(lang: "es", size: 11pt)
= Medidas
Se comparan aciertos y errores de un modelo que clasifica ejemplos en dos clases.
== La precisión
*Definición (Precisión).* La precisión, que mide lo que se acertó de lo que se ha marcado, es
$ P = "VP" / ("VP" + "FP") $

*Teorema (Bayes).* La probabilidad de la causa se obtiene de la del efecto, y al revés.

*Ejemplo (Un filtro).* De diez correos marcados nueve eran spam, así que la precisión es 0.9.
#figure(caption: [Otras medidas.], kind: table, supplement: [Tabla], table(columns: 2,
  [*Medida*], [*Fórmula*], [Exhaustividad], [$"VP"\/("VP"+"FN")$], [Exactitud], [$"A"\/"N"$]))
== Ejercicios
+ ¿Cuánto vale la precisión con ocho aciertos de diez?
+ Calcule la exactitud del filtro.
"""
PRECISION = "Precisión: La precisión, que mide lo que se acertó de lo que se ha marcado, es P = VP/"


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> CleanText:
    pdf = pdfs.typeset(tmp_path_factory.mktemp("lesson") / "a.pdf", LESSON)
    return clean(read_pdf(pdf, SourceId("a"), ocr="off"))


def texts(question: str, document: CleanText) -> list[str]:
    source = Source(document.source_id, "a.pdf", "Medidas", "", 1)
    kind = kind_asked_for(question)
    lines = gathered(kind, [source], lambda _source: document, "es") if kind else []
    return [line.text.strip("- ") for line in lines]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("fórmulas", ["P = VP/(VP + FP)", "Exhaustividad: VP/(VP + FN)", "Exactitud: A/N"]),
        ("dame todas las definiciones", [PRECISION]),
        ("los ejemplos", ["Ejemplo (Un filtro). De diez correos"]),
        ("theorems", ["Teorema (Bayes). La probabilidad"]),
        ("tablas", ["Tabla 1: Otras medidas."]),
        ("ejercicios", ["1. ¿Cuánto vale la precisión", "2. Calcule la exactitud"]),
    ],
)
def test_all_of_a_kind_are_told(question: str, told: list[str], lesson: CleanText) -> None:
    title, heading, *things = texts(question, lesson)
    assert title == "**Medidas**"
    assert heading == ("**Ejercicios**" if question == "ejercicios" else "**La precisión**")
    assert len(things) == len(told)
    assert all(thing.startswith(begins) for thing, begins in zip(things, told, strict=True))


@pytest.mark.parametrize(
    "question", ["la fórmula", "fórmulas de Bayes", "fórmulas y ejercicios", "códigos", ""]
)
def test_what_asks_for_more_or_less_is_quoted_for(question: str, lesson: CleanText) -> None:
    assert not texts(question, lesson)


def test_how_many_more_there_are_is_told(tmp_path: Path) -> None:
    items = "\n".join(f"+ Calcule la suma número {n} de la lista." for n in range(MOST + 5))
    pdf = pdfs.typeset(tmp_path / "a.pdf", f"= Ejercicios\n{items}")
    told = texts("ejercicios", clean(read_pdf(pdf, SourceId("a"), ocr="off")))
    assert len(told) == MOST
    assert told[-1].endswith("… y 7 líneas más")


def test_those_of_a_document_are_asked_for_by_its_name(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    def make(root: Path) -> None:
        workspace = Workspace(root)
        workspace.notes.mkdir(parents=True, exist_ok=True)
        pdfs.typeset(workspace.notes / "05_SEMANA_AI_20250901_1.pdf", LESSON)
        pdfs.one_column(workspace.notes / "06_SEMANA_AI_20250908_1.pdf", title="Otra semana")
        done = workspace.run_here("index")
        assert done.returncode == 0, done.stderr

    course = Workspace(made_once(tmp_path_factory, "gathered-course", make))
    chat = "fórmulas de la semana 5\nque pasa con la exactitud\n"
    told = course.run_here("chat", typed=chat)
    assert "fórmulas · " not in told.stdout + told.stderr
    said = course.run_here("ask", "fórmulas de la semana 5").stdout
    assert "P = VP/(VP + FP)" in said
    assert "Exhaustividad: VP/(VP + FN)" in said
    assert "20250901" in said
    assert "Otra semana" not in said
