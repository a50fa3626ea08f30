"""Answers made of quotes: exact, in reading order, without repetitions, or none at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import pytest

from tests.passages import make_hit
from tutor.answer.asked import AnswerKind
from tutor.answer.details import is_told
from tutor.answer.quoting import (
    Quote,
    best_sentences,
    compose,
    quotes_of,
    ranked_excerpts,
    reading_of,
)
from tutor.answer.quoting.answer import LONGEST, listing
from tutor.answer.quoting.excerpts import RELATES, Excerpt, excerpts, surroundings
from tutor.answer.quoting.quote import (
    headed,
    readable,
    rest_of_list,
    rest_of_numbered,
    with_announced,
    with_rest,
    with_subsection,
)
from tutor.answer.quoting.scoring import Scored, Signals, signals
from tutor.answer.quoting.told import IN_DOCUMENT, IN_SECTION
from tutor.embedding import BundledEmbedder
from tutor.index.lexical import LexicalIndex
from tutor.map.lesson import drawings, runs
from tutor.model import AnswerLength, Block, BlockKind, CleanText, Hit, SourceId, Statement

NEURAL = (
    "Redes neuronales\n\nUna red neuronal es un modelo formado por capas de neuronas conectadas. "
    "¿Cómo aprende una red neuronal? La red neuronal aprende ajustando sus pesos con descenso de "
    "gradiente."
)
TREES = "Un árbol de decisión parte los datos con preguntas. Su profundidad se limita con la poda."
WEATHER = "El clima de la capital es templado y lluvioso durante casi todo el año."


@pytest.fixture(scope="module")
def embedder() -> BundledEmbedder:
    return BundledEmbedder()


def document_of(hits: Sequence[Hit]) -> Callable[[SourceId], CleanText]:
    """Documents that hold the passages, an empty line between their blocks."""
    documents: dict[SourceId, CleanText] = {}
    for hit in hits:
        text = documents[hit.source.id].text if hit.source.id in documents else ""
        text = text.ljust(hit.chunk.end)
        text = text[: hit.chunk.start] + hit.chunk.text + text[hit.chunk.end :]
        documents[hit.source.id] = document(text, hit.source.id)
    return documents.__getitem__


def document(text: str, source: SourceId) -> CleanText:
    blocks: list[Block] = []
    start = 0
    for part in text.split("\n\n"):
        lead, kind = start, BlockKind.PARAGRAPH
        if part.startswith("# "):
            kind = BlockKind.HEADING
        elif part.startswith("• "):
            kind, lead = BlockKind.LIST, blocks[-1].start
        elif part.startswith("Año |"):
            kind, lead = BlockKind.TABLE, blocks[-1].start
        elif part.startswith("Tabla "):
            kind = BlockKind.CAPTION
        elif "=" in part and "(" in part:
            opened = not text[: start - 2].endswith(".")
            kind, lead = BlockKind.FORMULA, blocks[-1].start if opened else start
        blocks.append(Block(kind, start, start + len(part), lead))
        start += len(part) + 2
    return CleanText(source, text, tuple(range(0, len(text) + 1, 100)), tuple(blocks))


def quote_answer(
    question: str,
    hits: Sequence[Hit],
    embedder: BundledEmbedder,
    document_of_it: Callable[[SourceId], CleanText],
) -> list[Quote]:
    return quotes_of(ranked_excerpts([question], hits, embedder, document_of_it))


def quoted(question: str, hits: list[Hit], embedder: BundledEmbedder) -> list[str]:
    quotes = quote_answer(question, hits, embedder, document_of(hits))
    return [quote.text for quote in quotes]


def made_of(parts: Sequence[tuple[str, BlockKind]]) -> CleanText:
    """A document with these blocks, an empty line behind each."""
    text, blocks = "", []
    for part, kind in parts:
        blocks.append(Block(kind, len(text), len(text) + len(part), len(text)))
        text += f"{part}\n\n"
    return CleanText(SourceId("s"), text, (0,), tuple(blocks))


def leveled(document: CleanText, levels: Sequence[int]) -> CleanText:
    """A document whose blocks have these levels."""
    pairs = zip(document.blocks, levels, strict=True)
    return replace(document, blocks=tuple(replace(block, level=level) for block, level in pairs))


def first_of(
    question: str, parts: Sequence[tuple[str, BlockKind]], embedder: BundledEmbedder
) -> str:
    """What is best of a document that was found whole, for a question."""
    whole = made_of(parts)
    hits = [make_hit(whole.text, path="s")]
    best, *_others = ranked_excerpts([question], hits, embedder, lambda _source: whole)
    return best.excerpt.text


def labels_in(document: CleanText) -> list[str]:
    """What is taken for a drawing's."""
    begins = drawings(document)
    pairs = zip(document.blocks, begins, strict=True)
    return [document.text[begin : b.end] for b, begin in pairs if begin < b.end]


def test_a_paragraph_is_quoted_whole_the_best_one_first(embedder: BundledEmbedder) -> None:
    hits = [make_hit(TREES, path="t.pdf"), make_hit(NEURAL, path="n.pdf", rank=2)]
    quotes = quoted("¿Qué es una red neuronal y cómo aprende?", hits, embedder)
    assert quotes[0] == NEURAL.split("\n\n")[1]


def test_a_list_comes_with_the_sentence_that_opens_it(embedder: BundledEmbedder) -> None:
    steps = "k-means repite dos pasos:\n\n• asignar cada punto al centroide más cercano\n• mover"
    text = f"{WEATHER}\n\n# Pasos\n\n{steps} cada centroide\n\n# Otros\n\n{TREES}"
    # Only a part of the list was found.
    start = text.index("más cercano")
    hit = make_hit(text[start:], start=start)
    document_of_it = lambda source: document(text, source)  # noqa: E731
    quotes = quote_answer("¿Cuáles son los pasos de k-means?", [hit], embedder, document_of_it)
    assert quotes[0].text == f"{steps} cada centroide"
    _text, citations = compose(quotes)
    assert citations[0].quote == quotes[0].text
    assert citations[0].hit.chunk.id == hit.chunk.id
    chunk = citations[0].hit.chunk
    assert text[chunk.start : chunk.end] == chunk.text


def test_a_formula_stays_with_its_sentence(embedder: BundledEmbedder) -> None:
    text = "La entropía de una distribución es\n\nH(p) = −∑ p log p,\n\ndonde p son proporciones."
    assert quoted("fórmula de la entropía", [make_hit(text)], embedder) == [text]


def test_the_short_items_of_a_list_that_has_no_others_answer(embedder: BundledEmbedder) -> None:
    commands = ("• apt update\n• apt-cache search\n• apt clean", BlockKind.LIST)
    heading = ("Comandos APT", BlockKind.HEADING)
    assert first_of("cómo busco con apt", [heading, commands], embedder) == commands[0]
    keys = ("• C: C - E - G\n• D: D - F - A", BlockKind.LIST)
    asked = ("• ¿Qué hace\n• apt clean?", BlockKind.LIST)
    told = ("El clima de la capital es templado y lluvioso todo el año.", BlockKind.PARAGRAPH)
    for other in (keys, asked):
        assert first_of("cómo busco con apt", [told, heading, other], embedder) == told[0]


def test_names_are_no_formula_in_capitals() -> None:
    line = "Balance -> Activo = Pasivo + Neto (Patrimonio Neto Total En Imagen)"
    text = made_of(
        [("Un balance muestra la situación.", BlockKind.PARAGRAPH), (line, BlockKind.PARAGRAPH)]
    )
    start, end = surroundings(text, (text.blocks[0].start, text.blocks[0].end), 1000)
    assert text.text[start:end].endswith(line)


def test_a_list_that_breaks_off_in_capitals_goes_on() -> None:
    def together(item: str) -> int:
        parts = [(f"1. Pura. {item}", BlockKind.LIST), ("ENTENDIMIENTO", BlockKind.PARAGRAPH)]
        return len(list(runs(made_of(parts))))

    assert together("CONCEPTOS DEL") == 1
    assert together("VITAMINA A") == 2


@pytest.mark.parametrize(
    ("opening", "code"), [("1 int main(void) {", True), ("Así se poda:", False)]
)
def test_a_line_that_opens_code_is_code(opening: str, code: bool) -> None:
    document = made_of(((opening, BlockKind.PARAGRAPH), ("return 0;\n}", BlockKind.CODE)))
    excerpt = Excerpt(make_hit(document.text), document, 0, len(document.text), document.blocks)
    assert excerpt.is_code is code
    assert replace(excerpt, blocks=document.blocks[1:]).is_code
    assert not replace(excerpt, blocks=document.blocks[:1]).is_code


