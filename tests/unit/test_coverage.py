"""Whether the notes cover a question: the signals, the calibration of an index, the decision."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.passages import make_hit
from tutor.chunking import chunk_semantic, detect_language, split_sentences
from tutor.coverage import DEPTH, Calibration, TextReader, calibrate, judge
from tutor.coverage.pseudo import own_questions
from tutor.coverage.wording import wording
from tutor.embedding import BundledEmbedder
from tutor.lexical import passage_terms, question_terms
from tutor.types import CleanText, LegScore, source_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.ports import Embedder
    from tutor.types import Chunk, Coverage, Hit, Vectors

READER = TextReader(split_sentences, detect_language, passage_terms, question_terms)
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
    """A calibrated index, asked by cosine alone."""

    def __init__(self, chunks: Sequence[Chunk], vectors: Vectors, embedder: Embedder) -> None:
        self.chunks, self.vectors, self.embedder = chunks, vectors, embedder
        self.calibration = calibrate(chunks, vectors, embedder, READER)

    def judged(self, question: str) -> Coverage:
        asked = self.embedder.embed_queries([question])[0]
        hits = _hits(self.chunks, self.vectors, asked)
        return judge(question, hits, asked, self.calibration, READER)


@pytest.fixture(scope="module")
def course(chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder) -> Course:
    return Course(chunks, vectors, embedder)


@pytest.fixture(scope="module")
def calibration(course: Course) -> Calibration:
    return course.calibration


def _hits(chunks: Sequence[Chunk], vectors: Vectors, asked: Vectors) -> list[Hit]:
    cosines = vectors @ asked
    order = np.argsort(-cosines)[:DEPTH]
    return [
        replace(
            make_hit(chunks[row].text, path=f"{row}.pdf", rank=rank),
            legs={"dense": LegScore(rank, float(cosines[row]))},
        )
        for rank, row in enumerate(order, start=1)
    ]


@pytest.mark.parametrize(
    ("question", "covered"),
    [
        ("¿Qué es la entropía de una variable aleatoria?", True),
        ("¿Cuándo es admisible una heurística?", True),
        ("What does the learning rate decide in gradient descent?", True),
        ("¿Quién ganó el mundial de fútbol de 1998?", False),
        ("¿Cuál es la receta de la tortilla de patatas?", False),
        ("Which wine goes best with grilled salmon?", False),
        ("asdf qwerty zxcv", False),
    ],
)
def test_what_is_in_the_course_is_covered_and_what_is_not_is_not(
    question: str, covered: bool, course: Course
) -> None:
    coverage = course.judged(question)
    assert coverage.covered is covered, coverage
    assert coverage.covered == (coverage.evidence >= coverage.threshold)


def test_a_calibration_survives_json(calibration: Calibration) -> None:
    record = json.loads(json.dumps(calibration.to_json()))
    again = Calibration.from_json(record)
    assert again.to_json() == calibration.to_json()
    assert again.scales == calibration.scales
    assert np.abs(again.background - calibration.background).max() < 1e-3


@pytest.mark.parametrize("record", [None, {}, [], {"scales": {"dense": {}}}, {"scales": 3}])
def test_a_damaged_calibration_is_refused(record: object) -> None:
    with pytest.raises(ValueError, match="no calibration"):
        Calibration.from_json(record)


def test_damage_within_the_background_is_refused(calibration: Calibration) -> None:
    record = calibration.to_json()
    record["background"]["float16"] = record["background"]["float16"][:-8]
    with pytest.raises(ValueError):  # noqa: PT011 - NumPy's words
        Calibration.from_json(record)


def test_the_same_index_gives_the_same_calibration(
    chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder, calibration: Calibration
) -> None:
    assert calibrate(chunks, vectors, embedder, READER).to_json() == calibration.to_json()


def test_the_scale_follows_the_embedder(
    chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder, calibration: Calibration
) -> None:
    """An embedder whose cosines lie elsewhere: one common direction is taken out of all vectors."""

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
    before, after = calibration.scales["dense"].best, other.calibration.scales["dense"].best
    assert before.covered > 0.85
    assert after.covered < 0.8
    assert after.spread > 2 * before.spread
    assert other.judged("¿Qué mide la entropía de una variable aleatoria?").covered
    assert not other.judged("¿Cuál es la receta de la tortilla de patatas?").covered


def test_a_course_of_one_page_is_calibrated_by_the_embedder_alone(
    chunks: list[Chunk], vectors: Vectors, embedder: BundledEmbedder
) -> None:
    small = Course(chunks[:1], vectors[:1], embedder)
    assert small.calibration.questions == 0
    assert small.judged("¿Qué es la entropía?").covered
    assert not small.judged("¿Quién ganó el mundial de fútbol de 1998?").covered
    assert not small.judged("¿Cuál es la receta de la tortilla de patatas?").covered


def test_an_empty_course_covers_nothing(embedder: BundledEmbedder) -> None:
    empty = calibrate([], np.empty((0, embedder.dim), np.float32), embedder, READER)
    asked = embedder.embed_queries(["¿Qué es la entropía?"])[0]
    assert Calibration.from_json(empty.to_json()).passages == 0
    coverage = judge("¿Qué es la entropía?", [], asked, empty, READER)
    assert not coverage.covered
    assert coverage.evidence == 0


def test_a_language_of_which_the_notes_have_little_is_foreign(calibration: Calibration) -> None:
    assert calibration.is_foreign("en")
    assert not calibration.is_foreign("es")
    assert calibration.foreign_shift < 0


def test_the_courses_own_questions_come_from_it(chunks: list[Chunk]) -> None:
    rows = list(range(len(chunks)))
    questions = own_questions(chunks, rows, READER, {})
    terms = {row: READER.terms(chunks[row].text) for row in rows}
    assert len(questions) >= len(chunks)
    for question in questions:
        assert question.asked <= question.terms
        assert len(question.repeated_in(terms)) == 1
        assert max(question.shares(terms, lambda _count: 1.0).values()) == pytest.approx(1)


def test_words_that_the_passages_lack_are_seen() -> None:
    question = "¿En qué año nació Ada Lovelace?"
    passage = "La máquina analítica fue descrita por Ada Lovelace en sus notas."
    found = wording(question, [passage], READER, {"ada": 1, "lovelac": 1, "maquin": 3}, 9)
    assert found.names_missing == 0
    assert found.kind_missing == 1
    assert 0 < found.unknown < 1
    other = wording("¿Qué escribió Charles Babbage?", [passage], READER, {}, 9)
    assert other.names_missing == 1
    assert other.first == 0


def test_an_acronym_is_no_part_of_a_longer_word() -> None:
    found = wording("¿Cómo se entrena una GAN?", ["La ganancia crece."], READER, {}, 9)
    assert found.names_missing == 1
