"""Blocks and sections: what a document knows of its parts, stored and asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests import pdfs
from tests.pages import cleaned
from tests.stores import LOCAL, SPACE, apply, make_changes
from tutor.index.store import open_store
from tutor.index.store.sentences import chunk_headings
from tutor.index.store.writer import IndexChanges
from tutor.ingest.chunking import chunks_of
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.map.lesson import runs
from tutor.model import (
    Block,
    BlockKind,
    CleanText,
    Document,
    Page,
    PageLine,
    SourceId,
    Strategy,
    source_id,
)
from tutor.text.paragraphs import labelled_rows, row_of, unnumbered

SID = SourceId("notas")
TABLE = "Año | Autor\n1958 | Rosenblatt"
TEXT = f"1 Redes\n\nUna red aprende.\n\n1.1 Historia\n\n{TABLE}\n\n2 Fin\n\nYa."
BLOCKS = (
    Block(BlockKind.HEADING, 0, 7, 0, 1),
    Block(BlockKind.PARAGRAPH, 9, 25, 9),
    Block(BlockKind.HEADING, 27, 39, 27, 2),
    Block(BlockKind.TABLE, 41, 70, 41),
    Block(BlockKind.HEADING, 72, 77, 72, 1),
    Block(BlockKind.PARAGRAPH, 79, 82, 79),
)
DOCUMENT = CleanText(SID, TEXT, (0,), BLOCKS)


def test_a_document_knows_the_block_of_an_offset() -> None:
    texts = [TEXT[block.start : block.end] for block in DOCUMENT.blocks]
    assert texts[2:4] == ["1.1 Historia", TABLE]
    assert DOCUMENT.block_at(12) is BLOCKS[1]
    assert DOCUMENT.block_at(25) is None
    assert DOCUMENT.block_at(500) is None
    assert DOCUMENT.blocks_in(20, 42) == BLOCKS[1:4]
    assert DOCUMENT.blocks_in(25, 27) == ()


def test_a_section_ends_where_one_of_its_level_begins() -> None:
    first, second, third = DOCUMENT.sections
    assert (first.title, first.level, first.start, first.end) == ("1 Redes", 1, 0, 72)
    assert (second.title, second.start, second.end) == ("1.1 Historia", 27, 72)
    assert (third.title, third.end) == ("2 Fin", len(TEXT))
    assert DOCUMENT.section_at(45) == second
    assert DOCUMENT.section_at(10) == first
    assert CleanText(SID, TEXT, (0,)).section_at(10) is None


def test_what_stands_over_a_text_is_the_title_and_the_headings_down_to_it() -> None:
    assert DOCUMENT.headings() == [
        (0, "1 Redes"),
        (27, "1 Redes. 1.1 Historia"),
        (72, "1 Redes. 2 Fin"),
    ]
    assert CleanText(SID, TEXT, (0,)).headings() == []


def test_a_chunk_stands_under_the_headings_of_which_it_holds_more_than_an_edge() -> None:
    chunk = chunks_of(CleanText.plain(SID, "palabra " * 100), Strategy.FIXED)[0]
    spans = [(0, 90), (0, 300), (60, 300), (210, 500), (150, 290), (0, 20)]
    chunks = [replace(chunk, start=start, end=end) for start, end in spans]
    other = replace(chunk, source_id=SourceId("otra"))
    ranges = chunk_headings([*chunks, other], {SourceId("x"): [0, 9], SID: [10, 100, 200]})
    assert ranges.tolist() == [[2, 3], [2, 5], [3, 5], [4, 5], [4, 5], [2, 3], [0, 0]]


def test_a_row_says_what_its_cells_are() -> None:
    [row] = DOCUMENT.rows(BLOCKS[3])
    assert TEXT[row.start : row.end] == "1958 | Rosenblatt"
    assert row.words == "Año: 1958 · Autor: Rosenblatt"
    assert DOCUMENT.words_at([(row.start, row.end), (0, 3)]) == [row.words, TEXT[:3]]
    table = "\n".join((row_of(["", "x", "y"]), row_of(["a", "", "P(y | x)"])))
    assert table == "| x | y\na | | P(y|x)"
    assert labelled_rows(table) == ("a · y: P(y|x)",)


def test_the_index_keeps_blocks_and_sections(tmp_path: Path) -> None:
    key = source_id("a.pdf")
    made = make_changes({"a.pdf": 3, "b.pdf": 1})
    changes = IndexChanges(
        made.recipe,
        made.indexed,
        made.skipped,
        made.replaced,
        made.added,
        {**made.texts, key: CleanText(key, TEXT, (0,), BLOCKS)},
    )
    apply(tmp_path / "course", None, changes)
    with open_store(tmp_path / "course", SPACE, LOCAL) as index:
        assert index.text(key).blocks == BLOCKS
        assert index.text(source_id("b.pdf")).blocks == ()
        assert index.text(key).block_at(45) == BLOCKS[3]
        assert index.text(key).sections[1].title == "1.1 Historia"
        assert index.chunks(Strategy.FIXED).chunks[0].section == ""


# --- From a page to blocks ---------------------------------------------------------------------

LOSS = "La pérdida es la media de los errores al cuadrado"
PAGE = r"""
#set page(paper: "a4", footer: align(center)[Página #context counter(page).display()])
#set text(lang: "es", size: 11pt)
#set par(justify: true)
#set heading(numbering: "1.1")
= Regresión
Una recta que se ajusta a los datos se llama recta de regresión, y sus parámetros se eligen de
modo que la suma de los cuadrados de los errores sea la menor posible.
== Pérdida
*Definición (Pérdida).* La pérdida es la media de los errores al cuadrado:
$ L(theta) = 1/n sum_(i=1)^n (y_i - h^*(n))^2 $
Los pasos son:
+ Elegir $theta_0$ al azar.
+ Restar $alpha nabla L$, con $alpha = 0.25^10$.
#figure(caption: [Hitos.], kind: table, supplement: [Tabla], table(columns: 2,
  [*Año*], [*Autor*], [1958], [Rosenblatt], [1986], [Rumelhart y otros autores]))
