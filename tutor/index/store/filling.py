"""What Chroma holds of a generation: filled anew, or a copy of the former one's that is changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store import chroma
from tutor.index.store.manifest import repair_command
from tutor.index.store.tables import ChunkTable, empty_table
from tutor.index.store.upkeep import CHROMA_FOLDER
from tutor.model import Strategy

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

    from tutor.config import ChromaConfig
    from tutor.index.store.manifest import Manifest

_AT_ONCE = 5000
"""Chunks that are put in together: 2 s, for which Ctrl-C has to wait."""


def fill_collections(
    store: Path,
    in_force: Manifest | None,
    manifest: Manifest,
    server: ChromaConfig,
    *,
    former: Mapping[Strategy, ChunkTable],
    tables: Mapping[Strategy, ChunkTable],
    given_up: Callable[[], bool],
) -> dict[Strategy, str]:
    """Make Chroma hold these chunks; returns the names of its collections.

    `former` is what the collections of the generation `in_force` hold, if a copy of them is to be
    changed.
    Soon after it is `given_up()` nothing more is put in.
    """
    folder = store / manifest.folder / CHROMA_FOLDER
    prefix = ""
    if server.host:
        opened = chroma.server_client(server.host, server.port, ssl=server.ssl)
        prefix = f"{chroma.server_prefix(store)}{manifest.generation:06d}."
    else:
        if in_force and former:
            chroma.copy_collections(store / in_force.folder / CHROMA_FOLDER, folder)
        opened = chroma.local_client(folder)
    names = {strategy: prefix + strategy.collection for strategy in tables}
    with opened as client:
        if server.host:
            kept = in_force.collections.values() if in_force else ()
            chroma.delete_collections(client, store, (), kept)
        for strategy, table in tables.items():
            before = former.get(strategy, empty_table(strategy, table.vectors.shape[1]))
            _change(client, names[strategy], before, table, given_up, store=store)
    return names


def _change(
    client: ClientAPI,
    name: str,
    former: ChunkTable,
    table: ChunkTable,
    given_up: Callable[[], bool],
    *,
    store: Path,
) -> None:
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
    for start in range(0, max(1, len(new)), _AT_ONCE):
        if given_up():
            return
        part = new[start : start + _AT_ONCE]
        added = [table.chunks[number] for number in part]
        count = chroma.change_collection(
            client, name, removed, added, table.vectors[part], store=store
        )
        removed = []
    if count != len(table.chunks):
        raise StoreError(
            _("Chroma holds %(found)d chunks where %(expected)d belong.")
            % {"found": count, "expected": len(table.chunks)},
            _("Rebuild it from the stored vectors: %(command)s")
            % {"command": repair_command(store)},
        )
