"""CleanText -> Chunks, by either strategy; also the sentence splitter that both front ends share.

Everything here is a pure function of its argument and takes time linear in the text's length.
"""

from __future__ import annotations

from tutor.chunking.chunks import (
    CHUNKING_VERSION,
    MAX_CHARS,
    OVERLAP,
    chunk_fixed,
    chunk_semantic,
    chunks_of,
)
from tutor.chunking.language import Language, detect_language
from tutor.chunking.sentences import split_sentences

__all__ = [
    "CHUNKING_VERSION",
    "MAX_CHARS",
    "OVERLAP",
    "Language",
    "chunk_fixed",
    "chunk_semantic",
    "chunks_of",
    "detect_language",
    "split_sentences",
]
