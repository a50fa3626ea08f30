"""Rows of numbers as the port promises them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tutor.errors import EmbedderError
from tutor.i18n import _
from tutor.model import Vectors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


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
