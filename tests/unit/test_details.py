"""Details that a question asks for, and quotes that have nothing of the kind."""

from __future__ import annotations

import pytest

from tutor.answer.details import lacks_detail


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("¿Para cuándo es la tarea 4?", "Para la tarea 1: entregar antes del 25 de agosto.", True),
        ("how many parameters does GPT-4 have", "GPT-3 tiene 175 mil millones.", True),
        ("¿Para cuándo es la tarea 4?", "La tarea 1 fue fácil. La tarea 4 es del lunes.", False),
        ("cuando se entrega la práctica 3", "El 20 de mayo, por PRADO.", False),
        ("¿qué pasa con 5 vecinos?", "Con 3 vecinos gana la clase A.", False),
        ("AUC de 0.5", "Un AUC de 1 es perfecto.", False),
    ],
)
def test_what_is_told_of_another_number_is_seen(question: str, told: str, *, lacks: bool) -> None:
    assert lacks_detail(question, told) is lacks


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("quién inventó la red lstm", "La LSTM tiene tres compuertas. Olvida y recuerda.", True),
        ("quienes programaron DENDRAL", "El primer sistema experto fue DENDRAL (1969).", True),
        ("quien propuso la t de student", "Depende de Gosset, que firmaba Student.", False),
        ("who proposed ridge", "Hoerl y Kennard la propusieron.", False),
        ("¿Quién inventó el perceptrón?", "| 1958 | Rosenblatt: el perceptrón |", False),
        ("¿quién propuso la silueta?", "Realizaremos tres consideraciones.", True),
        ("how likely is it that someone who tests positive is ill", "It is 0.09.", False),
        ("quién es el rey de un grafo", "es el nodo de mayor grado.", False),
    ],
)
def test_who_is_not_answered_without_a_name(question: str, told: str, *, lacks: bool) -> None:
    assert lacks_detail(question, told) is lacks


@pytest.mark.parametrize(
    ("question", "told", "lacks"),
    [
        ("¿En qué año publicó Spearman su coeficiente?", "Es de rangos; n = 1500.5 casos.", True),
        ("what year was Apriori published", "Agrawal published it in 1994.", False),
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
        ("cuando es el examen final", "El examen vale 25 %. El proyecto, en la semana 12.", True),
        ("when is the exam", "El examen es el 3 de diciembre.", False),
        ("qué día se entrega la práctica", "La práctica se entrega el 20/05.", False),
        ("cuándo es admisible una heurística", "Si nunca sobreestima.", False),
        ("¿A qué hora es la clase?", "Estudió 8 horas antes de la clase.", True),
        ("hasta qué hora se entrega la tarea", "La tarea, hasta las 23:59.", False),
    ],
)
def test_a_price_a_day_and_an_hour_look_like_one(question: str, told: str, *, lacks: bool) -> None:
    assert lacks_detail(question, told) is lacks
