"""Real PDFs read from end to end by both backends."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import pdfs
from tutor.errors import UnreadablePdf
from tutor.ingest.reading.document import read_pdf
from tutor.model import Document, SourceId, TextOrigin

if TYPE_CHECKING:
    from tutor.ingest.reading import Backend

SOURCE = SourceId("0" * 16)
BACKENDS: tuple[Backend, ...] = ("pdfium", "pdfminer")


def _read(path: Path, backend: Backend = "pdfium", *, max_pages: int = 2000) -> Document:
    return read_pdf(path, SOURCE, backend=backend, ocr="off", max_pages=max_pages)


def _text(path: Path, backend: Backend = "pdfium") -> str:
    return "\n".join(page.text for page in _read(path, backend).pages)


def _unfolded(text: str) -> str:
    return " ".join(re.sub(r"[-\u00ad]\n", "", text).split())


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    return tmp_path / "3_SEMANA_AI_20250310_v1.pdf"


# --- Text --------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_column_keeps_every_word_in_order(pdf: Path, backend: Backend) -> None:
    document = _read(pdfs.one_column(pdf, [pdfs.LIPSUM] * 12), backend)
    assert [page.number for page in document.pages] == list(range(1, len(document.pages) + 1))
    read = _unfolded("\n".join(page.text for page in document.pages))
    assert read == " ".join([pdfs.LIPSUM.strip()] * 12)
    assert {page.origin for page in document.pages} == {TextOrigin.LAYER}


def test_paragraphs_are_set_apart_by_blank_lines_and_lines_are_not(pdf: Path) -> None:
    paragraphs = [f"Párrafo {n}. {pdfs.LIPSUM}" for n in range(4)]
    page = pdfs.typeset(
        pdf,
        '#set page(paper: "a4")\n#set text(lang: "es")\n#set par(justify: true, spacing: 1.6em)\n'
        + "\n\n".join(paragraphs),
    )
    blocks = _text(page).split("\n\n")
    assert [_unfolded(block) for block in blocks] == [text.strip() for text in paragraphs]
    assert all("\n" in block for block in blocks)


def test_two_columns_are_read_one_after_the_other_under_their_title(pdf: Path) -> None:
    words = [f"palabra{n}" for n in range(420)]
    paragraphs = [" ".join(words[n : n + 60]) for n in range(0, 420, 60)]
    pdfs.two_columns(
        pdf,
        paragraphs,
        title="Un título sobre dos columnas",
        header="Apuntes de clase #h(1fr) Semana 3",
        footer="Universidad #h(1fr) Página 1",
    )
    lines = _text(pdf).split("\n")
    assert lines[0] == "Apuntes de clase Semana 3"
    assert lines[-1] == "Universidad Página 1"
    assert lines[2] == "Un título sobre dos columnas"
    assert re.findall(r"palabra\d+", _unfolded("\n".join(lines))) == words


def test_columns_drawn_line_by_line_over_both_are_told_apart(pdf: Path) -> None:
    left = [f"Una frase larga de la izquierda, número {n}" for n in range(12)]
    right = [f"Otra frase larga de la derecha, número {n}" for n in range(12)]
    assert _text(pdfs.columns_drawn_across(pdf, left, right)).split("\n") == [*left, "", *right]


def test_a_wide_table_keeps_its_rows_between_columns(pdf: Path) -> None:
    text = _text(pdfs.table_and_columns(pdf))
    lines = text.split("\n")
    rows = ["Modelo Exactitud Tiempo", "Árbol 0,81 2 s", "Bosque 0,87 9 s"]
    assert [line for line in lines if line in rows] == rows
    places = [text.index(mark) for mark in ("Izquierda:", "Derecha:", "Modelo", "Un párrafo final")]
    assert places == sorted(places)
    first_column = text[places[0] : places[1]]
    assert _unfolded(first_column) == f"Izquierda: {pdfs.LIPSUM.strip()}"


def test_the_rule_under_a_header_is_no_part_of_the_table_below(pdf: Path) -> None:
    lines = [line.text for line in _read(pdfs.table_under_a_header(pdf)).pages[0].lines]
    assert [line for line in lines if "\t" in line][1:] == [
        "Remedio\tProblema\tPor qué ayuda",
        "Inicialización de Glorot o de He\tAmbos\tMantiene la varianza",
        "Conexiones residuales\tDesvanecimiento\tUn camino directo",
        "LSTM\tDesvanecimiento\tCompuertas",
    ]
    assert "Tabla 3: Remedios para los gradientes" in lines


def test_tables_as_wide_as_each_other_are_two(pdf: Path) -> None:
    lines = _read(pdfs.tables_of_one_width(pdf)).pages[0].lines
    assert [line.text for line in lines] == [
        "Capa\tDescripción\tFunción",
        "Pericardio fibroso y duro\tTejido conectivo denso, que no se estira\tFija",
        "Miocardio\tMúsculo\tSe contrae",
        "Capilares",
        "Tipo\tEstructura\tUbicación",
        "Continuos\tEndotelio continuo y lámina basal intacta\tMúsculo",
        "Sinusoides\tLuz amplia\tHígado",
    ]


def test_a_tall_cell_is_of_each_row_beside_it(pdf: Path) -> None:
    lines = _read(pdfs.table_with_a_tall_cell(pdf)).pages[0].lines
    assert [line.text for line in lines[:4]] == [
        "Tipo\tDistribución\tVarianza",
        "Discreta\tBinomial\tnpq",
        "Discreta\tPoisson\tla media",
        "Continua\tUniforme de un intervalo\tsu anchura al cuadrado entre 12",
    ]


def test_tall_cells_beside_tall_cells_are_of_the_rows_that_they_are_as_tall_as(pdf: Path) -> None:
    lines = _read(pdfs.table_with_tall_cells(pdf)).pages[0].lines
    assert [line.text for line in lines[1:5]] == [
        "Animal\tave\tuno\tdos",
        "Animal\tave\ttres\tcuatro",
        "Animal\tpez\tcinco\tseis",
        "Animal\tpez\tsiete\tocho",
    ]
    assert lines[0].text.startswith("Reino\tClase\t")
    assert "Medidas" in lines[0].text


def test_slides_give_title_bullets_and_footer(pdf: Path) -> None:
    pdfs.slides(pdf, [("Redes neuronales", ["Perceptrón", "Capas ocultas"]), ("Fin", ["Dudas"])])
    first, second = _read(pdf).pages
    assert first.text.split() == (
        "Redes neuronales • Perceptrón • Capas ocultas Inteligencia Artificial 1".split()
    )
    assert first.text.split("\n")[-1] == "Inteligencia Artificial 1"
    assert second.text.startswith("Fin")


def test_symbols_of_tex_are_read_at_the_places_of_letters(pdf: Path) -> None:
    pdfs.raw_pdf(
        pdf,
        [
            (
                b"BT /F1 12 Tf 60 700 Td (es f\\() Tj /F2 12 Tf (h) Tj /F1 12 Tf (x, t) Tj "
                b"/F2 12 Tf (i) Tj /F1 12 Tf (\\) = ) Tj /F2 12 Tf (k) Tj /F1 12 Tf (y) Tj "
                b"/F2 12 Tf (k) Tj ET"
            )
        ],
        extra=[b"<< /Type /Font /Subtype /Type1 /BaseFont /CMSY10 >>"],
        resources=b"/Font << /F1 {font} 0 R /F2 {extra0} 0 R >>",
    )
    assert "f(⟨x, t⟩) = ‖y‖" in _text(pdf)


def test_signs_of_tex_are_read_at_the_places_of_figures(pdf: Path) -> None:
    pdfs.raw_pdf(
        pdf,
        [b"BT /F1 12 Tf 60 700 Td (si v ) Tj /F2 12 Tf (2) Tj /F1 12 Tf ( p, 2) Tj ET"],
        extra=[b"<< /Type /Font /Subtype /Type1 /BaseFont /MSBM10 >>"],
        resources=b"/Font << /F1 {font} 0 R /F2 {extra0} 0 R >>",
    )
    assert "si v ⊭ p, 2" in _text(pdf)


def test_a_wide_hat_of_tex_is_on_the_letter_under_it(pdf: Path) -> None:
    pdfs.raw_pdf(
        pdf,
        [
            (
                b"BT /F1 12 Tf 60 700 Td (riesgo de ) Tj /F2 12 Tf 60 0 Td (b) Tj "
                b"/F1 12 Tf -0.5 0 Td (h) Tj ET"
            )
        ],
        extra=[b"<< /Type /Font /Subtype /Type1 /BaseFont /CMEX10 >>"],
        resources=b"/Font << /F1 {font} 0 R /F2 {extra0} 0 R >>",
    )
    assert unicodedata.normalize("NFC", _text(pdf)).split() == ["riesgo", "de", "ĥ"]


def test_nothing_stands_over_a_function_but_what_is_its_own(pdf: Path) -> None:
    """The denominator in the cell above is no limit of "max"."""
    pdfs.typeset(
        pdf,
        """#set page(width: 12cm, height: 6cm)