```python
def paso(t):
    return t - 0.1
```
"""


def test_blocks_from_a_typeset_page(tmp_path: Path) -> None:
    pdf = pdfs.typeset(tmp_path / "a.pdf", PAGE)
    document = clean(read_pdf(pdf, SID, ocr="off"))
    blocks = [(b.kind.value, document.text[b.start : b.end]) for b in document.blocks]
    assert blocks[0] == ("heading", "1 Regresión")
    assert blocks[1][1].startswith("Una recta que se ajusta")
    assert blocks[2:] == [
        ("heading", "1.1 Pérdida"),
        (
            "definition",
            f"Definición (Pérdida). {LOSS}:\nL(θ) = 1/n ∑ᵢ₌₁ⁿ (yᵢ − h*(n))²",
        ),
        ("paragraph", "Los pasos son:"),
        ("list", "1. Elegir θ₀ al azar.\n2. Restar α∇L, con α = 0.25¹⁰."),
        ("table", "Año | Autor\n1958 | Rosenblatt\n1986 | Rumelhart y otros autores"),
        ("caption", "Tabla 1: Hitos."),
        ("code", "def paso(t):\n    return t - 0.1"),
    ]
    table = document.blocks[-3]
    assert list(document.rows(table))[1].words == "Año: 1986 · Autor: Rumelhart y otros autores"
    steps = document.blocks[-4]
    assert document.text[steps.lead : steps.end].startswith("Los pasos son:\n\n1. Elegir")
    assert [(s.title, s.level) for s in document.sections] == [
        ("1 Regresión", 1),
        ("1.1 Pérdida", 2),
    ]
    chunks = chunks_of(document, Strategy.FIXED)
    assert chunks[0].section == "1.1 Pérdida"


def test_a_sum_among_short_lines_is_no_drawing(tmp_path: Path) -> None:
    page = r"""#set page(width: 15cm, height: 9cm)
