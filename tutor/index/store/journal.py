"""Vectors that are embedded but not yet committed, so that a killed run never embeds them again.

One append-only file of fixed-size records. A record that a kill or a power cut tore is
recognised by its checksum, and what follows it is ignored.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import numpy as np

from tutor.index.store.upkeep import JOURNAL
from tutor.model import Vectors


def text_key(text: str) -> bytes:
    """What a vector is remembered by: the SHA-256 of the embedded text, 32 bytes."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


class Journal:
    """The vectors of one embedder, by `text_key`. `identity` and `dim` name the embedder."""

    def __init__(self, store: Path, identity: str, dim: int) -> None:
        self._path = store / JOURNAL
        self._header = sha256(f"{identity}\x1f{dim}".encode()).digest()
        self._record = np.dtype([("key", "V32"), ("crc", "<u4"), ("vector", "<f4", (dim,))])

    def load(self) -> dict[bytes, Vectors]:
        """Every whole record; nothing when there is no file or it is another embedder's."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        if not content.startswith(self._header):
            return {}
        whole = (len(content) - len(self._header)) // self._record.itemsize
        records = np.frombuffer(content, self._record, whole, len(self._header))
        vectors = {}
        for record in records:
            key, vector = bytes(record["key"]), record["vector"]
            if record["crc"] != _checksum(key, vector):
                break
            vectors[key] = vector.astype(np.float32)
        return vectors

    def begin(self, known: dict[bytes, Vectors]) -> None:
        """Start the file with what `load` gave, dropping any torn end."""
        partial = self._path.with_suffix(".partial")
        partial.write_bytes(self._header + self._encode(known.items()))
        partial.replace(self._path)

    def append(self, entries: Iterable[tuple[bytes, Vectors]]) -> None:
        """Add vectors, each of shape (dim,), under their keys."""
        with self._path.open("ab") as file:
            file.write(self._encode(entries))

    def clear(self) -> None:
        """Forget everything: the vectors are committed."""
        self._path.unlink(missing_ok=True)

    def _encode(self, entries: Iterable[tuple[bytes, Vectors]]) -> bytes:
        rows = [(key, _checksum(key, vector), vector) for key, vector in entries]
        return np.array(rows, self._record).tobytes()


def _checksum(key: bytes, vector: Vectors) -> int:
    return zlib.crc32(np.ascontiguousarray(vector, "<f4").tobytes(), zlib.crc32(key))
