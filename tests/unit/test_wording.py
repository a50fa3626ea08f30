"""Two questions in one are told from single ones, and the first of them is answered first; of what
is compared, each thing is told.
"""

from __future__ import annotations

import pytest

from tests import pdfs
from tests.course import Workspace
from tutor.answer.asked import explained, sides
from tutor.answer.wording import (
    first_of_two,
    written_out,
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("¿Qué es el padding y cómo se calcula la salida?", "Qué es el padding"),
        ("que es la fuga de datos y como se evita", "que es la fuga de datos"),
        ("qué es la entropía, pon un ejemplo", "qué es la entropía"),
        ("what is BERT and how is it different from GPT", "what is BERT"),
        ("¿Qué es PCA? ¿Para qué sirve?", "Qué es PCA"),
        ("Explica el perceptrón. ¿Qué pasa si no hay sesgo?", "Explica el perceptrón"),
        ("diferencia entre LSTM y GRU y cuándo usar cada una", "diferencia entre LSTM y GRU"),
        ("formula del f1 y para que sirve", "formula del f1"),
        ("hola, no entiendo qué es K y para qué sirve", "hola, no entiendo qué es K"),
    ],
)
def test_the_first_of_two_questions(question: str, first: str) -> None:
    assert first_of_two(question) == first


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué es una red neuronal?",
        "ventajas y desventajas de la media y la mediana",
        "cuándo y por qué se usa el warmup",
        "si subo la temperatura, entonces qué pasa con la distribución",
        "In the disease example, how likely is it that someone is really ill?",
        "My data have thousands of dimensions. What is the usual recipe?",
        "BERT o GPT, en qué se diferencian",
        "hola, qué es k-means",
        "que forma tiene e. coli y tamaño",
        "what is P and what is a in P^2 = a^3",
        "",
    ],
)
def test_single_questions(question: str) -> None:
    assert first_of_two(question) == ""


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (
            "qué es un árbol de decisión y qué distancias compara la silueta de un punto",
            "Un árbol de decisión parte",
            "La silueta de un punto",
        ),
        (
            "qué es la silueta y cuál es la tasa de aprendizaje que se recomienda en el curso",
            "La silueta de un punto",
            "La tasa de aprendizaje recomendada",
        ),
    ],
)
def test_both_are_answered_the_first_one_first(
    indexed: Workspace, question: str, first: str, second: str
) -> None:
    said = " ".join(indexed.run_here("ask", question).stdout.split())
    assert 0 <= said.find(first) < said.find(second)


@pytest.mark.parametrize(
    ("question", "compared"),
    [
        ("diferencia entre BFS y DFS", ["bfs", "dfs"]),
        ("¿En qué se diferencian PCA, t-SNE y UMAP?", ["pca", "t-sne", "umap"]),
        ("en que se diferencia ridge de lasso", ["ridge", "lasso"]),
        ("¿Cuál es la diferencia entre la media y la mediana?", ["media", "mediana"]),
        ("single vs complete linkage", ["single", "complete linkage"]),
        ("compara RAG con fine-tuning", ["rag", "fine-tuning"]),
        ("que cambia de un AFD a un AFND", ["afd", "afnd"]),
        (
            "¿En qué se diferencia el análisis de errores del análisis ablativo?",
            ["analisis de errores", "analisis ablativo"],
        ),
        (
            "diferencia entre el error de tipo I y el de tipo II",
            ["error de tipo i", "error de tipo ii"],
        ),
        (
            "compara el problema del cartero chino con el del viajante",
            ["problema del cartero chino", "problema del viajante"],
        ),
        ("la precisión es lo mismo que la exactitud?", ["precision", "exactitud"]),
        ("¿es lo mismo el sesgo que el error?", ["sesgo", "error"]),
        ("son lo mismo BFS y DFS", ["bfs", "dfs"]),
        ("is overfitting the same as high variance?", ["overfitting", "high variance"]),
        ("are BFS and DFS the same?", ["bfs", "dfs"]),
        ("BERT y GPT en que se distinguen", ["bert", "gpt"]),
        ("Apriori y Eclat: ¿qué cambia de uno a otro?", ["apriori", "eclat"]),
        ("L1 and L2, what's the difference?", ["l1", "l2"]),
        ("how do L1 and L2 differ", ["l1", "l2"]),
        ("backtracking vs branch and bound", ["backtracking", "branch and bound"]),
        ("backtracking vs branch and bound, cual conviene", ["backtracking", "branch and bound"]),
        ("diferencia entre ridge y lasso y cuándo se usan", ["ridge", "lasso"]),
        ("es lo mismo de siempre", []),
        ("ejemplo de un sistema de ecuaciones en diferencias", []),
        ("tipos de coeficientes y sus diferencias", []),
        ("qué es A* y en qué se diferencia de BFS", []),
        ("diferencia de medias", []),
        ("¿Qué es una ecuación en diferencias?", []),
        ("what is differential privacy", []),
        ("en que se diferencian apriori y eclat al guardar las transacciones", []),
        ("A*, BFS, DFS vs IDS", []),
    ],
)
def test_what_is_compared(question: str, compared: list[str]) -> None:
    assert sides(question) == compared


