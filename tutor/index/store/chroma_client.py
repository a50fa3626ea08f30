"""Clients of Chroma whose settings nothing but their caller decides (the only chromadb import).

Chroma's own settings are read from the environment and from a `.env` in the current folder, and
some of them name the server that gets the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from chromadb.config import Settings
    from chromadb.errors import ChromaError, NotFoundError

__all__ = ["ChromaError", "NotFoundError", "fixed_settings", "open_folder", "open_server"]


def fixed_settings() -> Settings:
    """Chroma's defaults, without telemetry."""
    # Not `Settings()`, which would read the environment and `.env`.
    return Settings.model_construct(anonymized_telemetry=False)


def open_folder(folder: Path) -> ClientAPI:
    """A client of the collections in a folder."""
    return chromadb.PersistentClient(str(folder), fixed_settings())


def open_server(host: str, port: int, *, ssl: bool) -> ClientAPI:
    """A client of a Chroma server; nothing but this address is ever connected to."""
    return chromadb.HttpClient(host=host, port=port, ssl=ssl, settings=fixed_settings())
