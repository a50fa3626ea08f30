"""The index of words: BM25 as published, the same after it was saved, and modest when blind."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tutor.index.lexical import K1, B, LexicalIndex, LexicalScores
from tutor.index.own_words import in_its_words
from tutor.text.language import detect_language
from tutor.text.terms import passage_terms

PASSAGES = [
    "La búsqueda A* usa una heurística admisible h(n) y encuentra el camino óptimo.",
    "Las redes neuronales aprenden por retropropagación del error.",
    "The perceptron is a linear classifier that learns from its errors.",
    "Un perceptrón es un clasificador lineal; las redes son más.",
    "f(n) = g(n) + h(n)",
    "",
]


@pytest.fixture(scope="module")
def index() -> LexicalIndex:
    return LexicalIndex.build(PASSAGES)


def _first(index: LexicalIndex, question: str) -> int:
    return int(np.argmax(index.score(question).evidence))


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("¿Qué heuristica usa A*?", 0),
        ("¿Cómo aprende una red neuronal?", 1),
        ("What does a linear classifier learn from?", 2),
        ("¿Qué es un clasificador lineal?", 3),
        ("f(n)", 4),
    ],
)
def test_the_passage_with_the_words_comes_first(
    index: LexicalIndex, question: str, row: int
) -> None:
    assert _first(index, question) == row


def test_scores_are_bm25(index: LexicalIndex) -> None:
    """Against the formula of the paper, for a question of two words."""
    documents = [Counter(passage_terms(text, detect_language(text))) for text in PASSAGES]
    lengths = [sum(document.values()) for document in documents]
    mean = sum(lengths) / len(lengths)
    expected = np.zeros(len(PASSAGES))
    for term in ("red", "neuronal"):
        holders = sum(term in document for document in documents)
        idf = math.log(1 + (len(PASSAGES) - holders + 0.5) / (holders + 0.5))
        for row, document in enumerate(documents):
            saturation = document[term] + K1 * (1 - B + B * lengths[row] / mean)
            expected[row] += idf * document[term] / saturation
    assert index.score("red neuronal").bm25 == pytest.approx(expected, abs=1e-5)


def test_a_question_that_the_passages_do_not_speak_has_little_evidence(
    index: LexicalIndex,
) -> None:
    spoken = index.score("retropropagación del error").evidence.max()
    foreign = index.score("gradient descent backpropagation error training").evidence.max()
    assert foreign < spoken / 2
    assert not index.score("photosynthesis chlorophyll").evidence.any()


def _share(scores: LexicalScores) -> np.ndarray:
    """The part of the question's terms that each passage holds: what evidence adds to BM25."""
    return np.asarray(scores.evidence - scores.bm25 / _bound(scores))


def _bound(scores: LexicalScores) -> float:
    """What a passage with all terms would have."""
    return sum(term.idf for term in scores.terms)


def test_all_words_held_is_a_share_of_one(index: LexicalIndex) -> None:
    scores = index.score("retropropagación")
    assert _share(scores).max() == pytest.approx(1)
    assert (index.score("red perceptrón zyx").evidence <= 2).all()


def test_two_forms_of_a_word_in_one_passage_count_once() -> None:
    """ "learning" is stemmed in the English passage and kept by the Spanish stemmer."""
    passages = ["the learning of a net", "El learning, o learn, es de los que aprenden.", "nada"]
    scores = LexicalIndex.build(passages).score("learning")
    assert _share(scores) == pytest.approx([1, 1, 0])
    assert (scores.bm25 <= _bound(scores)).all()


def test_what_is_loaded_scores_as_what_was_saved(index: LexicalIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "words")
    loaded = LexicalIndex.load(tmp_path / "words")
    for question in ("redes neuronales", "h(n)", "what does it learn from", ""):
        assert (loaded.speaking_as(question) == index.speaking_as(question)).all()
        assert (loaded.score(question).bm25 == index.score(question).bm25).all()
        assert (loaded.score(question).evidence == index.score(question).evidence).all()
    assert loaded.like("perseptron") == index.like("perseptron") != ""
    (tmp_path / "words" / "words.json").unlink()
    assert not LexicalIndex.load(tmp_path / "words").like("perseptron"), "of an earlier state"


