"""Where a course's index lives: Chroma for searching, vector files as the durable truth.

`stores/<course>/manifest.json` names the generation in force; `generation-NNNNNN/` holds its
`chroma/`, `vectors_<strategy>.parquet`, `vectors_<strategy>.csv`, `texts.parquet` and what is
derived from them: `lexical_<strategy>/` and `sentences/`.
"""

from tutor.index.store.manifest import (
    Indexed,
    Manifest,
    Recipe,
    Skipped,
    VectorSpace,
    check_space,
    find_manifest,
    read_manifest,
    rebuild_command,
)
from tutor.index.store.reader import StoreReader, open_store
