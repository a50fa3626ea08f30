"""`./scripts/tutor`: set up what is missing, then become the program."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import NoReturn

from scripts._environment import Environment, prepare
from scripts._interpreter import in_language
from scripts._pip import SetupFailed, no_space

ROOT = Path(__file__).resolve().parent.parent
TORCH = frozenset({"torch"})
EVALUATION = frozenset({"evaluation"})
_MEASURING = ("eval", "bench")
"""The commands that need it: it is added when one of them is first called."""
_NVIDIA_DRIVER = Path("/proc/driver/nvidia/gpus")
_NO = ("0", "no", "false", "off")
_FAILED = 1
_INTERRUPTED = 130


def tutor(arguments: list[str]) -> int:
    """Prepare `.venv` and start tutor in it with the arguments; `--torch` first is taken away."""
    asked = _torch_asked(arguments, os.environ)
    if arguments[:1] == ["--torch"]:
        arguments = arguments[1:]
    environment = Environment(ROOT, ROOT / ".venv")
    measuring = EVALUATION if _command(arguments) in _MEASURING else frozenset[str]()
    if not environment.ready(_at_least(asked) | measuring):
        kept = environment.extras() & EVALUATION
        prepared = set_up(environment, _extras(environment, asked) | measuring | kept)
        if prepared != 0:
            return prepared
    os.environ.setdefault("TUTOR_ROOT", str(ROOT))
    os.environ.setdefault("TUTOR_COMMAND", _as_typed(sys.argv[0]))
    return hand_over([str(environment.program("tutor")), *arguments])


def _command(arguments: list[str]) -> str:
    """The first word that is neither an option of the whole program nor its value."""
    values = {at + 1 for at, word in enumerate(arguments) if word in ("--lang", "--course")}
    words = enumerate(arguments)
    return next((w for at, w in words if at not in values and not w.startswith("-")), "")


def set_up(environment: Environment, extras: frozenset[str]) -> int:
    """Prepare the environment; the exit code is 0, or the failure has been told on stderr."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        prepare(environment, extras)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except SetupFailed as failure:
        print(failure, file=sys.stderr)
        return _FAILED
    except OSError as failure:
        print(_explain(failure), file=sys.stderr)
        return _FAILED
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    return 0


def hand_over(command: list[str]) -> int:
    """Become `command`, so that the terminal, signals and the exit code are its own.

    The set-up compiles nothing: what is used does so itself the first time.
    """
    for name in ("PYTHONHOME", "PYTHONDONTWRITEBYTECODE"):
        os.environ.pop(name, None)
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    # Windows has no exec: a parent that ended would give the console back to the shell.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.call(command)


def _as_typed(script: str) -> str:
    """The command by which this script can be called again, for the remedies that tutor shows."""
    if os.name == "nt":
        return f'py "{script}"' if " " in script else f"py {script}"
    return shlex.quote(script if os.sep in script else f".{os.sep}{script}")


def _torch_asked(arguments: list[str], variables: Mapping[str, str]) -> bool | None:
    """Whether the torch extra is asked for (True), forbidden (False), or left to the machine."""
    if arguments[:1] == ["--torch"]:
        return True
    value = variables.get("TUTOR_TORCH", "").strip().lower()
    return None if value == "" else value not in _NO


def _at_least(asked: bool | None) -> frozenset[str]:
    """The extras without which the environment must be brought up to date, found in no time."""
    if asked is None:
        asked = _driver_lists_gpu()
    return TORCH if asked else frozenset()


def _extras(environment: Environment, asked: bool | None) -> frozenset[str]:
    """The extras to install: once added, torch stays unless it is forbidden."""
    if asked is False:
        return frozenset()
    if asked or "torch" in environment.extras() or _driver_lists_gpu() or _nvidia_smi_lists_gpu():
        return TORCH
    return frozenset()


def _driver_lists_gpu() -> bool:
    try:
        return any(_NVIDIA_DRIVER.iterdir())
    except OSError:
        return False


def _nvidia_smi_lists_gpu() -> bool:
    """Ask the driver's own tool (Windows, WSL); it can take a second, so only before a set-up."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return False
    try:
        answer = subprocess.run(
            [program, "-L"], stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and b"GPU" in answer.stdout


def _explain(failure: OSError) -> str:
    if failure.errno in {errno.ENOSPC, errno.EDQUOT}:
        return no_space()
    return in_language(
        f"No se puede preparar tutor en {ROOT}: {failure}.\n"
        "Comprueba que puedes escribir en esa carpeta y repite la orden.",
        f"tutor cannot be set up in {ROOT}: {failure}.\n"
        "Check that you may write in that folder and repeat the command.",
    )


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(128 + number)