def test_of_a_long_part_more_is_quoted_below_a_statement_than_above() -> None:
    told = [f"El caso {number} de cinco se resuelve a su modo." for number in "12345"]
    document = made_of(((" ".join(told), BlockKind.PARAGRAPH),))
    whole = Excerpt(make_hit(document.text), document, 0, document.blocks[0].end, document.blocks)
    second = whole.statements()[1]
    assert whole.around(second, 3 * len(told[0]) + 2).text == " ".join(told[1:4])
    assert whole.around(second, 4 * len(told[0]) + 3).text == " ".join(told[:4])


@pytest.mark.parametrize("kind", [BlockKind.FORMULA, BlockKind.CODE])
def test_a_short_formula_under_its_heading_is_quoted(
    kind: BlockKind, embedder: BundledEmbedder
) -> None:
    parts = [
        ("Formulación del primer principio", BlockKind.HEADING),
        ("La energía de un sistema aislado se conserva en todo proceso.", BlockKind.PARAGRAPH),
        ("Entalpía", BlockKind.HEADING),
        ("H = U + pV", kind),
    ]
    assert first_of("fórmula de la entalpía", parts, embedder) == "H = U + pV"
    no_more_than_a_value = [*parts[:-1], ("H = 0.5", kind)]
    assert first_of("fórmula de la entalpía", no_more_than_a_value, embedder) == parts[1][0]


def test_a_formula_that_stands_by_itself_belongs_to_the_text_above_it(
    embedder: BundledEmbedder,
) -> None:
    bayes = "El teorema de Bayes invierte una probabilidad condicional.\n\nP(H|E) = P(E|H)P(H)/P(E)"
    text = f"{WEATHER}\n\n# Bayes\n\n{bayes}\n\n# Historia\n\nSe publicó en 1763."
    assert quoted("¿Cuál es la fórmula de Bayes?", [make_hit(text)], embedder)[0] == bayes


def signals_of(question: str, title: str, text: str, embedder: BundledEmbedder) -> Signals:
    """The signals of the first statement below a heading."""
    hits = [make_hit(f"# {title}\n\n{text}")]
    first, *_others = signals([question], excerpts(hits, document_of(hits)), embedder)
    return first[0][1]


@pytest.mark.parametrize(
    "question", ["formula de bayes", "¿Cómo se calcula?", "how is it computed"]
)
def test_a_formula_counts_where_one_is_asked_for(question: str, embedder: BundledEmbedder) -> None:
    bayes = "El teorema dice que P(H|E) ∝ P(E|H)P(H), salvo una constante de normalización."
    assert signals_of(question, "Bayes", bayes, embedder).formula
    said = "El teorema se publicó en 1763, dos años después de su muerte."
    assert not signals_of(question, "Bayes", said, embedder).formula
    assert not signals_of("¿Quién publicó el teorema?", "Bayes", bayes, embedder).formula


def test_what_relates_something_to_other_than_numbers() -> None:
    assert RELATES.search("El teorema dice\n\nP(H|E) ∝ P(E|H)P(H)")
    assert not RELATES.search("El teorema se publicó en 1763.")
    assert not RELATES.search("El lado es 31 + 1 = 32.")
    assert RELATES.search("Riesgo ≤ error + f(n)")
    assert RELATES.search("y = (a, b)")


@pytest.mark.parametrize(
    "question",
    [
        "dame un ejemplo de naive Bayes",
        "ponme un ejemplo",
        "example of naive Bayes",
        "¿Ejemplos?",
        "un sistema, por ejemplo",
    ],
)
def test_an_example_counts_where_one_is_asked_for(question: str, embedder: BundledEmbedder) -> None:
    labelled = "Ejemplo (Filtro de spam). El 40 % de los correos lo son."
    assert signals_of(question, "5 Naive Bayes", labelled, embedder).example
    assert signals_of(question, "Example by hand", "Five points are given here.", embedder).example
    remark = "Por ejemplo, se supone que todos son independientes."
    assert not signals_of(question, "5 Naive Bayes", remark, embedder).example


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué es naive Bayes?",
        "si un ejemplo puede tener varias etiquetas, ¿qué uso?",
        "¿Cuánto da en el ejemplo de los cuatro pasajes?",
        "de qué sistema es ejemplo",
    ],
)
def test_no_example_counts_where_none_is_asked_for(
    question: str, embedder: BundledEmbedder
) -> None:
    text = "Ejemplo (Filtro de spam). El 40 % de los correos lo son."
    assert not signals_of(question, "Ejemplos", text, embedder).example


@pytest.mark.parametrize("question", ["pasos de k-means", "¿Qué tipos hay?", "steps of PCA"])
def test_a_list_counts_where_several_things_are_asked_for(
    question: str, embedder: BundledEmbedder
) -> None:
    text = "Los centros se eligen al azar entre todos los puntos que hay."
    items = (
        "Se hace así:\n\n• Se eligen los centros al azar.\n• Se asigna cada punto al más cercano."
    )
    assert signals_of(question, "Procedimiento", items, embedder).listed
    assert not signals_of(question, "Procedimiento", text, embedder).listed
    assert not signals_of("¿Qué es k-means?", "Procedimiento", items, embedder).listed


def test_a_line_of_many_words_is_a_sentence_without_its_full_stop(
    embedder: BundledEmbedder,
) -> None:
    text = (
        "# Tipos\n\nSímplex: en un único sentido.\n\n# Semidúplex\n\n"
        "La transmisión se produce en ambos sentidos, pero no a la vez (walkie-talkie)\n\n"
        "Instituto del Valle, Semidúplex"
    )
    hits = [make_hit(text)]
    ranked = ranked_excerpts(["qué es semidúplex"], hits, embedder, document_of(hits))
    assert [entry.excerpt.title for entry in ranked] == ["# Semidúplex", "# Tipos"]
    assert ranked[0].excerpt.text.endswith("(walkie-talkie)")


def test_words_of_the_headings_above_count(embedder: BundledEmbedder) -> None:
    steps = "El orden es este: primero se va hacia adelante, después hacia atrás."
    hits = [
        make_hit(f"# {title}\n\n# El procedimiento\n\n{steps}", path=path, rank=rank)
        for rank, (path, title) in enumerate((("a.pdf", "Redes"), ("b.pdf", "Retropropagación")), 1)
    ]
    first, *_others = ranked_excerpts(
        ["pasos de la retropropagación"], hits, embedder, document_of(hits)
    )
    assert (first.excerpt.title, first.excerpt.above) == (
        "# El procedimiento",
        "# Retropropagación. # El procedimiento",
    )


def test_an_example_comes_before_what_it_is_an_example_of(embedder: BundledEmbedder) -> None:
    text = (
        "AdaBoost construye un clasificador fuerte a partir de clasificadores débiles.\n\n"
        "Ejemplo (Tres tocones). Hay diez puntos, y los clasificadores débiles son tocones."
    )
    hits = [make_hit(text)]
    for question, first in (("un ejemplo de AdaBoost", "Ejemplo"), ("AdaBoost", "AdaBoost")):
        ranked = ranked_excerpts([question], hits, embedder, document_of(hits))
        assert ranked[0].excerpt.text.startswith(first)


def test_the_part_whose_heading_is_the_question_comes_first(embedder: BundledEmbedder) -> None:
    text = (
        "# Regresión lasso\n\nLasso anula coeficientes: selecciona características.\n\n"
        "# ¿Por qué lasso anula coeficientes?\n\nEl rombo tiene esquinas sobre los ejes, y la"
        " solución suele caer en una de ellas."
    )
    quotes = quoted("¿Por qué lasso anula coeficientes?", [make_hit(text)], embedder)
    assert "\n\nEl rombo tiene" in quotes[0]


def test_of_a_large_table_the_row_that_answers_is_quoted(embedder: BundledEmbedder) -> None:
    rows = "".join(f"\n{n} | Un hecho cualquiera del año número {n}, sin nombre" for n in range(16))
    named = "Exhaustividad | De lo que había, ¿cuánto se encontró?"
    text = f"Tabla 1: Medidas\n\nAño | Pregunta de cada medida\n{named}{rows}"
    quotes = quoted("¿Qué mide la exhaustividad?", [make_hit(text)], embedder)
    assert quotes[0].splitlines()[4:] == [f"| {named} |"]


def test_a_table_that_is_read_at_a_glance_is_quoted_whole(
    embedder: BundledEmbedder,
) -> None:
    rows = [f"199{n} | Mantiene el tamaño, caso número {n}, y va por capas" for n in range(9)]
    text = "\n".join(
        ["Tabla 3: Remedios para los gradientes que se desvanecen\n", "Año | Motivo", *rows]
    )
    asked = "remedios para los gradientes que se desvanecen"
    quotes = quoted(asked, [make_hit(text)], embedder)
    assert quotes[0].splitlines()[4:] == [f"| {row} |" for row in rows]


