"""Sentence boundaries, language and the two strategies on texts whose answer is known."""

from __future__ import annotations

import pytest

from tutor.ingest.chunking import MAX_CHARS, OVERLAP, chunk_fixed, chunk_semantic, chunks_of
from tutor.model import CleanText, SourceId, Strategy
from tutor.text.language import detect_language
from tutor.text.sentences import split_sentences

SOURCE = SourceId("0123456789abcdef")


def clean(text: str, *page_starts: int) -> CleanText:
    return CleanText(SOURCE, text, page_starts or (0,))


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "El Sr. Pérez y la Dra. Rosa vinieron.",
        "La Prof. Blanco y el Ing. Prado firman.",
        "Hay lenguajes, p. ej. Python, que sirven.",
        "Hay lenguajes, p.ej. Python, que sirven.",
        "En la Fig. 3 se ve la pérdida.",
        "Sustituyendo en la Ec. (4) queda el error.",
        "Las Figs. 3 y 4 y las Ecs. (1)-(3) coinciden.",
        "Véase el núm. 3, la pág. 5, las págs. 7 y 8 y el cap. II del vol. 2.",
        "Véase la p. 12 o las pp. 13-15.",
        "Regresión vs. Clasificación en la práctica.",
        "Un estimador insesgado, i.e. Uno cuya media es el parámetro.",
        "Otros métodos, e.g. Los de kernel.",
        "Pesos, sesgos, etc. y nada más.",
        "Según Vaswani et al. (2017) basta la atención.",
        "Lo propuso J. Pérez en su tesis.",
        "El gradiente mide aprox. la pendiente.",
        "Vive en EE.UU. desde entonces.",
        "En el 31 a. C. Augusto venció en Accio.",
        "La tasa de aprendizaje vale 0.01 al empezar.",
        "The loss (see Eq. 3 and Sec. 2.1) is what the optimiser, e.g. Adam, sees.",
        "Dr. Smith and Prof. White wrote it.",
        "Figura 3.2. Curva de aprendizaje de la red.",
        "Tema 1. Estructuras de datos.",
        "Si t₁, . . . , tₙ son términos, p(t₁, . . . , tₙ) es una fórmula.",
        "El polinomio es a₀ + a₁x + . . . + aₙxⁿ con aₙ ≠ 0.",
        "Los estados A₁ . . . Aₙ se recorren.",
    ],
)
def test_an_abbreviation_does_not_end_the_sentence(sentence: str) -> None:
    before, after = "Esto va antes de todo.", "Esto va después de todo."
    assert sentences(f"{before} {sentence} {after}") == [before, sentence, after]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Es una red. Tiene capas.", ["Es una red.", "Tiene capas."]),
        ("Pesos, sesgos, etc. La red aprende.", ["Pesos, sesgos, etc.", "La red aprende."]),
        ("Capas, etc. ¿Qué falta?", ["Capas, etc.", "¿Qué falta?"]),
        ("Pertenece a la clase C. El modelo acierta.", None),
        ("Dijo que no. Luego calló.", ["Dijo que no.", "Luego calló."]),
        ("¿Qué es? ¡Una red!", ["¿Qué es?", "¡Una red!"]),
        ("Y así… Luego para.", ["Y así…", "Luego para."]),
        ("Y así… luego para.", ["Y así… luego para."]),
        ("«Sirve.» Lo dijo ella.", ["«Sirve.»", "Lo dijo ella."]),
        ("Nació en 1950. Murió en 1999.", ["Nació en 1950.", "Murió en 1999."]),
    ],
)
def test_punctuation_ends_a_sentence(text: str, expected: list[str] | None) -> None:
    assert sentences(text) == (expected or text.replace(". ", ".\t").split("\t"))


