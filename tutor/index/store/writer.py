"""A store opened for changing: one writer at a time, and a change is seen whole or not at all.

A commit writes a new generation beside the old one and then renames the manifest into place.
Whatever a killed process leaves behind is never referred to, and the next writer removes it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import TYPE_CHECKING

from tutor.errors import StoreError
from tutor.index.lexical import LexicalIndex, lexical_name
from tutor.index.store.derived import derived_versions
from tutor.index.store.manifest import Indexed, Manifest, Recipe, Skipped, write_manifest
from tutor.index.store.sentences import SENTENCES, Sentences
from tutor.index.store.tables import (
    Contents,
    empty_table,
    read_chunks,
    read_texts,
    write_chunks,
    write_texts,
)
from tutor.index.store.upkeep import (
    damage,
    damaged_files,
    explained_disk_errors,
    file_sums,
    remove_leftovers,
    server_address,
)
from tutor.model import Chunk, CleanText, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from tutor.config import ChromaConfig

_NO_VECTORS: Mapping[bytes, Vectors] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class IndexChanges:
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
    in_force: Manifest | None,
    contents: Contents,
    changes: IndexChanges,
    server: ChromaConfig,
    *,
    sentences: Sentences | None = None,
    sentence_vectors: Mapping[bytes, Vectors] = _NO_VECTORS,
    vectors: bool = True,
    words: Mapping[Strategy, LexicalIndex] | None = None,
) -> Manifest:
    """Make `contents` with `changes` the store's next generation: `next_generation` at once."""
    with next_generation(
        store,
        in_force,
        contents,
        changes,
        server,
        sentences=sentences,
        vectors=vectors,
        words=words,
    ) as put_in_force:
        return put_in_force(sentence_vectors)


@contextmanager
def next_generation(
    store: Path,
    in_force: Manifest | None,
    contents: Contents,
    changes: IndexChanges,
    server: ChromaConfig,
    *,
    refill: bool = False,
    sentences: Sentences | None = None,
    vectors: bool = True,
    words: Mapping[Strategy, LexicalIndex] | None = None,
) -> Iterator[Callable[[Mapping[bytes, Vectors]], Manifest]]:
    """Make `contents` with `changes` the store's next generation, when what is given is called
    with the sentences' vectors by `text_key`; until then a thread writes all but the sentences.

    `in_force` is the manifest that the new one takes the place of. With `refill` Chroma is filled
    anew from the vectors instead of changed. `sentences`, if any, are those of all documents.
    Without `vectors`, which then have shape (n, 0), the generation can only be asked by words, and
    Chroma is left alone. `words` are the indexes of all chunks' words, where they are made already.
    Raises `StoreError`; the former generation then stays in force.
    """
    manifest = Manifest(
        generation=_next_number(store, in_force),
        recipe=changes.recipe,
        indexed=changes.indexed,
        skipped=changes.skipped,
        chroma_server=server_address(server),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        derived=derived_versions(sentences=sentences is not None),
        vectors=vectors,
    )
    after = _apply(contents, changes)
    folder = store / manifest.folder
    on_server = manifest.chroma_server or (in_force and in_force.chroma_server)
    in_place = in_force is not None and not refill and not on_server
    given_up = Event()
    committed = False

    def write() -> Manifest:
        with explained_disk_errors(store):
            folder.mkdir()
            _write_files(folder, after, changes.indexed, words or {})
            written = replace(manifest, files=file_sums(folder))
            if not vectors:
                return written
            # 0.45 s of processor time, mostly while texts are being embedded.
            from tutor.index.store.filling import fill_collections  # noqa: PLC0415

            names = fill_collections(
                store,
                in_force,
                manifest,
                server,
                former=contents.tables if in_place else {},
                tables=after.tables,
                given_up=given_up.is_set,
            )
            return replace(written, collections=names)

    def put_in_force(sentence_vectors: Mapping[bytes, Vectors]) -> Manifest:
        nonlocal committed
        written = writing.result()
        with explained_disk_errors(store):
            if sentences:
                sentences.write(folder / SENTENCES, after, sentence_vectors)
                _sync(folder / SENTENCES)
                sums = {**written.files, **file_sums(folder, SENTENCES)}
                written = replace(written, files=sums)
            # From the renaming on the generation is in force: an interrupt must not take it away.
            committed = True
            try:
                write_manifest(store, written)
            except OSError:
                committed = False
                raise
        same_place = in_force and in_force.chroma_server == manifest.chroma_server
        collections = in_force.collections.values() if in_force and same_place else ()
        remove_former(store, written, server, collections)
        return written

    try:
        with ThreadPoolExecutor(1) as beside:
            writing = beside.submit(write)
            try:
                yield put_in_force
            finally:
                given_up.set()
    finally:
        if not committed:
            shutil.rmtree(folder, ignore_errors=True)


def remove_former(
    store: Path, manifest: Manifest, server: ChromaConfig, collections: Collection[str] = ()
) -> None:
    """Remove what the manifest does not speak of, and these former collections, from the server.

    Folders go last: as long as one is left, the next run knows that there may be collections.
    """
    if server.host and manifest.vectors:
        from tutor.index.store import chroma  # noqa: PLC0415 - for servers only, 0.45 s

        with (
            suppress(StoreError),  # a later commit does it
            chroma.server_client(server.host, server.port, ssl=server.ssl) as client,
        ):
            chroma.delete_collections(client, store, collections, manifest.collections.values())
    remove_leftovers(store, manifest)


def _apply(contents: Contents, changes: IndexChanges) -> Contents:
    alive = {entry.source.id for entry in changes.indexed}
    former = {chunk.source_id for table in contents.tables.values() for chunk in table.chunks}
    leaving = (former - alive) | set(changes.replaced)
    tables = {
        strategy: table.without(leaving).extended(*changes.added[strategy])
        if strategy in changes.added
        else table.without(leaving)
        for strategy, table in contents.tables.items()
    }
    texts = {**contents.texts, **changes.texts}
    return Contents(tables, {key: texts[key] for key in sorted(texts.keys() & alive)})


def words_of(contents: Contents, changes: IndexChanges) -> dict[Strategy, LexicalIndex]:
    """The indexes of the words of all chunks there will be, whose vectors have shape (n, 0)."""
    tables = _apply(contents.without_vectors(), changes).tables
    return {
        strategy: LexicalIndex.build([chunk.text for chunk in table.chunks])
        for strategy, table in tables.items()
    }


def _write_files(
    folder: Path,
    contents: Contents,
    indexed: Sequence[Indexed],
    words: Mapping[Strategy, LexicalIndex],
) -> None:
    """Write all files of a generation but Chroma's and the sentences'."""
    paths = {entry.source.id: entry.source.path for entry in indexed}
    for strategy, table in contents.tables.items():
        write_chunks(folder, table, paths)
        index = words.get(strategy) or LexicalIndex.build([chunk.text for chunk in table.chunks])
        index.save(folder / lexical_name(strategy))
    write_texts(folder, contents.texts.values())
    _sync(folder)


def _sync(folder: Path) -> None:
    """Have the disk hold all files of a folder."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb+") as file:
                os.fsync(file.fileno())


def _next_number(store: Path, in_force: Manifest | None) -> int:
    on_disk = [int(folder.name.rpartition("-")[2]) for folder in store.glob("generation-??????")]
    return 1 + max([in_force.generation if in_force else 0, *on_disk])
