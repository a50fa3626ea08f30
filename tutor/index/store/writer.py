"""A store opened for changing: one writer at a time, and a change is seen whole or not at all.

A commit writes a new generation beside the old one and then renames the manifest into place.
Whatever a killed process leaves behind is never referred to, and the next writer removes it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.errors import StoreError, command
from tutor.i18n import _
from tutor.index.store import chroma, on_server
from tutor.index.store.checksums import damage, damaged_files, file_sums
from tutor.index.store.derived import write_derived
from tutor.index.store.manifest import Indexed, Manifest, Recipe, Skipped, write_manifest
from tutor.index.store.tables import (
    ChunkTable,
    Contents,
    empty_table,
    read_chunks,
    read_texts,
    write_chunks,
    write_texts,
)
from tutor.index.store.upkeep import (
    CHROMA_FOLDER,
    explained_disk_errors,
    remove_leftovers,
    server_address,
)
from tutor.model import Chunk, ChunkId, CleanText, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from tutor.config import ChromaConfig
    from tutor.index.store.derived import Derivation


@dataclass(frozen=True, slots=True)
class Update:
    """What changes from one generation to the next.

    `indexed` are all documents there will be: the chunks of others go, and so do all former
    chunks of the `replaced` ones. `added` gives new chunks and their vectors, row by row, per
    strategy; `texts` are the display texts of the documents that were read.
    """

    recipe: Recipe
    indexed: tuple[Indexed, ...]
    skipped: tuple[Skipped, ...]
    replaced: Collection[SourceId]
    added: Mapping[Strategy, tuple[Sequence[Chunk], Vectors]]
    texts: Mapping[SourceId, CleanText]


@dataclass(frozen=True, slots=True)
class _Change:
    strategy: Strategy
    removed: Sequence[ChunkId]
    added: Sequence[Chunk]
    vectors: Vectors


def load_contents(store: Path, manifest: Manifest | None, dim: int) -> Contents:
    """What the store holds now, nothing where there is no manifest.

    Of chunks that have no vectors only the documents' texts, from which they are cut again.
    Raises `StoreError` where texts or vectors are damaged.
    """
    empty = {strategy: empty_table(strategy, dim) for strategy in Strategy}
    if manifest is None:
        return Contents(empty, {})
    for name in damaged_files(store, manifest):
        if name.partition("/")[0] not in manifest.derived:
            raise damage(store, manifest, name)
    folder = store / manifest.folder
    if not manifest.vectors:
        return Contents(empty, read_texts(folder))
    tables = {strategy: read_chunks(folder, strategy, dim) for strategy in Strategy}
    return Contents(tables, read_texts(folder))


def commit(
    store: Path,
    old: Manifest | None,
    contents: Contents,
    update: Update,
    server: ChromaConfig,
    *,
    refill: bool = False,
    derivations: Sequence[Derivation] = (),
    vectors: bool = True,
) -> Manifest:
    """Make `contents` changed by `update` the store's next generation.

    With `refill` Chroma is filled anew from the vectors instead of changed. `derivations` make
    the files that are computed from the new contents. Without `vectors`, which then have shape
    (n, 0), the generation can only be asked by words, and Chroma is left alone.
    Raises `StoreError`; the former generation then stays in force.
    """
    manifest = Manifest(
        generation=_next_generation(store, old),
        recipe=update.recipe,
        indexed=update.indexed,
        skipped=update.skipped,
        chroma_server=server_address(server),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        vectors=vectors,
    )
    after = _apply(contents, update)
    folder = store / manifest.folder
    fresh = refill or old is None or bool(old.chroma_server or manifest.chroma_server)
    base = store / old.folder / CHROMA_FOLDER if old and not fresh else None
    try:
        with explained_disk_errors(store):
            folder.mkdir()
            _write_files(folder, after, update.indexed)
            derived = write_derived(folder, after, derivations)
            files = file_sums(folder)
            names: dict[Strategy, str] = {}
            if vectors:
                changes = _changes(contents, update, after, fresh=base is None)
                names = {one: _collection(store, manifest, one) for one in after.tables}
                _note_on_server(store, old, manifest, names.values())
                with _client(folder, base, server) as client:
                    _delete_noted(client, store, old, manifest.chroma_server)
                    for one in changes:
                        _fill(client, names[one.strategy], manifest, one)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    manifest = replace(manifest, collections=names, derived=derived, files=files)
    # From the renaming on the generation is in force: an interrupt must not take it away.
    try:
        with explained_disk_errors(store):
            write_manifest(store, manifest)
    except StoreError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _forget(store, manifest, server)
    return manifest


def _leaving(contents: Contents, update: Update) -> set[SourceId]:
    """The documents whose former chunks go."""
    former = {chunk.source_id for table in contents.tables.values() for chunk in table.chunks}
    return (former - {entry.source.id for entry in update.indexed}) | set(update.replaced)


def _apply(contents: Contents, update: Update) -> Contents:
    leaving = _leaving(contents, update)
    tables = {
        strategy: table.without(leaving).extended(*update.added[strategy])
        if strategy in update.added
        else table.without(leaving)
        for strategy, table in contents.tables.items()
    }
    alive = {entry.source.id for entry in update.indexed}
    texts = {**contents.texts, **update.texts}
    return Contents(tables, {key: texts[key] for key in sorted(texts.keys() & alive)})


def _write_files(folder: Path, contents: Contents, indexed: Sequence[Indexed]) -> None:
    paths = {entry.source.id: entry.source.path for entry in indexed}
    for table in contents.tables.values():
        write_chunks(folder, table, paths)
    write_texts(folder, contents.texts.values())
    for path in folder.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())


@contextmanager
def _client(folder: Path, base: Path | None, server: ChromaConfig) -> Iterator[ClientAPI]:
    if server.host:
        with chroma.server_client(server.host, server.port, ssl=server.ssl) as client:
            yield client
        return
    if base:
        chroma.copy_collections(base, folder / CHROMA_FOLDER)
    with chroma.local_client(folder / CHROMA_FOLDER) as client:
        yield client


def _changes(contents: Contents, update: Update, after: Contents, *, fresh: bool) -> list[_Change]:
    if fresh:
        return [_Change(table.strategy, [], *_rows(table)) for table in after.tables.values()]
    leaving = _leaving(contents, update)
    nothing = ((), np.empty((0, update.recipe.space.dim), np.float32))
    return [
        _change(table, leaving, *update.added.get(strategy, nothing))
        for strategy, table in contents.tables.items()
    ]


def _change(
    table: ChunkTable, leaving: Collection[SourceId], chunks: Sequence[Chunk], vectors: Vectors
) -> _Change:
    """What Chroma has to do; a chunk that goes and comes back as it was is left alone."""
    rows = {chunk.id: row for row, chunk in enumerate(table.chunks) if chunk.source_id in leaving}
    new = [
        number
        for number, chunk in enumerate(chunks)
        if (row := rows.get(chunk.id)) is None
        or table.chunks[row] != chunk
        or not np.array_equal(table.vectors[row], vectors[number])
    ]
    removed = rows.keys() - ({chunk.id for chunk in chunks} - {chunks[number].id for number in new})
    return _Change(
        table.strategy, sorted(removed), [chunks[number] for number in new], vectors[new]
    )


def _rows(table: ChunkTable) -> tuple[Sequence[Chunk], Vectors]:
    return table.chunks, table.vectors


def _collection(store: Path, manifest: Manifest, strategy: Strategy) -> str:
    if manifest.chroma_server:
        return chroma.server_collection(store, manifest.generation, strategy)
    return strategy.collection


def _fill(client: ClientAPI, name: str, manifest: Manifest, change: _Change) -> None:
    """Carry one strategy's change out."""
    strategy = change.strategy
    count = chroma.change_collection(client, name, change.removed, change.added, change.vectors)
    if count != manifest.chunk_count(strategy):
        raise StoreError(
            _("Chroma holds %(found)d chunks where %(expected)d belong.")
            % {"found": count, "expected": manifest.chunk_count(strategy)},
            _("Rebuild it from the stored vectors: %(command)s")
            % {"command": command("index --repair")},
        )