def test_a_larger_table_is_quoted_whole_where_it_compares(embedder: BundledEmbedder) -> None:
    one, two = "una sola clave para todos, caso", "un par de claves, una pública, caso"
    rows = [f"Aspecto {n} | {one} {n} | {two} {n}" for n in range(11)]
    text = "\n".join(["Tabla 1: Cifrados\n", "Año | Simétrico | Asimétrico", *rows])
    asked = "diferencia entre cifrado simétrico y asimétrico"
    assert quoted(asked, [make_hit(text)], embedder)[0].splitlines()[4:] == [
        f"| {row} |" for row in rows
    ]
    alone = quoted("claves del cifrado simétrico", [make_hit(text)], embedder)[0]
    assert len(alone.splitlines()[4:]) < len(rows)


def test_a_row_is_quoted_with_the_heads_of_its_columns(embedder: BundledEmbedder) -> None:
    rows = "".join(
        f"\n19{n} | Persona {n} | Una idea número {n} que fue olvidada" for n in range(60, 90)
    )
    text = f"Tabla 1: Historia\n\nAño | Autor | Aporte\n1958 | Rosenblatt | El perceptrón{rows}"
    quotes = quoted("¿Quién inventó el perceptrón?", [make_hit(text)], embedder)
    heads = "Tabla 1: Historia\n\n| Año | Autor | Aporte |\n| --- | --- | --- |"
    assert quotes == [f"{heads}\n| 1958 | Rosenblatt | El perceptrón |"]


def test_a_table_of_one_line_is_quoted_as_it_stands(embedder: BundledEmbedder) -> None:
    text = "Tabla 1: El perceptrón de Rosenblatt\n\nAño | Autor del perceptrón"
    assert quoted("¿Quién inventó el perceptrón?", [make_hit(text)], embedder) == [text]


def test_a_question_in_the_notes_answers_nothing(embedder: BundledEmbedder) -> None:
    text = f"¿Qué es una red neuronal?\n\n{NEURAL.split(chr(10))[2]}\n\n{TREES}"
    quotes = quoted("¿Qué es una red neuronal?", [make_hit(text)], embedder)
    assert quotes[0].startswith("Una red neuronal es")
    assert not any(quote.endswith("neuronal?") for quote in quotes)


def test_a_long_paragraph_is_quoted_in_whole_sentences(embedder: BundledEmbedder) -> None:
    filler = " ".join(
        f"La frase número {n} habla del clima templado de la capital." for n in range(30)
    )
    sentence = "La tasa de aprendizaje fija el tamaño de cada paso."
    text = f"{filler} {sentence} {filler}"
    (quote,) = quoted("¿Qué fija la tasa de aprendizaje?", [make_hit(text)], embedder)
    assert sentence in quote
    assert LONGEST / 2 < len(quote) <= LONGEST
    assert quote.startswith("La frase")
    assert quote.endswith(".")


def test_an_english_question_is_answered_from_spanish_notes(embedder: BundledEmbedder) -> None:
    hits = [make_hit(WEATHER, path="w.pdf"), make_hit(NEURAL, path="n.pdf", rank=2)]
    quotes = quoted("How does a neural network learn?", hits, embedder)
    assert any("aprende ajustando sus pesos" in quote for quote in quotes)


def test_passages_without_a_statement_give_nothing(embedder: BundledEmbedder) -> None:
    heading = make_hit("Redes neuronales\n\n¿Qué es una red neuronal?")
    assert quoted("¿Qué es una red neuronal?", [heading], embedder) == []


def test_poor_sentences_are_no_company_for_a_good_one(embedder: BundledEmbedder) -> None:
    hits = [make_hit(NEURAL), make_hit(WEATHER, path="w.pdf", rank=2)]
    quotes = quoted("¿Qué es una red neuronal?", hits, embedder)
    assert quotes
    assert WEATHER not in quotes


def test_two_versions_give_one_sentence_the_newer(embedder: BundledEmbedder) -> None:
    old = "La entropía mide la incertidumbre de una variable aleatoria en bits."
    new = "La entropía mide la incertidumbre de la variable aleatoria, en bits."
    hits = [
        make_hit(old, path="v1.pdf", day=date(2025, 8, 4), version="1"),
        make_hit(new, path="v2.pdf", rank=2, day=date(2025, 8, 4), version="2"),
    ]
    assert quoted("¿Qué mide la entropía?", hits, embedder) == [new]


def test_overlapping_windows_give_a_paragraph_once(embedder: BundledEmbedder) -> None:
    sentence = "La tasa de aprendizaje fija el tamaño de cada paso."
    text = f"{TREES}\n\n# Tasa\n\n{sentence}\n\n# Clima\n\n{WEATHER}"
    hits = [make_hit(text[:120]), make_hit(text[90:], rank=2, start=90)]
    assert quoted("¿Qué fija la tasa de aprendizaje?", hits, embedder) == [sentence]


def test_composed_text_is_exactly_its_citations(embedder: BundledEmbedder) -> None:
    hits = [make_hit(NEURAL, path="n.pdf"), make_hit(TREES, path="t.pdf", rank=2)]
    question = "¿Cómo aprende una red neuronal y qué hace un árbol de decisión?"
    quotes = quote_answer(question, hits, embedder, document_of(hits))
    text, citations = compose(quotes)
    assert text == "\n\n".join(quote.text for quote in quotes)
    for citation in citations:
        assert text[citation.start : citation.end] == citation.quote
    assert citations[0].last_page > 1


def test_the_best_sentence_of_each_passage_is_found(embedder: BundledEmbedder) -> None:
    hits = [make_hit(NEURAL, path="n.pdf"), make_hit(TREES, path="t.pdf", rank=2)]
    best = best_sentences("¿Cómo aprende una red neuronal?", hits, embedder)
    start, end = best[hits[0].chunk.id]
    assert "ajustando sus pesos" in NEURAL[start:end]
    assert hits[1].chunk.id in best


ENTROPY = """\
# Desorden

La entropía mide el desorden de los datos de un nodo.

# Moneda

La entropía de una moneda sin trucar vale exactamente un bit.

# Texto

La entropía de un texto crece con su alfabeto de letras.

# Entropía cruzada

La entropía cruzada compara dos distribuciones de probabilidad.

# Entropía condicional

La entropía condicional descuenta aquello que ya se sabía.

# Entropía conjunta

La entropía conjunta nunca supera la suma de ambas variables.

# Entropía diferencial

La entropía diferencial puede ser negativa."""


AGENDA = """# Agenda

• PCA: los pasos y un ejemplo de PCA
• Los pasos de PCA: cuántos componentes conservar

# Análisis de componentes

Los temas de este video son:

• Los pasos de PCA
• Cuáles son sus límites

# El procedimiento

• 1. Centrar cada variable y calcular la covarianza
• 2. Proyectar los datos sobre los vectores propios"""


def test_the_length_of_answers_is_that_of_their_quotes(embedder: BundledEmbedder) -> None:
    hits = [make_hit(ENTROPY)]
    ranked = ranked_excerpts(["¿Qué es la entropía?"], hits, embedder, document_of(hits))
    short, normal, long = (quotes_of(ranked, length) for length in AnswerLength)
    assert len(short) == 1
    assert short[0] == normal[0] == long[0]
    assert len(short) < len(normal) < len(long) <= 6
    assert len(reading_of(ranked, AnswerLength.LONG)) > len(reading_of(ranked))


def test_an_agenda_is_not_quoted_but_the_list_that_it_announces(embedder: BundledEmbedder) -> None:
    hits = [make_hit(AGENDA)]
    found = quoted("¿Cuáles son los pasos de PCA?", hits, embedder)
    assert "1. Centrar cada variable" in found[0]
    for opened in ("cuántos componentes conservar", "Cuáles son sus límites"):
        assert not any(opened in quote for quote in found)


@pytest.mark.parametrize(
    "heading", ["¿Qué vas a aprender?", "Objetivos de la clase", "Contenidos:", "Lo que veremos"]
)
def test_what_will_come_is_told_where_it_stands(heading: str, embedder: BundledEmbedder) -> None:
    coming = "• qué son los alcanos y su fórmula general\n• cómo se nombran los alcanos"
    told = "La fórmula general de los alcanos es CnH2n+2, donde n cuenta los carbonos."
    text = f"# {heading}\n\n{coming}\n\n# Fórmula general\n\n{told}"
    assert coming not in "\n".join(quoted("fórmula de los alcanos", [make_hit(text)], embedder))


