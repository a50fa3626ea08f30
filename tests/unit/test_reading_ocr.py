"""Recognition through a program on PATH that stands in for Tesseract and speaks its protocol."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import pdfs
from tutor.ingest.reading.document import read_pdf
from tutor.ingest.reading.ocr import find_ocr
from tutor.model import Document, SourceId, TextOrigin

if TYPE_CHECKING:
    Install = Callable[..., None]

_PROGRAM = """#!{python}
import sys
if "--list-langs" in sys.argv:
    print("List of available languages (2):\\n{languages}")
    sys.exit()
image = sys.stdin.buffer.read()
kind, width, height, depth = image.split(maxsplit=4)[:4]
assert kind == b"P5" and depth == b"255"
header = len(b" ".join([kind, width, height, depth])) + 1
assert len(image) == header + int(width) * int(height)
{action}
"""

_ECHO = """
print(*"level page_num block_num par_num line_num word_num left top width height conf text".split(),
      sep="\\t")
print(4, 1, 1, 1, 1, 0, 0, 0, 9, 9, -1, "", sep="\\t")
for number, argument in enumerate(sys.argv[1:]):
    print(5, 1, 1, 1 + number // 4, 1 + number // 2, 1, 0, 0, 9, 9, CONF, argument, sep="\\t")
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Put a program on PATH, alone there, that answers `--list-langs` and does `action`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(languages: str = "eng\\nspa", action: str = _ECHO, confidence: str = "91.5") -> None:
        program = folder / "tesseract"
        program.write_text(
            _PROGRAM.format(
                python=sys.executable,
                languages=languages,
                action=action.replace("CONF", confidence),
            ),
            encoding="utf-8",
        )
        program.chmod(0o755)
        find_ocr.cache_clear()

    find_ocr.cache_clear()
    yield put
    find_ocr.cache_clear()


def _read(path: Path) -> Document:
    return read_pdf(path, SourceId("s"))


def test_a_scanned_page_is_read_in_spanish_and_english(install: Install, tmp_path: Path) -> None:
    install()
    document = _read(pdfs.scanned(tmp_path / "a.pdf"))
    assert document.pages[0].origin is TextOrigin.OCR
    assert document.pages[0].text == "stdin stdout\n-l spa+eng\n\n--dpi 300\ntsv"
    assert document.pages_without_text == ()


def test_english_is_left_out_where_it_is_not_installed(install: Install, tmp_path: Path) -> None:
    install(languages="spa")
    assert "-l spa\n" in _read(pdfs.scanned(tmp_path / "a.pdf")).pages[0].text


@pytest.mark.parametrize("action", ["sys.exit(1)", "print(' \\f')", "import os; os.abort()"])
def test_a_failing_program_leaves_the_page_without_text(
    install: Install, tmp_path: Path, action: str
) -> None:
    install(action=action)
    assert _read(pdfs.scanned(tmp_path / "a.pdf", pages=2)).pages_without_text == (1, 2)


def test_what_the_program_doubts_itself_is_no_text(install: Install, tmp_path: Path) -> None:
    install(confidence="48.2")
    assert _read(pdfs.scanned(tmp_path / "a.pdf")).pages_without_text == (1,)


def test_without_spanish_nothing_is_recognised(install: Install, tmp_path: Path) -> None:
    install(languages="eng\\nosd")
    assert _read(pdfs.scanned(tmp_path / "a.pdf")).pages_without_text == (1,)


def test_without_the_program_nothing_is_recognised(install: Install, tmp_path: Path) -> None:
    assert _read(pdfs.scanned(tmp_path / "a.pdf")).pages_without_text == (1,)


def test_a_page_of_one_colour_is_not_sent(install: Install, tmp_path: Path) -> None:
    install()
    assert _read(pdfs.blank(tmp_path / "a.pdf")).pages_without_text == (1,)


def test_a_page_with_text_is_not_sent(install: Install, tmp_path: Path) -> None:
    install()
    (page,) = _read(pdfs.one_column(tmp_path / "a.pdf")).pages
    assert page.origin is TextOrigin.LAYER


def test_recognition_can_be_turned_off(install: Install, tmp_path: Path) -> None:
    install()
    document = read_pdf(pdfs.scanned(tmp_path / "a.pdf"), SourceId("s"), ocr="off")
    assert document.pages_without_text == (1,)
