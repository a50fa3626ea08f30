"""A store's own collections on a Chroma server, written down before they are made there.

A run that is killed or fails leaves collections that no manifest speaks of; the next one deletes
what stands here. Names alone would not tell whose they are: another machine may share the server.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

FILE_NAME = "server_collections.json"


def noted(store: Path, server: str) -> set[str]:
    """The collections that were noted for this server, in the form `host:port`."""
    try:
        record = json.loads((store / FILE_NAME).read_text(encoding="utf-8"))
        return set(record["names"]) if record["server"] == server else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def note(store: Path, server: str, names: Iterable[str]) -> None:
    """Note further collections; those on another server are forgotten. Raises `OSError`."""
    record = {"server": server, "names": sorted(noted(store, server).union(names))}
    partial = store / f"{FILE_NAME}.partial"
    with partial.open("w", encoding="utf-8") as file:
        json.dump(record, file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(store / FILE_NAME)


def forget(store: Path) -> None:
    """Forget them: they are deleted, or in force."""
    (store / FILE_NAME).unlink(missing_ok=True)