def test_a_heading_of_any_section_is_named_with_the_one_above(embedder: BundledEmbedder) -> None:
    parts = [
        ("Cálculo diferencial", BlockKind.HEADING),
        ("Teorema de Rolle", BlockKind.HEADING),
        ("Enunciado", BlockKind.HEADING),
        ("Existe un c en (a, b) en el que la derivada es cero.", BlockKind.PARAGRAPH),
    ]
    whole = leveled(made_of(parts), (1, 2, 3, 0))
    hits = [make_hit(whole.text, path="s")]
    ranked = ranked_excerpts(["qué dice el teorema"], hits, embedder, lambda _source: whole)
    assert quotes_of(ranked)[0].text.startswith("**Teorema de Rolle › Enunciado**")


def test_how_something_is_computed_may_be_asked_of_anything(embedder: BundledEmbedder) -> None:
    text = (
        "# Pasos\n\nHay que calcular la covarianza: cómo se calcula dependerá de los datos.\n\n"
        "# Regresión lasso\n\nEl castigo suma los valores absolutos.\n\n"
        "# Lasso en grupos\n\nQuita grupos enteros.\n\n"
        "# Elegir lasso\n\nCon pocas variables útiles."
    )
    hits = [make_hit(text)]
    question = "cómo se calcula lasso"
    best, *_others = ranked_excerpts([question], hits, embedder, document_of(hits))
    assert "asso" in best.excerpt.title


def test_a_list_that_explains_is_quoted_under_any_heading(embedder: BundledEmbedder) -> None:
    copy = (
        "• COPY y ADD hacen prácticamente lo mismo, la diferencia es que ADD permite descargar los"
        " archivos desde una dirección."
    )
    hits = [make_hit(f"# Temas\n\n• COPY, ADD y ENV\n\n# Contenido\n\n{copy}")]
    (found, *_others) = quoted("diferencia entre COPY y ADD", hits, embedder)
    assert found.endswith(copy)


GINI = """\
# Entropía

La entropía de una hoja pura es cero.

# Índice de Gini

El índice de Gini mide la impureza de un nodo. Lo usa el algoritmo CART.

Con dos clases va de cero a un medio, y vale cero si el nodo es puro.

Da árboles muy parecidos a los de la entropía.

# Poda

La poda quita las ramas que no ayudan."""


def test_with_the_best_part_goes_what_stands_around_it_under_its_heading(
    embedder: BundledEmbedder,
) -> None:
    hits = [make_hit(GINI)]
    ranked = ranked_excerpts(["¿Qué mide el índice de Gini?"], hits, embedder, document_of(hits))
    short, normal = (quotes_of(ranked, n) for n in (AnswerLength.SHORT, AnswerLength.NORMAL))
    first, *_others = GINI.split("# Índice de Gini\n\n")[1].split("\n\n")
    assert short[0].text == first
    section = GINI.split("# Índice de Gini\n\n")[1].split("\n\n# Poda", maxsplit=1)[0]
    assert normal[0].text == section
    assert not any(quote.text in section for quote in normal[1:])


def test_nothing_stands_above_the_best_part_but_its_heading(embedder: BundledEmbedder) -> None:
    hits = [make_hit(GINI)]
    asked = "¿Entre qué valores va con dos clases un nodo puro?"
    ranked = ranked_excerpts([asked], hits, embedder, document_of(hits))
    _above, best, below = GINI.split("# Índice de Gini\n\n")[1].split("\n\n")[:3]
    quote = quotes_of(ranked)[0]
    assert quote.text == f"**# Índice de Gini**\n\n{best}\n\n{below}"
    assert quote.document.text[quote.start : quote.end] == f"{best}\n\n{below}"


def test_a_long_answer_goes_on_with_the_section_where_a_normal_one_ends(
    embedder: BundledEmbedder,
) -> None:
    paragraph = "Un nodo con ejemplos de una sola clase es puro, y uno con muchas es impuro. "
    more = "\n\n".join(
        f"{paragraph * 4}Eso es lo {place}." for place in ("uno", "dos", "tres", "otro")
    )
    hits = [make_hit(GINI.replace("Da árboles", f"{more}\n\nDa árboles"))]
    ranked = ranked_excerpts(["¿Qué mide el índice de Gini?"], hits, embedder, document_of(hits))
    normal, long = (quotes_of(ranked, n) for n in (AnswerLength.NORMAL, AnswerLength.LONG))
    assert len(normal[0].text) < 1000 < len(long[0].text)
    assert long[0].text.startswith(normal[0].text)
    assert long[0].text.endswith("Da árboles muy parecidos a los de la entropía.")


def test_a_table_stands_once_and_above_what_goes_with_it(embedder: BundledEmbedder) -> None:
    table = "Tabla 1: Quién hizo qué\n\nAño | Hito\n1958 | Rosenblatt presenta el perceptrón"
    around = (
        "Antes hubo otras máquinas que aprendían.",
        "Después vino el invierno de la disciplina.",
    )
    text = f"{around[0]}\n\n{table}\n\n{around[1]}\n\n6 × 7."
    (best, *_others) = quoted("¿Quién presentó el perceptrón?", [make_hit(text)], embedder)
    assert best.count("Tabla 1") == best.count("Rosenblatt") == 1
    assert best.startswith("Tabla 1")
    assert best.endswith(around[1])


def test_what_is_nearly_as_good_is_quoted_with_what_stands_around_it(
    embedder: BundledEmbedder,
) -> None:
    slide = ("TRATAMIENTO DE VARIABLES", BlockKind.HEADING)
    text = made_of(
        [
            slide,
            (
                (
                    "Si tenemos casos nominales no podemos asociarles números, ya que, al hacerlo, "
                    "estableceríamos un orden."
                ),
                BlockKind.PARAGRAPH,
            ),
            (
                (
                    "Para este tipo de variable existen diferentes codificaciones, y una de ellas "
                    "es el one-hot encoding."
                ),
                BlockKind.PARAGRAPH,
            ),
            slide,
            (
                (
                    "Si vemos el ejemplo, las tres variables que estamos usando están 100% "
                    "correlacionadas entre sí."
                ),
                BlockKind.PARAGRAPH,
            ),
            (
                "Para solucionar esto, debemos eliminar siempre una columna para romper la trampa.",
                BlockKind.PARAGRAPH,
            ),
        ]
    )
    question = "por que hay que eliminar una columna al hacer one hot encoding"
    hits = [make_hit(text.text)]
    first, second = quote_answer(question, hits, embedder, lambda _source: text)
    assert "one-hot encoding" in first.text
    start, end = second.best
    assert second.text[start:end].endswith("romper la trampa.")


def test_a_proof_goes_on_below_its_label() -> None:
    text = made_of(
        [
            ("Consistencia", BlockKind.HEADING),
            ("Teorema 5.5. Si Γ es consistente entonces es satisfacible.", BlockKind.DEFINITION),
            ("DEMOSTRACIÓN", BlockKind.DEFINITION),
            ("Sea Γ′ un conjunto maximal consistente que la contenga.", BlockKind.PARAGRAPH),
        ]
    )
    theorem = text.blocks[1]
    start, end = surroundings(text, (theorem.start, theorem.end), 1000)
    assert text.text[start:end].endswith("que la contenga.")


def _with_subsection(title: str) -> Quote:
    parts = [
        ("Filtrado de reglas", BlockKind.HEADING),
        ("Existen varias formas de seleccionar solo determinadas reglas.", BlockKind.PARAGRAPH),
        (title, BlockKind.HEADING),
        ("Se da el argumento appearance, que nombra el lado derecho.", BlockKind.PARAGRAPH),
        ("Apriori", BlockKind.HEADING),
        ("El algoritmo busca itemsets frecuentes de cada tamaño.", BlockKind.PARAGRAPH),
    ]
    text = leveled(made_of(parts), (1, 0, 2, 0, 1, 0))
    start, end = text.blocks[1].start, text.blocks[1].end
    quote = Quote(make_hit(text.text), text, start, end, text.text[start:end], 0.9)
    return with_subsection(quote, 1000)


def test_a_short_introduction_goes_on_with_its_first_subsection() -> None:
    told = _with_subsection("Restringir las reglas que se crean").text
    assert told.endswith(
        "**Restringir las reglas que se crean**\n\n"
        "Se da el argumento appearance, que nombra el lado derecho."
    )
    assert "Apriori" not in told
    assert _with_subsection("Ejemplo con números").text.endswith("determinadas reglas.")


@pytest.mark.parametrize("between", [BlockKind.FIGURE, BlockKind.HEADING])
def test_what_goes_with_it_ends_at_a_heading_and_goes_on_below_a_drawing(
    between: BlockKind,
) -> None:
    parts = (
        ("Índice de Gini", BlockKind.HEADING),
        ("El índice de Gini mide la impureza de un nodo de un árbol.", BlockKind.PARAGRAPH),
        ("Índice de Gini", between),
        ("Con dos clases va de cero a un medio.", BlockKind.PARAGRAPH),
    )
    clean = made_of(parts)
    blocks = clean.blocks
    span = (blocks[1].start, blocks[1].end)
    end = span[1] if between is BlockKind.HEADING else blocks[3].end
    assert surroundings(clean, span, LONGEST) == (span[0], end)


