"""Compare the ways of reading a PDF: time per page, and the quality of the text.

    python -m scripts.compare_readers FOLDER [--limit PAGES]

`FOLDER` is searched for PDFs. Needs the development extra, and `wordfreq` for the vocabulary
(`pip install wordfreq`). All readers run in one process, document by document, on the same pages;
times are processor seconds. What the columns mean is in docs/reading.md.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
from pdfminer.layout import LAParams

from tests import pdfs
from tutor.ingest.reading import pdfium, pdfminer
from tutor.model import Page, SourceId

if TYPE_CHECKING:
    Reader = Callable[[Path], Iterator[str]]

_ACCENTS = {"´": "\u0301", "`": "\u0300", "~": "\u0303", "˜": "\u0303", "¨": "\u0308"}
_PAIR = re.compile("([´`~˜¨])([A-Za-zı])")
_LOOSE = re.compile(r"[´˜¨](?![A-Za-zı])")
_WORD = re.compile(r"[^\W\d_]{3,}")
_BROKEN = re.compile(r"([^\W\d_]+)[-\u00ad]\s*\n\s*([^\W\d_]+)")


@dataclass
class Score:
    """Counts of one reader over all pages."""

    pages: int = 0
    seconds: float = 0.0
    words: int = 0
    known: int = 0
    hyphens: int = 0
    rejoined: int = 0
    accents: int = 0
    debris: int = 0

    def row(self, name: str) -> str:
        return (
            f"{name:32} {1000 * self.seconds / max(self.pages, 1):7.1f} {self.words:8d} "
            f"{_share(self.known, self.words)} {self.hyphens:6d} "
            f"{_share(self.rejoined, self.hyphens)} {self.accents:6d} {self.debris:6d}"
        )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:6.2f}%" if whole else "      -"


# --- Readers -----------------------------------------------------------------------------------


def _pdfium_pages(path: Path) -> Iterator[pypdfium2.PdfPage]:
    with pypdfium2.PdfDocument(path) as document:
        yield from document


def plain_pdfium(path: Path) -> Iterator[str]:
    """PDFium's own text, in the order of the file."""
    for page in _pdfium_pages(path):
        yield page.get_textpage().get_text_range().replace("\r\n", "\n").replace("\ufffe", "-\n")


def laid_out_pdfium(path: Path) -> Iterator[str]:
    """What `read_pdf` gives."""
    for page in _pdfium_pages(path):
        yield Page.of_lines(SourceId(""), 1, pdfium.lines_of(page)).text


def with_pdfminer(layout: LAParams) -> Reader:
    """pdfminer.six with these layout parameters; (cid:N) is counted before it is left out."""

    def read(path: Path) -> Iterator[str]:
        return pdfminer.texts_of(path, layout)

    return read


READERS: dict[str, Reader] = {
    "pdfium, order of the file": plain_pdfium,
    "pdfium, our layout": laid_out_pdfium,
    "pdfminer, defaults": with_pdfminer(LAParams()),
    "pdfminer, boxes_flow=None": with_pdfminer(LAParams(boxes_flow=None)),
    "pdfminer, boxes_flow=-0.5": with_pdfminer(LAParams(boxes_flow=-0.5)),
}


# --- Measures ----------------------------------------------------------------------------------


@cache
def _is_known(word: str) -> bool:
    # By name, since the project does not depend on it.
    frequency = import_module("wordfreq").zipf_frequency
    return bool(max(frequency(word, "es"), frequency(word, "en")) > 0)


def _repaired(text: str) -> str:
    """Accents drawn apart put on their letter, so that every reader is judged on its own work."""
    text = unicodedata.normalize("NFKC", _PAIR.sub(_composed, text))
    return text.replace("\u00a0", " ")


def _composed(pair: re.Match[str]) -> str:
    letter = "i" if pair[2] == "ı" else pair[2]
    return unicodedata.normalize("NFC", letter + _ACCENTS[pair[1]])


def add_page(score: Score, text: str) -> None:
    score.pages += 1
    score.accents += len(_LOOSE.findall(text))
    score.debris += sum(unicodedata.category(char) in ("Cc", "Co", "Cn") for char in text)
    score.debris -= text.count("\n")
    text = _repaired(text)
    for broken in _BROKEN.finditer(text):
        score.hyphens += 1
        score.rejoined += _is_known((broken[1] + broken[2]).lower())
    words = _WORD.findall(_BROKEN.sub(r"\1\2", text))
    score.words += len(words)
    score.known += sum(_is_known(word.lower()) for word in words)


