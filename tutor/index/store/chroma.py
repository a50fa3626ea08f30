"""The search form of a generation: one Chroma collection per strategy.

On disk, a generation is never changed once committed: an update works on a copy, so readers
in other processes keep theirs. On a server, every generation has collections of its own.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tutor.errors import StoreError, command
from tutor.i18n import _
from tutor.index.store.chroma_client import (
    ChromaError,
    NotFoundError,
    TransportError,
    open_folder,
    open_server,
)
from tutor.index.store.upkeep import DATABASE, free_space
from tutor.model import Chunk, ChunkId, SourceId, Strategy, Vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI


_SQLITE_FULL = "(code: 13)"
_COSINE = {"hnsw": {"space": "cosine"}}


@contextmanager
def local_client(folder: Path) -> Iterator[ClientAPI]:
    """A client of the collections in a folder; released at the end, so the files can be moved."""
    with _explained(str(folder)):
        client = open_folder(folder)
    try:
        yield client
    finally:
        client.close()


@contextmanager
def server_client(host: str, port: int, *, ssl: bool) -> Iterator[ClientAPI]:
    """A client of a Chroma server (`chroma run`)."""
    with _explained(f"{host}:{port}", _check_server()):
        client = open_server(host, port, ssl=ssl)
    try:
        yield client
    finally:
        client.close()


def copy_collections(old: Path, new: Path) -> None:
    """Copy a generation's collections, so that an update starts from them.

    Chroma writes a little into its database even when it only reads, so another process may
    have it open: the database is copied by SQLite, which waits for its lock.
    """
    shutil.copytree(old, new, ignore=shutil.ignore_patterns(f"{DATABASE}*"))
    with (
        closing(sqlite3.connect(f"file:{quote(str(old / DATABASE))}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(new / DATABASE)) as target,
    ):
        source.backup(target)


def server_collection(store: Path, generation: int, strategy: Strategy) -> str:
    """A collection's name on a server that several courses and generations share."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", store.name).strip("-")[:40] or "course"
    unique = sha256(os.fsencode(store.absolute())).hexdigest()[:8]
    return f"{readable}-{unique}-{generation:06d}.{strategy.collection}"


def change_collection(
    client: ClientAPI,
    name: str,
    removed: Sequence[ChunkId],
    added: Sequence[Chunk],
    vectors: Vectors,
) -> int:
    """Take chunks out of a collection and put others in; `vectors` has a row per added chunk.

    Creates the collection where there is none. Returns how many chunks it holds then.
    """
    with _explained(name):
        collection = client.get_or_create_collection(
            name, configuration=_COSINE, embedding_function=None
        )
        batch = client.get_max_batch_size()
        for start in range(0, len(removed), batch):
            collection.delete(ids=list(removed[start : start + batch]))
        for start in range(0, len(added), batch):
            part = added[start : start + batch]
            collection.upsert(
                ids=[chunk.id for chunk in part],
                embeddings=vectors[start : start + batch],
                documents=[chunk.text for chunk in part],
                metadatas=[_metadata(chunk) for chunk in part],
            )
        return int(collection.count())


def delete_collections(client: ClientAPI, names: Sequence[str]) -> None:
    """Delete collections; those that are gone already do not matter."""
    for name in names:
        with _explained(name), suppress(NotFoundError):
            client.delete_collection(name)


def query_collection(
    client: ClientAPI, strategy: Strategy, name: str, vector: Vectors, k: int
) -> list[tuple[Chunk, float]]:
    """The `k` chunks nearest to a vector of shape (dim,), with their cosine, best first."""
    with _explained(name):
        found = client.get_collection(name, embedding_function=None).query(
            query_embeddings=[vector],
            n_results=k,
            include=["documents", "metadatas", "distances"],
        )
        columns = (found[key][0] for key in ("ids", "documents", "metadatas", "distances"))
        return [
            (_chunk(key, strategy, text, metadata), 1.0 - float(distance))
            for key, text, metadata, distance in zip(*columns, strict=True)
        ]


def _metadata(chunk: Chunk) -> dict[str, Any]:
    return {
        "source_id": chunk.source_id,
        "start": chunk.start,
        "end": chunk.end,
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "ordinal": chunk.ordinal,
        "section": chunk.section,
    }


def _chunk(key: str, strategy: Strategy, text: str, metadata: dict[str, Any]) -> Chunk:
    source, section = SourceId(metadata["source_id"]), str(metadata["section"])
    texts = ("source_id", "section")
    positions = {name: int(value) for name, value in metadata.items() if name not in texts}
    return Chunk(
        id=ChunkId(key),
        source_id=source,
        strategy=strategy,
        text=text,
        section=section,
        **positions,
    )


def _check_server() -> str:
    return _("Check that the Chroma server is running and answers.")


@contextmanager
def _explained(what: str, remedy: str = "") -> Iterator[None]:
    try:
        yield
    except TransportError as error:
        raise StoreError(
            _("Chroma cannot use %(what)s: %(reason)s")
            % {"what": what, "reason": str(error) or type(error).__name__},
            _check_server(),
        ) from error
    except (
        ChromaError,
        OSError,
        ValueError,
        TypeError,
        KeyError,
    ) as error:  # of damaged files, too
        rebuild = _("Rebuild it from the stored vectors: %(command)s")
        raise StoreError(
            _("Chroma cannot use %(what)s: %(reason)s") % {"what": what, "reason": error},
            free_space()
            if _SQLITE_FULL in str(error)
            else remedy or rebuild % {"command": command("index --repair")},
        ) from error
