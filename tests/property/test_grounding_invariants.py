"""Whatever a model writes, grounding neither fails nor loses its place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tutor.answer.verification.markers import strip_markers
from tutor.answer.verification.remarks import declares_not_covered
from tutor.answer.verification.verify import SupportVerdict, verify
from tutor.model import Vectors

_PIECES = st.sampled_from(
    [
        "A* es óptimo", " [1]", "[2, 3]", ".", "\n", "\n\n", "- ", "1. ", "**", "$", "x^2 + 1",
        "```", "|", "|---|", "# ", "¿", "?", " no ", "3,5 %", "a[0]", "\\frac{1}{2}", "Fuentes:",
    ]
)  # fmt: skip
_TEXTS = st.one_of(st.text(max_size=80), st.lists(_PIECES, max_size=25).map("".join))


class HashedWords:
    """Vectors of letters, which is all that positions need."""

    identity, device, dim = "letters", "cpu", 32

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        rows: Vectors = np.full((len(texts), self.dim), 0.01, dtype=np.float32)
        for row, text in enumerate(texts):
            for character in text:
                rows[row, ord(character) % self.dim] += 1
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return rows

    embed_queries = embed_passages


@given(_TEXTS, st.lists(_TEXTS, max_size=3))
def test_statements_are_in_order_apart_and_in_bounds(text: str, passages: list[str]) -> None:
    statements = verify(text, passages, HashedWords())
    position = 0
    for statement in statements:
        assert position <= statement.start < statement.end <= len(text)
        assert text[statement.start : statement.end].strip()
        position = statement.end
        assert 0 <= statement.support <= 1
        if statement.verdict is SupportVerdict.SUPPORTED:
            assert statement.passage is not None
            passage = passages[statement.passage]
            assert 0 <= statement.quote_start < statement.quote_end <= len(passage)
        else:
            assert statement.passage is None


@given(_TEXTS)
def test_stripping_only_takes_away(raw: str) -> None:
    text = strip_markers(raw)
    remaining = iter(raw)
    assert all(character in remaining for character in text)
    declares_not_covered(text)