@pytest.mark.parametrize(
    ("question", "alike"),
    [("What is a perceptron?", {2}), ("¿Qué es un perceptrón?", {0, 1, 3, 4, 5})],
)
def test_passages_speak_as_a_question_does_where_others_do_not(
    index: LexicalIndex, question: str, alike: set[int]
) -> None:
    assert set(np.flatnonzero(index.speaking_as(question))) == alike
    assert not LexicalIndex.build(["El perceptrón es una red."]).speaking_as(question).any()


def test_passages_in_english_hold_spanish_words_by_what_they_mean() -> None:
    passages = [
        "The leader of the replicas waits for each of the followers before it confirms a write.",
        "El líder del partido habla de la réplica de la escultura que hay en el museo.",
        "El texto en español que dice leader holds ninguna réplica del original.",
    ]
    scores = LexicalIndex.build(passages).score("líder de las réplicas")
    assert _share(scores)[0] == pytest.approx(1)
    assert _share(scores)[2] < 1, "an English word in a Spanish passage is another one"


@pytest.mark.parametrize("passages", [[], [""], ["", "¡!"]])
def test_without_terms_there_is_no_evidence(passages: list[str], tmp_path: Path) -> None:
    LexicalIndex.build(passages).save(tmp_path / "words")
    scores = LexicalIndex.load(tmp_path / "words").score("redes")
    assert scores.evidence.shape == (len(passages),)
    assert not scores.evidence.any()


def test_a_damaged_index_is_refused(index: LexicalIndex, tmp_path: Path) -> None:
    index.save(tmp_path / "words")
    (tmp_path / "words" / "vocab.index.json").write_text("{")
    with pytest.raises((OSError, ValueError)):
        LexicalIndex.load(tmp_path / "words")


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("¿Cómo funciona kmeans?", "¿Cómo funciona k-means?"),
        ("que es KMEANS", "que es k-means"),
        ("what is a token", "what is a token"),
        ("que es sklearn", "que es sklearn"),
        ("que es k-means", "que es k-means"),
        ("¿Qué es lambda en ridge?", "¿Qué es λ en ridge?"),
        ("¿Qué es la prueba alfa?", "¿Qué es la prueba alfa?"),
        ("Beta(2, 2)", "Beta(2, 2)"),
        ("el enunciado de la tarea2", "el enunciado de la tarea 2"),
        ("tarea5, x2", "tarea5, x2"),
        ("que pide la segunda tarea", "que pide la tarea 2"),
        ("la primera tarea", "la primera tarea"),
        ("cuándo se usa L1", "cuándo se usa L1"),
    ],
)
def test_a_compound_that_is_typed_in_one_is_written_as_in_the_notes(
    question: str, meant: str
) -> None:
    index = LexicalIndex.build(
        [
            "El algoritmo k-means reparte los puntos.",
            "En k-means se repite hasta que nada cambia; en inglés, i-s. La capa l-1 va antes.",
            "from sklearn.cluster import KMeans",
            "Se importa sklearn; sk-learn es lo mismo. Otra vez sklearn.",
            "Ridge castiga con λ; con β no.",
            "Tarea 2: entregar el 5 de mayo.",
            "La prueba Alfa la hace el cliente.",
            "La resistencia crece con α.",
            "El coeficiente α es de cada metal.",
        ]
    )
    assert in_its_words(question, index) == meant


def test_a_spanish_word_that_no_passage_has_is_looked_for_in_english() -> None:
    index = LexicalIndex.build(
        [
            "La selección tournament compara dos parejas y gana la de mayor fitness.",
            "La selección por ruleta es proporcional al fitness de cada individuo.",
            "El cruce combina dos individuos, la mutación cambia uno.",
        ]
    )
    assert _first(index, "cómo funciona la selección por torneo") == 0
    assert not index.lacks("torneo")


def test_a_word_that_no_passage_has_in_either_language_is_lacked() -> None:
    index = LexicalIndex.build(["La lista añade el nodo al final, y recorre los demás."])
    assert index.lacks("torneo")
    assert index.lacks("herencia")
    assert not index.lacks("nodo")