def test_layout_ends_a_sentence_without_any_punctuation() -> None:
    text = (
        "2.1 Redes neuronales\n"
        "Una red se entrena con\ndatos.\n"
        "- Capa de entrada\n"
        "• Capa oculta, que\nsigue en otra línea\n"
        "1. Primero se inicia. Luego se itera.\n"
        "b) Al final se mide\n"
        "\ue226 Viñeta de otra fuente\n\n"
        "Conclusión\n \n"
        "Todo converge"
    )
    assert sentences(text) == [
        "2.1 Redes neuronales",
        "Una red se entrena con\ndatos.",
        "- Capa de entrada",
        "• Capa oculta, que\nsigue en otra línea",
        "1. Primero se inicia.",
        "Luego se itera.",
        "b) Al final se mide",
        "\ue226 Viñeta de otra fuente",
        "Conclusión",
        "Todo converge",
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("El modelo aprende de los datos con los que se entrena.", "es"),
        ("The model learns from the data that it is given.", "en"),
        ("El 'dropout' y el 'batch normalization' son técnicas de deep learning.", "es"),
        ("x = 3", "es"),
        ("", "es"),
    ],
)
def test_the_language_is_told_by_function_words(text: str, language: str) -> None:
    assert detect_language(text) == language


@pytest.mark.parametrize("text", ["", " ", "\n\n\t \u00a0"])
@pytest.mark.parametrize("strategy", list(Strategy))
def test_a_blank_document_has_no_chunks(text: str, strategy: Strategy) -> None:
    assert chunks_of(clean(text), strategy) == []
    assert split_sentences(text) == []


@pytest.mark.parametrize(
    ("length", "spans"),
    [
        (1, [(0, 1)]),
        (800, [(0, 800)]),
        (801, [(0, 800), (700, 801)]),
        (1500, [(0, 800), (700, 1500)]),
        (1501, [(0, 800), (700, 1500), (1400, 1501)]),
    ],
)
def test_fixed_windows_are_800_wide_and_700_apart(
    length: int, spans: list[tuple[int, int]]
) -> None:
    chunks = chunk_fixed(clean("x" * length))
    assert [(chunk.start, chunk.end) for chunk in chunks] == spans


def test_fixed_windows_keep_their_white_space_and_skip_blank_ones() -> None:
    text = "a" + " " * 2998 + "b" + " " * 900
    chunks = chunk_fixed(clean(text))
    assert [(chunk.start, chunk.end, chunk.ordinal) for chunk in chunks] == [
        (0, 800, 0),
        (2800, 3000, 1),
    ]
    assert chunks[0].text == text[:800]


def test_sentences_are_gathered_up_to_the_limit_and_not_past_it() -> None:
    sentence = "La red aprende de los datos del curso y de nada más que eso. "
    assert len(sentence) == 61
    text = sentence * 30
    chunks = chunk_semantic(clean(text))
    # 13 sentences span 13 * 61 - 1 = 792 characters, a fourteenth would make 853.
    assert [len(chunk.text) for chunk in chunks] == [792, 792, 243]
    assert all(chunk.text.startswith("La red") for chunk in chunks)
    assert all(chunk.text.endswith("que eso.") for chunk in chunks)


def test_a_sentence_longer_than_a_chunk_is_cut_with_the_overlap() -> None:
    long = "palabra " * 249 + "fin."
    text = f"Corta va primero. {long} Otra va después."
    first, second, third, fourth = chunk_semantic(clean(text))
    assert first.text == "Corta va primero."
    assert (second.start, second.end) == (18, 18 + MAX_CHARS)
    assert third.start == second.end - OVERLAP
    assert third.end == third.start + MAX_CHARS
    assert fourth.start == third.end - OVERLAP
    assert fourth.text.endswith("fin. Otra va después.")


@pytest.mark.parametrize("strategy", list(Strategy))
def test_pages_are_those_of_the_first_and_last_visible_characters(strategy: Strategy) -> None:
    text = "Primera página.\n\nSegunda página.\n\nCuarta."
    document = clean(text, 0, text.index("Segunda"), text.index("Cuarta"), text.index("Cuarta"))
    (chunk,) = chunks_of(document, strategy)
    assert (chunk.first_page, chunk.last_page) == (1, 4)
    alone = clean(f"{'a' * 699}.\n\n{'b' * 700}.", 0, 702)
    last = chunks_of(alone, strategy)[-1]
    assert (last.first_page, last.last_page) == (2, 2)


def test_a_text_of_a_million_characters_without_a_break_is_cut_whole() -> None:
    chunks = chunk_semantic(clean("x" * 1_000_000))
    assert len(chunks) == 1429
    assert {len(chunk.text) for chunk in chunks[:-1]} == {MAX_CHARS}
    assert chunks[-1].end == 1_000_000
