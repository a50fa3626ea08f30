"""Where a course's index lives: files of vectors, texts and words, and the same vectors in Chroma.

Hybrid retrieval, the default, asks the files, which are the durable truth, and Chroma serves
`retrieval.mode = "dense"` only.

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
