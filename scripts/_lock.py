"""`./scripts/lock`: the exact versions that pip resolves for everything, written as constraints.

The result is a constraints file (`pip install -c`): a line binds only where its package is
installed at all, so one file serves every platform. It is written on the oldest supported Python,
because what installs there also installs on the newer ones.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from scripts._environment import LOCK, SPACY_MODEL
from scripts._interpreter import OLDEST
from scripts._start import ROOT

HELD = ("torch",)
"""Moved only by name: CI has a CPU build of the pinned torch; another brings 15 CUDA packages."""
UNBOUND_ON_INTEL_MACS = ("cryptography", "onnxruntime")
"""Their newest versions have no build there; the marker lets pip take one that has."""
_NO_INTEL_MAC = "; platform_system != 'Darwin' or platform_machine != 'x86_64'"
HEADER = """\
# The versions that the tests pass with. Written by ./scripts/lock; do not edit.
# Used as constraints: pip install -c requirements.lock .
"""


def main(arguments: Sequence[str]) -> int:
    """Resolve, write the lock, and say what changed."""
    parser = argparse.ArgumentParser(prog="./scripts/lock", description=main.__doc__)
    parser.add_argument(
        "--upgrade",
        nargs="*",
        metavar="NAME",
        help="let these packages move to their newest version; without names, all but torch",
    )
    options = parser.parse_args(arguments)
    if sys.version_info[:2] != OLDEST:
        sys.exit("Run this with the oldest supported Python: python{}.{}".format(*OLDEST))
    path = ROOT / LOCK
    before = read_pins(path.read_text(encoding="utf-8")) if path.exists() else {}
    after = resolve(kept(before, options.upgrade))
    path.write_text(HEADER + render(after), encoding="utf-8")
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            print(f"{name}: {before.get(name, '-')} -> {after.get(name, '-')}")
    return 0


def read_pins(text: str) -> dict[str, str]:
    """The pins of a lock, version by normalised name."""
    lines = (re.split("[#;]", line)[0].strip() for line in text.splitlines())
    pins = (line.partition("==") for line in lines if line)
    return {normalise(name): version for name, _, version in pins}


def kept(pins: dict[str, str], upgrade: Sequence[str] | None) -> dict[str, str]:
    """The pins that a new resolution has to respect."""
    if upgrade is None:
        return pins
    freed = {normalise(name) for name in upgrade} if upgrade else pins.keys() - set(HELD)
    return {name: version for name, version in pins.items() if name not in freed}


def resolve(pins: dict[str, str]) -> dict[str, str]:
    """Ask pip, without installing anything, for the versions of everything the project uses."""
    with tempfile.TemporaryDirectory() as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text(render(pins), encoding="utf-8")
        project = _ask_pip(
            Path(folder), ["-c", str(constraints), f"{ROOT}[torch,dev,integrations]"]
        )
        model = _ask_pip(Path(folder), ["-c", str(constraints), "--no-deps", SPACY_MODEL])
    return dict(versions([*project, *model]))


def _ask_pip(folder: Path, requirements: list[str]) -> list[dict[str, Any]]:
    report = folder / "report.json"
    options = ["--quiet", "--dry-run", "--ignore-installed", "--report", str(report)]
    subprocess.run(
        [sys.executable, "-I", "-m", "pip", "install", *options, *requirements], check=True
    )
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["install"]
    return found


def versions(report: Iterable[dict[str, Any]]) -> Iterable[tuple[str, str]]:
    """Name and version of each package, without the project itself.

    Local labels go (`2.13.0+cpu` becomes `2.13.0`): which build of a version is installed is for
    each machine's own pip to decide.
    """
    for item in report:
        name = normalise(item["metadata"]["name"])
        if name != "tutor":
            yield name, item["metadata"]["version"].partition("+")[0]


def render(pins: dict[str, str]) -> str:
    """One pin a line, in order."""
    return "".join(
        f"{name}=={pins[name]}{_NO_INTEL_MAC if name in UNBOUND_ON_INTEL_MACS else ''}\n"
        for name in sorted(pins)
    )


def normalise(name: str) -> str:
    """The one spelling of a package name (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()
