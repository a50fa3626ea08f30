"""Where a course's index lives: Chroma for searching, vector files as the durable truth.

`stores/<course>/manifest.json` names the generation in force; `generation-NNNNNN/` holds its
`chroma/`, `vectors_<strategy>.parquet`, `vectors_<strategy>.csv`, `texts.parquet` and whatever
is derived from them (`tutor.store.derived`).
"""

from tutor.store.derived import Derivation
from tutor.store.manifest import (
    Indexed,
    Manifest,
    Recipe,
    Skipped,
    VectorSpace,
    check_space,
    read_manifest,
    rebuild_command,
)
from tutor.store.reader import StoreReader, open_store

__all__ = [
    "Derivation",
    "Indexed",
    "Manifest",
    "Recipe",
    "Skipped",
    "StoreReader",
    "VectorSpace",
    "check_space",
    "open_store",
    "read_manifest",
    "rebuild_command",
]