Cada objeto que llevamos en la mochila tiene su peso y nos da un beneficio. Formalmente:

Maximizar

$ sum_(i=1)^n b_i x_i $

sujeto a la restricción

$ sum_(i=1)^n w_i x_i <= M $

Hay una variante continua, en la que los objetos se pueden partir, y una discreta.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    kinds = [block.kind for block in document.blocks]
    assert BlockKind.FIGURE not in kinds
    assert kinds.count(BlockKind.FORMULA) == 2


def test_a_command_can_be_a_heading(tmp_path: Path) -> None:
    page = r"""#set page(width: 15cm, height: 8cm)
#text(14pt)[11.2 \\clearpage]

La instrucción termina la página actual, e imprime las imágenes que aparecieron hasta ahora en \
todo el documento, con sus tablas.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    assert [section.title for section in document.sections] == [r"11.2 \clearpage"]


def test_large_bold_lines_are_headings_with_a_full_stop_and_with_a_count(tmp_path: Path) -> None:
    page = r"""#set page(width: 15cm, height: 12cm)
#text(18pt)[*Monopolio.*]

Hay un solo vendedor, que fija el precio de lo que vende a todos los demás.

*Nota breve.*

- Nadie entra en el mercado
- Nadie sale de él

#text(14pt)[*2) Broadcast — uno a todos*]

El emisor envía a toda la red, y la satura si envía mucho cada vez que lo hace.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    titles = [section.title for section in document.sections]
    assert titles == ["Monopolio.", "2) Broadcast — uno a todos"]


def test_a_heading_may_have_its_writer_s_number_behind_its_own(tmp_path: Path) -> None:
    page = r"""#set page(width: 15cm, height: 12cm)
#text(14pt)[*1.4 2.4. Diodos*]

Un diodo deja pasar la corriente en una sola dirección, y en la otra la detiene del todo.

*1.4.1 3: Usos*

Rectifica la corriente alterna, regula la tensión de un circuito y emite o detecta la luz.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    found = [(unnumbered(section.title), section.level) for section in document.sections]
    assert found == [("Diodos", 2), ("Usos", 3)]


def test_roman_numbers_number_headings_as_letters_do(tmp_path: Path) -> None:
    page = """
#text(14pt)[*I. Modelo*]

El sistema se describe con las variables de estado, que cambian con el tiempo.

#text(14pt)[*II. Control*]

Los polos se llevan con la realimentación a donde se quiera tenerlos.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    assert [section.title for section in document.sections] == ["I. Modelo", "II. Control"]


def test_a_short_bold_line_takes_in_no_plain_one_and_bold_words_of_a_sentence_head_nothing() -> (
    None
):
    def line(text: str, right: float, *, bold: bool = False, parted: bool = False) -> PageLine:
        return PageLine(text, parted, 11.0, 70.0, right, bold)

    lines = [
        line("1.2 Modelo relacional", 186, bold=True, parted=True),
        line("basado en registros, que se guardan en tablas con filas y columnas", 524),
        line(
            "La capacidad de lo que guarda una carga se mide siempre en faradios", 524, parted=True
        ),
        line(
            "(F), aunque normalmente se usan valores más pequeños como nanofaradios", 524, bold=True
        ),
    ]
    page = Page(SID, 1, "\n".join(line.text for line in lines), lines=tuple(lines))
    document = clean(Document(SID, (page,)))
    assert [section.title for section in document.sections] == ["1.2 Modelo relacional"]


def test_a_formula_alone_in_a_font_of_one_width_is_no_code(tmp_path: Path) -> None:
    page = "La fuerza de Coulomb:\n\n`F = K·q₁·q₂ / r²`\n\nEn Python:\n\n`x = a + b`\n"
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    kinds = [block.kind for block in document.blocks]
    assert kinds[1::2] == [BlockKind.FORMULA, BlockKind.CODE]