def measure(score: Score, texts: Iterator[str]) -> None:
    """Add the pages of one document; only the reading is timed."""
    while True:
        start = time.process_time()
        text = next(texts, None)
        score.seconds += time.process_time() - start
        if text is None:
            return
        add_page(score, text)


def order_agreement(reader: Reader, path: Path, words: Sequence[str]) -> float:
    """The share of neighbours in the source's words that are neighbours in the text read."""
    text = _BROKEN.sub(r"\1\2", _repaired("\n".join(reader(path))))
    read = set(pairwise(re.findall(r"\w+", text)))
    return sum(pair in read for pair in pairwise(words)) / (len(words) - 1)


# --- Known sources -----------------------------------------------------------------------------


def _numbered(count: int, start: int = 0) -> list[str]:
    """Words that occur once each, so that neighbours are unmistakable."""
    stems = ["gradiente", "pérdida", "señal", "clase", "eficiencia", "árbol", "flujo", "red"]
    return [f"{stems[n % len(stems)]}{start + n}" for n in range(count)]


def _paragraphs(words: Sequence[str], size: int = 60) -> list[str]:
    return [" ".join(words[n : n + size]) for n in range(0, len(words), size)]


def known_sources(folder: Path) -> Iterator[tuple[str, Path, list[str]]]:
    """Yield (name, PDF, its words in reading order)."""
    words = _numbered(600)
    yield "one column", pdfs.one_column(folder / "1.pdf", _paragraphs(words)), words
    path = pdfs.two_columns(
        folder / "2.pdf",
        _paragraphs(words),
        title="Un título que ocupa las dos columnas",
        header="Inteligencia Artificial #h(1fr) Semana 3",
        footer="Universidad #h(1fr) 2025",
    )
    yield "two columns, header, title", path, words
    yield "three columns", _columns(folder / "3.pdf", words, 3), words
    yield "two columns, wide table between", *_table_between(folder / "4.pdf")
    lines = [" ".join(words[n : n + 3]) for n in range(0, 300, 3)]
    across = pdfs.columns_drawn_across(folder / "6.pdf", lines[:50], lines[50:])
    yield "two columns, drawn line by line", across, words[:300]
    decks = [
        (
            " ".join(_numbered(3, 100 * n)),
            [" ".join(_numbered(9, 100 * n + 3 + 9 * k)) for k in (0, 1)],
        )
        for n in range(1, 4)
    ]
    spoken = [
        word for title, bullets in decks for part in (title, *bullets) for word in part.split()
    ]
    yield "slides", pdfs.slides(folder / "5.pdf", decks), spoken


def _columns(path: Path, words: Sequence[str], count: int) -> Path:
    return pdfs.typeset(
        path,
        f'#set page(paper: "a4", flipped: true, margin: 1.5cm, columns: {count})\n'
        '#set columns(gutter: 10pt)\n#set text(lang: "es", size: 8pt)\n'
        "#set par(justify: true)\n" + "\n\n".join(_paragraphs(words)),
    )


def _table_between(path: Path) -> tuple[Path, list[str]]:
    left, right, cells, last = (
        _numbered(n, s) for n, s in ((90, 0), (90, 100), (12, 200), (60, 300))
    )
    pdfs.typeset(
        path,
        '#set page(paper: "a4", margin: 2cm)\n#set text(lang: "es", size: 10pt)\n'
        "#set par(justify: true)\n"
        f"#grid(columns: (1fr, 1fr), gutter: 12pt, [{' '.join(left)}], [{' '.join(right)}])\n"
        f"#table(columns: (1fr, 1fr, 1fr), {', '.join(f'[{cell}]' for cell in cells)})\n"
        f"{' '.join(last)}",
    )
    return path, [*left, *right, *cells, *last]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, help="read this many pages of each PDF")
    arguments = parser.parse_args()
    paths = sorted(arguments.folder.rglob("*.pdf"))
    print(f"{'reader':32} ms/page    words   known hyphens rejoined accents debris")
    scores = {name: Score() for name in READERS}
    for path in paths:
        # Document by document, so that a busy machine slows all readers alike.
        for name, reader in READERS.items():
            measure(scores[name], islice(reader(path), arguments.limit))
    for name, score in scores.items():
        print(score.row(name))
    with tempfile.TemporaryDirectory() as folder:
        sources = list(known_sources(Path(folder)))
        for name, reader in READERS.items():
            print(f"\n{name}")
            for kind, path, words in sources:
                print(f"  {kind:32} {100 * order_agreement(reader, path, words):6.1f}%")


if __name__ == "__main__":
    main()
