"""What every embedder offers, as a protocol; what it may be given, and what it returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tutor.errors import EmbedderError
from tutor.i18n import _
from tutor.model import Vectors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_CHARS = 20_000
"""Characters of a text that count; the rest is ignored.

A chunk has 800. Without a bound, a megabyte pasted as a question would keep the bundled model
busy for minutes.
"""
_REPLACEMENTS: dict[int, str] = {
    0: " ",  # to a server it may be the end of the text
} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # lone surrogates are not encodable


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


def embeddable(text: str) -> str:
    """`text` as every engine can take it: no NUL, no lone surrogates, at most `MAX_CHARS`."""
    return text[:MAX_CHARS].translate(_REPLACEMENTS)


def unit_rows(rows: ArrayLike, model: str) -> Vectors:
    """`rows`, shape (n, dim), as float32 with L2-normalised rows.

    Raises `EmbedderError`, naming `model`, for rows that have no direction: infinite, not a
    number, or all zero (half precision can overflow, and a broken model file gives such rows).
    """
    wide = np.asarray(rows, dtype=np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise EmbedderError(
            _("The embedding model %(model)s returned a vector without direction.")
            % {"model": model},
            _('Try embedder.device = "cpu"; if that does not help, install the model again.'),
        )
    return np.ascontiguousarray(wide / norms, dtype=np.float32)