def test_the_bold_end_of_an_item_is_no_heading(tmp_path: Path) -> None:
    page = r"""#set page(width: 9cm, height: 8cm)
- Acorde mayor: entre la 1ª y la 3ª hay \
  *2 tonos*
- Acorde menor: entre la 1ª y la 3ª hay 1
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    (block,) = document.blocks
    assert block.kind is BlockKind.LIST
    assert "la 3ª hay 2 tonos\n• Acorde menor" in document.text


def test_a_question_on_the_next_slide_ends_no_list(tmp_path: Path) -> None:
    page = r"""#set page(width: 12cm, height: 5cm)
- El castigo encoge los pesos
- Tarea 2: regresión sobre precios de casas; entrega el lunes
#pagebreak()
#align(center + horizon, text(20pt)[*¿Preguntas?*])
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    texts = [document.text[block.start : block.end] for block in document.blocks]
    assert texts[0].endswith("entrega el lunes")
    assert texts[1:] == ["¿Preguntas?"]


def test_a_sentence_runs_on_in_no_title_of_the_next_slide(tmp_path: Path) -> None:
    page = r"""#set page(width: 12cm, height: 5cm)
- El castigo encoge los pesos
- Nagle: junta datos pequeños, malo con aplicaciones
#pagebreak()
#text(20pt)[*3.5 Control de congestión*]

Demasiadas fuentes mandan demasiado deprisa para lo que aguanta la red.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    assert [section.title for section in document.sections] == ["3.5 Control de congestión"]
    assert "malo con aplicaciones\n\n3.5" in document.text


def test_a_large_formula_is_no_heading(tmp_path: Path) -> None:
    page = r"""#set page(width: 15cm, height: 8cm)
#set text(10pt)
#text(12pt)[*Temporizador*]

#text(12pt)[TimeoutInterval = EstimatedRTT + 4 DevRTT]

El algoritmo de Karn no mide el tiempo de los segmentos que se retransmiten.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    assert [section.title for section in document.sections] == ["Temporizador"]


def test_tables_side_by_side_are_two_and_one_that_goes_on_in_the_next_column_is_one(
    tmp_path: Path,
) -> None:
    page = r"""#set page(width: 18cm, height: 7cm)
#grid(columns: (7cm, 5cm), gutter: 1cm,
  table(columns: (3cm, 4cm), [Fase], [Crecimiento], [Slow start], [se dobla],
    [Avoidance], [uno por vuelta], [Recovery], [uno por duplicado]),
  table(columns: (2cm, 3cm), [Evento], [Reno], [timeout], [ventana uno], [duplicados], [mitad]))
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    tables = [document.text[block.start : block.end] for block in document.blocks]
    assert sorted(text.split(" |")[0] for text in tables) == ["Evento", "Fase"]
    page = r"""#set page(width: 16cm, height: 5cm, columns: 2)
#table(columns: (3cm, 3cm), [Válvula], [Pérdida], [Compuerta], [muy baja], [Globo], [alta],
  [Mariposa], [media], [Bola], [baja], [Retención], [alta], [Aguja], [muy alta])
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "b.pdf", page), SID, ocr="off"))
    (table,) = document.blocks
    assert document.text[table.start : table.end].count("\n") == 6


def test_a_table_with_three_rules_is_whole_beside_another_column_of_text(tmp_path: Path) -> None:
    page = r"""#set page(width: 18cm, height: 9cm, columns: 2)
#lorem(70)
#colbreak()
#set text(8pt)
#table(columns: 3, stroke: none, inset: 5pt, table.hline(), [Rasgo], [Abiertos], [Globulares],
  table.hline(), [Edad], [< 1 Ga casi todos], [10–13 Ga], [Lugar], [disco], [halo],
  [Aspecto], [irregular], [esférico], table.hline())
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    (table,) = (block for block in document.blocks if block.kind is BlockKind.TABLE)
    assert document.text[table.start : table.end].split("\n") == [
        "Rasgo | Abiertos | Globulares",
        "Edad | < 1 Ga casi todos | 10–13 Ga",
        "Lugar | disco | halo",
        "Aspecto | irregular | esférico",
    ]


def test_a_term_that_white_sets_apart_from_its_explanation_gets_a_colon(tmp_path: Path) -> None:
    page = r"""#set page(width: 9cm, height: 10cm)
