"""Pages as pictures, and quotes found on them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf
import pypdfium2
import pytest

from tests import pdfs
from tutor.errors import UnreadablePdf
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.ingest.reading.drawing_process import PageRenderer
from tutor.ingest.reading.marking import quote_boxes
from tutor.ingest.reading.rendering import PagePicture, PageRequest, draw_page
from tutor.model import SourceId
from tutor.text.folding import letters

if TYPE_CHECKING:
    import subprocess

    from tutor.ingest.reading.marking import Box, PlacedCharacter

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")

WORDS = (
    "El gradiente señala hacia dónde crece la función; el coeficiente óptimo se afina después. "
    "La configuración eficiente requiere reflexión, y la difusión de fluidos no influye. "
    "Ninguna otra oración de estas notas dice algo parecido sobre la verosimilitud."
)


def reading_form(path: Path) -> str:
    return clean(read_pdf(path, SourceId("s"))).text


def words_in(path: Path, picture: PagePicture, box: Box) -> str:
    """What PDFium itself says stands in that part of the picture of an upright page."""
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        width, height = page.get_size()
        across, up = width / picture.width, height / picture.height
        left, top, right, bottom = box
        textpage = page.get_textpage()
        text: str = textpage.get_text_bounded(
            left * across - 1, height - bottom * up - 1, right * across + 1, height - top * up + 1
        )
        textpage.close()
        page.close()
    return text


def sentence(text: str, beginning: str) -> str:
    start = text.index(beginning)
    return text[start : text.index(".", start) + 1]


def test_a_page_fits_into_its_bounds(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf")
    picture = draw_page(PageRequest(path, 1), 400, 400)
    assert picture.height == 400
    assert picture.width < 400
    assert len(picture.pixels) == 3 * picture.width * picture.height
    assert min(picture.pixels) < 150 < max(picture.pixels)  # ink on paper


@pytest.mark.parametrize("columns", [1, 2])
def test_the_words_of_a_quote_are_found_on_the_page(tmp_path: Path, columns: int) -> None:
    path = tmp_path / "a.pdf"
    paragraphs = (pdfs.LIPSUM, WORDS, pdfs.LIPSUM)
    if columns == 1:
        pdfs.one_column(path, paragraphs)
    else:
        pdfs.two_columns(path, (*paragraphs, *paragraphs[::2]), title="Apuntes")
    quote = sentence(reading_form(path), "La configuración eficiente")
    picture = draw_page(PageRequest(path, 1, quote), 1200, 1200)
    assert picture.boxes
    found = letters("".join(words_in(path, picture, box) for box in picture.boxes))
    # A box ends at a glyph, and the words beside it may lean into it.
    assert letters(quote) in found
    assert len(found) <= len(letters(quote)) + 4


def test_the_marks_turn_with_the_page(tmp_path: Path) -> None:
    upright = pdfs.one_column(tmp_path / "a.pdf", (WORDS,))
    turned = tmp_path / "b.pdf"
    writer = pypdf.PdfWriter(clone_from=upright)
    writer.pages[0].rotate(90)
    writer.write(turned)
    quote = sentence(reading_form(upright), "Ninguna otra oración")
    (left, top, right, bottom), *_rest = draw_page(PageRequest(upright, 1, quote), 900, 900).boxes
    picture = draw_page(PageRequest(turned, 1, quote), 900, 900)
    expected = (picture.width - bottom, left, picture.width - top, right)
    assert picture.boxes[0] == pytest.approx(expected, abs=3)


def line_of(text: str, top: float = 0) -> list[PlacedCharacter]:
    return [(c, (10.0 * at, top, 10.0 * at + 9, top + 10)) for at, c in enumerate(text)]


def test_words_that_stand_there_twice_are_told_apart() -> None:
    glyphs = [
        *line_of("la misma frase", 0),
        *line_of("y otra vez", 20),
        *line_of("la misma frase", 40),
    ]
    first = quote_boxes(glyphs, "La misma frase", "")
    second = quote_boxes(glyphs, "La misma frase", "La misma frase y otra vez ")
    assert [box[1] for box in (*first, *second)] == [0, 40]


@pytest.mark.parametrize(
    "quote",
    ["", "ab", "Esto no está en la página, ni nada que se le parezca.", "· · ·", "gradiente " * 9],
)
def test_there_is_no_mark_rather_than_a_wrong_one(quote: str) -> None:
    glyphs = line_of("El descenso de gradiente baja por la pendiente de la función de costo.")
    assert quote_boxes(glyphs, quote) == []


def test_a_quote_is_found_around_what_stands_between_its_words() -> None:
    glyphs = line_of("El método de Newton converge ENCABEZADO muy rápido cerca del mínimo")
    quote = "el me\u0301todo de Newton con-\nverge muy rápido cerca del mínimo"
    boxes = quote_boxes(glyphs, quote)
    assert boxes
    covered = {c for c, box in glyphs for b in boxes if b[0] <= box[0] and box[2] <= b[2]}
    assert "N" in covered


def test_two_lines_have_two_boxes() -> None:
    glyphs = [*line_of("primera parte de", 0), *line_of("la segunda parte", 20)]
    boxes = quote_boxes(glyphs, "parte de la segunda")
    assert boxes == [(80, 0, 159, 10), (0, 20, 99, 30)]


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    (tmp_path / "b.pdf").write_text("no PDF at all")
    with pytest.raises(UnreadablePdf, match=r"^b\.pdf: "):
        draw_page(PageRequest(tmp_path / "b.pdf", 1), 100, 100)


def test_what_cannot_be_drawn_is_said(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf")
    with pytest.raises(UnreadablePdf, match="page 9"):
        draw_page(PageRequest(path, 9), 100, 100)
    (tmp_path / "b.pdf").write_text("no PDF at all")
    with pytest.raises(UnreadablePdf, match="not a PDF"):
        draw_page(PageRequest(tmp_path / "b.pdf", 1), 100, 100)


# --- In a process of its own -------------------------------------------------------------------


@pytest.fixture
def renderer() -> Iterator[PageRenderer]:
    one = PageRenderer()
    yield one
    one.close()


def process_of(renderer: PageRenderer) -> subprocess.Popen[bytes]:
    assert renderer._process is not None
    return renderer._process


def test_another_process_draws_the_same(tmp_path: Path, renderer: PageRenderer) -> None:
    path = pdfs.one_column(tmp_path / "ñandú.pdf", (WORDS,))
    wanted = PageRequest(path, 1, sentence(reading_form(path), "El gradiente"))
    assert renderer.draw(wanted, 300, 300) == draw_page(wanted, 300, 300)
    with pytest.raises(UnreadablePdf, match="page 2"):
        renderer.draw(PageRequest(path, 2), 300, 300)


@posix
def test_a_crash_or_a_hang_costs_one_picture(tmp_path: Path) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf")
    renderer = PageRenderer(timeout_s=5.0)
    renderer.draw(PageRequest(path, 1), 100, 100)
    process_of(renderer).send_signal(signal.SIGSTOP)  # as good as one that hangs
    with pytest.raises(UnreadablePdf, match="cannot be drawn"):
        renderer.draw(PageRequest(path, 1), 100, 100)
    assert renderer.draw(PageRequest(path, 1), 100, 100).height == 100
    crashed = process_of(renderer)
    crashed.kill()
    crashed.wait()
    assert renderer.draw(PageRequest(path, 1), 100, 100).height == 100
    renderer.close()


def test_nothing_is_drawn_after_the_end(tmp_path: Path, renderer: PageRenderer) -> None:
    path = pdfs.one_column(tmp_path / "a.pdf")
    renderer.draw(PageRequest(path, 1), 100, 100)
    process = process_of(renderer)
    renderer.close()
    assert process.poll() is not None
    with pytest.raises(UnreadablePdf):
        renderer.draw(PageRequest(path, 1), 100, 100)
