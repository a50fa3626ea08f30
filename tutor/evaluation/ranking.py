"""Measures of a ranking with binary relevance, as TREC's tools define them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def hit_at(relevant: Sequence[bool], k: int) -> float:
    """1 when one of the first `k` is relevant, else 0 (success at k)."""
    return float(any(relevant[:k]))


def recall_at(relevant: Sequence[bool], k: int, total: int) -> float:
    """The share of all `total` relevant ones that is among the first `k`."""
    return sum(relevant[:k]) / total if total else 0.0


def precision_at(relevant: Sequence[bool], k: int) -> float:
    """The share of the first `k` that is relevant; places that are empty count as not."""
    return sum(relevant[:k]) / k


def reciprocal_rank(relevant: Sequence[bool], k: int) -> float:
    """One over the rank of the first relevant one among the first `k`, or 0."""
    return next((1 / rank for rank, hit in enumerate(relevant[:k], start=1) if hit), 0.0)


def ndcg_at(relevant: Sequence[bool], k: int, total: int) -> float:
    """Normalised discounted cumulative gain (Järvelin and Kekäläinen, 2002), gains 0 and 1."""
    gained = sum(_discount(rank) for rank, hit in enumerate(relevant[:k], start=1) if hit)
    ideal = sum(_discount(rank) for rank in range(1, min(k, total) + 1))
    return gained / ideal if ideal else 0.0


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)