/ Coste hundido: el que ya se ha pagado y que ninguna decisión futura puede cambiar.
/ Coste directo: el que se asigna sin reparto.
/ LuaTeX: es el sucesor.

El *gradiente* apunta hacia donde la función crece más deprisa de todas.

```python
x = 1
```
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    texts = [document.text[block.start : block.end] for block in document.blocks]
    assert texts[:4] == [
        "Coste hundido: el que ya se ha pagado y que ninguna decisión futura puede cambiar.",
        "Coste directo: el que se asigna sin reparto.",
        "LuaTeX es el sucesor.",
        "El gradiente apunta hacia donde la función crece más deprisa de todas.",
    ]
    assert [block.kind for block in document.blocks[:2]] == [BlockKind.DEFINITION] * 2


def test_a_sentence_that_names_code_is_one_paragraph(tmp_path: Path) -> None:
    page = r"""#set page(width: 15cm, height: 8cm)
El bosque de la biblioteca usa cien árboles y \
`max_features="sqrt"; RandomForestRegressor` usa todos los atributos, es decir, \
un bagging puro.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    (block,) = document.blocks
    assert block.kind.value == "paragraph"
    assert "usa todos los atributos, es decir, un bagging puro." in document.text


def test_a_line_of_code_in_which_a_sentence_ends_is_part_of_it_and_one_by_itself_is_code(
    tmp_path: Path,
) -> None:
    page = r"""#set page(width: 13cm, height: 9cm, margin: 1cm)
#set par(justify: true)
Quien quiere que un cliente guarde la página mucho tiempo, que escriba `max-age`

- `Cache-Control: no-store` prohíbe guardar; `no-cache` deja.

Quien quiere otra cosa escribe esto: \
`If-Modified-Since: ayer`
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    found = [(b.kind, document.text[b.start : b.end]) for b in document.blocks]
    assert found[0][0] is BlockKind.PARAGRAPH
    assert found[0][1].endswith("mucho tiempo, que escriba max-age")
    assert found[1][0] is BlockKind.LIST
    assert found[-1] == (BlockKind.CODE, "If-Modified-Since: ayer")


def test_a_heading_underlined_below_a_table_is_none_of_its_rows(tmp_path: Path) -> None:
    page = r"""#set page(width: 9cm, height: 9cm)
#table(columns: (3cm, 3cm), [Bien], [Valor], [Sal], [0,1], [Gasolina], [0,25])
#block(width: 6cm, stroke: (bottom: 1pt), inset: (bottom: 3pt))[*3. Elasticidad e ingreso*]
El ingreso total es el precio por la cantidad, y el marginal es lo que añade la última.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    assert [block.kind for block in document.blocks[:2]] == [BlockKind.TABLE, BlockKind.HEADING]


def test_below_the_first_text_what_is_large_heads_a_section_though_it_is_not_bold(
    tmp_path: Path,
) -> None:
    page = r"""#set page(width: 14cm, height: 12cm)
#set text(10pt)
#text(20pt)[Tectónica de placas]

#text(13pt)[Marta Ruiz y Lola Gil]

La tectónica de placas es la teoría de que la capa exterior de la Tierra está rota en piezas
rígidas que se mueven unas respecto de otras sobre la astenosfera, más débil.

#text(13pt)[Historia de la idea]

