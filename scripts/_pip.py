"""Run pip and the like quietly: a sign of life on a terminal, the last lines when it fails."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from threading import Event, Thread
from types import TracebackType

from scripts._interpreter import in_language

LINES_SHOWN = 15
_LONGEST = 200
_TURNS_EVERY_S = 0.2
_DESTINATIONS = {"PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_QUIET", "PYTHONHOME"}
_DESTINATIONS |= {"UV_SYSTEM_PYTHON", "UV_TARGET", "UV_PREFIX"}
_NO_NETWORK = (
    "NewConnectionError",
    "ConnectTimeout",
    "ReadTimeout",
    "Read timed out",
    "Connection refused",
    "connection broken",
    "Connection aborted",
    "name resolution",
    "ProxyError",
    "SSLError",
    "Could not fetch URL",
    "No matching distribution found",
    # What pip says when the index does not offer a version that the lock asks for.
    "ResolutionImpossible",
)
_NO_SPACE = ("No space left on device", "Disk quota exceeded", "not enough space on the disk")


class SetupFailed(Exception):
    """The set-up cannot go on; the text says what failed and what to do next."""


def say(spanish: str, english: str) -> None:
    """One line for the person, on stderr: stdout belongs to the program that follows."""
    print(in_language(spanish, english), file=sys.stderr, flush=True)


class Steps:
    """Runs the steps of a set-up, which are counted on a terminal."""

    def __init__(self, steps: int) -> None:
        self._steps, self._at = steps, 0

    def run(
        self,
        spanish: str,
        english: str,
        command: list[str],
        held: int | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Run the next step, which is called so; one that has failed may be run otherwise.

        Raises `SetupFailed`.
        """
        told = in_language(
            f"Paso {self._at + 1} de {self._steps}", f"Step {self._at + 1} of {self._steps}"
        )
        run(command, held, f"{told}: {in_language(spanish, english)}", variables)
        self._at += 1


def run(
    command: list[str],
    held: int | None = None,
    step: str = "",
    variables: Mapping[str, str] | None = None,
) -> list[str]:
    """Run to the end without a standard input; returns the lines that it printed.

    Raises `SetupFailed` unless it succeeds. Whatever else ends this kills it: it never outlives a
    set-up that is stopped, to write into what the next one removes.

    pip keeps the machine's own configuration and PIP_* variables; only those that would make it
    install into some other place than its own environment are dropped. `held` is a descriptor
    that the child keeps open; `step` is what it is called; `variables` are added to those of here.
    """
    lines: list[str] = []
    seen: list[str] = []
    with (
        _stop_put_off() as obey,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={name: value for name, value in os.environ.items() if name not in _DESTINATIONS}
            | dict(variables or {}),
            pass_fds=() if held is None or os.name == "nt" else (held,),
        ) as process,
        _SignOfLife(step) as sign,
    ):
        try:
            obey()
            for line in process.stdout or ():
                lines.append(line.rstrip())
                seen.extend(clue for clue in (*_NO_SPACE, *_NO_NETWORK) if clue in line)
                if line.startswith(("Collecting ", "Downloading ")):
                    sign.detail = line.split()[1]
                elif line.startswith("Installing collected "):
                    n = line.count(",") + 1
                    sign.detail = in_language(f"{n} paquetes", f"{n} packages")
        except BaseException:
            process.kill()
            raise
    if process.returncode != 0:
        last = [f"  {line[:_LONGEST]}" for line in lines[-LINES_SHOWN:]]
        raise SetupFailed("\n".join([*last, _explain(seen)]))
    return lines


@contextmanager
def _stop_put_off() -> Iterator[Callable[[], None]]:
    """While a process is being started nobody can kill it: a SIGTERM waits until the value is
    called.
    """
    asked: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _frame: asked.append(number))

    def obey() -> None:
        signal.signal(signal.SIGTERM, before)
        if asked:
            signal.raise_signal(asked.pop())

    try:
        yield obey
    finally:
        signal.signal(signal.SIGTERM, before)


def _explain(seen: list[str]) -> str:
    if any(clue in _NO_SPACE for clue in seen):
        return no_space()
    if seen:
        return in_language(
            "No se pudieron descargar los paquetes. Comprueba la conexión a Internet "
            "(o la configuración de pip: pip config list) y repite la orden.",
            "The packages could not be downloaded. Check the Internet connection "
            "(or pip's configuration: pip config list) and repeat the command.",
        )
    return in_language(
        "La instalación falló; arriba están las últimas líneas. Repite la orden; "
        "TUTOR_TORCH=0 instala sin PyTorch.",
        "The installation failed; its last lines are above. Repeat the command; "
        "TUTOR_TORCH=0 installs without PyTorch.",
    )


def no_space() -> str:
    """What to do when the disk is full."""
    return in_language(
        "El disco está lleno. Libera espacio (la instalación ocupa unos 1,5 GB; con PyTorch y "
        "CUDA, varios más; TMPDIR elige la carpeta temporal) y repite la orden.",
        "The disk is full. Free some space (the installation takes about 1.5 GB; with PyTorch "
        "and CUDA several more; TMPDIR chooses the temporary folder) and repeat the command.",
    )


class _SignOfLife:
    """On a terminal, one line: what is done, with which `detail`, for how long; it moves."""

    def __init__(self, step: str) -> None:
        self._step = step
        self.detail = ""
        self._begun = time.monotonic()
        self._is_over = Event()
        self._thread = Thread(target=self._show, daemon=True)

    def __enter__(self) -> _SignOfLife:
        if sys.stderr.isatty():
            self._thread.start()
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _show(self) -> None:
        for sign in cycle("|/-\\"):
            seconds = f"{time.monotonic() - self._begun:.0f} s"
            line = f"  {sign} " + " · ".join(filter(None, (self._step, self.detail, seconds)))
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{line[:width]}", end="", file=sys.stderr, flush=True)
            if self._is_over.wait(_TURNS_EVERY_S):
                break
        print("\r\033[K", end="", file=sys.stderr, flush=True)
