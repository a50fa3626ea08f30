"""What every embedder offers, as a protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tutor.model import Vectors


class Embedder(Protocol):
    """Turns texts into vectors of one space.

    `identity` names the model exactly (it goes into the manifest: vectors of different
    identities are never mixed), `device` says where it runs, `dim` is the vectors' length.
    Both methods add the prefixes that the model was trained with, accept any number of texts,
    return float32 of shape (n, dim) with L2-normalised rows in the order of the texts, and raise
    `EmbedderError`. An implementation may load its model at the first call.
    """

    @property
    def identity(self) -> str:
        """Model, precision and version; two embedders share it only if their vectors are equal."""
        ...

    @property
    def device(self) -> str:
        """Where it runs: `cpu`, `cuda`, `mps` or the address of a server."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages to be found."""
        ...
