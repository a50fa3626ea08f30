"""Clients of Chroma whose settings nothing but their caller decides (the only chromadb import).

Chroma's own settings are read from the environment and from a `.env` in the current folder, and
some of them name the server that gets the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from pydantic import BaseModel
from pydantic_settings import BaseSettings

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

    BaseSettings.__init__ = init  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        BaseSettings.__init__ = read  # type: ignore[method-assign]


with _reading_no_settings():
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient
    from chromadb.config import Settings
    from chromadb.errors import ChromaError, NotFoundError

__all__ = [
    "ChromaError",
    "NotFoundError",
    "TransportError",
    "fixed_settings",
    "open_folder",
    "open_server",
]

TransportError = httpx.TransportError
"""What goes wrong between a client and its server: no connection, no answer in time."""
CONNECT_S = 5.0
ANSWER_S = 60.0
"""How long a server may be silent: it answers when it has taken a whole batch in."""


def fixed_settings() -> Settings:
    """Chroma's defaults, without telemetry."""
    # Not `Settings()`, which would read the environment and `.env`.
    return Settings.model_construct(anonymized_telemetry=False)


def open_folder(folder: Path) -> ClientAPI:
    """A client of the collections in a folder."""
    try:
        return chromadb.PersistentClient(str(folder), fixed_settings())
    except Exception:  # Chroma would give what has not come up to whoever opens it next
        SharedSystemClient._identifier_to_system.pop(str(folder), None)  # noqa: SLF001 - it never lets go
        raise


def open_server(host: str, port: int, *, ssl: bool, answer_s: float = ANSWER_S) -> ClientAPI:
    """A client of a Chroma server; nothing but this address is ever connected to.

    After `answer_s` of silence it raises `ValueError` now, and `TransportError` in a later call.
    """
    with _bounded(httpx.Timeout(answer_s, connect=CONNECT_S)):
        return chromadb.HttpClient(host=host, port=port, ssl=ssl, settings=fixed_settings())


@contextmanager
def _bounded(timeout: httpx.Timeout) -> Iterator[None]:
    """Let clients that are made meanwhile wait so long, and close their connections in the end;
    Chroma has no setting for it.
    """
    from chromadb.api.fastapi import FastAPI  # noqa: PLC0415 - for servers only

    make = FastAPI.__init__

    def init(api: FastAPI, system: Any) -> None:
        make(api, system)
        session = api._session  # noqa: SLF001 - it waits for ever, and is never closed
        session.timeout = timeout
        stop = api.stop

        def stop_and_close() -> None:
            stop()
            session.close()

        api.stop = stop_and_close

    FastAPI.__init__ = init
    try:
        yield
    finally:
        FastAPI.__init__ = make
