"""A store's upkeep: its lock, checksums of its files, what killed writers left behind.

The checksums are made before the commit and stand in the manifest, so that what a failing disk or
a cut copy changed is noticed. Reading checks the files that are small enough for it to cost nothing
that is felt; `tutor doctor` and whoever writes check all. The CSV twins are left out, which nothing
here reads, and Chroma's own files, which change while in use.

Light to import: an index that is up to date is recognised without Chroma and Arrow.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from zlib import crc32

from tutor.courses import unreadable_index
from tutor.errors import StoreError, reason_of
from tutor.files import is_full
from tutor.i18n import _
from tutor.index.store.manifest import (
    FILE_NAME,
    FileSum,
    Manifest,
    is_replaced,
    rebuild_command,
    repair_command,
)
from tutor.model import Strategy

if TYPE_CHECKING:
    import filelock

    from tutor.config import ChromaConfig

LOCK_NAME = "writer.lock"
JOURNAL = "journal.bin"
CHROMA_FOLDER = "chroma"
DATABASE = "chroma.sqlite3"
CHEAP_BYTES = 8 * 2**20
"""The largest file that is checked whenever it is read: it takes 5 ms."""
_BLOCK = 2**20


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
    if any(True for _name in damaged_files(store, manifest, largest=CHEAP_BYTES)):
        return False
    if manifest.chroma_server != server_address(server):
        return False
    chunks = sum(manifest.chunk_count(strategy) for strategy in Strategy)
    return bool(manifest.chroma_server) or _count(store / manifest.folder / CHROMA_FOLDER) == chunks


def file_sums(folder: Path, within: str = "") -> dict[str, FileSum]:
    """Size and CRC-32 of every file of a generation, or of a folder in it, by its name there."""
    within_it = (folder / within).rglob("*")
    paths = (path for path in within_it if path.is_file() and path.suffix != ".csv")
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, _crc(path)) for path in paths
    }


def damaged_files(
    store: Path,
    manifest: Manifest,
    names: str = "",
    *,
    largest: int | None = None,
    held: Mapping[str, int] | None = None,
) -> Iterator[str]:
    """The files whose name begins so and that are missing or not what was written.

    Of files of more than `largest` bytes the size alone is compared. `held` gives descriptors of
    files that may no longer be in their folder.
    """
    folder = store / manifest.folder
    for name, (size, crc) in manifest.files.items():
        if name.startswith(names):
            path = held[name] if held and name in held else folder / name
            try:
                sound = os.stat(path).st_size == size  # noqa: PTH116 - or a descriptor
                if sound and (largest is None or size <= largest):
                    sound = _crc(path) == crc
            except OSError:
                sound = False
            if not sound:
                yield name


def damage(store: Path, manifest: Manifest, name: str) -> StoreError:
    """What to say of a damaged file or folder; texts and vectors have nothing to be made from."""
    if is_replaced(store, manifest):
        return StoreError(
            _("Another run has just replaced the index."), _("Nothing is damaged: ask again.")
        )
    path = store / manifest.folder / name
    try:
        if not (store / FILE_NAME).exists():
            return StoreError(
                _("The index in %(path)s was taken away while it was in use.") % {"path": store},
                _("Bring the folder back, or connect its disk: nothing in it is damaged."),
            )
        os.stat(path)  # noqa: PTH116 - as `open`, it says what is the matter
        if path.is_file():
            path.open("rb").close()
    except PermissionError as error:
        return unreadable_index(path, reason_of(error))
    except OSError:
        pass
    made_again = name.partition("/")[0] in manifest.derived
    remedy = _("Make it anew: %(command)s") if made_again else _("Rebuild the index: %(command)s")
    command = repair_command(store) if made_again else rebuild_command(store)
    return StoreError(
        _("The index file %(path)s is missing or damaged.") % {"path": path},
        remedy % {"command": command},
    )


def _crc(path: Path | int) -> int:
    """The CRC-32 of a file, or of what a descriptor is open for."""
    crc = at = 0
    if isinstance(path, Path):
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                crc = crc32(block, crc)
        return crc
    while block := os.pread(path, _BLOCK, at):  # others read the same descriptor: it stays put
        crc = crc32(block, crc)
        at += len(block)
    return crc


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
    return reason_of(error)


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