#table(columns: 2, [Nombre], [Fórmula],
  [Tanh], [$(e^z - e^(-z))/(e^z + e^(-z))$],
  [ReLU], [$max(0, z)$])
""",
    )
    assert "(𝑒ᶻ−𝑒⁻ᶻ)/(𝑒ᶻ+𝑒⁻ᶻ)" in _text(pdf)
    assert "max(0, 𝑧)" in _text(pdf)


def test_raised_letters_and_fractions_stay_in_their_line(pdf: Path) -> None:
    lines = [line for line in _text(pdfs.formulas(pdf)).split("\n") if line]
    assert lines[0] == "La pérdida es 𝐿(𝜃) = 1/𝑛 ∑ᵢ₌₁ⁿ (𝑦ᵢ − 𝑦̂ᵢ)² para 𝑛 datos."
    assert lines[-2] == "𝑆 = ∑ⱼ₌₁ᵏ ∑_(𝑥∈𝐶ⱼ) 𝑥"
    assert lines[-1] == "El gradiente ∇𝐿 indica hacia dónde crece la pérdida."


def test_a_bar_over_a_letter_is_the_means_and_no_fractions(pdf: Path) -> None:
    pdfs.typeset(
        pdf,
        """#set page(width: 14cm, height: 6cm)
La media es $overline(x) = 1/n sum x_i$, de ella $sqrt(n)$ y $R/gamma$ veces.

