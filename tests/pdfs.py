"""Real PDFs for the tests, sound and broken; every function writes `path` and returns it.

Three ways of making them: `typeset` (Typst sets real type: hyphenation, ligatures, formulas,
columns), `raw_pdf` (content streams by hand, for what no typesetter would draw) and `text_pages`
(any Unicode string as a text layer, for hostile characters).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Literal

import pypdf
import pypdfium2
import typst

LIPSUM = (
    "La regresión logística estima la probabilidad de que una observación pertenezca a una clase. "
    "El gradiente de la función de pérdida señala la dirección en que crece, y por eso el descenso "
    "se mueve en la dirección contraria con una tasa de aprendizaje pequeña. "
    "La validación cruzada reparte los datos en pliegues para estimar el error de generalización. "
    "Una configuración con demasiados parámetros memoriza el ruido, y la regularización lo evita. "
    "El sobreajuste se reconoce porque el error de entrenamiento baja mientras el de prueba sube. "
)
"""A Spanish paragraph with accents, ñ and words that hold the ligatures fi and fl."""

USER_PASSWORD = "secreto"
OWNER_PASSWORD = "dueño"


# --- Typeset -----------------------------------------------------------------------------------

_A4 = '#set page(paper: "a4", margin: 2.2cm)\n#set text(lang: "es", size: 11pt)\n'


@cache
def _compiled(source: str) -> bytes:
    return typst.compile(source.encode())


def typeset(path: Path, source: str) -> Path:
    """Whatever this Typst source says."""
    path.write_bytes(_compiled(source))
    return path


def one_column(path: Path, paragraphs: Sequence[str] = (LIPSUM,), *, title: str = "") -> Path:
    """Justified paragraphs over the whole width, hyphenated, with ligatures."""
    heading = f"= {title}\n\n" if title else ""
    return typeset(path, _A4 + "#set par(justify: true)\n" + heading + "\n\n".join(paragraphs))


def two_columns(
    path: Path, paragraphs: Sequence[str], *, title: str = "", footer: str = "", header: str = ""
) -> Path:
    """A paper: title over both columns, justified and hyphenated text in two columns."""
    return typeset(
        path,
        f'#set page(paper: "a4", margin: 2cm, columns: 2, header: [{header}], footer: [{footer}])\n'
        '#set text(lang: "es", size: 10pt)\n#set par(justify: true)\n'
        + (
            f'#place(top + center, scope: "parent", float: true)[#text(size: 17pt)[{title}]]\n\n'
            if title
            else ""
        )
        + "\n\n".join(paragraphs),
    )


def slides(path: Path, decks: Sequence[tuple[str, Sequence[str]]]) -> Path:
    """16:9 slides, each a title and its bullets, with a page number at the foot."""
    body = "\n#pagebreak()\n".join(
        f"= {title}\n" + "\n".join(f"- {bullet}" for bullet in bullets) for title, bullets in decks
    )
    return typeset(
        path,
        '#set page(paper: "presentation-16-9", footer: [Inteligencia Artificial #h(1fr) '
        '#context counter(page).display()])\n#set text(lang: "es", size: 22pt)\n' + body,
    )


def formulas(path: Path) -> Path:
    """Formulas inside a line and on lines of their own."""
    return typeset(
        path,
        _A4 + "La pérdida es $L(theta) = 1/n sum_(i=1)^n (y_i - hat(y)_i)^2$ para $n$ datos.\n\n"
        "$ sigma(z) = 1 / (1 + e^(-z)) $\n\n"
        "$ S = sum_(j=1)^k sum_(x in C_j) x $\n\n"
        "El gradiente $nabla L$ indica hacia dónde crece la pérdida.\n",
    )


def ligatures(path: Path) -> Path:
    """Words that a good font sets with fi, fl and ffi as single glyphs."""
    return typeset(
        path,
        _A4 + '#set text(font: "New Computer Modern")\n'
        "La eficiencia del clasificador: coeficiente, flujo, difícil, inflación, oficina, affine.",
    )


def hyphenated(path: Path) -> Path:
    """A narrow column, so that most lines end in a hyphen."""
    return typeset(
        path,
        '#set page(width: 7cm, height: auto, margin: 1cm)\n#set text(lang: "es", size: 11pt, '
        f"hyphenate: true)\n#set par(justify: true)\n{LIPSUM}",
    )


def running_headers(path: Path, pages: int = 6) -> Path:
    """The same header and a numbered footer on every page, other text in between."""
    body = "\n#pagebreak()\n".join(f"Contenido número {n}. {LIPSUM}" for n in range(1, pages + 1))
    return typeset(
        path,
        '#set page(paper: "a4", header: [Inteligencia Artificial — Semana 3], '
        'footer: [Página #context counter(page).display()])\n#set text(lang: "es")\n' + body,
    )


def table_and_columns(path: Path) -> Path:
    """Two columns of text with a table over the whole width in the middle of the page."""
    left = "Izquierda: " + LIPSUM
    right = "Derecha: " + LIPSUM
    return typeset(
        path,
        _A4 + f"#grid(columns: (1fr, 1fr), gutter: 1cm, [{left}], [{right}])\n#v(1cm)\n"
        "#table(columns: (1fr, 1fr, 1fr), [Modelo], [Exactitud], [Tiempo], "
        "[Árbol], [0,81], [2 s], [Bosque], [0,87], [9 s])\n#v(1cm)\nUn párrafo final ancho. "
        + LIPSUM,
    )


def table_under_a_header(path: Path) -> Path:
    """A running header with a rule as wide as the table further down, whose cells are of two lines.

    Between them stands a drawing with an upright axis.
    """
    return typeset(
        path,
        _A4
        + "Inteligencia Artificial #h(1fr) Semana 9\n#v(-8pt)#line(length: 100%, stroke: .5pt)\n"
        "#align(center, box(width: 8cm, height: 4cm, {\n"
        "  place(line(start: (0%, 0%), end: (0%, 100%), stroke: .5pt))\n"
        "  place(line(start: (0%, 100%), end: (100%, 100%), stroke: .5pt))\n"
        "  place(dx: 2cm, dy: 1cm)[sigmoide]\n}))\n"
        "#align(center)[*Tabla 3:* Remedios para los gradientes]\n"
        "#table(columns: (3.6cm, 3cm, 1fr), [Remedio], [Problema], [Por qué ayuda],\n"
        "  [Inicialización de Glorot o de He], [Ambos], [Mantiene la varianza],\n"
        "  [Conexiones residuales], [Desvanecimiento], [Un camino directo],\n"
        "  [LSTM], [Desvanecimiento], [Compuertas])\n\n" + LIPSUM,
    )


def tables_of_one_width(path: Path) -> Path:
    """Two tables as wide as each other, whose columns stand almost, but not quite, alike."""
    return typeset(
        path,
        _A4 + "#table(columns: (90pt, 150pt, 1fr), [Capa], [Descripción], [Función],\n"
        "  [Pericardio fibroso y duro], [Tejido conectivo denso, que no se estira], [Fija],\n"
        "  [Miocardio], [Músculo], [Se contrae])\n"
        "*Capilares*\n"
        "#table(columns: (90.9pt, 150pt, 1fr), [Tipo], [Estructura], [Ubicación],\n"
        "  [Continuos], [Endotelio continuo y lámina basal intacta], [Músculo],\n"
        "  [Sinusoides], [Luz amplia], [Hígado])\n",
    )


def table_with_a_tall_cell(path: Path) -> Path:
    """A table whose first column has one cell beside two rows of the others."""
    return typeset(
        path,
        _A4 + "#table(columns: (80pt, 150pt, 1fr), [Tipo], [Distribución], [Varianza],\n"
        "  table.cell(rowspan: 2)[Discreta], [Binomial], [npq], [Poisson], [la media],\n"
        "  [Continua], [Uniforme de un intervalo], [su anchura al cuadrado entre 12])\n\n" + LIPSUM,
    )


def table_with_tall_cells(path: Path) -> Path:
    """A table in which a cell is beside two that are beside two each; its head has two levels."""
    return typeset(
        path,
        _A4 + "#table(columns: (70pt, 80pt, 60pt, 60pt),\n"
        "  table.cell(rowspan: 2)[Reino], table.cell(rowspan: 2)[Clase],\n"
        "  table.cell(colspan: 2)[Medidas], [peso], [talla],\n"
        "  table.cell(rowspan: 4)[Animal], table.cell(rowspan: 2)[ave], [uno], [dos],\n"
        "  [tres], [cuatro], table.cell(rowspan: 2)[pez], [cinco], [seis], [siete], [ocho])\n\n"
        + LIPSUM,
    )


def scanned(path: Path, text: str = LIPSUM, pages: int = 1) -> Path:
    """Pictures of typeset pages, no text layer (what a scanner gives)."""
    pixels, width, height = _picture(_A4 + text)
    image = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray "
        b"/BitsPerComponent 8 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream"
    ) % (width, height, len(data := zlib.compress(pixels)), data)
    return raw_pdf(
        path,
        [b"q 595 0 0 842 0 0 cm /Im1 Do Q"] * pages,
        extra=[image],
        resources=b"/XObject << /Im1 {extra0} 0 R >>",
    )


def _picture(source: str) -> tuple[bytes, int, int]:
    """The first page at 150 dots per inch: one byte per pixel, width, height."""
    with pypdfium2.PdfDocument(_compiled(source)) as document:
        bitmap = document[0].render(scale=150 / 72, grayscale=True)
        rows = bytes(bitmap.buffer)
        kept = (
            rows[y * bitmap.stride : y * bitmap.stride + bitmap.width] for y in range(bitmap.height)
        )
        return b"".join(kept), bitmap.width, bitmap.height


# --- By hand -----------------------------------------------------------------------------------


@dataclass
class _Objects:
    """Indirect objects of a PDF in the making, numbered from 1."""

    bodies: list[bytes] = field(default_factory=list)

    def add(self, body: bytes) -> int:
        self.bodies.append(body)
        return len(self.bodies)

    def stream(self, data: bytes) -> int:
        return self.add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data))

    def file(self, root: int, info: int) -> bytes:
        out, offsets = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
        for number, body in enumerate(self.bodies, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(offsets) + 1,
            root,
            info,
            start,
        )
        return bytes(out)


_HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def raw_pdf(
    path: Path,
    pages: Sequence[bytes],
    *,
    info: Mapping[str, str] | None = None,
    extra: Sequence[bytes] = (),
    resources: bytes = b"",
    page_entries: bytes = b"",
) -> Path:
    """One A4 page for each content stream; `/F1` is Helvetica in WinAnsi.

    `extra` are further objects; `resources` can name the first as `{extra0}`, and so on.
    """
    objects = _Objects()
    font = objects.add(_HELVETICA)
    resources = resources.replace(b"{font}", b"%d" % font)
    for n, body in enumerate(extra):
        number = objects.add(body.replace(b"{font}", b"%d" % font))
        resources = resources.replace(b"{extra%d}" % n, b"%d" % number)
    fonts = b"" if b"/Font" in resources else b"/Font << /F1 %d 0 R >>" % font
    streams = [objects.stream(content) for content in pages]
    tree = len(objects.bodies) + len(pages) + 1
    kids = [
        objects.add(
            b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << %s %s >> %s >>" % (tree, stream, fonts, resources, page_entries)
        )
        for stream in streams
    ]
    references = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects.add(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (references, len(kids)))
    root = objects.add(b"<< /Type /Catalog /Pages %d 0 R >>" % tree)
    entries = b" ".join(
        b"/%s <%s>" % (key.encode(), ("\ufeff" + value).encode("utf-16-be").hex().encode())
        for key, value in (info or {}).items()
    )
    path.write_bytes(objects.file(root, objects.add(b"<< %s >>" % entries)))
    return path


def bold_as_high(path: Path, content: bytes) -> Path:
    """One page; `/F1` is bold and `/F2` is not, and the letters of both are as high."""
    widths = b" ".join([b"500"] * 224)
    fonts = [
        b"<< /Type /Font /Subtype /TrueType /BaseFont /%s /Encoding /WinAnsiEncoding "
        b"/FirstChar 32 /LastChar 255 /Widths [%s] /FontDescriptor << /Type /FontDescriptor "
        b"/FontName /%s /Flags 32 /FontBBox [0 -300 1000 1000] /Ascent 1000 /Descent -300 "
        b"/CapHeight 700 /StemV 80 /ItalicAngle 0 >> >>" % (name, widths, name)
        for name in (b"Notas-Bold", b"Notas")
    ]
    resources = b"/Font << /F1 {extra0} 0 R /F2 {extra1} 0 R >>"
    return raw_pdf(path, [content], extra=fonts, resources=resources)


def text_pages(
    path: Path,
    pages: Sequence[Sequence[str]],
    *,
    info: Mapping[str, str] | None = None,
    font_name: str = "Helvetica",
) -> Path:
    """Lines of any Unicode characters, one content line each; at most 255 different characters.

    The font's ToUnicode map says what each glyph means, so control characters, bidirectional
    marks and escapes reach a reader as they would from a hostile file.
    """
    alphabet = {char: code for code, char in enumerate(_alphabet(pages), 1)}
    cmap = b"\n".join(
        b"1 beginbfchar\n<%02x> <%s>\nendbfchar" % (code, char.encode("utf-16-be").hex().encode())
        for char, code in alphabet.items()
    )
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        b"/CMapName /T def /CMapType 2 def\n1 begincodespacerange <00> <ff> endcodespacerange\n"
        b"%s\nendcmap end end" % cmap
    )
    widths = b" ".join([b"500"] * 256)
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding "
        b"/FirstChar 0 /LastChar 255 /Widths [%s] /ToUnicode {extra0} 0 R >>"
        % (font_name.encode(), widths)
    )
    contents = [
        b"BT /F1 11 Tf 14 TL 60 780 Td "
        + b" ".join(
            b"<%s> Tj T*" % bytes(alphabet[char] for char in line).hex().encode() for line in lines
        )
        + b" ET"
        for lines in pages
    ]
    stream = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(cmap), cmap)
    # Object 1 is raw_pdf's Helvetica, so the map is object 2.
    return raw_pdf(
        path,
        contents,
        info=info,
        extra=[stream, font.replace(b"{extra0}", b"2")],
        resources=b"/Font << /F1 {extra1} 0 R >>",
    )


def _alphabet(pages: Sequence[Sequence[str]]) -> list[str]:
    chars = sorted({char for lines in pages for line in lines for char in line})
    if len(chars) > 255:
        raise ValueError(f"{len(chars)} different characters; a simple font holds 255")
    return chars


def columns_drawn_across(path: Path, left: Sequence[str], right: Sequence[str]) -> Path:
    """Two columns that the file draws line by line over both, as some printer drivers do."""
    content = [b"BT /F1 9 Tf"]
    for row, pair in enumerate(zip(left, right, strict=True)):
        content += [
            b"1 0 0 1 %d %d Tm <%s> Tj" % (x, 780 - 12 * row, text.encode("cp1252").hex().encode())
            for x, text in zip((50, 310), pair, strict=True)
        ]
    return raw_pdf(path, [b"\n".join([*content, b"ET"])])


def sideways(path: Path, lines: Sequence[str] = ("Texto girado", "en dos líneas")) -> Path:
    """Lines set upwards along the page, as in a table that was turned to fit."""
    content = [
        b"BT /F1 12 Tf 0 1 -1 0 %d 100 Tm <%s> Tj ET"
        % (100 + 16 * n, line.encode("cp1252").hex().encode())
        for n, line in enumerate(lines)
    ]
    return raw_pdf(path, [b"\n".join(content)])


def shadowed(path: Path, text: str = "Sombra") -> Path:
    """The same word drawn twice, a point apart, as slide programs draw shadows."""
    shown = text.encode("cp1252").hex().encode()
    return raw_pdf(
        path,
        [
            b"BT /F1 20 Tf 1 0 0 1 101 699 Tm <%s> Tj ET\n"
            b"BT /F1 20 Tf 1 0 0 1 100 700 Tm <%s> Tj ET" % (shown, shown)
        ],
    )


def many_pages(path: Path, count: int = 500) -> Path:
    """`count` pages of two lines each."""
    return text_pages(
        path,
        [
            [f"Página {n} de {count}: la entropía mide la incertidumbre.", f"Fin {n}."]
            for n in range(1, count + 1)
        ],
    )


_ACCENTS = {
    "ñ": (b"\x98", b"n"),
    "á": (b"\xb4", b"a"),
    "é": (b"\xb4", b"e"),
    "í": (b"\xb4", b"i"),
    "ó": (b"\xb4", b"o"),
    "ú": (b"\xb4", b"u"),
    "Ó": (b"\xb4", b"O"),
    "ü": (b"\xa8", b"u"),
}


def pseudo_accents(
    path: Path,
    lines: Sequence[str] = ("El diseño de la red", "señal pequeña y niño", "regresión logística"),
    *,
    order: Literal["before", "after"] = "before",
) -> Path:
    """Accents drawn as glyphs of their own over the letter, as old TeX fonts do.

    `order` says whether the content stream draws them before or after their letter. The text
    layer then holds `˜n` or `n˜` for `ñ`.
    """
    shown = [_accented(line, accent_first=order == "before") + b" T*" for line in lines]
    return raw_pdf(path, [b"\n".join([b"BT /F1 12 Tf 16 TL 60 780 Td", *shown, b"ET"])])


def _accented(line: str, *, accent_first: bool) -> bytes:
    """A TJ array; after the first glyph of a pair the pen goes back by its width."""
    widths = {b"\x98": 333, b"\xb4": 333, b"\xa8": 333}
    letters = {b"n": 556, b"a": 556, b"e": 556, b"i": 222, b"o": 556, b"u": 556}
    letters[b"O"] = 778
    parts: list[bytes] = []
    for char in line:
        if char not in _ACCENTS:
            parts.append(b"<%s>" % char.encode("cp1252").hex().encode())
            continue
        accent, letter = _ACCENTS[char]
        shift = (letters[letter] - widths[accent]) // 2
        accent_hex, letter_hex = accent.hex().encode(), letter.hex().encode()
        if accent_first:
            back = shift + widths[accent]
            parts.append(b"%d <%s> %d <%s>" % (-shift, accent_hex, back, letter_hex))
        else:
            back, rest = letters[letter] - shift, letters[letter] - shift - widths[accent]
            parts.append(b"<%s> %d <%s> %d" % (letter_hex, back, accent_hex, -rest))
    return b"[" + b" ".join(parts) + b"] TJ"


def raised_accents(path: Path) -> Path:
    """Capitals whose accents stand so high that a reader takes them for the end of the line."""
    return raw_pdf(
        path,
        [
            (
                b"BT /F1 12 Tf 1 0 0 1 60 700 Tm <44454d4f5354524143494f4e> Tj "
                b"1 0 0 1 146.7 702.6 Tm <b4> Tj "
                b"1 0 0 1 60 680 Tm <4f7264656e6573206465206c6120726564> Tj "
                b"1 0 0 1 62.7 682.6 Tm <b4> Tj ET"
            )
        ],
    )


HOSTILE = (
    "Borra la pantalla: \x1b[2J\x1b[31mrojo\x1b[0m y \x1b]0;título\x07 fin",
    "Nulos\x00, campana\x07, retroceso\x08 y borrado\x7f",
    "Bidi: \u202eodatse\u202c y \u2066aislado\u2069 \u200f",
    "Ancho cero: pa\u200bla\u200dbra\ufeff y guion\u00ad blando",
)
"""Lines that would attack a terminal or hide what they say."""


def hostile_characters(path: Path) -> Path:
    """Terminal escapes, controls, bidirectional and zero-width characters, in text and title."""
    return text_pages(
        path, [HOSTILE], info={"Title": "Apuntes \x1b[31mrojos\x1b[0m \u202e", "Author": "Ana\x07"}
    )


def blank(path: Path, pages: int = 1) -> Path:
    """Pages with nothing on them."""
    return raw_pdf(path, [b""] * pages)


def zero_pages(path: Path) -> Path:
    """A sound PDF whose page tree is empty."""
    return raw_pdf(path, [])


# --- Locked and broken -------------------------------------------------------------------------


def encrypted(path: Path, *, algorithm: str = "AES-256") -> Path:
    """Cannot be opened without `USER_PASSWORD`."""
    return _locked(path, USER_PASSWORD, algorithm)


def owner_locked(path: Path, *, algorithm: str = "AES-256") -> Path:
    """Opens without a password; only changing it would need `OWNER_PASSWORD`."""
    return _locked(path, "", algorithm)


def _locked(path: Path, password: str, algorithm: str) -> Path:
    writer = pypdf.PdfWriter(clone_from=BytesIO(_compiled(_A4 + LIPSUM)))
    writer.encrypt(password, OWNER_PASSWORD, algorithm=algorithm)
    writer.write(path)
    return path


def truncated(path: Path, share: float = 0.5) -> Path:
    """The first `share` of a sound PDF's bytes, as an interrupted download leaves it."""
    one_column(path, [LIPSUM] * 8)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    return path


