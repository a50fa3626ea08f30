"""Whether the notes answer a question: the signals and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.passages import make_hit
from tutor.answer.answerability import DEPTH, Reference, judge, signals
from tutor.embedding import BundledEmbedder
from tutor.index.lexical import LexicalIndex
from tutor.index.store.dense import DenseRows
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
    assert not small.judged("¿Quién ganó el mundial de fútbol de 1998?").answerable
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
    assert seen["names_missing"] == 0
    assert 0 < seen["unknown"] < 1
    assert 0 < seen["first"] <= 1 - seen["unknown"]
    other = _signals("¿Qué escribió Charles Babbage?", passage, course=rest)
    assert other["names_missing"] == 1
    assert other["first"] == 0
    assert other["unknown"] == 1


@pytest.mark.parametrize(
    "asked",
    ["háblame de {}", "¿Qué se menciona sobre {}?", "¿En qué consiste {}?", "no entiendo {}, porfa",
     "¿Alguien me das info de {}?", "¿Qué vieron y qué se dijo de {}?"],
)  # fmt: skip
def test_the_way_in_which_something_is_asked_for_is_no_subject(asked: str) -> None:
    seen = _signals(asked.format("la entropía"), "La entropía mide la sorpresa.")
    assert seen["first"] == 1
    assert seen["unknown"] == 0


def test_words_of_a_later_passage_are_known_but_not_the_first_ones() -> None:
    seen = _signals(
        "¿Qué mide la entropía?", "La inercia es una suma.", "La entropía mide la sorpresa."
    )
    assert seen["first"] == 0
    assert seen["unknown"] == 0


def test_an_acronym_is_no_part_of_a_longer_word() -> None:
    assert _signals("¿Cómo se entrena una GAN?", "La ganancia crece.")["names_missing"] == 1


def test_words_that_are_found_say_something_of_passages_in_another_language_others_do_not() -> None:
    passage = "La red de Hopfield es una memoria y de ella se recuerdan los patrones."
    seen = _signals("What is the energy of a Hopfield net and who is Kohonen?", passage)
    assert seen["foreign"] == 1
    assert 0 < seen["first"] < 1  # "net" is "red"
    assert seen["unknown"] == 0
    assert seen["names_missing"] == pytest.approx(1 / 2)
