"""Typed answers are compared leniently, and never run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.study_cards import card
from tutor.presentation.cards import typed_text, verdict_text
from tutor.study.card import CardKind
from tutor.study.formulas import same_formula
from tutor.study.typed import Compared, TypedVerdict, compare, may_be_answer

RIGHT, PARTLY, WRONG = TypedVerdict.RIGHT, TypedVerdict.PARTLY, TypedVerdict.WRONG


@pytest.mark.parametrize(
    ("answer", "typed", "verdict"),
    [
        ("Búsqueda informada", "la busqueda INFORMADA", RIGHT),
        ("Búsqueda informada", "búsquedas informadas.", RIGHT),
        ("Búsqueda informada", "búsqueda", PARTLY),
        ("Búsqueda informada", "búsqueda no informada", PARTLY),
        ("Búsqueda informada", "poda", WRONG),
        ("Búsqueda informada", "", WRONG),
        ("búsqueda", "búsqueda poda grafo nodo árbol", PARTLY),
        ("A*", "a*", RIGHT),
        ("A*", "B*", WRONG),
        ("red neuronal convolucional (CNN)", "cnn", RIGHT),
        ("red neuronal convolucional (CNN)", "red neuronal convolucional", RIGHT),
        ("una que nunca sobreestima el costo", "una que sobreestima el costo", PARTLY),
        ("3,14", "3.1416", RIGHT),
        ("3,14", "3.14", RIGHT),
        ("3,14", "3,1", RIGHT),
        ("3,14", "3", WRONG),
        ("3,14", "3,15", WRONG),
        ("3,14", "-3,14", WRONG),
        ("0,01", "0.01", RIGHT),
        ("0,01", "0,0", WRONG),
        ("0,01", "0", WRONG),
        ("0,94", "0,9", WRONG),
        ("12,4", "12", WRONG),
        ("124,4", "124", WRONG),
        ("3", "3,4", WRONG),
        ("0,99", "1", WRONG),
        ("99,6", "100", WRONG),
        ("1,01", "1", WRONG),
        ("1,01", "1,0", RIGHT),
        ("50", "50,4", WRONG),
        ("50", "50,0", RIGHT),
        ("0,5", "0,51", WRONG),
        ("12,46", "12,5", RIGHT),
        ("12,46", "12,4", WRONG),
        ("1958", "1959", WRONG),
        ("1958", "1958", RIGHT),
        ("100 árboles", "100 arboles", RIGHT),
        ("100 árboles", "10 árboles", PARTLY),
        ("Rango intercuartílico", "rango intercuartílco", RIGHT),
        ("Rango intercuartílico", "rango intercuartilicco", RIGHT),
        ("retropropagación", "retropropagcaión", RIGHT),
        ("aprendizaje supervisado", "aprendizaje superbisado", RIGHT),
        ("aprendizaje supervisado", "aprendizaje supertisado", PARTLY),
        ("poda", "pda", WRONG),
        ("simétrica", "asimétrica", WRONG),
        ("minimizar", "maximizar", WRONG),
    ],
)
def test_an_answer_in_words_or_numbers(answer: str, typed: str, verdict: TypedVerdict) -> None:
    assert compare(typed, card("q", answer, CardKind.CLOZE)).verdict is verdict


def test_a_slip_in_a_line_of_code_is_none() -> None:
    code = card("q", "gradiente = X.T @ error", CardKind.CODE)
    assert compare("gradente = X.T @ error", code).verdict is not RIGHT


def test_a_long_answer_of_the_students_own_may_be_said_otherwise() -> None:
    said = "Si la medida no castigara los movimientos, ambos agentes serían racionales."
    long, short = (card("q", answer, CardKind.OWN) for answer in (said, "París"))
    assert compare("la aspiradora", long).verdict is TypedVerdict.OPEN
    assert compare("la aspiradora", short).verdict is WRONG


@pytest.mark.parametrize(
    ("answer", "typed", "verdict"),
    [
        (
            "Modelado cognitivo: reproducir los pasos del razonamiento",
            "la mente",
            TypedVerdict.OPEN,
        ),
        ("una sola densidad; muchas dimensiones", "", TypedVerdict.OPEN),
        ("paciente, hospital", "la mente", WRONG),
    ],
)
def test_a_phrase_in_a_cell_may_be_said_otherwise(
    answer: str, typed: str, verdict: TypedVerdict
) -> None:
    asked = card("[Enfoques] Como los humanos · Pensar: ____", answer, CardKind.ROW)
    assert compare(typed, asked).verdict is verdict


def test_what_is_missing_is_told() -> None:
    missing = compare(
        "heurística consistente", card("q", "una heurística admisible", CardKind.TERM)
    ).missing
    assert missing == ("admisible",)


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("todo aquello que percibe su entorno y actúa", RIGHT),  # the question names the agent
        ("lo que percibe el entorno", PARTLY),
        ("un programa que siente y hace", TypedVerdict.OPEN),
        ("no percibe su entorno", PARTLY),
    ],
)
def test_a_definition_in_other_words_is_never_called_wrong(
    typed: str, verdict: TypedVerdict
) -> None:
    asked = card("¿Cómo se define «Agente»?", "Un agente es todo aquello que percibe su entorno.")
    assert compare(typed, asked).verdict is verdict


@pytest.mark.parametrize(
    ("kind", "verdict"), [(CardKind.ROW, RIGHT), (CardKind.CLOZE, PARTLY), (CardKind.TERM, PARTLY)]
)
def test_the_name_in_a_cell_will_do(kind: CardKind, verdict: TypedVerdict) -> None:
    asked = card("q", "Modelado cognitivo: pasos humanos", kind)
    assert compare("modelado cognitivo", asked).verdict is verdict
    assert compare("pasos humanos", asked).verdict is PARTLY


ITEMS = ("Uno: el primero", "Dos", "Tres y medio")


@pytest.mark.parametrize(
    ("typed", "ordered", "verdict", "missing"),
    [
        ("dos, uno, tres y medio", False, RIGHT, ()),
        ("1. uno\n2. dos\n3. tres y medio", True, RIGHT, ()),
        ("dos; uno; tres y medio", True, PARTLY, ITEMS),
        ("uno y dos", False, PARTLY, ("Tres y medio",)),
        ("cuatro", False, WRONG, ITEMS),
    ],
)
def test_items_of_a_list(
    typed: str, ordered: bool, verdict: TypedVerdict, missing: tuple[str, ...]
) -> None:
    asked = replace(card("q", "\n".join(ITEMS), CardKind.LIST, items=ITEMS), ordered=ordered)
    compared = compare(typed, asked)
    assert (compared.verdict, compared.missing) == (verdict, missing)


LONG = ("discreto o continuo, en los estados y el tiempo", "de un agente o multiagente; de dos")


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("discreto o continuo; de un agente o multiagente", RIGHT),
        ("discreto o continuo", PARTLY),
        ("discreto; estados; dos", WRONG),
    ],
)
def test_of_a_long_item_the_beginning_will_do(typed: str, verdict: TypedVerdict) -> None:
    asked = card("q", "\n".join(LONG), CardKind.LIST, items=LONG)
    assert compare(typed, asked).verdict is verdict


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [("1", WRONG), ("2", RIGHT), ("la po", RIGHT), ("la", WRONG), ("3", WRONG), ("", WRONG)],
)
def test_a_choice_by_its_number_or_beginning(typed: str, verdict: TypedVerdict) -> None:
    asked = card("q", "La poda", CardKind.CHOICE, choices=("La raíz", "La poda"))
    assert compare(typed, asked).verdict is verdict


def test_a_choice_that_begins_another_is_chosen_by_its_whole_text() -> None:
    asked = card("q", "Red", CardKind.CHOICE, choices=("Red neuronal", "Red"))
    assert compare("Red", asked).verdict is RIGHT


@pytest.mark.parametrize(
    ("typed", "verdict", "missing"),
    [
        ("1b 2a", RIGHT, ()),
        ("2-A, 1 → B", RIGHT, ()),
        ("1b", PARTLY, ("2a",)),
        ("1a 2b", WRONG, ("1b", "2a")),
    ],
)
def test_pairs(typed: str, verdict: TypedVerdict, missing: tuple[str, ...]) -> None:
    asked = card(
        "q", "uno → ein\ndos → zwei", CardKind.MATCH, items=("uno", "dos"), choices=("zwei", "ein")
    )
    compared = compare(typed, asked)
    assert (compared.verdict, compared.missing) == (verdict, missing)


@pytest.mark.parametrize(
    ("answer", "typed", "same"),
    [
        ("f(n) = g(n) + h(n)", "f(n)=h(n)+g(n)", True),
        ("f(n) = g(n) + h(n)", "g(n) + h(n)", True),
        ("f(n) = g(n) + h(n)", "g(n) - h(n)", False),
        ("f(n) = g(n) + h(n)", "g(n) + h(m)", False),
        ("σ(x) = 1/(1 + e^{−x})", "1/(1+exp(-x))", True),
        ("x² + 2x + 1", "(x+1)^2", True),
        ("x² + 2x + 1", "(x-1)^2", False),
        ("2(x + 1)", "2x + 2", True),
        ("√(x) · √(x)", "x", True),
        ("0,5x", "x/2", True),
        ("m·a", "a*m", True),
        ("pˣ(1 − p)¹⁻ˣ", "p^x(1-p)^(1-x)", True),
        ("λe^(−λx)", "lambda e^(-lambda x)", True),
        ("λe^(−λx)", "lambda e^(lambda x)", False),
        ("σ(z)(1 − σ(z))", "sigma(z)(1-sigma(z))", True),
        ("búsqueda informada", "búsqueda informada", None),
        ("Σ x", "x", None),
        ("x + 1", "x + (1", None),
        ("x + 1", "x if x else 1", None),
        ("x + 1", "[x for x in y]", None),
        ("x + 1", "__import__('os').system('true')", None),
        ("x + 1", "(lambda: x)()", None),
        ("x + 1", "'a' + 'b'", False),
        ("entrada/salida", "la entrada/salida", None),
        ("aprendizaje semi-supervisado", "el aprendizaje semi-supervisado", None),
        ("precisión = VP/(VP + FP)", "VP / (FP + VP)", True),
        ("3D", "tres D", None),
        ("x + 1", "x.y + 1", None),
        ("x + 1", "x + 1" * 100, None),
        ("x + 1", "(" * 99 + "x" + ")" * 99, None),
        ("9**9**9**9**9", "9**9**9**9**9 + 1", None),
    ],
)
def test_formulas_say_the_same_or_not(answer: str, typed: str, same: bool | None) -> None:
    assert same_formula(typed, answer) is same


def test_a_formula_is_right_however_it_is_written() -> None:
    asked = card("q", "f(n) = g(n) + h(n)", CardKind.CLOZE)
    assert compare("h(n)+g(n)", asked).verdict is RIGHT
    assert compare("h(n)·g(n)", asked).verdict is WRONG


def test_of_formulas_that_cannot_be_computed_nothing_is_told() -> None:
    asked = card("q", "∂L/∂w ≈ (L(w+ε) − L(w−ε))/(2ε)", CardKind.CLOZE)
    assert compare("(J(θ+ε) - J(θ-ε))/(2ε)", asked).verdict is TypedVerdict.OPEN
    assert compare("el paso", asked).verdict is WRONG


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("w+=lr*(y - p) * x", RIGHT),
        ("w -= lr * (y - p) * x", WRONG),
        ("w += lr * (y + p) * x", WRONG),
        ("w = lr * (y - p) * x", WRONG),
    ],
)
def test_a_line_of_code_has_its_operators(typed: str, verdict: TypedVerdict) -> None:
    asked = card("q", "w += lr * (y - p) * x", CardKind.CODE)
    assert compare(typed, asked).verdict is verdict


FORMULA = st.text(alphabet="xyze0123456789.,+-*/^()=√²·eπf_ {}[]'\"\\", max_size=60)


@given(st.one_of(FORMULA, st.text(max_size=80)), st.one_of(FORMULA, st.text(max_size=80)))
def test_whatever_is_typed_gets_a_verdict(typed: str, answer: str) -> None:
    compared = compare(typed, card("q", answer, CardKind.CLOZE))
    if compared.verdict not in {RIGHT, TypedVerdict.OPEN}:
        assert compared.missing


@given(st.text(min_size=1, max_size=80))
def test_the_answer_itself_is_right(answer: str) -> None:
    assert compare(answer, card("q", answer, CardKind.CLOZE)).verdict is RIGHT


def test_what_was_typed_is_told_as_the_choice_that_it_stands_for() -> None:
    of_two = replace(card("¿Es así?", "sí", CardKind.TRUE_FALSE), choices=("sí", "no"))
    assert typed_text(of_two, "2") == typed_text(of_two, " N") == "2) no"
    assert typed_text(of_two, "b") == typed_text(of_two, "B") == "2) no"
    assert typed_text(of_two, "3") == "3"
    assert typed_text(of_two, " ") == "(none)"
    pairs = replace(card("¿Cuál?", "a → b", CardKind.MATCH), items=("a",), choices=("b",))
    assert typed_text(pairs, "a") == "a"
    assert typed_text(pairs, "1") == typed_text(card("¿Cifra?", "uno"), "1") == "1"


def test_a_letter_is_the_number_in_its_place_even_where_a_choice_begins_with_it() -> None:
    of_four = replace(
        card("¿Cuál no retrocede?", "Hill climbing", CardKind.CHOICE),
        choices=("BFS", "DFS", "Hill climbing", "A*"),
    )
    verdicts = [compare(letter, of_four).verdict for letter in ("c", "C", "a", "b", "d", "h", "e")]
    assert verdicts == [RIGHT, RIGHT, WRONG, WRONG, WRONG, RIGHT, WRONG]
    of_letters = replace(of_four, answer="a", choices=("b", "a", "c"))
    assert compare("a", of_letters).verdict is RIGHT


def test_a_letter_may_be_an_answer_or_a_choice() -> None:
    assert may_be_answer("q", card("q", "Q", CardKind.OWN))
    assert may_be_answer("q", card("q", "valor de acción (Q)", CardKind.TERM))
    assert may_be_answer("q", card("q", "cola", CardKind.TERM, also=("q",)))
    assert not may_be_answer("q", card("q", "que", CardKind.TERM))
    asked = card("q", "La poda", CardKind.CHOICE, choices=("La raíz", "La poda"))
    assert [letter for letter in "abcdefq" if may_be_answer(letter, asked)] == ["a", "b"]


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("vibran moléculas, y hace falta un medio material", PARTLY),
        ("las partículas se mueven", TypedVerdict.OPEN),
        ("x", WRONG),
        ("no lo sé", WRONG),
        ("Falso.", WRONG),
    ],
)
def test_what_says_nothing_is_no_definition(typed: str, verdict: TypedVerdict) -> None:
    waves = "Vibran las moléculas y necesitan un medio material."
    assert compare(typed, card("Explica «Ondas mecánicas».", waves)).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        (
            "Se compensan las deudas porque hay otra/s deuda/s.",
            "se compensan porque hay otra deuda",
        ),
        ("Color, tamaño, peso, sabor, olor (cuando aplica).", "color, tamaño, peso, sabor y olor"),
    ],
)
def test_short_words_and_what_stands_in_brackets_are_not_missing(answer: str, typed: str) -> None:
    assert compare(typed, card("q", answer)) == Compared(RIGHT)


@pytest.mark.parametrize(
    ("answer", "typed", "verdict"),
    [
        ("Confusión", "comfución", WRONG),
        ("Confusión", "confucion", RIGHT),
        ("Absorción", "adsorción", WRONG),
        ("Cesura", "censura", WRONG),
        ("Casualidad", "causalidad", WRONG),
    ],
)
def test_a_word_that_is_heard_alike_is_right(
    answer: str, typed: str, verdict: TypedVerdict
) -> None:
    assert compare(typed, card("q", answer, CardKind.TERM)).verdict is verdict


def test_what_is_missing_of_much_is_cut_short() -> None:
    assert verdict_text(Compared(PARTLY, tuple("abcdefghijklmn"))).endswith("l, …")
