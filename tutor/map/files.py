"""The file of a map: beside the index, whole or not there, and made anew when it is of no use.

`map-<generation>-<checksum>.lbug` lies beside the manifest. It is written under another name and
renamed into place; whoever makes one holds `map.lock`. Readers open it read-only, as many as there
are, after they have compared its checksum: the library can crash on a damaged file.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Any
from zlib import crc32

import filelock

from tutor.errors import MapError, reason_of
from tutor.files import is_full
from tutor.i18n import _
from tutor.map.graph import (
    EDGES,
    MAP_VERSION,
    NODES,
    Row,
    edge_rows,
    graph_of,
    node_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import ladybug

    from tutor.index.store import Manifest
    from tutor.model import CleanText, SourceId

_SUFFIX = ".lbug"
_POOL = 256 * 2**20
_LARGEST = 2**34
"""Bytes of memory for pages, and of addresses: the library would take 80 % of all, and 8 TiB."""
_THREADS = 2
_BLOCK = 2**20
_WAIT_S = 300.0
"""How long another process may need for the same map."""


def find_map(store: Path, manifest: Manifest) -> Path | None:
    """The map of a generation, whole and of this version; None if there is none."""
    for path in sorted(store.glob(f"map-{manifest.generation:06d}-*{_SUFFIX}")):
        if _is_whole(path) and _is_of(path, manifest):
            return path
    return None


def contents_of(manifest: Manifest) -> str:
    """What a map is made from, in a few letters: all that decides what is in it."""
    recipe = manifest.recipe
    parts = [str(recipe.cleaning), recipe.reading, *(repr(one.source) for one in manifest.indexed)]
    return sha256("\x1f".join(parts).encode()).hexdigest()[:16]


@contextmanager
def opened(path: Path) -> Iterator[ladybug.Connection]:
    """A connection that only reads. Raises `MapError` where the file is none of ours, or broken."""
    ladybug = _library()

    try:
        database = ladybug.Database(
            path,
            buffer_pool_size=_POOL,
            max_db_size=_LARGEST,
            max_num_threads=_THREADS,
            read_only=True,
        )
    except (RuntimeError, OSError, MemoryError) as error:
        raise broken(path, error) from error
    try:
        connection = ladybug.Connection(database)
        try:
            yield connection
        finally:
            connection.close()
    finally:
        database.close()


def _library() -> ModuleType:
    """The graph database, 0.1 s to import; there is none for every machine that Python is for."""
    try:
        import ladybug  # noqa: PLC0415 - needed for a map only
    except (ImportError, OSError) as error:
        raise MapError(
            _("The graph database cannot be loaded: %(reason)s.") % {"reason": error},
            _("Install it: %(command)s") % {"command": "pip install ladybug"},
        ) from error
    return ladybug


def rows_of(
    connection: ladybug.Connection, query: str, values: dict[str, Any] | None = None
) -> list[list[Any]]:
    """What a query gives. Raises `RuntimeError`, as the library does."""
    result = connection.execute(query, values or {})
    assert not isinstance(result, list)  # noqa: S101 - one statement has one result
    return [list(row) for row in result.get_all()]


def broken(path: Path, error: Exception | str) -> MapError:
    """What to say of a map that cannot be read."""
    return MapError(
        _("The map %(path)s cannot be read: %(reason)s.")
        % {"path": path, "reason": str(error).split("\n", maxsplit=1)[0].rstrip(".")},
        _("Delete the file: it is made anew from the index."),
    )


def _is_whole(path: Path) -> bool:
    """Whether a file is what was written, by the checksum in its name."""
    try:
        with path.open("rb") as file:
            return _named_by(file) == path.stem.rpartition("-")[2]
    except OSError:
        return False


def _named_by(file: IO[bytes]) -> str:
    crc = 0
    while block := file.read(_BLOCK):
        crc = crc32(block, crc)
    return f"{crc:08x}"


def _is_of(path: Path, manifest: Manifest) -> bool:
    try:
        with opened(path) as connection:
            rows = rows_of(connection, "MATCH (b:Build) RETURN b.version, b.contents")
    except (MapError, RuntimeError):
        return False
    return rows == [[MAP_VERSION, contents_of(manifest)]]


def make_map(
    store: Path,
    manifest: Manifest,
    text_of: Callable[[SourceId], CleanText],
    building: Callable[[], None] = lambda: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """The file of a generation's map, made where there is none that fits, after `building()`.

    Another process that makes the same map is waited for.
    Raises `MapError`, soon after `stopped()` has become true, too; `StoreError` where the index
    cannot be read.
    """

    def going_on() -> None:
        if stopped():
            raise MapError(_("Stopped."))

    if path := find_map(store, manifest):
        return path
    try:
        with filelock.FileLock(store / "map.lock").acquire(_WAIT_S, cancel_check=stopped):
            if path := find_map(store, manifest):
                return path
            building()
            path = _write(store, manifest, text_of, _former(store), going_on)
            _forget(store, path)
    except filelock.Timeout as error:
        going_on()
        raise MapError(
            _("Another process is making the map of this course and does not finish."),
            _("Try again; if it stays so, close other windows of tutor."),
        ) from error
    except OSError as error:
        remedy = (
            _("Make room on the disk.")
            if is_full(error, store)
            else _("Check that the folder may be written.")
        )
        raise MapError(
            _("The map in %(path)s cannot be written: %(reason)s.")
            % {"path": store, "reason": reason_of(error)},
            remedy,
        ) from error
    return path


def _write(
    store: Path,
    manifest: Manifest,
    text_of: Callable[[SourceId], CleanText],
    former: Mapping[str, Collection[str]],
    going_on: Callable[[], None],
) -> Path:
    """Make the map's file. `going_on()` is called now and then, and may raise."""
    ladybug = _library()
    started = time.perf_counter()
    sources = manifest.sources
    graph = graph_of({key: text_of(key) for key in sources}, sources.values(), former, going_on)
    new = store / f"map-{manifest.generation:06d}.new"
    _remove(new)
    try:
        database = ladybug.Database(
            new, buffer_pool_size=_POOL, max_db_size=_LARGEST, max_num_threads=_THREADS
        )
        try:
            with ladybug.Connection(database) as connection:
                connection.execute("BEGIN TRANSACTION")  # a third of what each table costs alone
                for name, columns in NODES.items():
                    connection.execute(f"CREATE NODE TABLE {name}({columns})")
                for name, columns in EDGES.items():
                    connection.execute(f"CREATE REL TABLE {name}({columns})")
                for table, rows in node_rows(graph):
                    going_on()
                    _copy(connection, table, rows)
                for table, ends, rows in edge_rows(graph):
                    going_on()
                    _copy(connection, table, rows, ends)
                build = {
                    "version": MAP_VERSION,
                    "generation": manifest.generation,
                    "contents": contents_of(manifest),
                    "seconds": time.perf_counter() - started,
                }
                _copy(connection, "Build", [build])
                connection.execute("COMMIT")
        finally:
            database.close()
        with new.open("rb+") as file:
            os.fsync(file.fileno())
            name = f"{new.stem}-{_named_by(file)}{_SUFFIX}"
        going_on()
        return new.replace(store / name)
    except RuntimeError as error:
        if is_full(error, store):
            raise OSError(28, os.strerror(28)) from error
        raise broken(new, error) from error
    finally:
        _remove(new)


