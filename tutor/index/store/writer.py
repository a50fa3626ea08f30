"""A store opened for changing: one writer at a time, and a change is seen whole or not at all.

A commit writes a new generation beside the old one and then renames the manifest into place.
Whatever a killed process leaves behind is never referred to, and the next writer removes it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.errors import StoreError, command
from tutor.i18n import _
from tutor.index.lexical import LexicalIndex, lexical_name
from tutor.index.store import chroma
from tutor.index.store.manifest import Indexed, Manifest, Recipe, Skipped, write_manifest
from tutor.index.store.sentences import SENTENCES, Sentences, derived_versions
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
    damage,
    damaged_files,
    explained_disk_errors,
    file_sums,
    remove_leftovers,
    server_address,
)
from tutor.model import Chunk, CleanText, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from tutor.config import ChromaConfig


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
    sentences: Sentences | None = None,
    vectors: bool = True,
) -> Manifest:
    """Make `contents` changed by `update` the store's next generation.

    With `refill` Chroma is filled anew from the vectors instead of changed. `sentences`, if any,
    are those of all documents. Without `vectors`, which then have shape (n, 0), the generation
    can only be asked by words, and Chroma is left alone.
    Raises `StoreError`; the former generation then stays in force.
    """
    manifest = Manifest(
        generation=_next_generation(store, old),
        recipe=update.recipe,
        indexed=update.indexed,
        skipped=update.skipped,
        chroma_server=server_address(server),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        derived=derived_versions(sentences=sentences is not None),
        vectors=vectors,
    )
    after = _apply(contents, update)
    folder = store / manifest.folder
    in_place = old is not None and not refill and not (old.chroma_server or manifest.chroma_server)
    try:
        with explained_disk_errors(store):
            folder.mkdir()
            _write_files(folder, after, update.indexed, sentences)
            manifest = replace(manifest, files=file_sums(folder))
            if vectors:
                former = contents.tables if in_place else {}
                names = _fill_chroma(
                    store, old, manifest, server, former=former, tables=after.tables
                )
                manifest = replace(manifest, collections=names)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # From the renaming on the generation is in force: an interrupt must not take it away.
    try:
        with explained_disk_errors(store):
            write_manifest(store, manifest)
    except StoreError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    same = old is not None and old.chroma_server == manifest.chroma_server
    remove_former(store, manifest, server, old.collections.values() if old and same else ())
    return manifest


def remove_former(
    store: Path, manifest: Manifest, server: ChromaConfig, collections: Collection[str] = ()
) -> None:
    """Remove what the manifest does not speak of, and these former collections, from the server.

    Folders go last: as long as one is left, the next run knows that there may be collections.
    """
    if server.host and manifest.vectors:
        with (
            suppress(StoreError),  # a later commit does it
            chroma.server_client(server.host, server.port, ssl=server.ssl) as client,
        ):
            chroma.delete_collections(client, store, collections, manifest.collections.values())
    remove_leftovers(store, manifest)


def _apply(contents: Contents, update: Update) -> Contents:
    alive = {entry.source.id for entry in update.indexed}
    former = {chunk.source_id for table in contents.tables.values() for chunk in table.chunks}
    leaving = (former - alive) | set(update.replaced)
    tables = {
        strategy: table.without(leaving).extended(*update.added[strategy])
        if strategy in update.added
        else table.without(leaving)
        for strategy, table in contents.tables.items()
    }
    texts = {**contents.texts, **update.texts}
    return Contents(tables, {key: texts[key] for key in sorted(texts.keys() & alive)})


def _write_files(
    folder: Path, contents: Contents, indexed: Sequence[Indexed], sentences: Sentences | None
) -> None:
    """Write all files of a generation but Chroma's."""
    paths = {entry.source.id: entry.source.path for entry in indexed}
    for strategy, table in contents.tables.items():
        write_chunks(folder, table, paths)
        words = LexicalIndex.build([chunk.text for chunk in table.chunks])
        words.save(folder / lexical_name(strategy))
    write_texts(folder, contents.texts.values())
    if sentences:
        sentences.write(folder / SENTENCES, contents)
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb+") as file:
                os.fsync(file.fileno())


def _fill_chroma(
    store: Path,
    old: Manifest | None,
    manifest: Manifest,
    server: ChromaConfig,
    *,
    former: Mapping[Strategy, ChunkTable],
    tables: Mapping[Strategy, ChunkTable],
) -> dict[Strategy, str]:
    """Make Chroma hold these chunks; returns the names of its collections.

    `former` is what the old generation's collections hold, if a copy of them is to be changed.
    """
    folder = store / manifest.folder / CHROMA_FOLDER
    prefix = ""
    if server.host:
        opened = chroma.server_client(server.host, server.port, ssl=server.ssl)
        prefix = f"{chroma.server_prefix(store)}{manifest.generation:06d}."
    else:
        if old and former:
            chroma.copy_collections(store / old.folder / CHROMA_FOLDER, folder)
        opened = chroma.local_client(folder)
    names = {strategy: prefix + strategy.collection for strategy in tables}
    with opened as client:
        if server.host:
            chroma.delete_collections(client, store, (), old.collections.values() if old else ())
        for strategy, table in tables.items():
            before = former.get(strategy, empty_table(strategy, table.vectors.shape[1]))
            _change(client, names[strategy], before, table)
    return names


def _change(client: ClientAPI, name: str, former: ChunkTable, table: ChunkTable) -> None:
    """Make a collection that holds the `former` chunks hold those of `table`."""
    rows = {chunk.id: row for row, chunk in enumerate(former.chunks)}
    removed = sorted(rows.keys() - {chunk.id for chunk in table.chunks})
    new = [
        number
        for number, chunk in enumerate(table.chunks)
        if (row := rows.get(chunk.id)) is None
        or former.chunks[row] != chunk
        or not np.array_equal(former.vectors[row], table.vectors[number])
    ]
    added = [table.chunks[number] for number in new]
    count = chroma.change_collection(client, name, removed, added, table.vectors[new])
    if count != len(table.chunks):
        raise StoreError(
            _("Chroma holds %(found)d chunks where %(expected)d belong.")
            % {"found": count, "expected": len(table.chunks)},
            _("Rebuild it from the stored vectors: %(command)s")
            % {"command": command("index --repair")},
        )


def _next_generation(store: Path, old: Manifest | None) -> int:
    on_disk = [int(folder.name.rpartition("-")[2]) for folder in store.glob("generation-??????")]
    return 1 + max([old.generation if old else 0, *on_disk])
