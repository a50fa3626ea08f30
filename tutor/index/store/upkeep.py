"""A store's upkeep: its lock, a quick look at its health, what killed writers left behind.

Light to import: an index that is up to date is recognised without Chroma and Arrow.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from tutor.errors import StoreError
from tutor.files import is_full
from tutor.i18n import _
from tutor.index.store.checksums import CHEAP_BYTES, damaged_files
from tutor.index.store.derived import has_derived
from tutor.model import Strategy

if TYPE_CHECKING:
    import filelock

    from tutor.config import ChromaConfig
    from tutor.index.store.manifest import Manifest

LOCK_NAME = "writer.lock"
JOURNAL = "journal.bin"
CHROMA_FOLDER = "chroma"
DATABASE = "chroma.sqlite3"


def writer_lock(store: Path) -> filelock.FileLock:
    """The lock that a writer of this store holds; freed by the system when its process dies."""
    import filelock  # noqa: PLC0415 - 0.02 s that readers need not pay

    with explained_disk_errors(store):
        store.mkdir(parents=True, exist_ok=True)
    return filelock.FileLock(store / LOCK_NAME)


def is_intact(store: Path, manifest: Manifest, server: ChromaConfig) -> bool:
    """Whether all that belongs to an index is there, as far as a quick look can tell."""
    if not manifest.vectors:
        return False
    folder = store / manifest.folder
    tables = [folder / f"vectors_{strategy.value}.parquet" for strategy in Strategy]
    texts = [folder / name for name in ("texts.parquet", "blocks.parquet")]
    if not all(map(is_there, (*tables, *texts))):
        return False
    if any(True for _name in damaged_files(store, manifest, largest=CHEAP_BYTES)):
        return False
    if manifest.chroma_server != server_address(server) or not has_derived(store, manifest):
        return False
    chunks = sum(manifest.chunk_count(strategy) for strategy in Strategy)
    return bool(manifest.chroma_server) or _count(folder / CHROMA_FOLDER) == chunks


def remove_leftovers(store: Path, manifest: Manifest | None) -> None:
    """Remove what no manifest speaks of: generations, half-written files. For writers only."""
    kept = manifest.folder if manifest else ""
    for folder in store.glob("generation-*"):
        if folder.name != kept:
            shutil.rmtree(folder, ignore_errors=True)
    for partial in store.glob("*.partial"):
        partial.unlink(missing_ok=True)


def forget_journal(store: Path) -> None:
    """Remove the vectors of a run that was killed, where nothing is left to embed."""
    (store / JOURNAL).unlink(missing_ok=True)


def free_space() -> str:
    """What to do when the disk is full."""
    return _("Free some space and index again: nothing is lost, work goes on from here.")


@contextmanager
def explained_disk_errors(store: Path) -> Iterator[None]:
    """Turn the system's refusals to write into a `StoreError` with a remedy.

    Chroma and SQLite have many words for a full disk.
    """
    try:
        yield
    except StoreError as error:
        if not is_full(error, store):
            raise
        raise StoreError(error.message, free_space()) from error
    except (OSError, sqlite3.Error) as error:
        if is_full(error, store):
            remedy = free_space()
        else:
            remedy = _("Check that the folder may be written, or set `stores_dir` to another one.")
        raise StoreError(
            _("The index in %(path)s cannot be written: %(reason)s.")
            % {"path": store, "reason": _reason(error)},
            remedy,
        ) from error


def _reason(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, shutil.Error) and error.args and error.args[0]:
        return str(error.args[0][0][-1])  # of a copied tree; the first of all that failed
    return getattr(error, "strerror", None) or str(error)


def is_there(path: Path) -> bool:
    """Whether there is a file, or folder, and it can be looked at."""
    try:
        return path.exists()
    except OSError:
        return False


def has_database(folder: Path) -> bool:
    """Whether a folder of Chroma's has a database that is not empty."""
    try:
        return (folder / DATABASE).stat().st_size > 0
    except OSError:
        return False


def server_address(chroma: ChromaConfig) -> str | None:
    """Where the configured Chroma server is; None when collections are files."""
    return f"{chroma.host}:{chroma.port}" if chroma.host else None


def _count(folder: Path) -> int:
    """How many chunks all collections in a folder hold, without loading Chroma; 0 if unreadable."""
    try:
        uri = f"file:{quote(str(folder / DATABASE))}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            return int(database.execute("SELECT count(*) FROM embeddings").fetchone()[0])
    except sqlite3.Error:
        return 0