def test_no_table_stands_above_what_answers() -> None:
    document = made_of(
        (
            ("Entrada | Salida de la puerta XOR\n0 y 1 | 1", BlockKind.TABLE),
            ("Una recta no separa la puerta XOR.", BlockKind.PARAGRAPH),
            ("Entrada | Salida de la puerta AND\n0 y 1 | 0", BlockKind.TABLE),
        )
    )
    _above, best, below = document.blocks
    span = (best.start, best.end)
    assert surroundings(document, span, LONGEST) == (best.start, below.end)


def test_nothing_stands_above_what_answers() -> None:
    parts = (
        "Antes se midió el error de cada nodo.",
        "Definición (Gini). Es una impureza.",
        "Con dos clases vale de cero a un medio.",
    )
    starts = [sum(len(part) + 2 for part in parts[:place]) for place in range(3)]
    kinds = (BlockKind.PARAGRAPH, BlockKind.DEFINITION, BlockKind.PARAGRAPH)
    blocks = [
        Block(kind, start, start + len(part), start)
        for kind, start, part in zip(kinds, starts, parts, strict=True)
    ]
    clean = CleanText(SourceId("s"), "\n\n".join(parts), (0,), tuple(blocks))
    defined, told = blocks[1:]
    assert surroundings(clean, (defined.start, defined.end), LONGEST) == (starts[1], told.end)
    assert surroundings(clean, (told.start, told.end), LONGEST) == (told.start, told.end)


def test_no_more_goes_with_it_than_can_be_read_at_a_glance(embedder: BundledEmbedder) -> None:
    around = [f"{TREES} {WEATHER} Esto es lo {n}º que hay." for n in range(8)]
    text = "\n\n".join([*around[:4], NEURAL.split("\n\n")[1], *around[4:]])
    (best, *_others) = quoted("¿Cómo aprende una red neuronal?", [make_hit(text)], embedder)
    assert NEURAL.split("\n\n")[1] in best
    assert best in text
    assert len(best) <= LONGEST < len(best) + len(around[0])


def test_the_rest_of_a_section_is_quoted_if_it_is_short() -> None:
    text = "La r mide lo grande que es un efecto. "
    told, between, rest = text * 3, text * 23, "Los límites de r son 0.1, 0.3 y 0.5."
    paragraph, heading = BlockKind.PARAGRAPH, BlockKind.HEADING
    parts = [(part.strip(), paragraph) for part in (told, between, rest)]
    below = [("Ejemplos", heading), ("Se mide el apetito de diez personas.", paragraph)]
    document = made_of((*parts, *below))
    first, _between, last, *_below = document.blocks
    assert last.end > LONGEST
    assert surroundings(document, (first.start, first.end), LONGEST) == (first.start, last.end)
    parts.append((text * 12, paragraph))
    longer = made_of((*parts, *below))
    _start, end = surroundings(longer, (first.start, first.end), LONGEST)
    assert end == longer.blocks[1].end


def test_an_equation_with_a_remark_goes_on_with_those_above() -> None:
    document = made_of(
        (
            ("Las dos ecuaciones son:", BlockKind.PARAGRAPH),
            ("δ = ∂L/∂a error de la salida", BlockKind.FORMULA),
            ("∂L/∂W = δaᵀ gradiente de los pesos", BlockKind.PARAGRAPH),
        )
    )
    opening, first, last = document.blocks
    span = (opening.start, first.end)
    assert surroundings(document, span, LONGEST) == (opening.start, last.end)


def test_the_sentence_that_answers_best_is_known(embedder: BundledEmbedder) -> None:
    hits = [make_hit(GINI)]
    quotes = quote_answer("¿Qué algoritmo usa el Gini?", hits, embedder, document_of(hits))
    start, end = quotes[0].best
    assert quotes[0].text[start:end] == "Lo usa el algoritmo CART."
    text, citations = compose([quotes[0], *quotes])
    for citation in citations[:2]:
        assert text[slice(*citation.best)] == "Lo usa el algoritmo CART."
        assert citation.start < citation.best[0] < citation.best[1] < citation.end


def test_a_sentence_that_is_all_that_is_quoted_does_not_stand_out(
    embedder: BundledEmbedder,
) -> None:
    hits = [make_hit(GINI)]
    quotes = quote_answer("¿Qué quita la poda?", hits, embedder, document_of(hits))
    assert quotes[0].text == "La poda quita las ramas que no ayudan."
    assert quotes[0].best == (0, 0)


def test_no_passages_no_answer(embedder: BundledEmbedder) -> None:
    assert quoted("¿Qué es la entropía?", [], embedder) == []
    assert compose([]) == ("", ())


def test_a_model_reads_whole_parts_each_once(embedder: BundledEmbedder) -> None:
    text = f"{NEURAL}\n\n# Árboles\n\n{TREES}\n\n# Clima\n\n{WEATHER}"
    hits = [make_hit(text[:80]), make_hit(text[60:], rank=2, start=60)]
    ranked = ranked_excerpts(["¿Qué es una red neuronal?"], hits, embedder, document_of(hits))
    read = [hit.chunk.text for hit in reading_of(ranked)]
    assert sorted(read) == sorted([NEURAL.split("\n\n")[1], TREES, WEATHER])
    assert read[0].startswith("Una red neuronal")


def test_a_model_that_reads_fast_reads_more(embedder: BundledEmbedder) -> None:
    topics = ("poda", "raíz", "hoja", "rama", "Gini", "ganancia", "umbral", "altura", "bosque")
    parts = [f"La {one} del árbol: {' '.join(f'{one}{n}' for n in range(60))}." for one in topics]
    hits = [make_hit(part, path=f"{n}.pdf") for n, part in enumerate(parts)]
    ranked = ranked_excerpts(["¿Qué es la poda?"], hits, embedder, document_of(hits))
    read = {n: reading_of(ranked, characters=n) for n in (0, 1000, 2500, 100_000)}
    said = {n: sum(len(hit.chunk.text) for hit in hits) for n, hits in read.items()}
    assert read[0] == read[1000]
    assert said[0] <= 1700 < said[2500] <= 2500 < said[100_000] <= 5000


def test_tables_and_code_around_the_best_part_are_markdown_and_drawings_are_left_out() -> None:
    parts = (
        ("La puerta XOR no se separa con una recta.", BlockKind.PARAGRAPH),
        ("A | B | XOR\n0 | 1 | 1", BlockKind.TABLE),
        ("A B +1", BlockKind.FIGURE),
        ("red = Red(2, 2, 1)", BlockKind.CODE),
        ("Con una capa oculta basta.", BlockKind.PARAGRAPH),
    )
    document = made_of(parts)
    table = "| A | B | XOR |\n| --- | --- | --- |\n| 0 | 1 | 1 |"
    code = "```\nred = Red(2, 2, 1)\n```"
    whole = "\n\n".join((parts[0][0], table, code, parts[4][0]))
    end = len(document.text)
    assert readable(document, 0, end) == whole
    assert readable(document, document.blocks[1].start + 12, end).startswith("0 | 1 | 1")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("¿Cómo implemento la poda?", True),
        ("código de la poda", True),
        ("codigo en R del fitness", True),
        ("qué color del código de colores es el 7", False),
        ("¿Qué hace la poda en scikit-learn?", False),
        ("¿Qué programas de agente hay?", False),
        ("programación dinámica", False),
    ],
)
def test_code_is_asked_for(question: str, asked: bool) -> None:
    assert AnswerKind.of(question).code is asked


def test_code_comes_first_where_it_is_asked_for(embedder: BundledEmbedder) -> None:
    parts = (
        ("La poda de un árbol en Python quita las ramas que no ayudan.", BlockKind.PARAGRAPH),
        ("Código", BlockKind.HEADING),
        ("def podar(arbol):\n    return arbol.sin_ramas()", BlockKind.CODE),
    )
    document = made_of(parts)
    hits = [make_hit(document.text)]
    for question, code in (("código para podar un árbol", True), ("¿Qué hace la poda?", False)):
        quotes = quote_answer(question, hits, embedder, lambda _source: document)
        assert ("```" in quotes[0].text) is code