def _copy(
    connection: ladybug.Connection, table: str, rows: list[Row], ends: Sequence[str] = ()
) -> None:
    """Put rows into a table, whose columns they have in its order; those of edges, which have
    `ends`, have `from` and `to` before them.
    """
    if not rows:
        return
    import pyarrow as pa  # noqa: PLC0415 - 0.15 s, needed to build a map only

    options = f" (from='{ends[0]}', to='{ends[1]}')" if ends else ""
    connection.execute(f"COPY {table} FROM $rows{options}", {"rows": pa.Table.from_pylist(rows)})


def _former(store: Path) -> dict[str, list[str]]:
    """The communities of the newest map that there is, by their ids: concepts' ids."""
    for path in sorted(store.glob(f"map-*{_SUFFIX}"), reverse=True):
        if not _is_whole(path):
            continue
        with suppress(MapError, RuntimeError), opened(path) as connection:
            rows = rows_of(
                connection,
                "MATCH (c:Concept)-[:IN_COMMUNITY]->(p:Community) RETURN p.id, collect(c.id)",
            )
            return {name: list(members) for name, members in rows}
    return {}


def _forget(store: Path, kept: Path) -> None:
    """Remove the maps of other generations, and what a killed run has left."""
    for path in store.glob("map-*"):
        if path != kept and path.suffix in (_SUFFIX, ".new", ".wal", ".shadow", ".tmp"):
            with suppress(OSError):
                path.unlink()


def _remove(path: Path) -> None:
    for one in path.parent.glob(f"{path.name}*"):
        one.unlink(missing_ok=True)
