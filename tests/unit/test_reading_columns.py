"""A drawing's labels beside a paragraph; bullets and comments on the lines of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import pdfs
from tutor.ingest.reading.document import read_pdf
from tutor.ingest.reading.layout import _peel_margins, page_lines
from tutor.ingest.reading.spans import TextSpan
from tutor.model import source_id

PROSE = (
    "Cuando alfa crece, la regresión",
    "de lasso hace que algunos de sus",
    "coeficientes sean nulos: elige",
    "cuáles de las variables quedan",
)


def _span(text: str, left: float, base: float, order: int, *, mono: bool = False) -> TextSpan:
    right = left + 5 * len(text)
    return TextSpan(text, left, base - 2.5, right, base + 7.5, order, 10, base, mono=mono)


def _read(labels: list[tuple[str, float]], *, mono: bool = False) -> str:
    """The page of the prose, each 14 points a line, with labels on the left at these heights."""
    spans = [_span(text, 40, base, order) for order, (text, base) in enumerate(labels)]
    for place, line in enumerate(PROSE):
        spans.append(_span(line, 120, 100 - 14 * place, len(labels) + place, mono=mono))
    return "\n".join(line.text for line in page_lines(spans))


def test_a_drawings_labels_do_not_part_the_lines_beside_it() -> None:
    assert "\n".join(PROSE) in _read([("400", 107), ("300", 93), ("200", 79), ("100", 65)])


@pytest.mark.parametrize("mark", ["1.", "•"])
def test_marks_on_the_lines_of_a_paragraph_stay_before_them(mark: str) -> None:
    read = _read([(mark, 100), (mark, 86), (mark, 72), (mark, 58)])
    assert all(line.startswith(mark) for line in read.split("\n"))


def test_a_pages_number_far_below_a_short_page_stands_in_no_column() -> None:
    spans = [_span(line, 40, 700 - 14 * place, place) for place, line in enumerate(PROSE)]
    number, words = _span("12", 206, 40, 4), _span("fin de la lección", 40, 40, 4)
    assert _peel_margins([*spans, number]) == ([], spans, [number])
    assert _peel_margins([*spans, words]) == ([], [*spans, words], [])


SLIDE = r"""#set page(width: 20cm, height: 11cm, margin: (x: 1.5cm, top: 1.3cm), header-ascent: 6pt,
  header: text(7pt)[Aprendizaje #h(1fr) Clase 5])
#set text(11pt)
#set par(spacing: 6pt)
*Ensembles*

#grid(columns: (8cm, 7.5cm), gutter: 1cm, [
  Random forest es bagging con un sorteo \
  en cada corte, que solo mira un grupo \
  aleatorio de variables y así logra que \
  los árboles se parezcan menos entre sí. \
  También se mide el error con los ejemplos \
  que no salieron en cada muestra sorteada.
], [

```python
rf = RandomForestClassifier(
    n_estimators=500,
    oob_score=True)
rf.fit(X_tr, y_tr)
```
])

Pasos finales:

1. Se cuentan los votos
2. Gana la clase
"""


def test_a_slides_columns_are_read_one_by_one_below_its_header_and_above_other_text(
    tmp_path: Path,
) -> None:
    page = read_pdf(pdfs.typeset(tmp_path / "a.pdf", SLIDE), source_id("a"), ocr="off").pages[0]
    lines = [line.text.strip() for line in page.lines]
    assert lines[lines.index("rf = RandomForestClassifier(") - 1].endswith("muestra sorteada.")
    assert lines[-7:] == [
        "rf = RandomForestClassifier(",
        "n_estimators=500,",
        "oob_score=True)",
        "rf.fit(X_tr, y_tr)",
        "Pasos finales:",
        "1. Se cuentan los votos",
        "2. Gana la clase",
    ]


def test_the_words_of_a_drawing_beside_a_list_are_read_behind_it() -> None:
    said = [
        "• El volumen al final de la diástole es de 120 ml",
        "• El volumen al final de la sístole es de 50 ml",
        "• La fracción de eyección es del 58 %",
        "• El gasto cardiaco es de cinco litros",
    ]
    drawn = ["P", "C cierra", "B abre", "A cierra"]
    spans = [_span(text, 40, 100 - 14 * place, place) for place, text in enumerate(said)]
    spans += [_span(text, 330, 100 - 14 * place, 4 + place) for place, text in enumerate(drawn)]
    assert [line.text for line in page_lines(spans)] == [*said, *drawn]


def test_a_table_that_code_prints_row_by_row_is_no_pair_of_columns() -> None:
    rows = [("## Sepal.Length  1.0000000 -0.11", "0.8717538 -0.4284401 0.9628654")] * 5
    spans = [
        _span(text, left, 100 - 14 * place, 2 * place + side, mono=True)
        for place, row in enumerate(rows)
        for side, (text, left) in enumerate(zip(row, (40, 230), strict=True))
    ]
    assert all("0.9628654" in line.text for line in page_lines(spans))