@pytest.mark.parametrize("question", ["pasos de PCA", "pasos de pca"])
def test_an_acronym_is_looked_for_by_others_of_the_same(question: str) -> None:
    index = LexicalIndex.build(
        [
            "El procedimiento ACP proyecta los datos: paso 1, normalizarlos.",
            "El perceptrón aprende en pasos.",
            "Con PCA se reducen las dimensiones.",
        ]
    )
    assert _first(index, question) == 0
    assert in_its_words("formula del ECM y del ACP", index) == "formula del ECM y del ACP"


def test_an_unknown_number_behind_a_word_tells_nothing(index: LexicalIndex) -> None:
    assert len(index.score("perceptrón 7").terms) == len(index.score("perceptrón y 7").terms)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("que es la busqueda en amplitud", "que es la búsqueda en anchura"),
        ("¿Qué son las redes convolutivas?", "¿Qué son red neuronal convolucional?"),
        ("causas del sobreentrenamiento", "causas del overfitting"),
        ("el uso de la parada temprana", "el uso del early stopping"),
        ("al aplicar la parada temprana", "al aplicar el early stopping"),
        ("¿Cuál es la fórmula de Bayes?", "¿Cuál es el teorema de Bayes?"),
        ("aplica la fórmula de Bayes", "aplica el teorema de Bayes"),
        ("qué es un autómata a pila", "qué es un autómata a pila"),
        ("búsqueda en anchura", "búsqueda en anchura"),
    ],
)
def test_a_term_that_the_notes_lack_is_called_as_they_call_it(question: str, meant: str) -> None:
    index = LexicalIndex.build(
        [
            "La búsqueda en anchura expande primero los nodos menos profundos.",
            "Una red neuronal convolucional comparte sus pesos.",
            "To avoid overfitting, stop the training early; early stopping does so.",
            "El teorema de Bayes invierte una probabilidad condicional.",
        ]
    )
    assert in_its_words(question, index) == meant


@pytest.mark.parametrize(
    "question",
    [
        "predictor de saltos de dos bits",  # and "predictor", a "variable explicativa"
        "derivación logarítmica",  # and "deriva de concepto", a "cambio de concepto"
        "fórmula de la covarianza",  # and "covariable"
        "qué dejó Darwin",  # and "dejar uno fuera", "leave-one-out"
    ],
)
def test_a_word_of_another_meaning_is_left_as_it_is(question: str) -> None:
    index = LexicalIndex.build(
        [
            "Una variable explicativa entra en la regresión.",
            "Los saltos se adelantan con dos bits en el procesador.",
            "El cambio de concepto se mide con el tiempo. Leave-one-out deja un dato fuera.",
        ]
    )
    assert in_its_words(question, index) == question


@pytest.mark.parametrize(("others", "called"), [(3, "overfitting"), (2, "sobreajuste")])
def test_a_term_that_the_notes_have_in_passing_is_called_as_they_mostly_do(
    others: int, called: str
) -> None:
    once = "También se habla de sobreajuste, que es lo mismo, en los libros que no traducen."
    index = LexicalIndex.build([once, *("A tree that is deep is prone to overfitting.",) * others])
    # A dictionary has the passage above among those of "overfitting".
    assert in_its_words("¿cómo se evita el sobreajuste?", index) == f"¿cómo se evita el {called}?"


@pytest.mark.parametrize(
    ("word", "term"), [("lhopital", "hôpital"), ("lopital", "hôpital"), ("espectral", "")]
)
def test_a_name_is_known_with_the_article_written_on_to_it(word: str, term: str) -> None:
    index = LexicalIndex.build(
        ["La regla de L'Hôpital sirve para límites de la forma 0/0. H es h."]
    )
    assert index.like(word) == term


@pytest.mark.parametrize(
    ("name", "lacks"),
    [("tarea 9", True), ("assignment 9", True), ("tarea 2", False), ("teorema 9", False)],
)
def test_a_number_that_no_such_thing_has_is_seen(name: str, *, lacks: bool) -> None:
    index = LexicalIndex.build(
        ["Tarea 2: regresión.", "Para la tarea 3: PCA.", "Teorema de Bayes."]
    )
    assert index.lacks_number(name) is lacks