def test_code_below_its_sentence_keeps_its_indentation(embedder: BundledEmbedder) -> None:
    code = "def podar(arbol):\n    return arbol.sin_ramas()"
    parts = (
        ("Así se poda un árbol:", BlockKind.PARAGRAPH),
        (code, BlockKind.CODE),
        ("La poda quita las ramas que no ayudan a clasificar.", BlockKind.PARAGRAPH),
    )
    document = made_of(parts)
    (quote,) = quote_answer(
        "¿Cómo se poda un árbol?", [make_hit(document.text)], embedder, lambda _source: document
    )
    assert quote.text.startswith(f"{parts[0][0]}\n\n```\n{code}\n```")
    assert quote.text[slice(*quote.best)] == parts[0][0]
    within = document.blocks[1].start + len("def podar(arbol):\n    ")
    half = readable(document, within, document.blocks[1].end)
    assert half == "```\n    return arbol.sin_ramas()\n```"


def test_labels_above_the_caption_of_a_drawing_are_part_of_it() -> None:
    parts = (
        ("El castigo limita la norma.", BlockKind.PARAGRAPH),
        ("lasso ridge", BlockKind.PARAGRAPH),
        ("Figura 3: Región de cada norma", BlockKind.CAPTION),
        ("Tabla 2: Comparación", BlockKind.CAPTION),
        ("Lasso | Ridge\nsí | no", BlockKind.TABLE),
        ("La tabla lo resume:", BlockKind.PARAGRAPH),
        ("Tabla 3: Resumen", BlockKind.CAPTION),
    )
    document = made_of(parts)
    told = readable(document, 0, len(document.text)).split("\n\n")
    assert "lasso ridge" not in told
    assert told[:3] == [parts[0][0], parts[2][0], parts[3][0]]
    assert told[-2:] == [parts[5][0], parts[6][0]]
    assert [[block.start for block in blocks] for _title, blocks in runs(document)] == [
        [block.start for block in document.blocks[first:last]]
        for first, last in ((0, 1), (2, 3), (3, 5), (5, 7))
    ]


def test_short_lines_over_the_last_label_are_labels_and_what_stands_between_them() -> None:
    parts = (
        ("Los datos son siete puntos.", BlockKind.PARAGRAPH),
        ("y = 2x", BlockKind.FORMULA),
        ("6", BlockKind.PARAGRAPH),
        ("• ×", BlockKind.LIST),
        ("0 2 4", BlockKind.PARAGRAPH),
        ("Figura 1: Los puntos", BlockKind.CAPTION),
        ("Se minimiza la suma:", BlockKind.PARAGRAPH),
        ("J = ∑ e²", BlockKind.FORMULA),
        ("Figura 2: Otros", BlockKind.CAPTION),
    )
    document = made_of(parts)
    assert labels_in(document) == [part for part, _kind in parts[2:5]]


DEFINED = "Definición (Costo).\nJ = ∑ e²\nEl mínimo es cero."


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            (
                ("La respuesta cita sus fuentes.", BlockKind.PARAGRAPH),
                ("pregunta", BlockKind.PARAGRAPH),
                ("conv 3 × 3, conv 3 × 3,", BlockKind.PARAGRAPH),
                ("• embedding • buscar\ncontexto", BlockKind.LIST),
                ("respuesta con citas", BlockKind.PARAGRAPH),
            ),
            id="a list of one item, and a comma above it",
        ),
        pytest.param(
            (
                ("La tasa cambia el costo.", BlockKind.PARAGRAPH),
                ("0 1 2", BlockKind.FIGURE),
                ("α = 0.18", BlockKind.FORMULA),
                ("iteración", BlockKind.FIGURE),
            ),
            id="a formula below a label",
        ),
        pytest.param(
            (
                (f"{DEFINED}\n15\nα = 0.17: diverge\n10", BlockKind.DEFINITION),
                ("0 5 10", BlockKind.FIGURE),
            ),
            id="the last lines of a definition",
        ),
    ],
)
def test_labels_of_a_drawing_are_not_quoted(parts: tuple[tuple[str, BlockKind], ...]) -> None:
    caption = "Figura 1: Las etapas"
    document = made_of((*parts, (caption, BlockKind.CAPTION)))
    told = DEFINED if parts[0][0].startswith(DEFINED) else parts[0][0]
    assert readable(document, 0, len(document.text)) == f"{told}\n\n{caption}"
    assert readable(document, 0, document.blocks[-1].start) == told
    spans = [(blocks[0].start, blocks[-1].end) for _title, blocks in runs(document)]
    assert [document.text[start:end] for start, end in spans] == [told, caption]


@pytest.mark.parametrize(
    "parts",
    [
        (("• Anula coeficientes", BlockKind.LIST),),
        (("Normas", BlockKind.PARAGRAPH), ("• Ridge\n• Lasso", BlockKind.LIST)),
        (("J = ∑ e²", BlockKind.FORMULA),),
        (("Si las filas son esos,", BlockKind.PARAGRAPH), ("K = 2J", BlockKind.FORMULA)),
        (("Definición (Costo).\nJ = ∑ e²\nC = 2J\nD = 3J", BlockKind.DEFINITION),),
        (("Definición (Normas).\n• Ridge\n• Lasso\n• Ambas", BlockKind.DEFINITION),),
        (("Entrada | Salida\n0 | 1", BlockKind.TABLE),),
    ],
)
def test_what_the_notes_say_above_a_drawing_is_no_label(
    parts: tuple[tuple[str, BlockKind], ...],
) -> None:
    drawing = (("0 1 2", BlockKind.FIGURE), ("Figura 1: El costo", BlockKind.CAPTION))
    assert labels_in(made_of((*parts, *drawing))) == ["0 1 2"]


def test_words_far_away_in_a_long_list_tell_nothing_of_an_item(embedder: BundledEmbedder) -> None:
    more = ", si cada una de sus entradas llega con su propio peso" * 6
    exercises = f"""\
1. ¿Por qué un perceptrón no puede XOR{more}?
2. Sume los números impares menores que doce: son 36.
3. Cuente los pesos de una capa de veinte neuronas."""
    told = "Ninguna recta separa las salidas de XOR, y un perceptrón solo traza rectas."
    hits = [make_hit(exercises, path="a.pdf"), make_hit(told, path="b.pdf", rank=2)]
    quotes = quote_answer("por que el perceptron no puede XOR", hits, embedder, document_of(hits))
    assert quotes[0].text == told


def test_a_list_that_is_too_long_has_the_beginning_of_each_item() -> None:
    text = """\
Las estrategias son:

• Ruleta: cada una tiene su parte. Si es el doble de apta, también lo es su parte.
• Torneo: gana la mejor de dos.
• Truncada: quedan las mejores. Luego se sortea."""
    hits = [make_hit(text)]
    document = document_of(hits)(hits[0].source.id)
    assert listing(document, document.blocks).split("\n\n") == [
        "Las estrategias son:",
        (
            "• Ruleta: cada una tiene su parte. …\n• Torneo: gana la mejor de dos.\n"
            "• Truncada: quedan las mejores. …"
        ),
    ]
    whole = listing(document, document.blocks, text.index("cada una"))
    assert whole.splitlines()[2] == text.splitlines()[2]


def test_a_long_list_is_told_whole_where_one_is_asked_for(embedder: BundledEmbedder) -> None:
    more = "Se explica con detalle en las páginas que siguen, con sus casos y con sus excepciones. "
    items = "\n".join(
        f"• Estrategia {n}: se eligen padres por su lugar. {more * 3}" for n in range(5)
    )
    text = f"Las estrategias de selección de padres son:\n\n{items}"
    (listed, *_others) = quoted("¿Qué estrategias de selección hay?", [make_hit(text)], embedder)
    (told, *_others) = quoted("padres por su lugar, estrategia 2", [make_hit(text)], embedder)
    assert listed.count("se eligen padres por su lugar. …") == 5
    assert told.count("se eligen padres por su lugar.") < 5


def test_a_long_list_is_told_whole_where_its_opening_answers_best(
    embedder: BundledEmbedder,
) -> None:
    more = "Se explica con detalle en las páginas que siguen, con sus casos y con sus excepciones. "
    parts = ("verificación", "factibilidad", "selección", "evaluación")
    items = "\n".join(f"• Una función de {part} que mira el conjunto. {more * 4}" for part in parts)
    text = f"Los algoritmos golosos tienen casi siempre lo siguiente:\n\n{items}"
    asked = "¿Qué papel tiene la función de evaluación en un algoritmo goloso?"
    (told, *_others) = quoted(asked, [make_hit(text)], embedder)
    assert all(f"• Una función de {part} que mira el conjunto. …" in told for part in parts)


def test_what_tells_the_same_of_another_thing_does_not_come_first(
    embedder: BundledEmbedder,
) -> None:
    other = "# Ventajas y desventajas\n\nSe explican y se dibujan sin ayuda. Sus desventajas pesan."
    own = "DBSCAN no pide el número de grupos, pero falla si las densidades son muy distintas."
    hits = [make_hit(other, path="a.pdf"), make_hit(own, path="b.pdf", rank=2)]
    (first, *_others) = quoted("ventajas y desventajas de dbscan", hits, embedder)
    assert "densidades" in first


