"""A follow-up that names no subject is answered as if it named that of the question before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pdfs
from tests.course import Workspace
from tests.stores import LOCAL
from tests.unit.test_retrieval import SPACE, STRATEGY, build, hybrid_over
from tutor.answer import Agent, answer
from tutor.answer.asked import term_of
from tutor.answer.referring import in_full, listed, picked
from tutor.answer.restating import restated, with_its_noun
from tutor.answer.wording import by_itself, name_in
from tutor.embedding import BundledEmbedder
from tutor.events import Rewritten
from tutor.index.store import open_store
from tutor.model import Turn
from tutor.search.follow_ups import points_back


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("¿Qué es k-means?", "un ejemplo", "un ejemplo de k-means"),
        ("cómo es el arte barroco", "un ejemplo", "un ejemplo de arte barroco"),
        ("que es PCA", "¿y sus desventajas?", "desventajas de PCA"),
        (
            "Explícame la regresión logística",
            "¿y para qué sirve?",
            "para qué sirve regresión logística",
        ),
        ("pasos de t-SNE", "ventajas y desventajas", "ventajas y desventajas de t-SNE"),
        ("¿Qué es PCA?", "dame otro ejemplo de eso", "dame otro ejemplo de PCA"),
        ("¿Qué es PCA?", "no entendí, explícamelo más fácil", "explica PCA"),
        ("¿Qué es PCA?", "¿y su complejidad?", "complejidad de PCA"),
        ("¿Qué es PCA?", "¿y qué dice de sus supuestos sobre los datos?", ""),
        ("¿Qué es PCA?", "ponme algún ejemplo", "ponme algún ejemplo de PCA"),
        ("qué es un agente", "qué tipos existen?", "qué tipos existen de agente"),
        ("¿Qué es PCA?", "qué es un seguro", ""),
        ("¿Qué es RSA?", "¿y es seguro?", ""),
        ("¿Qué es PCA?", "explica ridge", ""),
        ("¿Qué es PCA?", "¿y cómo se elige lambda?", ""),
        ("¿Qué es PCA?", "¿quién lo propuso y cuándo?", "quién propuso PCA y cuándo"),
        ("qué es un deadlock", "y cómo lo evito", "cómo evito deadlock"),
        (
            "What is dropout?",
            "I do not get it, how do I use it",
            "I do not get it, how do I use dropout",
        ),
        ("What is dropout?", "who proposed it?", "who proposed dropout"),
        ("What is dropout?", "how do I avoid it", "how do I avoid dropout"),
        ("¿Qué es PCA?", "¿quién lo dijo antes que Pearson?", ""),
        ("¿Qué es la media?", "¿y cuándo la mediana?", ""),
        ("¿Qué es PCA?", "¿y por qué los datos?", ""),
        ("¿Qué es PCA?", "¿por qué?", ""),
        ("qué es una pila", "qué problemas resuelve una cola", ""),
        ("qué es una pila", "qué es lo que tiene", ""),
        ("¿Qué es PCA?", "¿y cómo se calcula el tercero?", ""),
        ("¿Qué es PCA?", "continúa", "explica PCA"),
        ("¿Qué es PCA?", "qué limitaciones tiene?", "qué limitaciones tiene PCA"),
        ("¿Qué es PCA?", "y qué más dice de eso?", "explica PCA"),
        ("¿Qué es PCA?", "qué más métodos hay", ""),
        ("¿Qué es PCA?", "más simple porfa", "explica PCA"),
        ("¿Qué es PCA?", "¿cuál es mejor?", ""),
        ("¿Cuánto vale el examen?", "un ejemplo", ""),
        ("", "un ejemplo", ""),
    ],
)
def test_what_names_no_subject_asks_of_that_of_the_question_before(
    before: str, question: str, whole: str
) -> None:
    assert restated(question, term_of(before), "es") == whole


@pytest.mark.parametrize(
    ("understood", "name"),
    [
        ("quién propuso PCA", "PCA"),
        ("cómo evito deadlock", "deadlock"),
        ("who proposed dropout", "dropout"),
        ("qué problemas tiene", ""),
        ("k-means", "k-means"),
        ("cuál es mejor", ""),
        ("por qué no converge k-means", ""),
        ("how to use PCA", ""),
    ],
)
def test_what_was_done_with_a_name_is_about_the_name(understood: str, name: str) -> None:
    assert name_in(understood) == name


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("explica el segundo", "explica Aprendizaje no supervisado"),
        ("un ejemplo del primero", "un ejemplo de Aprendizaje supervisado"),
        ("explícame el tercer tipo", "explícame Por refuerzo, con premios y castigos que llegan"),
        ("explain the first one", "explain Aprendizaje supervisado"),
        ("explica el 2º", "explica Aprendizaje no supervisado"),
        ("el 1ro cuándo se usa", "Aprendizaje supervisado cuándo se usa"),
        ("explica el cuarto", ""),
        ("el segundo teorema de Gödel", ""),
    ],
)
def test_what_was_listed_is_meant_by_its_place(question: str, whole: str) -> None:
    told = (
        "Hay tres tipos:\n\n• Aprendizaje supervisado: con etiquetas.\n"
        "• Aprendizaje no supervisado: sin ellas.\n"
        "• Por refuerzo, con premios y castigos que llegan más tarde.\n\nNada más.\n\n• Otra lista"
    )
    assert picked(question, listed(told)) == whole


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("causas", ["Sociales", "Propias"]),
        ("tipos de grupo", ["Primario", "Secundario"]),
        ("etapas de la familia", ["Sociales", "Propias"]),
    ],
)
def test_of_lists_in_a_list_the_one_that_was_asked_for_counts(asked: str, names: str) -> None:
    told = (
        "• Sociales\n○ Grupos\n■ Primario (amigos)\n■ Secundario (clubes)\n"
        "○ Familia\n■ Padres\n• Propias"
    )
    assert listed(told, asked) == names


@pytest.mark.parametrize(
    ("earlier", "question", "whole"),
    [
        ("¿Qué es la primera forma normal?", "¿y la segunda?", "¿Qué es la segunda forma normal?"),
        ("segundo principio de Newton", "y el primero?", "primer principio de Newton"),
        ("what is the first law", "and the third?", "what is the third law"),
        ("¿Qué es la primera forma normal?", "explica el segundo", "explica atómicos"),
    ],
)
def test_what_was_asked_of_the_first_is_asked_of_the_second(
    earlier: str, question: str, whole: str
) -> None:
    assert picked(question, ["únicos", "atómicos"], earlier) == whole


def test_what_was_compared_is_meant_by_its_place(tmp_path: Path) -> None:
    embedder = BundledEmbedder()
    build(tmp_path / "course", embedder)
    compared = "¿Qué diferencia hay entre una heurística y la retropropagación?"
    with open_store(tmp_path / "course", SPACE, LOCAL) as reader:
        agent = Agent(reader, embedder, STRATEGY, k=2, hybrid=hybrid_over(reader))
        events = list(answer("un ejemplo de la primera", agent, (Turn(compared, compared, ""),)))
    (understood,) = [one.standalone for one in events if isinstance(one, Rewritten)]
    assert understood == "un ejemplo de heurística"


@pytest.mark.parametrize(
    "question", ["cuándo es mala idea usarlo", "de dónde salió la plata para construirlos"]
)
def test_a_pronoun_behind_a_verb_points_back(question: str) -> None:
    assert points_back(question)
    assert not points_back("de qué trató la charla de la sala")


def test_what_is_asked_next_is_asked_of_what_was_named_last(tmp_path: Path) -> None:
    embedder = BundledEmbedder()
    build(tmp_path / "course", embedder)
    with open_store(tmp_path / "course", SPACE, LOCAL) as reader:
        agent = Agent(reader, embedder, STRATEGY, k=2, hybrid=hybrid_over(reader))
        asked = ["¿Qué es una red neuronal?", "¿y la poda?", "un ejemplo", "¿y cómo?", "ventajas"]
        history: list[Turn] = []
        for question in asked:
            events = list(answer(question, agent, tuple(history)))
            understood = [one.standalone for one in events if isinstance(one, Rewritten)]
            history.append(Turn(question, (understood or [question])[-1], ""))
    assert history[2].standalone == "un ejemplo de poda"
    assert history[-1].standalone == "ventajas de poda"


KINDS = {
    "economia.pdf": "La elasticidad precio mide cuánto cambia la demanda si cambia el precio.\n\n"
    "La elasticidad cruzada mide cuánto cambia si cambia el precio de otro bien.",
    "historia.pdf": "La Iglesia llamó a la guerra una cruzada.\n\nPrim fue asesinado en 1870.",
}


def held(course: Path, *asked: str) -> list[str]:
    """How the questions of a conversation over `KINDS` are understood, one after another."""
    embedder = BundledEmbedder()
    build(course, embedder, notes=KINDS)
    history: list[Turn] = []
    with open_store(course, SPACE, LOCAL) as reader:
        agent = Agent(reader, embedder, STRATEGY, k=2, hybrid=hybrid_over(reader))
        for question in asked:
            events = list(answer(question, agent, tuple(history)))
            understood = [one.standalone for one in events if isinstance(one, Rewritten)]
            history.append(Turn(question, (understood or [question])[-1], ""))
    return [turn.standalone for turn in history]


def test_who_is_named_behind_a_follow_up_is_who_is_spoken_of(tmp_path: Path) -> None:
    asked = "¿qué dice la Iglesia de la guerra?", "¿y Prim?", "¿quién lo mató?"
    assert held(tmp_path / "course", *asked)[2] == "quién mató Prim"


def test_a_detail_of_what_was_answered_is_not_refused_for_its_words(indexed: Workspace) -> None:
    told = "La morrena lateral bordea el valle. Fue descrita por Louis Agassiz en 1840."
    pdfs.one_column(indexed.notes / "hielo.pdf", [told], title="Hielo")
    assert indexed.run_here("index").returncode == 0
    first = "¿quién descubrió la morrena alpina?"  # answered, if with a hedge
    year = indexed.run_here("chat", typed=f"{first}\n¿en qué año fue?\n").stdout
    assert year.count("1840") == 2
    assert "Los apuntes no" not in year.partition("1840")[2], year
    city = indexed.run_here("chat", typed=f"{first}\n¿en qué ciudad fue?\n").stdout
    assert "Los apuntes no dicen exactamente esto." in city.partition("1840")[2], city


def test_a_formula_that_was_quoted_is_quoted_where_it_is_asked_for(indexed: Workspace) -> None:
    page = """#set page(paper: "a4")
