"""Whether the notes answer a question: the signals, the decision, and details that quotes lack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.passages import make_hit
from tutor.answer.answerability import (
    DEPTH,
    Reference,
    judge,
    signals,
)
from tutor.answer.details import lacks_detail, lacks_shape
from tutor.embedding import BundledEmbedder
from tutor.index.lexical import LexicalIndex
from tutor.index.store.rows import DenseRows
from tutor.ingest.chunking import chunk_semantic
from tutor.model import Answerability, Chunk, CleanText, Hit, RetrieverScore, Vectors, source_id

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder

TOPICS = """
La entropía mide la incertidumbre de una variable aleatoria y se expresa en bits. Un dado
equilibrado tiene más entropía que un dado cargado porque su resultado sorprende más.

El descenso de gradiente ajusta los pesos de una red en la dirección contraria al gradiente. La
tasa de aprendizaje fija el tamaño de cada paso y decide si el método converge.

Un árbol de decisión divide los datos con preguntas sobre sus atributos. La poda elimina las
ramas que no mejoran el acierto sobre los datos de validación.

La búsqueda A* combina el costo acumulado con una heurística admisible. Una heurística es
admisible si nunca sobrestima el costo real de llegar hasta la meta.

La validación cruzada reparte los ejemplos en pliegues y entrena un modelo para cada uno. El
promedio de los errores estima cómo se comporta el modelo con ejemplos nuevos.

Las redes convolucionales aplican el mismo filtro en todas las posiciones de la imagen. El
agrupamiento reduce la resolución del mapa y conserva los rasgos más fuertes.

El teorema de Bayes relaciona la probabilidad posterior con la verosimilitud y el prior. La
falacia de la tasa base consiste en olvidar el prior al leer una prueba positiva.

K-means asigna cada punto al centroide más cercano y recalcula después los centroides. La
inercia es la suma de las distancias al cuadrado de los puntos a su centroide.

Una máquina de vectores de soporte busca el hiperplano de mayor margen entre dos clases. El
truco del núcleo permite separar clases que no son linealmente separables.

