"""Optical character recognition by the `tesseract` program, where it is installed.

The program is called directly: that needs no Python package, an image goes in through standard
input, and a crash or a hang of the recogniser stays outside this process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

_LANGUAGES = ("spa", "eng")
_DPI = 300
_MAX_SIDE = 6000
"""Pixels: an A0 poster is rendered coarser rather than in 1.4 gigabytes."""
_WORD_LEVEL = "5"
_LEAST_CONFIDENCE = 65.0
"""Mean over a page, weighted by length: print scans at 84 to 96, handwriting at 43 to 50."""
_TIMEOUT = 120.0
"""Seconds for one page."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    """A `tesseract` program and the languages it reads, such as `spa+eng`."""

    program: str
    languages: str

    def text_of(self, page: pypdfium2.PdfPage) -> str:
        """The text in the picture of this page; empty if there is none or recognition fails.

        Also empty where the program itself doubts what it read, as it does of handwriting:
        nobody should be quoted `Felino Recetas ten ajo nf)`.
        """
        image, dpi = _picture(page)
        if image is None:
            return ""
        command = [self.program, "stdin", "stdout", "-l", self.languages, "--dpi", str(dpi), "tsv"]
        try:
            done = subprocess.run(
                command,
                input=image,
                capture_output=True,
                timeout=_TIMEOUT,
                check=True,
                # Pages are read by several processes at once; threads in each would only compete.
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
            return _confident_text(done.stdout.decode("utf-8", "replace"))
        except (OSError, subprocess.SubprocessError, ValueError):
            return ""


def _confident_text(table: str) -> str:
    """The words of Tesseract's TSV: lines end in a newline, paragraphs in a blank line.

    Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    rows = [line.split("\t") for line in table.splitlines()]
    words = [row for row in rows if len(row) == 12 and row[0] == _WORD_LEVEL and row[11].strip()]
    characters = sum(len(row[11]) for row in words)
    confidence = sum(len(row[11]) * float(row[10]) for row in words)
    if confidence < _LEAST_CONFIDENCE * max(characters, 1):
        return ""
    paragraphs: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for row in words:
        lines = paragraphs.setdefault(tuple(row[1:4]), {})
        lines.setdefault(row[4], []).append(row[11])
    return "\n\n".join(
        "\n".join(" ".join(line) for line in lines.values()) for lines in paragraphs.values()
    )


@cache
def find_ocr() -> Tesseract | None:
    """The installed Tesseract if it reads Spanish; asked once per process."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    try:
        listed = subprocess.run(
            [program, "--list-langs"], capture_output=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    installed = (listed.stdout + b"\n" + listed.stderr).decode("utf-8", "replace").split()
    languages = [language for language in _LANGUAGES if language in installed]
    return Tesseract(program, "+".join(languages)) if "spa" in languages else None


def _picture(page: pypdfium2.PdfPage) -> tuple[bytes | None, int]:
    """The page as a grey PGM image, and its dots per inch; no image of a page of one colour."""
    scale = min(_DPI / 72, _MAX_SIDE / max(*page.get_size(), 1.0))
    image = page.render(scale=scale, grayscale=True).to_pil()
    darkest, lightest = image.getextrema()
    if darkest == lightest:
        return None, 0
    file = BytesIO()
    image.save(file, "PPM")
    return file.getvalue(), round(72 * scale)
