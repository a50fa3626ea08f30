"""Pages drawn in a process of their own: a PDF that crashes PDFium costs its picture only.

The process is asked with a line of JSON and answers with a line of JSON, and pixels after it.
Nothing that it says is run, whatever a PDF may have made of it. It is no `multiprocessing`
process: under a terminal app, which keeps standard error for itself, those cannot be started.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, Timer
from typing import IO, Any

import tutor
from tutor.errors import UnreadablePdf
from tutor.i18n import language, set_language
from tutor.ingest.reading.limits import LimitExit, limited
from tutor.ingest.reading.rendering import (
    PagePicture,
    PageRequest,
    draw_page,
    too_large,
    undrawable,
)

_TIMEOUT_S = 10.0
_MEMORY_MB = 1024
_COMMAND = (sys.executable, "-P", "-m", __name__)
_LONGEST_LINE = 1_000_000
_MOST_PIXELS = 50_000_000
_BROKEN = (OSError, EOFError, ValueError, KeyError, TypeError)
"""What a process that died, or has lost its mind, leads to."""


class PageRenderer:
    """Draws pages in a process that is started with the first and ended by `close`.

    Any thread may call; `draw` waits, for 0.2 s the first time.
    """

    def __init__(self, timeout_s: float = _TIMEOUT_S, memory_mb: int = _MEMORY_MB) -> None:
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._drawing = Lock()
        self._starting = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def draw(self, wanted: PageRequest, width: int, height: int) -> PagePicture:
        """What `draw_page` gives.

        Raises `UnreadablePdf` also where it crashes, hangs or takes too much memory.
        """
        with self._drawing:
            process = self._running()
            if process is None:
                raise undrawable(wanted)
            timer = Timer(self._timeout_s, process.kill)
            timer.start()
            try:
                return _asked(process, wanted, (width, height))
            except _BROKEN:
                _end(process)
                if process.returncode == LimitExit.MEMORY:
                    raise too_large(wanted, self._memory_mb) from None
                raise undrawable(wanted) from None
            finally:
                timer.cancel()

    def close(self) -> None:
        """End the process, whatever it is doing; nothing is drawn any more."""
        with self._starting:
            self._closed = True
            if self._process:
                self._process.kill()
        with self._drawing:
            if self._process:
                _end(self._process)

    def _running(self) -> subprocess.Popen[bytes] | None:
        with self._starting:
            if self._closed:
                return None
            if self._process and self._process.poll() is not None:
                _end(self._process)
                self._process = None
            if self._process is None:
                self._process = subprocess.Popen(
                    [*_COMMAND, language(), str(self._memory_mb), str(self._timeout_s)],
                    env=_environment(os.environ),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,
                )
            return self._process


def _asked(
    process: subprocess.Popen[bytes], wanted: PageRequest, size: tuple[int, int]
) -> PagePicture:
    assert process.stdin is not None  # noqa: S101 - pipes were asked for
    assert process.stdout is not None  # noqa: S101
    request = [os.fspath(wanted.path), wanted.number, wanted.quote, wanted.before, *size]
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline(_LONGEST_LINE))
    if "reason" in answer:
        raise UnreadablePdf(answer["reason"], answer["message"], answer["remedy"])
    width, height = int(answer["width"]), int(answer["height"])
    boxes = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in answer["boxes"])
    if not 0 < width * height <= _MOST_PIXELS:
        raise ValueError(width, height)
    pixels = process.stdout.read(3 * width * height)
    if len(pixels) < 3 * width * height:
        raise EOFError
    return PagePicture(width, height, pixels, boxes)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError):
        process.communicate()


def _environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Ours, with this very package found first."""
    home = str(Path(tutor.__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, inherited.get("PYTHONPATH"))))
    return {**inherited, "PYTHONPATH": path, "PYTHONUTF8": "1"}


# --- The process itself ------------------------------------------------------------------------


def serve(requests: IO[bytes], answers: IO[bytes], memory_mb: int, timeout_s: float) -> None:
    """Draw what is asked for, line by line, until nobody asks any more or a limit is reached."""
    for line in requests:
        path, number, quote, before, *size = json.loads(line)
        with limited(memory_mb, timeout_s):
            answer, pixels = _answer(PageRequest(Path(path), number, quote, before), size)
        answers.write(json.dumps(answer).encode() + b"\n" + pixels)
        answers.flush()


def _answer(wanted: PageRequest, size: Sequence[int]) -> tuple[dict[str, Any], bytes]:
    try:
        picture = draw_page(wanted, *size)
    except UnreadablePdf as error:
        words = {"reason": error.reason, "message": error.message, "remedy": error.remedy}
        return words, b""
    answer = {"width": picture.width, "height": picture.height, "boxes": picture.boxes}
    return answer, picture.pixels


def _main() -> None:
    set_language(sys.argv[1])
    # PDFium's own words, if it has any, shall not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers, int(sys.argv[2]), float(sys.argv[3]))


if __name__ == "__main__":
    _main()