La regresión logística estima la probabilidad de una clase con la función sigmoide. Sus
coeficientes se interpretan como cambios del logaritmo de las razones de momios.
"""


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture(scope="module")
def chunks() -> list[Chunk]:
    found = []
    for number, topic in enumerate(TOPICS.strip().split("\n\n")):
        found += chunk_semantic(CleanText(source_id(f"{number}.pdf"), topic, (0,)))
    return found


@pytest.fixture(scope="module")
def vectors(chunks: list[Chunk], embedder: BundledEmbedder) -> Vectors:
    return embedder.embed_passages([chunk.text for chunk in chunks])


class Course:
    """A course asked by cosine alone."""

    def __init__(self, chunks: Sequence[Chunk], vectors: Vectors, embedder: Embedder) -> None:
        self.chunks, self.vectors, self.embedder = chunks, vectors, embedder
        self.reference = Reference(
            DenseRows(vectors).background, _lexical([chunk.text for chunk in chunks])
        )

    def judged(self, question: str) -> Answerability:
        asked = self.embedder.embed_queries([question])[0]
        hits = _hits(self.chunks, self.vectors, asked)
        return judge(question, hits, self.reference)


@pytest.fixture(scope="module")
def course(chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder) -> Course:
    return Course(chunks, vectors, embedder)


def _lexical(passages: Sequence[str]) -> LexicalIndex:
    return LexicalIndex.build(passages)


def _hits(chunks: Sequence[Chunk], vectors: Vectors, asked: Vectors) -> list[Hit]:
    cosines = vectors @ asked
    order = np.argsort(-cosines)[:DEPTH]
    return [
        replace(
            make_hit(chunks[row].text, path=f"{row}.pdf", rank=rank),
            retrievers={"dense": RetrieverScore(rank, float(cosines[row]))},
        )
        for rank, row in enumerate(order, start=1)
    ]


def _signals(question: str, *passages: str, course: Sequence[str] = ()) -> dict[str, float]:
    """The signals of words, in a course too small for cosines."""
    reference = Reference(np.zeros((0, 1), np.float32), _lexical([*passages, *course]))
    hits = [make_hit(text) for text in passages]
    return signals(question, hits, reference)


@pytest.mark.parametrize(
    ("question", "answerable"),
    [
        ("¿Qué es la entropía de una variable aleatoria?", True),
        ("¿Cuándo es admisible una heurística?", True),
        ("What does the learning rate decide in gradient descent?", True),
        ("¿Quién ganó el mundial de fútbol de 1998?", False),
        ("¿Cuál es la receta de la tortilla de patatas?", False),
        ("asdf qwerty zxcv", False),
        ("Which wine goes best with grilled salmon?", False),
    ],
)
def test_what_is_in_the_course_is_answerable_and_what_is_not_is_not(
    question: str, answerable: bool, course: Course
) -> None:
    judged = course.judged(question)
    assert judged.answerable is answerable, judged
    assert judged.answerable == (judged.evidence >= judged.threshold)


def test_an_embedder_whose_cosines_lie_elsewhere_needs_nothing_of_its_own(
    chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder
) -> None:
    """One common direction is taken out of all vectors."""

    class Centred:
        identity, device, dim = "centred", "cpu", embedder.dim

        def embed_queries(self, texts: Sequence[str]) -> Vectors:
            return _centred(embedder.embed_queries(texts))

        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            return _centred(embedder.embed_passages(texts))

    middle = vectors.mean(axis=0)

    def _centred(rows: Vectors) -> Vectors:
        moved = rows - middle
        centred: Vectors = moved / np.linalg.norm(moved, axis=1, keepdims=True)
        return centred

    other = Course(chunks, _centred(vectors), Centred())
    assert other.judged("¿Qué mide la entropía de una variable aleatoria?").answerable
    judged = other.judged("¿Cuál es la receta de la tortilla de patatas?")
    assert judged.near or not judged.answerable


def test_of_a_course_of_one_page_the_words_decide(
    chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder
) -> None:
    small = Course(chunks[:1], vectors[:1], embedder)
    assert small.judged("¿Qué es la entropía?").answerable
    judged = small.judged("¿Quién ganó el mundial de fútbol de 1998?")
    assert judged.near or not judged.answerable
    assert not small.judged("¿Cuál es la receta de la tortilla de patatas?").answerable


def test_an_empty_course_answers_nothing() -> None:
    reference = Reference(np.empty((0, 4), np.float32), _lexical([]))
    judged = judge("¿Qué es la entropía?", [], reference)
    assert not judged.answerable
    assert judged.evidence == 0


def test_words_that_the_passages_and_the_course_lack_are_seen() -> None:
    passage = "La máquina analítica fue descrita por Ada Lovelace en sus notas."
    rest = ["El año pasado hubo lluvia.", "Los datos se guardan en tablas."]
    seen = _signals("¿En qué año nació Ada Lovelace?", passage, course=rest)
    assert 0 < seen["unknown"] < 1
    assert 0 < seen["first"] <= 1 - seen["unknown"]
    other = _signals("¿Qué escribió Charles Babbage?", passage, course=rest)
    assert other["first"] == 0
    assert other["unknown"] > 0.5


def test_that_the_notes_lack_an_everyday_word_tells_little() -> None:
    told = "El cable de categoría 6 llega a 55 metros."
    lacking = [
        _signals(f"¿Cuándo {word} el cable?", told)["unknown"]
        for word in ("gracias", "conviene", "regatea", "crimpa")
    ]
    assert lacking == sorted(lacking)
    assert lacking[0] < 0.1
    assert lacking[1] < lacking[-1] / 1.5


@pytest.mark.parametrize(
    "asked",
    ["háblame de {}", "¿Qué se menciona sobre {}?", "¿En qué consiste {}?", "no entiendo {}, porfa",
     "¿Alguien me das info de {}?", "¿Qué vieron y qué se dijo de {}?"],
)  # fmt: skip
def test_the_way_in_which_something_is_asked_for_is_no_subject(asked: str) -> None:
    seen = _signals(asked.format("la entropía"), "La entropía mide la sorpresa.")
    assert seen["first"] == 1
    assert seen["unknown"] == 0


def test_the_kind_of_what_is_asked_for_need_not_be_said() -> None:
    told = "El silicio se dopa con boro."
    assert _signals("¿Con qué elementos se dopa el silicio?", told)["unknown"] == 0
    assert _signals("¿Quién inventó el silicio?", told)["unknown"] == 0
    assert _signals("¿Con qué se dopan los elementos?", told)["unknown"] > 0
    assert _signals("¿Qué elementos?", told)["unknown"] > 0
    assert _signals("¿Qué quark dopa el silicio?", told)["unknown"] > 0
    assert _signals("¿Por qué interesa el silicio?", told)["unknown"] == 0


def test_words_of_a_later_passage_are_known_but_not_the_first_ones() -> None:
    seen = _signals(
        "¿Qué mide la entropía?", "La inercia es una suma.", "La entropía mide la sorpresa."
    )
    assert seen["first"] == 0
    assert seen["unknown"] == 0


def test_words_that_are_found_say_something_of_passages_in_another_language_others_do_not() -> None:
    passage = "La red de Hopfield es una memoria y de ella se recuerdan los patrones."
    seen = _signals("What is the energy of a Hopfield net and who is Kohonen?", passage)
    assert seen["foreign"] == 1
    assert 0 < seen["first"] < 1  # "net" is "red"
    assert seen["unknown"] == 0


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("quién inventó la red lstm", "La LSTM tiene tres compuertas. Olvida y recuerda.", True),
        ("quienes programaron DENDRAL", "El primer sistema experto fue DENDRAL (1969).", True),
        ("quien propuso la t de student", "Depende de Gosset, que firmaba Student.", False),
        ("who proposed ridge", "Hoerl y Kennard la propusieron.", False),
        ("quien propuso la normalizacion", "En 1972, E. Codd propuso el concepto.", False),
        ("¿Quién inventó el perceptrón?", "| 1958 | Rosenblatt: el perceptrón |", False),
        ("¿quién propuso la silueta?", "Realizaremos tres consideraciones.", True),
        ("how likely is it that someone who tests positive is ill", "It is 0.09.", False),
        ("quién es el rey de un grafo", "es el nodo de mayor grado.", False),
        ("¿quién escribe las historias?", "En XP, el cliente.", False),
        ("who writes the user stories", "The customer, in XP.", False),
        ("¿quién ya lo había propuesto?", "La idea es anterior.", True),
        ("¿quién fue el creador de la lista?", "La lista enlaza nodos.", True),
        ("quién propuso la regresión lasso?", "En ese caso la regresión Lasso encoge.", True),
        ("quién inventó el montículo", "**Ordenar con Montículos Rápidos**\n\nEs un árbol.", True),
        ("quién planteó el cartero", "**Cartero chino (Guan, 1962)**\n\nEs un recorrido.", False),
        ("quién hizo la cola", "Es una lista.\n```\nint x = Cola.Quita();\n```", True),
        ("¿en qué universidad se hizo el sistema?", "El sistema se hizo por capas.", True),
        ("en qué ciudad nació Gauss", "Gauss nació en Brunswick.", False),
        ("en qué universidad se creó Lisp", "Lisp se creó en el MIT.", False),
        ("en qué ciudad fue la feria", "Ciudad: Sevilla", False),
        ("en qué empresa conviene aplicar Scrum", "Scrum va bien en las pequeñas.", False),
        ("quién creó SQL", "SQL nació en IBM.", True),
        ("quién creó Git", "**Creado por Linus Torvalds**", False),
        ("quién inventó el montículo", "**El Montículo de Fibonacci**\n\nEs un árbol.", True),
    ],
)
def test_who_is_not_answered_without_a_name(question: str, told: str, *, lacks: bool) -> None:
    assert lacks_detail(question, told) is lacks


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("¿En qué año publicó Spearman su coeficiente?", "Es de rangos; n = 1500.5 casos.", True),
        ("what year was Apriori published", "Agrawal published it in 1994.", False),
        ("en qué año acaba Grecia", "Con la muerte de Cleopatra, en el 31 a. C., acaba.", False),
        ("in what year did Rome fall", "In 476 AD it fell.", False),
        ("en qué año acaba Grecia", "Acaba en la p. 31 a cargo de Roma.", True),
        ("en que año, antes de 1990, salio", "Antes de 1990 no había nada.", True),
        ("cuándo se publicó A*", "Lo publicaron Hart y otros.", False),
    ],
)
def test_a_year_is_not_told_without_one(question: str, told: str, *, lacks: bool) -> None:
    assert lacks_detail(question, told) is lacks


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("cuanto cuesta una GPU", "AlexNet se entrenó en dos GPU, con un error de 15.3 %.", True),
        ("how much does ChatGPT cost", "Fines reach 20 million euros. ChatGPT is a model.", True),
        ("¿Cuánto cuesta la licencia?", "La licencia cuesta 20 dólares al año.", False),
        ("cuánto cuesta ordenar por mezcla", "Es de orden n log n.", False),
        ("precio de equilibrio", "Es el que iguala oferta y demanda.", False),
        ("fórmula de la elasticidad precio de la demanda", "E = %ΔQ / %ΔP", False),
        ("¿Cuál es el precio de la matrícula?", "La matrícula se abre pronto.", True),
        ("borrar el último de la lista cuánto cuesta", "Borrar es O(n).", False),
        ("cuando es el examen final", "El examen vale 25 %. El proyecto, en la semana 12.", True),
        ("when is the exam", "El examen es el 3 de diciembre.", False),
        ("qué día se entrega la práctica", "La práctica se entrega el 20/05.", False),
        ("cuándo es admisible una heurística", "Si nunca sobreestima.", False),
        ("¿A qué hora es la clase?", "Estudió 8 horas antes de la clase.", True),
        ("hasta qué hora se entrega la tarea", "La tarea, hasta las 23:59.", False),
        ("cuánto dura el mandato", "El mandato lo da el sufragio.", True),
        ("¿Por qué importa cuánto dura el mandato?", "El mandato lo da el sufragio.", False),
        ("y por qué importa cuánto dura el mandato", "El mandato lo da el sufragio.", False),
        ("Entonces, ¿por qué importa cuánto dura el voto?", "El voto es libre.", False),
        ("¿Por qué se firma y cuánto dura el pacto?", "El pacto se firma por miedo.", True),
        ("cuántos años vale el certificado", "El certificado dura 3 años.", False),
        ("con cuántos años se alcanza", "Se alcanza a los veintiún años.", False),
        ("cuánto duró la guerra carlista", "La guerra carlista (1833-1840) la ganaron.", False),
        ("cuánto tiempo tarda quicksort", "Quicksort es O(n log n) en promedio.", False),
        ("how long is a Huffman code", "El código de Huffman es óptimo.", False),
        ("cuántas líneas tiene Unix", "| Unix | cp1251 |\nUnix salió en 1971.", True),
        ("cuántas líneas tiene Unix", "Unix tiene diez mil líneas.", False),
        ("how many layers does a perceptron have", "A perceptron has one neuron.", True),
        ("cuánta gente cabe en el aula", "El aula es pequeña.", True),
        ("en qué puerto escucha el servidor", "El servidor escucha un puerto.", True),
        ("en qué puerto escucha el servidor", "El servidor escucha en el 443.", False),
        ("cuántos tipos de listas hay", "Los tipos de listas son:\n• Las dobles.", False),
        ("según cuántos datos haya", "De los datos depende.", False),
        ("cómo se decide con cuántos grupos trabajar", "Los grupos se ven en el codo.", False),
        ("depende de cuántas capas tenga", "De las capas depende.", False),
        ("de cuántas capas se compone la red", "La red se compone de capas.", True),
        ("how many bytes does a page take", "A page takes 2048 bytes.", False),
        ("cuántos metros mide el puente", "El puente mide 1985 metros.", False),
        ("how many parents has a node", "A node has exactly one parent.", False),
        ("how many parents has a node", "A node has a single parent.", False),
        ("cuántos núcleos tiene", "Tiene una pareja de núcleos.", False),
        ("cuántos poderes hay", "Los poderes son el legislativo, el regio y el civil.", False),
        ("cuántos poderes hay", "Los poderes son: legislativo, regio y civil.", False),
        ("cuántos poderes hay", "Los poderes, según Locke, se dividen y vigilan.", True),
        ("how long do students have", "Los apuntes se entregan tres días después.", False),
    ],
)
def test_a_price_a_number_a_day_an_hour_and_a_time_look_like_one(
    question: str, told: str, *, lacks: bool
) -> None:
    assert lacks_detail(question, told) is lacks


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("fórmula de la regresión logística", "Modelos: Naive Bayes, regresión logística.", True),
        ("formula del BIC", "| BIC |\n| log(m)(n + 2) − 2 log(L) |", False),
        ("¿Cuál es la ecuación de Bellman?", "V(s) = máx R(s) + γ V(s')", False),
        ("qué es una fórmula bien formada", "La que sigue la gramática.", False),
        ("cómo se formula el problema", "Con estados y acciones.", False),
        ("complejidad de Dijkstra con heap", "| Heapsort | O(n log n) |", True),
        ("qué complejidad tiene mergesort", "Heapsort es O(n log n).", True),
        ("complejidad de heapsort", "| Heapsort | O(n log n) |", False),
        ("complejidad temporal de KNN", "KNN conviene con datos de tamaño moderado.", True),
        ("complejidad de la búsqueda binaria", "La búsqueda es logarítmica.", False),
        ("qué es un número complejo", "Tiene parte imaginaria.", False),
    ],
)
def test_a_formula_or_a_complexity_is_not_told_by_anything_else(
    question: str, told: str, *, lacks: bool
) -> None:
    assert lacks_shape(question, [told]) is lacks


def test_notes_of_music_last_so_many_beats() -> None:
    row = "| Corchea | Un corchete | 1/2 tiempo | 1/8 |"
    assert not lacks_detail("cuánto dura una corchea", row)
    assert lacks_detail("cuántos tiempos dura una corchea", "La corchea tiene un corchete.")


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("¿Para cuándo es la tarea 4?", "Para la tarea 1: entregar antes del 25 de agosto.", True),
        ("how many parameters does GPT-4 have", "GPT-3 tiene 175 mil millones.", True),
        ("¿Para cuándo es la tarea 4?", "La tarea 1 fue fácil. La tarea 4 es del lunes.", False),
        ("cuando se entrega la práctica 3", "El 20 de mayo, por PRADO.", False),
        ("¿qué pasa con 5 vecinos?", "Con 3 vecinos gana la clase A.", False),
        ("AUC de 0.5", "Un AUC de 1 es perfecto.", False),
        ("paso 4 del algoritmo", "3.1 Repetir el paso 3.\n4. Cambiar la población.", False),
        ("¿qué dice el teorema 5?", "Teorema 5.1. Todo lenguaje finito es regular.", False),
        ("¿qué dice el teorema 5.2?", "Teorema 5.1. Todo lenguaje finito es regular.", True),
    ],
)
def test_what_is_told_of_another_number_is_seen(question: str, told: str, *, lacks: bool) -> None:
    assert lacks_detail(question, told) is lacks
