"""uv, which installs in a fourth of pip's time, told what this machine's pip is configured with."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scripts._pip import SetupFailed, Steps, run

WANTED = "uv>=0.9,<1"
_SECTIONS = {"global": 0, "install": 1, ":env:": 2}
"""Whose settings pip follows when it installs, the later the more."""
_OF_NO_MATTER = frozenset(
    "break-system-packages cache-dir compile config-file default-timeout index"
    " disable-pip-version-check no-cache-dir no-color no-compile no-input no-python-version-warning"
    " no-warn-script-location prefix progress-bar quiet require-virtualenv retries root"
    " root-user-action target timeout use-deprecated use-feature user verbose".split()
)
"""What decides nothing on where packages come from, and which."""
_FLAGS = {
    "constraint": "--constraint",
    "find-links": "--find-links",
    "trusted-host": "--allow-insecure-host",
}
_VARIABLES = {"index-url": "UV_DEFAULT_INDEX", "extra-index-url": "UV_INDEX"}
"""Addresses may hold passwords, and everybody sees the arguments of a process."""
_YES = ("1", "y", "yes", "t", "true", "on")


@dataclass(frozen=True, slots=True)
class Uv:
    """A program that installs as pip would: what it is told, and the variables it gets."""

    program: str
    flags: tuple[str, ...]
    variables: Mapping[str, str]

    def install(self, python: Path) -> list[str]:
        """The command that installs into the environment of `python` what is named behind it."""
        return [
            *(self.program, "pip", "install", "--python", str(python)),
            *("--index-strategy", "unsafe-best-match"),  # as pip does
            *self.flags,
        ]


def find_uv(
    python: Path, pip: list[str], folder: Path, steps: Steps, held: int | None
) -> Uv | None:
    """The uv of this machine, else one that `pip` puts into `folder`, with all that it keeps.

    None where there is none, or where pip is configured in a way that it cannot be told.
    """
    told = None
    with suppress(SetupFailed):
        told = as_uv(_settings_of_pip(python, held))
    if told is None:
        return None
    if program := shutil.which("uv"):
        return Uv(program, *told)
    only = ["--retries", "0", "--only-binary", ":all:", "--target", str(folder)]
    with suppress(SetupFailed):
        steps.run("traer uv", "getting uv", [*pip, *only, WANTED], held)
    program = shutil.which("uv", path=str(folder / "bin"))
    flags, variables = told
    # Who has no uv does not know of its cache, which is as large as all that is installed.
    variables["UV_CACHE_DIR"] = str(folder / "cache")
    return Uv(program, flags, variables) if program else None


def as_uv(settings: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]] | None:
    """pip's settings as flags of uv and as variables; None if some have no counterpart."""
    flags: list[str] = []
    variables: dict[str, str] = {}
    for name, value in settings.items():
        values = value.split()
        if name in _FLAGS:
            flags += [word for one in values for word in (_FLAGS[name], one)]
        elif name in _VARIABLES:
            variables |= {_VARIABLES[name]: " ".join(values)} if values else {}
        elif name == "no-index":
            flags += ["--no-index"] if value.lower() in _YES else []
        elif name == "cert":
            variables["SSL_CERT_FILE"] = value
        elif name not in _OF_NO_MATTER:
            return None
    return tuple(flags), variables


def _settings_of_pip(python: Path, held: int | None) -> dict[str, str]:
    """What its files and variables say of installing, by name."""
    printed = run([str(python), "-I", "-m", "pip", "config", "list"], held)
    found: dict[tuple[str, int], str] = {}
    for line in printed:
        place, _equals, value = line.partition("=")
        section, _dot, name = place.rpartition(".")
        if section in _SECTIONS:
            found[name, _SECTIONS[section]] = str(ast.literal_eval(value))
    return {name: found[name, rank] for name, rank in sorted(found)}
