"""Terms: what is the same word for a reader is the same term, and symbols stay what they are."""

from __future__ import annotations

import pytest

from tutor.text.terms import (
    is_numbered,
    passage_terms,
    question_language,
    question_terms,
    question_words,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("clasificación", "clasificaciones"),
        ("función", "FUNCIONES"),
        ("energía", "energias"),
        ("heurística", "heuristicas"),
        ("propiedad", "propiedades"),
        ("regular", "regulares"),
        ("imagen", "imágenes"),
        ("carácter", "caracteres"),
        ("tarea", "tareas"),
        ("máximo", "máximos"),
        ("onda", "ondas"),
        ("estado", "estados"),
        ("acto", "actos"),
        ("gobierno", "gobiernos"),
        ("estándar", "estándares"),
        ("familiar", "familiares"),
        ("pared", "paredes"),
        ("interés", "intereses"),
        ("contraste", "contrastes"),
        ("clase", "clases"),
        ("flor", "flores"),
        ("pirámide", "pirámides"),
        ("volcán", "volcanes"),
        ("análisis", "analisis"),
        ("raíz", "raíces"),
        ("autocorrelación", "autocorrelacionados"),
        ("ﬁnal", "finales"),
        ("x²", "x^2"),
        ("x^{2}", "x2"),
        ("k_(cat)/Kₘ", "kcat"),
        ("la S_(N)1", "SN1"),
        ("0,05", "0.05"),
        ("f( n )", "f(n)"),
        ("1914–1918", "1914-1918"),
    ],
)
def test_spellings_of_one_term_are_one(one: str, other: str) -> None:
    assert set(passage_terms(one, "es")) & set(passage_terms(other, "es"))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("la búsqueda A* es óptima", "a*"),
        ("escrito en C++.", "c++"),
        ("el lenguaje C# y", "c#"),
        ("g(n) + h(n)", "h(n)"),
        ("P(A | B)", "p(a|b)"),
        ("train_test_split(X)", "train_test_split"),
        ("sklearn.model_selection", "model"),
        ("k-means", "k-means"),
        ("getItemCount", "item"),
        ("la I.A. débil", "ia"),
        ("una SVM lineal", "svm"),
        (r"la orden \/ separa", r"\/"),
        (r"con \not se niega", r"\not"),
        (r"\newcommand{\dif}", "newcommand"),
        ("σ(x)", "σ"),
    ],
)
def test_symbols_and_identifiers_are_terms(text: str, term: str) -> None:
    assert term in passage_terms(text, "es")
    assert any(term in forms for forms in question_terms(text, "es"))


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("que pide la tarea 2", "Para la Tarea 2, entregar el código.", "Tarea 12: dos redes."),
        ("teorema 3.1", "Por el teorema 3.1, existe.", "Por el teorema 3, existe; 3.1."),
        ("what is assignment 2 on", "La tarea 2 es de regresión.", "Tarea 3: 2 regresiones."),
        ("GPT-4", "los parámetros de GPT-4", "los 4 parámetros de GPT-3"),
        ("error de tipo ii", "el error de tipo II, o de tipo 2", "el error de tipo I"),
    ],
)
def test_a_noun_and_its_number_are_a_term(question: str, text: str, other: str) -> None:
    language = question_language(question)
    asked = [forms for forms in question_terms(question, language) if is_numbered(forms[0])]
    assert len(asked) == 1
    assert set(asked[0]) & set(passage_terms(text, "es"))
    assert not set(asked[0]) & set(passage_terms(other, "es"))


@pytest.mark.parametrize(
    "text", ["entre 0 y 1", "más de 3", "en 1997", "x 3", "versión 2,5", "el eje X", "matriz i"]
)
def test_other_numbers_make_no_term_with_the_word_before(text: str) -> None:
    assert not any(map(is_numbered, passage_terms(text, "es")))


def test_stop_words_depend_on_the_language() -> None:
    assert passage_terms("the model", "es") == ["the", "model"]
    assert passage_terms("the model", "en") == ["model"]
    assert not passage_terms("¿Qué es el de la?", "es")


def test_a_question_finds_the_words_of_the_other_language() -> None:
    english = set(passage_terms("deep neural networks learning", "en"))
    asked = question_terms("¿qué son las networks y el learning?", "es")
    assert sum(bool(english & set(forms)) for forms in asked) == 2


def test_an_english_plural_finds_the_spanish_word() -> None:
    spanish = set(passage_terms("Los neoliberales", "es"))
    (asked,) = question_terms("neoliberals", "en")
    assert spanish & set(asked)
    assert "neoliberal" in question_words("neoliberals", "en")
    assert "kepl" not in question_words("keplers law", "en")


def test_an_english_word_finds_the_spanish_one_that_begins_with_an_e() -> None:
    (asked,) = question_terms("spectral", "en")
    assert set(passage_terms("Teorema espectral", "es")) & set(asked)


def test_a_possessive_is_no_part_of_a_name() -> None:
    assert passage_terms("Weber’s theory", "en") == passage_terms("Weber theory", "en")
    assert question_terms("Prim's", "en") == question_terms("Prim", "en")


@pytest.mark.parametrize("question", ["pasos de PCA", "pasos de pca"])
def test_an_acronym_stands_for_others_of_the_same(question: str) -> None:
    assert question_words(question, "es")["acp"] == "pca"


def test_a_repeated_word_is_asked_once() -> None:
    assert len(question_terms("red, red, RED", "es")) == 1


@pytest.mark.parametrize(
    "text", [f"{'a' * 60} 1", f"teorema {'1.' * 100}1", f"teorema {'1' * 100}"]
)
def test_a_name_with_its_number_is_short(text: str) -> None:
    assert all(len(term) <= 64 for term in passage_terms(text, "es"))


@pytest.mark.parametrize("text", ["", "  \n", "¡!…", "\u200b", "a" * 100_000, "́" * 50])
def test_debris_does_no_harm(text: str) -> None:
    assert all(len(term) <= 64 for term in passage_terms(text, "es"))


@pytest.mark.parametrize(
    "question",
    [
        "dame la entropía",
        "¿Me podrías explicar la entropía?",
        "hola, muéstrame la entropía",
        "qué hago con la entropía",
        "qué decía de la entropía",
    ],
)
def test_words_of_asking_are_no_terms(question: str) -> None:
    forms = [form for term in question_terms(question, "es") for form in term]
    assert {form for form in forms if not form.startswith("explic")} == {"entropi", "entropia"}