Wegener presentó la deriva continental en 1912.
"""
    document = clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page), SID, ocr="off"))
    assert [s.title for s in document.sections] == ["Tectónica de placas", "Historia de la idea"]


@given(
    st.lists(st.sampled_from(["= A", "Uno dos tres.", "- a", "x = 1", "1 B", " ", ""]), max_size=12)
)
def test_blocks_are_in_order_and_hold_every_letter(lines: list[str]) -> None:
    document = cleaned("\n".join(lines), "\n".join(reversed(lines)))
    ends = 0
    for block in document.blocks:
        assert ends <= block.start < block.end
        assert not document.text[ends : block.start].strip()
        assert (
            document.text[block.start : block.end].strip() == document.text[block.start : block.end]
        )
        assert block.lead <= block.start
        ends = block.end
    assert ends == len(document.text)


def test_a_caption_above_a_table_is_none_of_its_rows() -> None:
    notes = Path(__file__).parents[2] / "notes"
    captions = {
        "09_SEMANA_AI_20251002_1.pdf": ("Tabla 1: Pesos antes y después", "Peso | Antes |"),
        "11_SEMANA_AI_20251016_1.pdf": ("Tabla 3: BERT y GPT frente", "Aspecto | BERT | GPT"),
    }
    for name, (words, head) in captions.items():
        document = clean(read_pdf(notes / name, SID, ocr="off"))
        at = document.text.index(words)
        caption, table = document.blocks_in(at, document.text.index(head) + 1)
        assert (caption.kind, caption.start) == (BlockKind.CAPTION, at)
        assert table.kind is BlockKind.TABLE
        assert document.text[table.lead :].startswith(words)


def test_a_caption_below_a_table_is_its_own_unless_another_table_is_below(tmp_path: Path) -> None:
    table = "#table(columns: 2, [Fase], [Dura], [Carbono], [600 años], [Oxígeno], [6 meses])"
    caption = "Tabla 4: Etapas de la combustión en una estrella."
    page = f"#set page(width: 15cm, height: 14cm)\nUna frase antes.\n\n{table}\n\n{caption}\n\n"
    document, other = (
        clean(read_pdf(pdfs.typeset(tmp_path / "a.pdf", page + rest), SID, ocr="off"))
        for rest in ("Otra frase más.", table)
    )
    below, above = document.blocks[2], document.blocks[1]
    assert (below.kind, below.lead) == (BlockKind.CAPTION, above.start)
    assert document.caption_below(above) == below
    assert [blocks for _title, blocks in runs(document)][1] == (above, below)
    assert other.caption_below(other.blocks[1]) is None
    assert other.blocks[3].lead == other.blocks[2].start


def test_what_a_span_says_are_the_statements_that_it_holds_whole() -> None:
    text = "Una frase larga. Otra frase larga. La tercera."
    whole = CleanText.plain(SID, text)
    start, end = whole.stated_within(6, len(text) - 3)
    assert text[start:end] == "Otra frase larga."
    assert whole.stated_within(0, 34) == (0, 34)  # nothing to take off
    code = "def suma(a, b):\n    return a + b\n\n\ndef resta(a, b):\n    return a - b"
    listing = CleanText(SID, code, (0,), (Block(BlockKind.CODE, 0, len(code), 0),))
    start, end = listing.stated_within(4, 60)
    assert code[start:end].startswith("    return a + b\n")  # no statement, but whole lines
    assert whole.stated_within(2, 9) == (2, 9)  # nothing begins in there


@given(st.integers(0, 82), st.integers(1, 82))
def test_statements_within_a_span_stay_within(start: int, size: int) -> None:
    end = min(start + size, len(TEXT))
    if start < end:
        first, last = DOCUMENT.stated_within(start, end)
        assert start <= first <= last <= end


def test_a_formula_goes_with_the_sentence_that_announces_it() -> None:
    says, formula, rest = "La pendiente. El costo es:", "J(θ) = 1/m", "Baja siempre."
    text = f"{says}\n\n{formula}\n\n{rest}"
    lead, at, after = text.index("El"), text.index(formula), text.index(rest)
    blocks = (
        Block(BlockKind.PARAGRAPH, 0, len(says), 0),
        Block(BlockKind.FORMULA, at, at + len(formula), lead),
        Block(BlockKind.PARAGRAPH, after, len(text), after),
    )
    document = CleanText(SID, text, (0,), blocks)
    assert document.with_formulas(lead, len(says)) == (lead, at + len(formula))
    assert document.with_formulas(at, at + len(formula)) == (lead, at + len(formula))
    assert document.with_formulas(0, lead - 1) == (0, lead - 1)  # announces none
    assert document.with_formulas(after, len(text)) == (after, len(text))
