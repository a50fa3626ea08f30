"""The search form of a generation: one Chroma collection per strategy (the only chromadb import).

On disk, a generation is never changed once committed: an update works on a copy, so readers
in other processes keep theirs. On a server, every generation has collections of its own.

Chroma's own settings are read from the environment and from a `.env` in the current folder, and
some of them name the server that gets the texts: here nothing but the caller decides them.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
from pydantic import BaseModel
from pydantic_settings import BaseSettings

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store.manifest import repair_command
from tutor.index.store.upkeep import DATABASE, free_space
from tutor.model import Chunk, ChunkId, Strategy, Vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI


@contextmanager
def _reading_no_settings() -> Iterator[None]:
    """Let Chroma's settings have their defaults: it makes some while it is imported.

    Otherwise a `.env` that was meant for another program would keep it from being imported.
    """
    read = BaseSettings.__init__

    def init(settings: BaseSettings, **values: Any) -> None:
        if type(settings).__module__ == "chromadb.config":
            BaseModel.__init__(settings, **values)
        else:  # another library's, in another thread
            read(settings, **values)

    BaseSettings.__init__ = init  # pyrefly: ignore[bad-assignment, method-assign]
    try:
        yield
    finally:
        BaseSettings.__init__ = read  # pyrefly: ignore[method-assign]


with _reading_no_settings():
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings
    from chromadb.errors import ChromaError, NotFoundError

CONNECT_S = 5.0
ANSWER_S = 60.0
"""How long a server may be silent: it answers when it has taken a whole batch in."""
_SQLITE_FULL = "(code: 13)"
_COSINE = {"hnsw": {"space": "cosine"}}
_METADATA = ("source_id", "start", "end", "first_page", "last_page", "ordinal", "section")


def fixed_settings() -> Settings:
    """Chroma's defaults, without telemetry."""
    # Not `Settings()`, which would read the environment and `.env`.
    return Settings.model_construct(anonymized_telemetry=False)


@contextmanager
def local_client(folder: Path) -> Iterator[ClientAPI]:
    """A client of a generation's collections in its folder; released at the end, so the files can
    be moved.
    """
    with _explained(str(folder), repair_command(folder.parent.parent)):
        try:
            client = chromadb.PersistentClient(str(folder), fixed_settings())
        except Exception:  # Chroma would give what has not come up to whoever opens it next
            SharedSystemClient._identifier_to_system.pop(str(folder), None)  # noqa: SLF001 - it never lets go
            raise
    try:
        yield client
    finally:
        client.close()


@contextmanager
def server_client(
    host: str, port: int, *, ssl: bool, answer_s: float = ANSWER_S
) -> Iterator[ClientAPI]:
    """A client of a Chroma server (`chroma run`); it waits `answer_s` for each answer.

    Nothing but this address is ever connected to.
    """
    with ExitStack() as opened:
        timeout = httpx.Timeout(answer_s, connect=CONNECT_S)
        with _explained(f"{host}:{port}"), _bounded(timeout, opened):
            client = chromadb.HttpClient(host=host, port=port, ssl=ssl, settings=fixed_settings())
        opened.callback(client.close)
        yield client


@contextmanager
def _bounded(timeout: httpx.Timeout, opened: ExitStack) -> Iterator[None]:
    """Let clients of servers that are made meanwhile wait so long, and close them with `opened`.

    Chroma has no setting for it: it waits for ever, also while a client is made.
    """
    from chromadb.api.fastapi import FastAPI  # noqa: PLC0415 - for servers only

    make = FastAPI.__init__

    def init(api: FastAPI, system: Any) -> None:
        make(api, system)
        session = api._session  # noqa: SLF001 - which Chroma never closes
        session.timeout = timeout
        opened.callback(session.close)

    FastAPI.__init__ = init
    try:
        yield
    finally:
        FastAPI.__init__ = make


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


def server_prefix(store: Path) -> str:
    """How the names of a store's collections begin on a server that other machines may share."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", store.name).strip("-")[:40] or "course"
    place = platform.node().encode() + b"\0" + os.fsencode(store.absolute())
    return f"{readable}-{sha256(place).hexdigest()[:8]}-"


def delete_collections(
    client: ClientAPI, store: Path, former: Collection[str], kept: Collection[str]
) -> None:
    """Delete `former` collections on a server and what killed runs left there, but none `kept`."""
    with _explained(str(store), repair_command(store)):
        prefix = server_prefix(store)
        names = {one.name for one in client.list_collections() if one.name.startswith(prefix)}
        for name in sorted(names.union(former) - set(kept)):
            with suppress(NotFoundError):
                client.delete_collection(name)


def change_collection(
    client: ClientAPI,
    name: str,
    removed: Sequence[ChunkId],
    added: Sequence[Chunk],
    vectors: Vectors,
    *,
    store: Path,
) -> int:
    """Take chunks out of a collection and put others in; `vectors` has a row per added chunk.

    Creates the collection where there is none. Returns how many chunks it holds then.
    """
    with _explained(name, repair_command(store)):
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
                metadatas=[{name: getattr(chunk, name) for name in _METADATA} for chunk in part],
            )
        return int(collection.count())


def query_collection(
    client: ClientAPI, strategy: Strategy, name: str, vector: Vectors, k: int, *, store: Path
) -> list[tuple[Chunk, float]]:
    """The `k` chunks nearest to a vector of shape (dim,), with their cosine, best first."""
    with _explained(name, repair_command(store)):
        found = client.get_collection(name, embedding_function=None).query(
            query_embeddings=[vector],
            n_results=k,
            include=["documents", "metadatas", "distances"],
        )
        columns = (found[key][0] for key in ("ids", "documents", "metadatas", "distances"))
        return [
            (Chunk(id=key, strategy=strategy, text=text, **metadata), 1.0 - float(distance))
            for key, text, metadata, distance in zip(*columns, strict=True)
        ]


def _check_server() -> str:
    return _("Check that the Chroma server is running and answers.")


@contextmanager
def _explained(what: str, repair: str = "") -> Iterator[None]:
    try:
        yield
    except httpx.TransportError as error:  # no connection, or no answer in time
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
        remedy = _check_server()
        if repair:
            remedy = _("Rebuild it from the stored vectors: %(command)s") % {"command": repair}
        raise StoreError(
            _("Chroma cannot use %(what)s: %(reason)s") % {"what": what, "reason": error},
            free_space() if _SQLITE_FULL in str(error) else remedy,
        ) from error