def test_what_does_not_say_of_what_it_is_stands_below_its_heading(
    embedder: BundledEmbedder,
) -> None:
    parts = (
        ("2.1 Quicksort", BlockKind.HEADING),
        ("Es el más rápido en promedio: parte los datos por un pivote.", BlockKind.PARAGRAPH),
        ("3. Mergesort", BlockKind.HEADING),
        ("Mergesort parte los datos por la mitad y mezcla las partes.", BlockKind.PARAGRAPH),
        ("4. Casos", BlockKind.HEADING),
        ("Definición (Montículo). Un árbol con el mayor arriba.", BlockKind.DEFINITION),
        ("Ejercicio. Dibuje uno de siete nodos.", BlockKind.PARAGRAPH),
        ("Ventajas: no pide memoria y es rápido siempre.", BlockKind.DEFINITION),
    )
    document = made_of(parts)
    hits = [make_hit(document.text, title="Orden")]
    for question, start in (
        ("¿Qué algoritmo es el más rápido en promedio?", "**Orden › Quicksort**\n\nEs el más"),
        ("¿Cómo parte los datos mergesort?", "Mergesort parte"),
        ("¿Qué es un montículo?", "Definición"),
        ("¿Qué ventajas tiene?", "**Orden › Casos**\n\nVentajas"),
    ):
        quote = quote_answer(question, hits, embedder, lambda _source: document)[0]
        assert quote.text.startswith(start)
        assert document.text[quote.start : quote.end] in quote.text


def test_a_heading_is_told_once(embedder: BundledEmbedder) -> None:
    parts = (
        ("Quicksort", BlockKind.HEADING),
        ("Es rápido: los datos se parten por un pivote, en dos partes.", BlockKind.PARAGRAPH),
        ("x = 1\ny = 2\nz = 3\nw = 4", BlockKind.CODE),
        ("Los datos se parten por un pivote que se escoge al azar.", BlockKind.PARAGRAPH),
    )
    document = made_of(parts)
    hits = [make_hit(document.text)]
    question = "¿Por qué valor se parten los datos, y cómo se escoge el pivote?"
    text = compose(quote_answer(question, hits, embedder, lambda _source: document))[0]
    assert text.count("Quicksort**") == 1


def test_names_of_people_are_no_answer(embedder: BundledEmbedder) -> None:
    parts = (
        ("Aprendizaje profundo", BlockKind.HEADING),
        (
            "Traducido por Ana Rojas. Revisado por Luis Mora, Eva Solís y Juan Vega.",
            BlockKind.PARAGRAPH,
        ),
        ("Una red de muchas capas aprende representaciones de los datos.", BlockKind.PARAGRAPH),
    )
    document = made_of(parts)
    quotes = quote_answer(
        "¿Qué es el aprendizaje profundo?", [make_hit(document.text)], embedder, lambda _s: document
    )
    assert "Una red de muchas capas" in quotes[0].text
    assert "Traducido" not in compose(quotes)[0]


def test_what_a_colon_announces_is_quoted_with_it(embedder: BundledEmbedder) -> None:
    parts = (
        ("Combinatoria", BlockKind.HEADING),
        ("Las combinaciones de r objetos tomados de n, sin orden, son:", BlockKind.PARAGRAPH),
        ("C(n, r) = n!/(r!(n − r)!)", BlockKind.PARAGRAPH),
        ("Siguiente tema", BlockKind.PARAGRAPH),
    )
    document = made_of(parts)
    quotes = quote_answer(
        "¿Cuántas combinaciones hay?", [make_hit(document.text)], embedder, lambda _s: document
    )
    assert quotes[0].text.endswith("(n − r)!)")


def quote_of(document: CleanText, end: int) -> Quote:
    return Quote(make_hit(document.text), document, 0, end, document.text[:end], 0.9)


def test_a_heading_that_says_who_and_when_is_shown() -> None:
    document = made_of((("El problema del cartero busca un circuito.", BlockKind.PARAGRAPH),))
    quote = replace(quote_of(document, 42), heading="El problema del cartero (Guan, 1962)")
    assert headed(quote).text.startswith("**")
    assert headed(replace(quote, heading="El problema del cartero (PCC)")) == replace(
        quote, heading="El problema del cartero (PCC)"
    )


def test_what_another_quote_announces_in_another_block_is_quoted_with_it() -> None:
    document = made_of(
        (
            ("Los grados de libertad vienen dados por la siguiente función:", BlockKind.LIST),
            ("2 2", BlockKind.PARAGRAPH),
            ("v = (a + b)/c", BlockKind.FORMULA),
        )
    )
    quote = quote_of(document, document.blocks[0].end)
    assert with_announced(quote, 100).end == document.blocks[2].end
    assert with_announced(quote, 10) == quote


@pytest.mark.parametrize("following", [BlockKind.HEADING, BlockKind.FIGURE])
def test_nothing_is_quoted_with_an_announcement_above_a_heading_or_a_drawing(
    following: BlockKind,
) -> None:
    told = "La varianza es constante. Se ve en el gráfico:"
    quote = quote_of(
        made_of(((told, BlockKind.PARAGRAPH), ("Peso y altura", following))), len(told)
    )
    assert with_announced(quote, 100) == quote


def test_a_list_that_is_cut_goes_on_with_its_next_item() -> None:
    document = made_of(
        (("Son tres:", BlockKind.PARAGRAPH), ("• uno\n• dos\n• tres", BlockKind.LIST))
    )
    rest = rest_of_list(document, document.text.index("dos") + 3)
    assert rest
    assert document.text[rest.start : rest.end] == "• tres"
    assert rest_of_list(document, document.blocks[1].end) is None


def entry_of(
    part: Excerpt, statement: Statement, evidence: float, company: tuple[Statement, ...]
) -> Scored:
    return Scored(
        part,
        statement,
        evidence,
        cosine=0.9,
        company=company,
        listed=False,
        several=False,
        compared=False,
    )


def test_a_list_that_is_cut_goes_on_where_its_rest_answers_nearly_as_well() -> None:
    opening = ("Los argumentos son:", BlockKind.PARAGRAPH)
    items = ("• soporte: por defecto 0.1\n• confianza: por defecto 0.8", BlockKind.LIST)
    document = made_of((opening, items))
    part = Excerpt(make_hit(document.text), document, 0, document.blocks[1].end, document.blocks)
    _opening, support, confidence = part.statements()
    cut = quote_of(document, support.end)
    scored = entry_of(part, support, 0.9, (support, confidence))
    assert with_rest(cut, scored).end == confidence.end
    assert with_rest(cut, replace(scored, company=(support,))) == cut


def test_a_sentence_that_breaks_off_goes_on_in_the_next_block() -> None:
    document = made_of(
        (
            ("Teorema 1. Si α es un punto de equilibrio del", BlockKind.DEFINITION),
            ("SDD continuo, entonces es estable.", BlockKind.PARAGRAPH),
            ("Otro párrafo.", BlockKind.PARAGRAPH),
        )
    )
    assert [len(blocks) for _title, blocks in runs(document)] == [2, 1]
    whole = made_of(
        (
            ("Teorema 1. Hay un y = x", BlockKind.DEFINITION),
            ("En lo que sigue se ve cada etapa.", BlockKind.PARAGRAPH),
        )
    )
    assert [len(blocks) for _title, blocks in runs(whole)] == [1, 1]


def entry(document: CleanText, path: str, number: int, evidence: float) -> Scored:
    block, hit = document.blocks[number], make_hit(document.text, path=path)
    part = Excerpt(hit, document, block.start, block.end, (block,), "Medidas")
    (statement,) = part.statements()
    return entry_of(part, statement, evidence, (statement,))


def test_what_stands_around_another_quote_is_not_quoted_again() -> None:
    told = made_of((("El umbral se escoge por su costo.", BlockKind.PARAGRAPH),))
    measure = "La medida F es la media armónica de dos tasas."
    more = "Castiga los desequilibrios entre precisión y exhaustividad."
    parts = (("Medidas", BlockKind.HEADING), (measure, BlockKind.DEFINITION))
    measures = made_of((*parts, (more, BlockKind.PARAGRAPH)))
    ranked = [entry(told, "a.pdf", 0, 0.9), entry(measures, "b.pdf", 1, 0.89)]
    ranked.append(entry(measures, "b.pdf", 2, 0.88))
    quotes = quotes_of(ranked)
    assert len(quotes) == 2
    assert "\n\n".join(quote.text for quote in quotes).count(more) == 1