$ s^2 = 1/m sum (x_i - overline(x))^2, quad overline(X) approx 3 $
""",
    )
    text = _text(pdf)
    assert "La media es 𝑥̄ = 1/𝑛" in text
    assert "(𝑥ᵢ − 𝑥̄)²" in text
    assert "𝑋̄ ≈ 3" in text
    assert text.count("\u0304") == 3


def test_what_stands_under_a_roots_bar_is_told_from_what_goes_on_behind_it(pdf: Path) -> None:
    pdfs.typeset(
        pdf,
        """#set page(width: 14cm, height: 4cm)
La correlación es $r = 6/sqrt(10 dot 6) approx 0.775$ y la desviación $sqrt("Var"(X))$, no más.
""",
    )
    text = "".join(_text(pdf).split())
    assert "√(10⋅6))≈0.775yla" in text
    assert "√(Var(𝑋)),nomás." in text


@pytest.mark.parametrize(
    ("formula", "read"),
    [
        ("hat(p) plus.minus 1.96 sqrt((p(1 - p))/n) = 0.9", "±1.96√(𝑝(1−𝑝)/𝑛)=0.9"),
        ("s = sqrt(s_1^2/n_1 + s_2^2/n_2)", "𝑠=√(𝑠₁²/𝑛₁+𝑠₂²/𝑛₂)"),
        ("x = 3/2y - 1/2 + 1/m (y + z)", "𝑥=(3/2)𝑦−1/2+1/𝑚(𝑦+𝑧)"),
        ("f = ((a/n + b/m) c)/(c/k + 1) - 2", "𝑓=((𝑎/𝑛+𝑏/𝑚)𝑐)/(𝑐/𝑘+1)−2"),
        ("(R/gamma)^2", "(𝑅/𝛾)²"),
        ("z = ((x - mu))/sigma", "𝑧=(𝑥−𝜇)/𝜎"),
        ("E = (Delta Q\\/Q)/(Delta P\\/P)", "𝐸=(Δ𝑄/𝑄)/(Δ𝑃/𝑃)"),
        ("g = root(3, x + 2) + x^3 sqrt(2)", "𝑔=³√(𝑥+2)+𝑥³√2"),
        ("y = root(n, a)", "𝑦=ⁿ√𝑎"),
    ],
)
def test_a_fraction_stays_in_its_line_under_a_root_beside_a_letter_and_in_another(
    pdf: Path, formula: str, read: str
) -> None:
    pdfs.typeset(pdf, f"#set page(width: 14cm, height: 6cm)\n$ {formula} $\n")
    assert read in "".join(_text(pdf).split())


@pytest.mark.parametrize(
    ("formula", "read"),
    [
        ("W = mat(0.2, 0.4; -0.3, 0.1), b = mat(1; 2).", "𝑊=(0.2,0.4;−0.3,0.1),𝑏=(1;2)."),
        ('A = mat(delim: "[", 1, 0, 2; 2, 2, 0; 2, 1, 2) v', "𝐴=[1,0,2;2,2,0;2,1,2]𝑣"),
        ("mat(1, 2; 3, 4) mat(x_1; x_2^2) = 0", "(1,2;3,4)(𝑥₁;𝑥₂²)=0"),
        ("P = mat(1, 0; 1 + t, 1/2)", "𝑃=(1,0;1+𝑡,1/2)"),
        ("f(x) = (1) + g(2 x)", "𝑓(𝑥)=(1)+𝑔(2𝑥)"),
        (
            'hat(y) = cases(1 quad &"si" w x > 0, 0 &"en otro caso.")',
            "𝑦̂={1si𝑤𝑥>0;0enotrocaso.",
        ),
        (
            "cases(x + y = 1, x - y = 3, x >= 0) arrow.r.double x = 2",
            "{𝑥+𝑦=1;𝑥−𝑦=3;𝑥≥0⇒𝑥=2",
        ),
        ("A = {x : x > 0}", "𝐴={𝑥:𝑥>0}"),
    ],
)
def test_a_matrix_is_read_in_one_line(pdf: Path, formula: str, read: str) -> None:
    pdfs.typeset(
        pdf, f"#set page(width: 14cm, height: 8cm)\nAntes hay texto.\n\n$ {formula} $\n\nDespués."
    )
    lines = ["".join(line.split()) for line in _text(pdf).split("\n") if line]
    assert lines == ["Anteshaytexto.", read, "Después."]


@pytest.mark.parametrize(
    ("font", "drawn", "read"),
    [
        ("esint10", "1+ˆ+2", "1+∫+2"),
        ("MathDesign-CH-Regular-Extension-10", "\x81+\x8b+¦+ª", "(+)+{+}"),
        ("CMEX10", "\x1a+\x1b+\x16+\x17", "{+}+⌊+⌋"),
    ],
)
def test_signs_of_texs_fonts_are_not_what_stands_at_their_places(
    pdf: Path, font: str, drawn: str, read: str
) -> None:
    pdfs.text_pages(pdf, [[drawn]], font_name=font)
    assert "".join(_text(pdf).split()) == read


def test_a_matrix_is_read_within_a_line_and_a_binomial_is_none(pdf: Path) -> None:
    pdfs.typeset(
        pdf,
        """#set page(width: 14cm, height: 8cm)
