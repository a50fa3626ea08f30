"""Sentences of an answer against passages, with the real embedder."""

from __future__ import annotations

import pytest

from scripts._course import records
from tutor.answer.verification.verify import CheckedSentence, SupportVerdict, verify
from tutor.embedding import BundledEmbedder
from tutor.text.terms import content_words, content_words_of_both

SEARCH = (
    "A* expande el nodo con menor f(n) = g(n) + h(n). Fue publicado por Hart, Nilsson y Raphael en"
    " 1968. Una heurística es admisible si nunca sobreestima el costo. La búsqueda en anchura usa"
    " una cola y la búsqueda en profundidad usa una pila."
)
TREES = (
    "Un árbol de decisión parte los datos con preguntas. La poda no elimina la raíz del árbol. "
    "Una profundidad alta aumenta la varianza."
)


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def _verify(text: str, embedder: BundledEmbedder) -> list[CheckedSentence]:
    return verify(text, [SEARCH, TREES], embedder)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Una heurística es admisible si nunca sobreestima el costo.", "Una heurística es"),
        ("El algoritmo A* lo publicaron Hart, Nilsson y Raphael en 1968.", "Fue publicado por"),
        ("La búsqueda en anchura utiliza una **cola**.", "La búsqueda en anchura"),
        ("A* expands the node with the lowest $f(n) = g(n) + h(n)$.", "A* expande"),
    ],
)
def test_supported_sentences_come_with_their_quote(
    sentence: str, quote: str, embedder: BundledEmbedder
) -> None:
    (statement,) = _verify(sentence, embedder)
    assert statement.verdict is SupportVerdict.SUPPORTED
    assert statement.passage == 0
    assert SEARCH[statement.quote_start : statement.quote_end].startswith(quote)
    assert statement.support >= 0.5


@pytest.mark.parametrize(
    "sentence",
    [
        "A* fue publicado por Hart, Nilsson y Raphael en 1986.",
        "A* fue publicado por Hart, Nilsson y Dijkstra en 1968.",
        "A* expande el nodo con menor $f(n) = g(n) - h(n)$.",
        "La búsqueda en anchura usa una pila y la búsqueda en profundidad usa una cola.",
        "La poda elimina la raíz del árbol.",
        "Una profundidad baja aumenta la varianza.",
        "Las plantas convierten la luz en energía química.",
        "Si le das más datos al árbol, elimina la raíz.",
        "A decision tree is trained with gradient descent.",
    ],
)
def test_what_the_passages_do_not_say_is_not_supported(
    sentence: str, embedder: BundledEmbedder
) -> None:
    (statement,) = _verify(sentence, embedder)
    assert statement.verdict is SupportVerdict.UNSUPPORTED
    assert statement.passage is None
    assert statement.support < 0.5


def test_a_number_alone_is_compared_as_what_it_says_to_the_question(
    embedder: BundledEmbedder,
) -> None:
    asked = "¿En qué año publicaron A* Hart, Nilsson y Raphael?"
    for said, expected in (
        ("1968.", SupportVerdict.SUPPORTED),
        ("1986.", SupportVerdict.UNSUPPORTED),
    ):
        (statement,) = verify(said, [SEARCH, TREES], embedder, asked)
        assert statement.verdict is expected


def test_words_of_two_languages_are_compared_by_what_they_mean() -> None:
    english, spanish = "the weights of the network", "pesos de la red"
    assert content_words(english).isdisjoint(content_words(spanish))
    assert content_words(spanish) <= content_words_of_both(english)


def test_markdown_is_taken_apart_and_only_claims_are_judged(embedder: BundledEmbedder) -> None:
    text = (
        "¡Hola!\n\n## Búsqueda\n\nPor ejemplo:\n\n- La búsqueda en anchura usa una cola.\n"
        "- El universo se expande cada vez más rápido.\n\n```py\nx = [1]\n```\n\n"
        "¿Quieres saber más?"
    )
    statements = _verify(text, embedder)
    verdicts = {text[s.start : s.end]: s.verdict for s in statements}
    assert verdicts["La búsqueda en anchura usa una cola."] is SupportVerdict.SUPPORTED
    assert verdicts["El universo se expande cada vez más rápido."] is SupportVerdict.UNSUPPORTED
    others = [v for t, v in verdicts.items() if "anchura" not in t and "universo" not in t]
    assert others == [SupportVerdict.NEUTRAL] * len(others)


@pytest.mark.parametrize(
    ("claim", "passage", "told"),
    [
        (
            "hₜ es el estado oculto en el paso t.",
            "Definición (Red recurrente). El estado oculto hₜ se calcula en el paso t.",
            "El estado oculto hₜ",
        ),
        ("Los métodos tienen un límite principal.", "Método | Límite principal\nIQR | ruido", ""),
    ],
)
def test_labels_and_heads_of_tables_are_no_evidence(
    embedder: BundledEmbedder, claim: str, passage: str, told: str
) -> None:
    (checked,) = verify(claim, [passage], embedder)
    assert bool(told) is (checked.verdict is SupportVerdict.SUPPORTED)
    assert passage[checked.quote_start : checked.quote_end].startswith(told)


def test_without_passages_nothing_is_supported(embedder: BundledEmbedder) -> None:
    (statement,) = verify("A* es óptimo.", [], embedder)
    assert statement.verdict is SupportVerdict.UNSUPPORTED


def test_the_pairs_are_many_balanced_and_split_by_document() -> None:
    pairs = records("support_pairs.jsonl")
    assert len({pair["id"] for pair in pairs}) == len(pairs) >= 120
    halves = [[pair for pair in pairs if pair["split"] == split] for split in ("dev", "test")]
    assert not {pair["file"] for pair in halves[0]} & {pair["file"] for pair in halves[1]}
    for half in halves:
        supported = [pair["supported"] for pair in half]
        assert 0.4 <= sum(supported) / len(supported) <= 0.6


def test_a_claim_takes_its_subject_and_its_fact_from_one_row_of_a_table(
    embedder: BundledEmbedder,
) -> None:
    table = (
        "Modelo | Año | Parámetros\nGPT-1 | 2018 | 117 millones de parámetros"
        "\nGPT-2 | 2019 | 1500 millones de parámetros"
        "\nGPT-3 | 2020 | 175 mil millones de parámetros"
    )
    (told,) = verify("GPT-2 tiene 1500 millones de parámetros.", [table], embedder)
    assert told.verdict is SupportVerdict.SUPPORTED
    quote = table[told.quote_start : told.quote_end]
    assert quote == "GPT-2 | 2019 | 1500 millones de parámetros"
    (told,) = verify("GPT-2 es de 2018 y tiene 1500 millones de parámetros.", [table], embedder)
    assert told.verdict is SupportVerdict.UNSUPPORTED
