"""Run pip and the like quietly: a sign of life on a terminal, the last lines when it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque

from scripts._interpreter import in_language

LINES_SHOWN = 15
_WIDTH = 70
_LONGEST = 200
_DESTINATIONS = {"PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_QUIET", "PYTHONHOME"}
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


def run(command: list[str], held: int | None = None) -> None:
    """Run to the end without a standard input, and raise `SetupFailed` unless it succeeds.

    pip keeps the machine's own configuration and PIP_* variables; only those that would make it
    install into some other place than its own environment are dropped. `held` is a descriptor
    that the child keeps open.
    """
    last: deque[str] = deque(maxlen=LINES_SHOWN)
    seen: list[str] = []
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={name: value for name, value in os.environ.items() if name not in _DESTINATIONS},
        pass_fds=() if held is None or os.name == "nt" else (held,),
    ) as process:
        try:
            for line in process.stdout or ():
                last.append(line.rstrip()[:_LONGEST])
                seen.extend(clue for clue in (*_NO_SPACE, *_NO_NETWORK) if clue in line)
                _show_sign_of_life(line)
        except BaseException:
            process.kill()
            raise
        finally:
            _wipe_sign_of_life()
    if process.returncode != 0:
        raise SetupFailed("\n".join([*(f"  {line}" for line in last), _explain(seen)]))


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


def _show_sign_of_life(line: str) -> None:
    if sys.stderr.isatty() and line.startswith(("Collecting ", "Installing collected ")):
        print(f"\r\033[K  {line.strip()[:_WIDTH]}", end="", file=sys.stderr, flush=True)


def _wipe_sign_of_life() -> None:
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