def test_another_version_of_what_stands_above_is_not_quoted_below_it() -> None:
    told = made_of(
        (("El umbral se escoge por su costo, no por la precisión.", BlockKind.PARAGRAPH),)
    )
    quotes = quotes_of([entry(told, "b.pdf", 0, 0.9)], openings=[entry(told, "a.pdf", 0, 0.9)])
    assert [quote.hit.source.path for quote in quotes] == ["a.pdf"]


def test_settings_are_no_names_of_people(embedder: BundledEmbedder) -> None:
    setting = "-e MYSQL_DATABASE=Tienda -e MYSQL_USER=Ana -e MYSQL_HOST=Casa -e MYSQL_TABLE=Libro"
    assert first_of("la contraseña de MYSQL", [(setting, BlockKind.PARAGRAPH)], embedder) == setting


STEPS = (
    ("El algoritmo genético", BlockKind.HEADING),
    ("El algoritmo genético sigue los siguientes pasos:", BlockKind.PARAGRAPH),
    ("1. Crear una población.\n2. Medir su fortaleza.\n3. Repetir:", BlockKind.LIST),
    ("3.1 Seleccionar dos individuos.", BlockKind.PARAGRAPH),
    ("3.2 Cruzarlos.", BlockKind.PARAGRAPH),
    ("4. Reemplazar la población.\n5. Use la orden", BlockKind.LIST),
    ("evolucionar(poblacion)", BlockKind.CODE),
    ("En lo que sigue se ve cada etapa.", BlockKind.PARAGRAPH),
    ("6. Terminar.", BlockKind.LIST),
)


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué es una heurística admisible?",
        "que son las heuristicas admisibles",
        "Dame la definición de heurística admisible",
        "Qué es A*?",
        "No entiendo qué es una heurística admisible",
        "Explícame la heurística admisible",
        "¿En qué consiste A*?",
    ],
)
def test_what_something_is_is_told_by_its_definition(
    embedder: BundledEmbedder, question: str
) -> None:
    text = (
        "De varias heurísticas admisibles se toma el máximo, que es admisible y domina a todas.\n\n"
        "Definición (Heurística admisible). Es la que nunca sobreestima el costo real.\n\n"
        "Con heurísticas admisibles, A* en árbol devuelve la solución óptima: A* es completo.\n\n"
        "A* (se lee A estrella) es la búsqueda que expande el nodo con menor costo estimado."
    )
    hits = [make_hit(text)]
    ranked = ranked_excerpts([question], hits, embedder, document_of(hits))
    defined = "A* (se lee" if "A*" in question else "Definición (Heurística"
    assert ranked[0].excerpt.text.startswith(defined)


def test_a_table_is_quoted_with_the_caption_below_it(embedder: BundledEmbedder) -> None:
    parts = [
        ("La estrella muere por etapas que cada vez duran menos tiempo.", BlockKind.PARAGRAPH),
        ("Fase | Dura\nCarbono | 600 años\nOxígeno | 6 meses", BlockKind.TABLE),
        ("Tabla 4: Etapas de la combustión en una estrella masiva.", BlockKind.CAPTION),
        ("El núcleo de hierro se colapsa en menos de un segundo.", BlockKind.PARAGRAPH),
    ]
    whole = made_of(parts)
    table, caption = whole.blocks[1:3]
    blocks = (whole.blocks[0], table, replace(caption, lead=table.start), whole.blocks[3])
    whole = replace(whole, blocks=blocks)
    hits = [make_hit(whole.text, path="s")]
    (first, *_others) = quote_answer(
        "etapas de la combustión en una estrella masiva", hits, embedder, lambda _source: whole
    )
    assert first.text.startswith(f"{parts[2][0]}\n\n| Fase | Dura |")
    assert "| Oxígeno | 6 meses |" in first.text
    assert first.start <= table.start
    assert first.end >= caption.end


def test_a_follow_up_is_answered_near_what_was_told_before(embedder: BundledEmbedder) -> None:
    told = "UDP no abre ninguna conexión: su ventaja es que la cabecera solo tiene ocho bytes."
    here = "Inconvenientes: no es fiable, y los paquetes llegan sin orden o no llegan."
    below = "Inconvenientes de TCP: abre una conexión, y tarda más."
    elsewhere = "Inconvenientes: el método de costes es caro de implantar y exige muchos datos."
    hits = [
        make_hit(f"# Costes\n\n{elsewhere}", path="costes"),
        make_hit(f"# UDP\n\n{told}\n\n{here}\n\n# TCP\n\n{below}", path="redes"),
    ]
    texts = document_of(hits)
    question = ["¿y los inconvenientes del método?"]
    alone, near = (
        {
            one.excerpt.text: one.evidence
            for one in ranked_excerpts(question, hits, embedder, texts, before=before)
        }
        for before in ("", f"**UDP**\n\n{told}")
    )
    assert (next(iter(alone)), next(iter(near))) == (elsewhere, here)
    other = ["¿el método de costes exige datos?"]  # more of its words stand elsewhere
    for_other = [
        [(one.excerpt.text, one.evidence) for one in ranked_excerpts(other, hits, embedder, texts)],
        [
            (one.excerpt.text, one.evidence)
            for one in ranked_excerpts(other, hits, embedder, texts, before=told)
        ],
    ]
    assert for_other[0] == for_other[1]
    raised = [near[text] - alone[text] for text in (here, below, elsewhere)]
    assert raised == pytest.approx([IN_DOCUMENT + IN_SECTION, IN_DOCUMENT, 0])


def test_a_numbered_list_goes_on_in_paragraphs_and_in_other_lists() -> None:
    document = made_of(STEPS)
    rest = rest_of_numbered(document, document.blocks[1].start, document.blocks[2].end)
    assert rest
    assert document.text[rest.start :].startswith("3.1 Seleccionar")
    assert rest.end == document.blocks[8].end
    under = made_of((*STEPS[:7], ("Otro", BlockKind.HEADING), *STEPS[8:]))
    rest = rest_of_numbered(under, under.blocks[1].start, under.blocks[2].end)
    assert rest
    assert rest.end == under.blocks[6].end


@pytest.mark.parametrize(
    "parts",
    [
        (("1. Uno.\n2. Dos.", BlockKind.LIST), ("1. Otra lista.", BlockKind.LIST)),
        (("1. Uno.\n2. Dos.", BlockKind.LIST), ("Título", BlockKind.HEADING), STEPS[5]),
        (("2. Dos.\n3. Tres.", BlockKind.LIST), STEPS[5]),
        (("• Uno.\n• Dos.", BlockKind.LIST), STEPS[5]),
    ],
)
def test_a_list_ends_where_its_numbers_do(parts: Sequence[tuple[str, BlockKind]]) -> None:
    document = made_of(parts)
    assert rest_of_numbered(document, 0, document.blocks[0].end) is None


def test_what_stands_below_the_title_of_a_document_opens_no_section(
    embedder: BundledEmbedder,
) -> None:
    text = made_of(
        [
            ("Regresión logística", BlockKind.HEADING),
            (
                "Apuntes de la clase del 12 de agosto de 2025, impartida en el curso de la tarde.",
                BlockKind.PARAGRAPH,
            ),
            ("Modelo", BlockKind.HEADING),
            (
                "La regresión logística es un modelo que estima la probabilidad de una clase.",
                BlockKind.PARAGRAPH,
            ),
        ]
    )
    hits = [make_hit(text.text)]
    ranked = ranked_excerpts(
        ["¿Qué es la regresión logística?"], hits, embedder, lambda _source: text
    )
    assert ranked[0].excerpt.text.startswith("La regresión logística es")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is the kernel trick?", False),
        ("¿Qué es el truco del núcleo?", False),
        ("what is the kernel of a convolution?", True),
        ("¿Qué es el núcleo?", True),  # a single word says what it means
        ("¿qué es el truco cuántico?", True),  # a word that the notes lack: told otherwise
        ("pasos del truco del núcleo", True),  # asked of it, not what it is
        ("¿Qué es el truco que usa el núcleo?", True),  # no name
        ("qué es el truco ¿y el del núcleo?", True),  # two questions, as a follow-up is searched
    ],
)
def test_a_name_is_told_where_its_words_stand_together(question: str, told: bool) -> None:
    texts = (
        "# Convolución\n\nEl núcleo (kernel) recorre la imagen y se multiplica por cada parte.",
        "# Programación\n\nUn truco (trick) conocido es contar los unos de un número binario.",
    )
    hits = [
        make_hit(text, path=f"{rank}.pdf", rank=rank) for rank, text in enumerate(texts, start=1)
    ]
    parts = excerpts(hits, document_of(hits))
    assert is_told(question, parts, LexicalIndex.build(texts)) is told