Esa matriz es $mat(1, 3; 3, 11)$, y hay $binom(10, 3) = 120$ grupos.
""",
    )
    (line,) = _text(pdf).split("\n")
    assert "es (1, 3; 3, 11), y hay" in line
    assert ";" not in line.partition("y hay")[2]


def test_what_stands_along_a_diagonal_is_no_column(pdf: Path) -> None:
    pdfs.typeset(
        pdf,
        """#set page(width: 14cm, height: 8cm)
$ D = mat(lambda_1, , ; , lambda_2, ; , , lambda_3) $
""",
    )
    assert ";" not in _text(pdf)


def test_a_long_script_stays_with_what_it_hangs_on(pdf: Path) -> None:
    pdfs.typeset(
        pdf,
        """#set page(width: 14cm, height: 5cm)
- su error $epsilon_t = sum_(i: h_t (x_i) != y_i) w_i$ se suma,
- los pesos $w_i := w_i e^(-alpha_t y_i h_t (x_i))$ se dividen.

#text(7pt)[Una nota pequeña que está debajo.]
""",
    )
    lines = [line for line in _text(pdf).split("\n") if line]
    assert lines == [
        "• su error 𝜀ₜ = ∑_(𝑖:ℎₜ(𝑥ᵢ)≠𝑦ᵢ) 𝑤ᵢ se suma,",
        "• los pesos 𝑤ᵢ ≔ 𝑤ᵢ𝑒^(−𝛼ₜ𝑦ᵢℎₜ(𝑥ᵢ)) se dividen.",
        "Una nota pequeña que está debajo.",
    ]


@pytest.mark.parametrize("backend", BACKENDS)
def test_ligatures_are_letters(pdf: Path, backend: Backend) -> None:
    text = _text(pdfs.ligatures(pdf), backend)
    for word in ("eficiencia", "clasificador", "coeficiente", "flujo", "inflación", "affine"):
        assert word in text


def test_a_hyphen_at_the_end_of_a_line_stays_with_its_line_break(pdf: Path) -> None:
    text = _text(pdfs.hyphenated(pdf))
    assert "obser-\nvación" in text
    assert _unfolded(text) == pdfs.LIPSUM.strip()


def test_running_headers_and_footers_are_the_first_and_last_lines(pdf: Path) -> None:
    for page in _read(pdfs.running_headers(pdf, 5)).pages:
        lines = page.text.split("\n")
        assert lines[0] == "Inteligencia Artificial — Semana 3"
        assert lines[-1] == f"Página {page.number}"


@pytest.mark.parametrize(
    ("order", "words"),
    [("before", ["dise˜no", "ni˜no", "regresi´on"]), ("after", ["disen˜o", "nin˜o", "regresio´n"])],
)
def test_accents_drawn_apart_stay_beside_their_letter(
    pdf: Path, order: str, words: list[str]
) -> None:
    text = _text(pdfs.pseudo_accents(pdf, order="before" if order == "before" else "after"))
    assert [word for word in words if word in text.split()] == words


def test_accents_high_over_capitals_are_put_beside_them(pdf: Path) -> None:
    assert _text(pdfs.raised_accents(pdf)) == "DEMOSTRACI´ON\n´Ordenes de la red"


def test_a_caret_that_is_typed_is_no_hat_of_the_next_line(pdf: Path) -> None:
    lines = rb"(1. Sea y = f\(x\)^g\(x\)) Tj T* (2. ln y = g\(x\) ln f\(x\)) Tj"
    pdfs.raw_pdf(pdf, [b"BT /F1 10.5 Tf 14.2 TL 60 700 Td " + lines + b" ET"])
    assert _text(pdf) == "1. Sea y = f(x)^g(x)\n2. ln y = g(x) ln f(x)"


def test_bold_as_high_as_what_follows_ends_with_its_words(pdf: Path) -> None:
    drawn = b"BT /F1 12 Tf 72 700 Td (Calor: ) Tj /F2 12 Tf (pasa de un cuerpo a otro.) Tj ET"
    (line,) = _read(pdfs.bold_as_high(pdf, drawn)).pages[0].lines
    assert (line.text, line.bold, line.label) == ("Calor: pasa de un cuerpo a otro.", False, True)


def test_sideways_text_is_read_line_by_line(pdf: Path) -> None:
    assert _text(pdfs.sideways(pdf)) == "Texto girado\nen dos líneas"


def test_a_shadow_is_not_read_twice(pdf: Path) -> None:
    assert _text(pdfs.shadowed(pdf)) == "Sombra"


@pytest.mark.parametrize("backend", BACKENDS)
def test_hostile_characters_neither_break_lines_nor_stop_the_reading(
    pdf: Path, backend: Backend
) -> None:
    document = _read(pdfs.hostile_characters(pdf), backend)
    lines = document.pages[0].text.split("\n")
    assert len(lines) == len(pdfs.HOSTILE)
    assert lines[0] == pdfs.HOSTILE[0]
    assert document.info.title.startswith("Apuntes")
    assert document.info.author.startswith("Ana")


@pytest.mark.parametrize("backend", BACKENDS)
def test_five_hundred_pages(pdf: Path, backend: Backend) -> None:
    document = _read(pdfs.many_pages(pdf, 500), backend)
    assert [page.text.split(":")[0] for page in document.pages] == [
        f"Página {n} de 500" for n in range(1, 501)
    ]


def test_properties(pdf: Path) -> None:
    pdfs.text_pages(pdf, [["Hola"]], info={"Title": " Búsqueda ", "Author": "Ana Ñandú"})
    assert (_read(pdf).info.title, _read(pdf).info.author) == ("Búsqueda", "Ana Ñandú")


# --- Pages without text ------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("make", [pdfs.blank, pdfs.scanned])
def test_a_page_without_text_is_counted(
    pdf: Path, make: Callable[[Path], Path], backend: Backend
) -> None:
    document = _read(make(pdf), backend)
    assert document.pages_without_text == (1,)
    assert document.pages[0].text == ""


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_page_that_is_broken_by_itself_does_not_lose_the_others(
    pdf: Path, backend: Backend
) -> None:
    pdfs.text_pages(pdf, [["Uno"], ["Dos"], ["Tres"]])
    content = pdf.read_bytes()
    second = content.index(b"/Type /Page /Parent", content.index(b"/Type /Page /Parent") + 1)
    pdf.write_bytes(content[:second] + b"/Type /Oops/Parent" + content[second + 19 :])
    document = _read(pdf, backend)
    read = [page.text for page in document.pages]
    assert (read[0], read[-1]) == ("Uno", "Tres")


# --- Refusals ----------------------------------------------------------------------------------


def _directory(path: Path) -> Path:
    path.mkdir()
    return path


def _vanished(path: Path) -> Path:
    return path


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _dangling(path: Path) -> Path:
    path.symlink_to(path.with_name("nowhere.pdf"))
    return path


REFUSED = [
    (pdfs.empty, "empty"),
    (pdfs.not_a_pdf, "not_pdf"),
    (pdfs.truncated, "truncated"),
    (pdfs.encrypted, "encrypted"),
    (pdfs.zero_pages, "no_pages"),
    (_directory, "unreadable"),
    (_vanished, "unreadable"),
    (_pipe, "unreadable"),
    (_dangling, "unreadable"),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("make", "reason"), REFUSED)
def test_a_refusal_names_reason_and_remedy(
    pdf: Path, make: Callable[[Path], Path], reason: str, backend: Backend
) -> None:
    with pytest.raises(UnreadablePdf) as caught:
        _read(make(pdf), backend)
    assert caught.value.reason == reason
    assert caught.value.message
    assert pdf.name not in caught.value.message  # whoever shows it says of which file
    assert caught.value.remedy


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.9, 0.99])
def test_a_cut_off_file_is_called_so(pdf: Path, share: float) -> None:
    with pytest.raises(UnreadablePdf) as caught:
        _read(pdfs.truncated(pdf, share))
    assert caught.value.reason == "truncated"


def test_noise_between_head_and_end_is_broken(pdf: Path) -> None:
    pdfs.garbage(pdf)
    pdf.write_bytes(pdf.read_bytes() + b"\n%%EOF\n")
    with pytest.raises(UnreadablePdf) as caught:
        _read(pdf)
    assert caught.value.reason == "broken"


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256"])
def test_passwords(pdf: Path, algorithm: str) -> None:
    with pytest.raises(UnreadablePdf) as caught:
        _read(pdfs.encrypted(pdf, algorithm=algorithm))
    assert caught.value.reason == "encrypted"
    for backend in BACKENDS:
        text = _text(pdfs.owner_locked(pdf, algorithm=algorithm), backend)
        assert _unfolded(text) == pdfs.LIPSUM.strip()


def test_a_refusal_does_not_colour_the_next_one(pdf: Path) -> None:
    """PDFium remembers its last error, and gives none for a document without pages."""
    for make in (pdfs.encrypted, pdfs.zero_pages, pdfs.truncated, pdfs.zero_pages):
        with pytest.raises(UnreadablePdf) as caught:
            _read(make(pdf))
    assert caught.value.reason == "no_pages"


def test_the_limit_of_pages_names_its_setting(pdf: Path) -> None:
    pdfs.many_pages(pdf, 11)
    assert len(_read(pdf, max_pages=11).pages) == 11
    with pytest.raises(UnreadablePdf) as caught:
        _read(pdf, max_pages=10)
    assert caught.value.reason == "too_many_pages"
    assert "reading.max_pages" in caught.value.remedy
    assert "11" in caught.value.message


def test_results_and_refusals_come_back_from_another_process(pdf: Path, tmp_path: Path) -> None:
    pdfs.running_headers(pdf, 3)
    locked = pdfs.encrypted(tmp_path / "cerrado.pdf")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(_read, pdf).result() == _read(pdf)
        with pytest.raises(UnreadablePdf) as caught:
            pool.submit(_read, locked).result()
    assert caught.value.reason == "encrypted"
    assert "contraseña" in caught.value.message
