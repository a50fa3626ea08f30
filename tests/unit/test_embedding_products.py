"""Products in 8 bits: the nearest of many vectors are among the first, whatever their scale."""

from __future__ import annotations

import numpy as np
import pytest

from tutor.embedding.products import Products
from tutor.index.store.rows import DenseRows, largest
from tutor.model import Vectors


def near_each_other(count: int, dim: int = 48) -> Vectors:
    """Unit vectors in a narrow cone, as embedders make them; more than a block of rows."""
    random = np.random.default_rng(3)
    made: Vectors = random.standard_normal((count, dim)).astype(np.float32) * 0.3 + 1
    made[:, 7] *= 5  # a channel far larger than the others
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made


def products(vectors: Vectors) -> Products:
    return Products([vectors[:40], vectors[40:]], *vectors.shape)


@pytest.mark.parametrize("count", [1, 63, 5000])
def test_products_are_in_the_order_of_the_exact_ones(count: int) -> None:
    vectors = near_each_other(count)
    found = products(vectors).of(vectors[0])
    assert found.shape == (count,)
    assert count < 3 or np.corrcoef(found, vectors @ vectors[0])[0, 1] > 0.99


def test_the_nearest_of_many_are_the_exact_ones() -> None:
    vectors = near_each_other(5000)
    exact, many = DenseRows(vectors), DenseRows(vectors, products(vectors))
    for row in range(0, 5000, 500):
        assert many.nearest(vectors[row], 20) == exact.nearest(vectors[row], 20)


def test_the_nearest_among_very_many_are_the_exact_ones() -> None:
    vectors = near_each_other(12_000)
    exact, many = DenseRows(vectors), DenseRows(vectors, products(vectors))
    among = np.flatnonzero(np.arange(12_000) % 9 != 0)
    for row in range(0, 12_000, 3000):
        found = many.nearest(vectors[row], 20, among)
        assert found == exact.nearest(vectors[row], 20, among)


def test_vectors_of_nothing_are_multiplied_too() -> None:
    assert not products(np.zeros((3, 8), np.float32)).of(np.ones(8, np.float32)).any()


@pytest.mark.parametrize("count", [1, 64, 65, 700, 6401])
@pytest.mark.parametrize("n", [1, 9, 100])
def test_the_largest_are_found_by_blocks(count: int, n: int) -> None:
    scores = np.random.default_rng(count).permutation(count).astype(np.float32)
    expected = set(range(max(0, count - n), count))
    assert {int(scores[place]) for place in largest(scores, n)} == expected


@pytest.mark.parametrize("different", [1, 2, 30])
def test_of_equal_ones_some_are_among_the_largest(different: int) -> None:
    scores = (np.arange(6401) % different).astype(np.float32)
    found = largest(scores, 9)
    assert len(set(found.tolist())) == 9
    assert sorted(scores[found]) == sorted(scores)[-9:]