def nested_forms(path: Path, levels: int = 9, width: int = 10) -> Path:
    """One word in a form, drawn `width` times by the next form, and so on: some 2.5 kilobytes."""
    forms = [(b"BT /F1 8 Tf 10 10 Td (Texto) Tj ET", b"/Font << /F1 {font} 0 R >>")]
    # Object 1 is raw_pdf's Helvetica, so the innermost form is object 2.
    forms += [(b"/X Do " * width, b"/XObject << /X %d 0 R >>" % n) for n in range(2, levels + 1)]
    extra = [
        b"<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << %s >> /Length %d >>\n"
        b"stream\n%s\nendstream" % (resources, len(content), content)
        for content, resources in forms
    ]
    outermost = b"/XObject << /X %d 0 R >>" % (levels + 1)
    return raw_pdf(path, [b"/X Do"], extra=extra, resources=outermost)


def empty(path: Path) -> Path:
    """A file of no bytes."""
    path.write_bytes(b"")
    return path


def not_a_pdf(path: Path) -> Path:
    """A web page that somebody saved under the name of a PDF."""
    path.write_text("<!doctype html><title>404</title><p>Not found", encoding="utf-8")
    return path


def garbage(path: Path) -> Path:
    """Begins like a PDF and goes on as noise."""
    path.write_bytes(b"%PDF-1.7\n" + bytes((7 * n * n + n) % 256 for n in range(4000)))
    return path