def test_each_thing_that_is_compared_is_told(indexed: Workspace) -> None:
    paragraphs = (
        "El bagging es entrenar varios modelos a la vez sobre muestras con reemplazo.",
        "Entre bagging y boosting hay una diferencia que en el examen se pregunta siempre.",
        "El boosting es entrenar un modelo tras otro sobre los errores del anterior.",
    )
    for number, paragraph in enumerate(paragraphs):
        pdfs.one_column(indexed.notes / f"{number}.pdf", [paragraph], title=f"Parte {number}")
    assert indexed.run_here("index").returncode == 0
    said = " ".join(indexed.run_here("ask", "diferencia entre bagging y boosting").stdout.split())
    assert "El bagging es entrenar" in said
    assert "El boosting es entrenar" in said
    told = indexed.run_here("ask", "diferencia entre bagging y stacking").stdout
    assert told.startswith("Los apuntes no dicen exactamente esto."), told


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("q es precision y recall", ["precision", "recall"]),
        ("¿Qué son el sesgo y la varianza?", ["sesgo", "varianza"]),
        ("explica el soporte e ítems en Apriori", ["soporte en apriori", "items en apriori"]),
        ("What are a prior and a likelihood?", ["prior", "likelihood"]),
        ("que es k-means y como funciona", []),
        ("que es PCA y sus ventajas", []),
        ("qué es la probabilidad condicional, pon un ejemplo", []),
        ("¿Qué es la media?", []),
        ("diferencia entre media y mediana", []),
    ],
)
def test_what_is_to_be_explained_together(question: str, names: list[str]) -> None:
    assert explained(question) == names


def test_each_of_two_things_is_told_at_the_top(indexed: Workspace) -> None:
    paragraphs = (
        "La moda es el valor que más veces aparece en los datos de una muestra.",
        "Entre la moda y la mediana hay que elegir, y eso se pregunta en cada examen.",
        "La mediana es el valor que queda en medio al ordenar los datos de una muestra.",
        "Ramas y cotas: se generan ramas y cotas hasta que ninguna mejora la solución.",
    )
    for number, paragraph in enumerate(paragraphs):
        pdfs.one_column(indexed.notes / f"{number}.pdf", [paragraph], title=f"Parte {number}")
    assert indexed.run_here("index").returncode == 0
    said = " ".join(indexed.run_here("ask", "que es la moda y la mediana").stdout.split())
    assert said.startswith("La moda es el valor")
    assert said.index("La mediana es el valor") < said.index("Entre la moda")
    told = indexed.run_here("ask", "que son ramas y cotas").stdout
    assert told.startswith("Ramas y cotas: se generan"), told


@pytest.mark.parametrize("hidden", ["\u00ad", "\u200b", "\u2060", "\ufeff"])
def test_what_nobody_sees_in_a_pasted_word_is_not_asked(hidden: str) -> None:
    assert written_out(f"¿Qué es la entro{hidden}pía?") == "¿Qué es la entropía?"