= Regresión muelle

$ J(theta) = 1 / 2 norm(X theta - y)^2 + lambda / 2 theta^2 $

- Encoge los coeficientes hacia cero, pero no los anula nunca del todo
- La propusieron Hoerl y Kennard en un artículo de mil novecientos setenta
"""
    pdfs.typeset(indexed.notes / "muelle.pdf", page)
    assert indexed.run_here("index").returncode == 0
    said = indexed.run_here("chat", typed="¿qué es la regresión muelle?\nfórmula\n").stdout
    assert said.count("J(θ)") == 2, said


def test_more_is_what_the_notes_go_on_with(indexed: Workspace) -> None:
    paragraphs = [
        f"{opening} {filling * 12}"
        for opening, filling in (
            ("Un glaciar es una masa de hielo que se mueve.", "En la cabecera cae la nieve. "),
            ("La morrena es la roca que deja atrás.", "Las laterales bordean el valle. "),
            ("El fiordo es un valle que llenó el mar.", "El de Sogn baja a mil metros. "),
        )
    ]
    pdfs.one_column(indexed.notes / "hielo.pdf", paragraphs, title="Hielo")
    assert indexed.run_here("index").returncode == 0
    chat = "/corta\n¿qué es un glaciar?\nsigue\n¿y qué más?\n"
    said = indexed.run_here("chat", typed=chat).stdout
    places = [said.find(word) for word in ("masa de hielo", "La morrena", "El fiordo")]
    assert min(places) >= 0, said
    assert places == sorted(places)
    assert said.count("masa de hielo") == 1


def test_a_follow_up_in_english() -> None:
    assert restated("and its steps?", term_of("What is ridge?"), "en") == "steps of ridge"


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("y cuántas rondas hace el segundo?", "y cuántas rondas hace AES?"),
        ("¿el primero ya no se usa?", "¿DES ya no se usa?"),
        ("la última en qué consiste", "AES en qué consiste"),
        ("el primero garantiza algo?", "DES garantiza algo?"),
        ("el primero de los grafos", ""),
        ("el segundo teorema", ""),
        ("y la otra?", ""),
    ],
)
def test_what_was_compared_is_meant_by_its_place_anywhere(question: str, whole: str) -> None:
    asked = "me explicas la diferencia entre DES y AES"
    assert in_full(question, [Turn(asked, "", "")]) == whole


@pytest.mark.parametrize(
    ("understood", "alone"),
    [
        ("¿Qué es la regularización?", "¿Qué es la regularización?"),
        ("¿Qué es la regularización? · ¿y su fórmula?", "¿y su fórmula? (regularización)"),
        ("fórmula de regularización", "Fórmula de regularización"),
        ("Explica «Abstracción». · para qué sirve", "Para qué sirve (Abstracción)"),
        ("¿Cómo se poda un árbol? · ¿por qué?", "¿por qué? (Cómo se poda un árbol)"),
    ],
)
def test_behind_a_follow_up_on_a_card_stands_what_it_is_about(understood: str, alone: str) -> None:
    assert by_itself(understood) == alone


@pytest.mark.parametrize(
    ("question", "points"),
    [
        ("compáralos", True),
        ("¿en qué se diferencian?", True),
        ("mas detalles", True),
        ("más simple porfa", True),
        ("¿cuál es el más seguro?", True),
        ("explica las escalas", False),
        ("¿Qué es el orden lexicográfico?", False),
    ],
)
def test_what_has_no_subject_points_back(question: str, *, points: bool) -> None:
    assert points_back(question) is points


@pytest.mark.parametrize(
    ("before", "word", "whole"),
    [
        ("qué es el error absoluto", "relativo", "qué es el error relativo"),
        ("qué es lasso", "ridge", ""),
        ("grados del error absoluto", "relativo", "grados del error relativo"),
        ("qué tipos de sistemas hay", "cerrados", "qué tipos de sistemas cerrados"),
        ("qué es el error absoluto", "mediana", ""),
        ("qué es el error absoluto", "rela", ""),
    ],
)
def test_one_word_tells_of_the_noun_before_where_the_notes_say_so(
    before: str, word: str, whole: str
) -> None:
    notes = [
        "El error\nrelativo es un cociente.",
        "En sistemas cerrados la masa no cambia.\n\nlasso ridge\n\nFigura 3: Dos castigos",
        "El error absoluto es otra cosa.",
    ]
    assert with_its_noun(word, before, name_in(before), notes) == whole
