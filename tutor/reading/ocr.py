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
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

_LANGUAGES = ("spa", "eng")
_DPI = 300
_MAX_SIDE = 6000
"""Pixels: an A0 poster is rendered coarser rather than in 1.4 gigabytes."""
_TIMEOUT = 120.0
"""Seconds for one page."""


@dataclass(frozen=True, slots=True)
class Recogniser:
    """A `tesseract` program and the languages it reads, such as `spa+eng`."""

    program: str
    languages: str

    def text_of(self, page: pypdfium2.PdfPage) -> str:
        """The text in the picture of this page; empty if there is none or recognition fails."""
        image, dpi = _picture(page)
        if image is None:
            return ""
        command = [self.program, "stdin", "stdout", "-l", self.languages, "--dpi", str(dpi)]
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
        except (OSError, subprocess.SubprocessError):
            return ""
        return done.stdout.decode("utf-8", "replace").replace("\f", "").strip()


@cache
def find_recogniser() -> Recogniser | None:
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
    return Recogniser(program, "+".join(languages)) if "spa" in languages else None


def _picture(page: pypdfium2.PdfPage) -> tuple[bytes | None, int]:
    """The page as a grey PGM image, and its dots per inch; no image of a page of one colour."""
    side = max(page.get_size())
    scale = min(_DPI / 72, _MAX_SIDE / max(side, 1.0))
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        pixels = memoryview(bytes(bitmap.buffer))
        width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    finally:
        bitmap.close()
    rows = b"".join(pixels[y * stride : y * stride + width] for y in range(height))
    if not rows or rows.count(rows[0]) == len(rows):
        return None, 0
    return b"P5 %d %d 255\n" % (width, height) + rows, round(72 * scale)
