"""A follow-up that names no subject is answered as if it named that of the question before."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pdfs
from tests.course import Workspace
from tests.stores import LOCAL
from tests.unit.test_retrieval import SPACE, STRATEGY, build, hybrid_over
from tutor.answer import Agent, answer
from tutor.answer.quoting.definitions import stands_alone, term_of
from tutor.answer.referring import in_full, listed, picked
from tutor.answer.restating import asked_of_another, of_the_same, restated, with_its_noun
from tutor.answer.wording import by_itself, name_in, subject_in
from tutor.embedding import BundledEmbedder
from tutor.events import Rewritten
from tutor.index.store import open_store
from tutor.model import Turn
from tutor.search.follow_ups import asks_which, leading_name, points_back


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
        ("¿Qué es PCA?", "¿seguro?", "explica PCA"),
        ("¿Qué es PCA?", "más simple porfa", "explica PCA"),
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
        ("pasos de k-means", "qué limitaciones tiene?", "qué limitaciones tiene k-means"),
        (
            "qué es una pila",
            "y qué operaciones básicas tienen",
            "qué operaciones básicas tienen pila",
        ),
        ("qué es una pila", "qué problemas resuelve una cola", ""),
        ("qué es una pila", "qué es lo que tiene", ""),
        ("¿Qué es PCA?", "¿y dónde nació?", "dónde nació PCA"),
        ("¿Qué es PCA?", "¿y cómo se calcula el tercero?", ""),
        ("¿Qué es PCA?", "continúa", "explica PCA"),
        ("¿Qué es PCA?", "y qué más dice de eso?", "explica PCA"),
        ("¿Qué es PCA?", "qué más métodos hay", ""),
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
    ("before", "question", "whole"),
    [
        ("qué es lasso", "y ridge?", "qué es ridge"),
        ("¿Qué es el padding?", "¿y el stride?", "¿Qué es el stride?"),
        ("fórmula de la entropía", "¿y el Gini?", "fórmula del Gini"),
        ("pasos de PCA", "y de t-SNE", "pasos de t-SNE"),
        ("What is dropout?", "and batch norm?", "What is batch norm?"),
        (
            "¿Qué es la precisión de un clasificador?",
            "¿y el recall?",
            "¿Qué es el recall de un clasificador?",
        ),
        ("qué es el descenso de gradiente", "y Adam", "qué es Adam"),
        ("qué es A*", "y IDA*?", "qué es IDA*"),
        ("complejidad de A*", "¿y la de BFS?", "complejidad de BFS"),
        (
            "¿A qué se debe la inflación de demanda?",
            "y la de costos a que se debe?",
            "¿A qué se debe la inflación de costos?",
        ),
        ("cómo calculo autovalores", "y los autovectores", "cómo calculo los autovectores"),
        ("ventajas de árboles de decisión", "y las de k-means", "ventajas de k-means"),
        ("tipos de obligaciones", "¿y los contratos?", "tipos de contratos"),
        ("What is the complexity of A*?", "and of BFS?", "What is the complexity of BFS?"),
        ("qué es una heurística admisible", "y consistente?", ""),
        ("qué es k-means", "y cómo elijo k", ""),
        ("qué es k-means", "y en la práctica?", ""),
        ("qué es k-means", "¿y sus ventajas?", ""),
        ("cuánto reabsorbe el túbulo?", "y el asa?", "cuánto reabsorbe el asa?"),
        (
            "en qué cambian las calizas al enterrarse",
            "¿y las areniscas?",
            "en qué cambian las areniscas al enterrarse",
        ),
        ("cuál es la capital del país", "y el río?", ""),
        ("cuándo está una tabla en 2FN?", "¿y en 3FN?", "cuándo está una tabla en 3FN?"),
        ("qué tiene que ver con la traza", "y con el polo", "qué tiene que ver con el polo"),
        (
            "cuánto vale la varianza en la Poisson",
            "y en la exponencial cuánto vale?",
            "cuánto vale la varianza en la exponencial",
        ),
        ("varianza de una Poisson", "y en la normal cuánto es?", "varianza de la normal"),
        ("varianza de una Poisson", "y en la práctica?", ""),
        (
            "cuántos enlaces para 6 equipos en malla",
            "y para 10?",
            "cuántos enlaces para 10 en malla",
        ),
        ("qué es k-means", "¿y en Python?", ""),
        ("ventajas de la vía venosa", "de la oral?", "ventajas de la oral"),
        ("qué función tiene la mitocondria", "el lisosoma?", "qué función tiene el lisosoma"),
        (
            "qué problemas tienen SO monolítico",
            "y los del sistema THE",
            "qué problemas tienen sistema THE",
        ),
        ("qué es k-means", "la segunda vez que se ejecuta", ""),
        ("cómo calculo los autovalores de la matriz", "y los autovectores", ""),
        ("qué ventaja tienen las páginas chicas", "y las grandes?", ""),
        ("qué es k-means", "ridge", ""),
    ],
)
def test_what_was_asked_before_is_asked_of_what_is_named_instead(
    before: str, question: str, whole: str
) -> None:
    assert asked_of_another(before, subject_in(before), question) == whole


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
    ("question", "name"),
    [
        ("¿DFS lo es?", "DFS"),
        ("y la GRU tiene las mismas", "la GRU"),
        ("Ricart y Agrawala necesita coordinador?", "Ricart y Agrawala"),
        ("¿es óptimo?", ""),
        ("ventajas tiene?", ""),
        ("eso es caro?", ""),
    ],
)
def test_what_something_is_said_of_is_spoken_of(question: str, name: str) -> None:
    assert leading_name(question) == name


@pytest.mark.parametrize(
    "question", ["cuándo es mala idea usarlo", "de dónde salió la plata para construirlos"]
)
def test_a_pronoun_behind_a_verb_points_back(question: str) -> None:
    assert points_back(question)
    assert not points_back("de qué trató la charla de la sala")
    assert not stands_alone(question)


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("qué significa si sale negativo", False),
        ("explica la tipo 2", False),
        ("explícame mejor la segunda prueba", False),
        ("cuándo es diagonalizable", False),
        ("cuándo es el examen final", True),
        ("qué significa la silueta", True),
        ("y qué era el románico", True),
        ("cómo es el arte barroco", True),
        ("cómo es la primera", False),
        ("cómo es posible eso", False),
    ],
)
def test_what_names_nothing_does_not_stand_alone(question: str, *, alone: bool) -> None:
    assert stands_alone(question) is alone


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
    assert [turn.standalone for turn in history][1:3] == ["¿Qué es la poda?", "un ejemplo de poda"]
    assert history[-1].standalone == "ventajas de poda"


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


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("esperanza de una Poisson", "¿y la varianza?", "varianza de una Poisson"),
        (
            "¿Cuál es la esperanza de una Poisson?",
            "y la varianza",
            "¿Cuál es la varianza de una Poisson?",
        ),
        ("esperanza de una Poisson", "¿y la binomial?", ""),
        ("esperanza de una Poisson", "¿y una varianza?", ""),
        ("esperanza de una binomial", "¿y la varianza?", ""),
        ("costo de una Poisson", "¿y la varianza?", ""),
    ],
)
def test_what_else_the_same_thing_has_is_asked_of_it(
    before: str, question: str, whole: str
) -> None:
    notes = [
        "La varianza de una variable mide su dispersión, como el costo de la varianza.",
        "La Poisson y otras: media y varianza.",
    ]
    assert of_the_same(before, question, notes) == whole


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


def test_another_kind_of_what_was_asked_about_is_found_in_the_notes(tmp_path: Path) -> None:
    asked = "¿qué es la elasticidad precio?", "¿y la cruzada?", "¿seguro?"
    assert held(tmp_path / "course", *asked)[1:] == [
        "¿qué es la elasticidad cruzada?",
        "explica elasticidad cruzada",
    ]


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
    ("before", "question", "whole"),
    [
        (
            ["explícame ridge", "y lasso"],
            "diferencia entre los dos",
            "diferencia entre ridge y lasso",
        ),
        (
            ["¿Qué es A*?", "¿y BFS?", "un ejemplo"],
            "¿en qué se diferencian?",
            "diferencia entre A* y BFS",
        ),
        (
            ["what is PCA", "and t-SNE?"],
            "what is the difference?",
            "difference between PCA and t-SNE",
        ),
        (
            ["¿Qué es ridge?"],
            "¿y en qué se diferencia de la lasso?",
            "diferencia entre ridge y lasso",
        ),
        (
            ["que es un microkernel y sus ventajas"],
            "y cual es la diferencia con el monolitico",
            "diferencia entre microkernel y monolitico",
        ),
        (["what is PCA"], "how is it different from t-SNE?", "difference between PCA and t-SNE"),
        (["cuándo conviene usar la mediana"], "en qué se diferencia de la media", ""),
        (
            ["pasos de PCA", "pasos de t-SNE"],
            "diferencia entre los dos",
            "diferencia entre PCA y t-SNE",
        ),
        (["qué es FIFO", "y LRU"], "cuál es mejor", "diferencia entre FIFO y LRU"),
        (["qué es FIFO", "pasos de LRU"], "cuál es mejor", ""),
        (["qué es AES", "y DES?"], "cual es más seguro", "diferencia entre AES y DES"),
        (["qué es FIFO", "y LRU", "ventajas"], "cuál es mejor", "diferencia entre FIFO y LRU"),
        (["qué es FIFO", "y LRU", "qué es NUMA"], "cuál es mejor", ""),
        (
            ["qué es una pila", "¿y una cola?"],
            "dame un ejemplo de cada una",
            "dame un ejemplo de pila y cola",
        ),
        (
            ["qué es bag of words", "qué problemas tiene", "y tf-idf"],
            "cual es la diferencia",
            "diferencia entre bag of words y tf-idf",
        ),
        (
            ["qué dice Piaget de la asimilación", "y la acomodación"],
            "diferencia",
            "diferencia entre asimilación y acomodación",
        ),
        (
            ["limitaciones de knn"],
            "y en qué se diferencia del clustering",
            "diferencia entre knn y clustering",
        ),
        (["cómo funciona BFS", "¿es óptimo?"], "cuál de los dos es mejor", ""),
        (["qué es un choque", "cómo hay que resolverlos"], "cuál de los dos es mejor", ""),
        (["qué es BFS", "¿DFS lo es?"], "compara los dos", "compara BFS y DFS"),
        (["ejemplos de ridge y lasso"], "cuál de los dos anula", "cuál de ridge y lasso anula"),
        (["explícame ridge"], "en qué se diferencia lasso de elastic net", ""),
        (["explícame ridge"], "diferencia entre los dos", ""),
        (["explícame ridge", "pasos de ridge"], "diferencias", ""),
        (["explícame ridge", "y lasso"], "diferencia entre lasso y elastic net", ""),
    ],
)
def test_both_of_what_was_asked_before_are_compared(
    before: list[str], question: str, whole: str
) -> None:
    language = "en" if before[0].startswith("what") else "es"
    assert in_full(question, [Turn(one, "", "") for one in before], language) == whole


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("¿y la otra?", "ventajas de DFS"),
        ("y del otro", "ventajas de DFS"),
        ("qué desventajas tiene la otra?", "qué desventajas tiene DFS?"),
        ("en qué se parecen los dos", "en qué se parecen DFS y BFS"),
        ("cuál de las dos es más rápida", "cuál de DFS y BFS es más rápida"),
        ("y en el otro cuánto se tarda", "y en DFS cuánto se tarda"),
        ("and the other one?", "ventajas de DFS"),
        ("y la otra parte?", ""),
        ("los dos tipos de grafos", ""),
        ("cada uno de los nodos", ""),
    ],
)
def test_the_other_of_two_things_or_both_are_meant(question: str, whole: str) -> None:
    asked = (("qué es DFS", ""), ("y BFS", "qué es BFS"), ("ventajas", "ventajas de BFS"))
    before = [Turn(typed, understood, "") for typed, understood in asked]
    assert in_full(question, before, "es") == whole
    assert in_full(question, before[:1], "es") == ""


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("en qué se diferencian los dos primeros", "en qué se diferencian Stream y Datagram"),
        ("compare the first two", "compare Stream y Datagram"),
        ("los dos primeros grafos", ""),
    ],
)
def test_the_first_two_of_a_list_are_meant(question: str, whole: str) -> None:
    told = "• Stream: usan TCP.\n• Datagram: usan UDP.\n• Raw: envían paquetes."
    before = [Turn("qué tipos de sockets hay", "qué tipos de sockets hay", told)]
    assert in_full(question, before, "es") == whole


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("y cuántas rondas hace el segundo?", "y cuántas rondas hace AES?"),
        ("¿el primero ya no se usa?", "¿DES ya no se usa?"),
        ("la última en qué consiste", "AES en qué consiste"),
        ("el primero garantiza algo?", "DES garantiza algo?"),
        ("el primero de los grafos", ""),
        ("de qué año es cada uno?", "de qué año es DES y AES?"),
        ("el segundo teorema", ""),
        ("y la otra?", ""),
    ],
)
def test_what_was_compared_is_meant_by_its_place_anywhere(question: str, whole: str) -> None:
    for asked in ("me explicas la diferencia entre DES y AES", "qué conviene, DES o AES?"):
        assert in_full(question, [Turn(asked, "", "")], "es") == whole


def test_what_is_compared_is_what_the_question_before_was_understood_to_be_about() -> None:
    before = [
        Turn("que es la entropía cruzada", "", ""),
        Turn("para qué sirve", "para qué sirve la entropía cruzada", ""),
    ]
    for question in ("y en que se diferencia de la MSE?", "y la MSE en qué cambia?"):
        asked = in_full(question, before, "es")
        assert asked == "diferencia entre entropía cruzada y MSE"
    asked = in_full("qué diferencia hay con IA", before, "es")
    assert asked == "diferencia entre entropía cruzada y IA"
    for question in ("eso", "ellas", "entre sí", "los dos"):
        assert "entropía cruzada y" not in in_full(f"¿y {question} en qué cambian?", before, "es")


def test_which_is_for_a_case_is_asked_of_what_was_named_one_beside_the_other() -> None:
    before = [Turn("qué es el MAE", "", ""), Turn("y el MSE?", "qué es el MSE", "")]
    question = "cuál uso si hay ruido"
    assert in_full(question, before, "es") == f"MAE o MSE: {question}"
    assert in_full(question, before[:1], "es") == ""


def test_what_has_or_solves_something_is_what_a_question_is_about() -> None:
    asked = "¿Qué problema resuelve la segunda forma normal?"
    whole = "dame el ejemplo de la segunda forma normal"
    assert restated("dame el ejemplo", subject_in(asked), "es") == whole
    assert subject_in("qué ventajas tienen las pilas") == "las pilas"
    assert subject_in("qué operaciones tienen pilas") == "pilas"
    assert not subject_in("qué animales tienen pelo")


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
    ("question", "only"),
    [
        ("cual es mejor?", True),
        ("¿y cuál conviene más?", True),
        ("which one is faster?", True),
        ("¿y cuál es el más seguro?", True),
        ("which is the cheapest", True),
        ("¿cuál es la más usada en Python?", False),
        ("cuál conviene más que el fine-tuning", False),
        ("¿cuáles son?", False),
    ],
)
def test_which_of_two_things_is_better_says_nothing_of_its_own(
    question: str, *, only: bool
) -> None:
    assert asks_which(question) is only
