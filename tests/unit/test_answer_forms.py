"""What questions about a course as a whole look like, and that ordinary ones do not look so."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tutor.answer.ways.forms import Way, cue, forms_of, patterns

ASKED = {
    "¿Qué debo saber antes de backpropagation?": ("prerequisites", ("backpropagation",), ""),
    "prerrequisitos de la retropropagación": ("prerequisites", ("retropropagación",), ""),
    "What should I know before studying transformers?": ("prerequisites", ("transformers",), ""),
    "antes de estudiar A* que tengo que repasar": ("prerequisites", ("A*",), ""),
    "¿Qué relación hay entre entropía y árboles?": ("relation", ("entropía", "árboles"), ""),
    "¿qué tiene que ver softmax con la sigmoide?": ("relation", ("softmax", "sigmoide"), ""),
    "How is entropy related to decision trees?": ("relation", ("entropy", "decision trees"), ""),
    "¿cómo llego de probabilidad a redes? qué hay en medio": (
        "relation",
        ("probabilidad", "redes"),
        "path",
    ),
    "qué temas se conectan con la regresión logística": (
        "relation",
        ("regresión logística",),
        "",
    ),
    "¿Con qué otros conceptos está relacionada la entropía?": ("relation", ("entropía",), ""),
    "conceptos relacionados con PCA": ("relation", ("PCA",), ""),
    "What is entropy related to?": ("relation", ("entropy",), ""),
    "¿Qué semanas hablan de lasso y quién las escribió?": ("places", ("lasso",), ""),
    "quien escribio los apuntes de k-means": ("places", ("k-means",), ""),
    "cuándo vimos Bayes": ("places", ("Bayes",), ""),
    "en qué página sale lasso": ("places", ("lasso",), ""),
    "y eso en que pagina esta": ("places", (), ""),
    "en que semana se menciona por primera vez el sesgo": ("places", ("sesgo",), "first"),
    "Which documents cover clustering in this course?": ("places", ("clustering",), ""),
    "que semanas ablan de la entropia?": ("places", ("entropia",), ""),
    "qué tengo que repasar antes de la clase de redes": ("prerequisites", ("redes",), ""),
    "¿cuántos autores tiene la semana 6?": ("count", ("semana 6",), "authors"),
    "que devo saver antes de las redes": ("prerequisites", ("redes",), ""),
    "¿quién escribió sobre DBSCAN?": ("places", ("DBSCAN",), ""),
    "¿y quién lo escribió?": ("places", (), ""),
    "¿qué vimos después?": ("around", (), "after"),
    "when did we see that?": ("places", ("that",), ""),
    "que se vio despues de los arboles": ("around", ("arboles",), "after"),
    "y antes de las CNN q tema se dio?": ("around", ("CNN",), "before"),
    "¿cuál es la última versión de los apuntes de árboles?": ("versions", ("árboles",), ""),
    "¿Qué clases se dieron en septiembre?": ("lessons", ("en septiembre",), ""),
    "¿qué se vio en agosto?": ("lessons", ("en agosto",), "topics"),
    "¿Qué temas vimos entre el 20 de agosto y el 3 de septiembre?": (
        "lessons",
        ("entre el 20 de agosto y el 3 de septiembre",),
        "topics",
    ),
    "¿qué clases hubo antes del 20 de agosto?": ("lessons", ("antes del 20 de agosto",), ""),
    "Which lectures were given in October?": ("lessons", ("in October",), ""),
    "¿Cuándo empezó el curso?": ("lessons", (), "first"),
    "what was covered in the last lecture": ("lessons", (), "last"),
    "¿cuál es el documento más largo?": ("lessons", (), "longest"),
    "¿Qué materia se dio en agosto?": ("lessons", ("en agosto",), "topics"),
    "¿en qué mes se vieron los árboles?": ("places", ("árboles",), ""),
    "who gave the lecture on October 6?": ("places", ("October 6",), ""),
    "¿cuántas clases hubo en octubre?": ("count", ("en octubre",), "lessons"),
    "¿qué escribió Ana Mora?": ("places", ("Ana Mora",), "author"),
    "¿qué documentos citan a Breiman?": ("places", ("Breiman",), ""),
    "¿Cuántos documentos tiene el curso?": ("count", (), "documents"),
    "how many pages do the notes have": ("count", (), "pages"),
    "cuántas personas escribieron los apuntes de la semana 9": ("count", ("semana 9",), "authors"),
    "resume lo de las métricas": ("topic", ("métricas",), ""),
    "Give me an overview of clustering": ("topic", ("clustering",), ""),
    "¿cómo evolucionan los métodos de búsqueda?": ("broad", (), ""),
    "¿Qué papel juega el azar en el resto del curso?": ("broad", (), ""),
}
ORDINARY = (
    "questions",
    "questions_near",
    "questions_public",
    "questions_short",
    "questions_short_public",
    "questions_kinds",
    "questions_kinds_public",
    "followups",
    "conversations",
    "conversations_public",
)


@pytest.mark.parametrize("question", ASKED)
def test_a_form_is_told_with_its_subjects(question: str) -> None:
    form = next(iter(forms_of(question)))
    assert (form.way.value, form.subjects, form.detail) == ASKED[question]


@pytest.mark.parametrize(
    "question",
    [
        "¿Quién inventó el perceptrón?",
        "¿Quién escribió Computing machinery and intelligence?",
        "¿Cuándo se usa la validación cruzada?",
        "¿Cuántas capas tiene AlexNet?",
        "¿Qué pasó con ChatGPT en noviembre de 2022?",
        "¿Cuál es la última capa de la red?",
        "¿Hay clases desbalanceadas en los datos?",
        "¿Qué clases de troyanos hay según lo que hacen?",
        "cuántas clases de memoria existen",
        "what classes of agents are there",
        "¿Cuál es la primera clase de complejidad?",
        "¿Cuándo termina el algoritmo?",
        "¿Cuándo empezó la inteligencia artificial?",
        "¿Cómo se calcula la entropía de un nodo antes de partirlo?",
        "How do nodes exchange messages in a graph neural network?",
        "",
        "¿",
        "resume " * 100,
    ],
)
def test_an_ordinary_question_has_no_form(question: str) -> None:
    assert list(forms_of(question)) == []


def test_hardly_any_question_that_comes_with_the_program_has_one() -> None:
    data = files("tutor.evaluation") / "data"
    asked = {
        json.loads(line)["question"]
        for name in ORDINARY
        for line in (data / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    }
    formed = {question for question in asked if list(forms_of(question))}
    assert formed == {
        "¿En qué se parece k-means a una mezcla gaussiana?",
        "¿Qué requisitos tiene buscar a la vez desde el principio y desde el final?",
        "¿qué archivos de salida produce LaTeX?",
    }


@pytest.mark.parametrize("way", Way)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_whatever_has_a_form_has_a_cue(way: Way, data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(patterns(way)))
    ascii_only = st.characters(codec="ascii")
    question = data.draw(st.from_regex(form, fullmatch=True, alphabet=ascii_only))
    assert cue(way).search(question)