def _note_on_server(
    store: Path, old: Manifest | None, manifest: Manifest, names: Iterable[str]
) -> None:
    """Note what this commit makes on a server, and what it takes the place of."""
    if manifest.chroma_server:
        same = old is not None and old.chroma_server == manifest.chroma_server
        former = old.collections.values() if old and same else ()
        on_server.note(store, manifest.chroma_server, [*former, *names])


def _delete_noted(
    client: ClientAPI, store: Path, in_force: Manifest | None, server: str | None
) -> None:
    """Delete what was noted and is not in force: a former run's, under the same names perhaps."""
    if server:
        kept = set(in_force.collections.values()) if in_force else set()
        chroma.delete_collections(client, sorted(on_server.noted(store, server) - kept))


def _next_generation(store: Path, old: Manifest | None) -> int:
    on_disk = [int(folder.name.rpartition("-")[2]) for folder in store.glob("generation-??????")]
    return 1 + max([old.generation if old else 0, *on_disk])


def remove_from_server(store: Path, manifest: Manifest, server: ChromaConfig) -> None:
    """Delete the collections of killed runs and former generations; a later run does it, if not."""
    address = server_address(server)
    if address is None or not on_server.noted(store, address):
        return
    with (
        suppress(StoreError),
        chroma.server_client(server.host or "", server.port, ssl=server.ssl) as client,
    ):
        _delete_noted(client, store, manifest, address)
        on_server.forget(store)


def _forget(store: Path, manifest: Manifest, server: ChromaConfig) -> None:
    remove_leftovers(store, manifest)
    remove_from_server(store, manifest, server)
