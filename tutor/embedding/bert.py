"""A BERT encoder (Devlin et al. 2019, arXiv:1810.04805) as an ONNX model, in float32 or 8 bits.

The E5 models are BERTs: multilingual-e5-small by name, -base and -large as XLM-RoBERTa, which
differs in its tokens and in where its positions begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tutor.embedding.onnx_graph import MICROSOFT, OnnxGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

INPUT = "embeddings"

_LARGEST_CODE, _MOST_STEPS = 127, 255
"""Weights are -127 to 127 times their scale; what they are multiplied with, 0 to 255 steps."""
_TINY = np.float32(1e-6)


@dataclass(frozen=True, slots=True)
class Shape:
    """The dimensions of a BERT; `window` is the most tokens that it reads at once."""

    hidden: int
    layers: int
    heads: int
    window: int
    epsilon: float


class Weights(Protocol):
    """The numbers of a BERT, wherever they are kept."""

    @property
    def shape(self) -> Shape:
        """The model's dimensions."""
        ...

    def tensor(self, name: str) -> NDArray[np.float32]:
        """A tensor by its name in BERT's checkpoints, but for the table of words."""
        ...

    def words(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Rows of the table of words, shape (*ids.shape, hidden)."""
        ...

    def positions(self) -> NDArray[np.float32]:
        """The embedding of each position with that of the only type, shape (window, hidden)."""
        ...


def bert_model(
    weights: Weights, outliers: Sequence[int] | None = None
) -> tuple[bytes, str, dict[str, NDArray[Any]]]:
    """The model, the name of its output, and the tensors that it only names.

    In: embeddings of words and positions, shape (texts, tokens, hidden), before their
    normalisation. Out: the mean of the token vectors, shape (texts, hidden). There is no mask:
    all texts of a run are equally long.

    With `outliers`, dense layers multiply 8-bit integers. These channels of the hidden states are
    so much larger than all others that they are left in float32; they differ between checkpoints.
    """
    graph, shape = OnnxGraph(), weights.shape
    builder = _Builder(graph, weights, outliers)
    texts_and_tokens = graph.node(
        "Slice", graph.node("Shape", INPUT), graph.integers(0), graph.integers(2)
    )
    hidden = graph.integers(shape.hidden)
    builder.unfolded = graph.node("Concat", texts_and_tokens, hidden, axis=0)
    rows = builder.norm(builder.folded_rows(INPUT), "embeddings.LayerNorm")
    for layer in range(shape.layers):
        rows = builder.layer(rows, f"encoder.layer.{layer}.")
    tokens = graph.node("Reshape", rows, builder.unfolded)
    mean = graph.node("ReduceMean", tokens, graph.integers(1), keepdims=0)
    model = graph.model((INPUT, ("texts", "tokens", shape.hidden)), (mean, ("texts", shape.hidden)))
    return model, mean, graph.weights


class _Builder:
    """Adds the parts of a BERT to a graph.

    Between the attentions, the tokens of all texts are the rows of one matrix. `Add` followed by
    `LayerNormalization` is faster than the one operator that does both.
    """

    def __init__(self, graph: OnnxGraph, weights: Weights, outliers: Sequence[int] | None) -> None:
        self._graph = graph
        self._weights = weights
        self._outliers = outliers
        self._rows = graph.integers(-1, weights.shape.hidden)
        self.unfolded = ""
        """The shape (texts, tokens, hidden) as a value of the graph."""

    def layer(self, rows: str, prefix: str) -> str:
        """Attention and the two dense layers behind it."""
        attended = self.dense(self._attention(rows, prefix), f"{prefix}attention.output.dense")
        rows = self._add_and_norm(rows, attended, f"{prefix}attention.output.LayerNorm")
        wide = self.dense(rows, f"{prefix}intermediate.dense", normalised=True)
        wide = self._graph.node("Gelu", wide, domain=MICROSOFT)
        narrow = self.dense(wide, f"{prefix}output.dense")
        return self._add_and_norm(rows, narrow, f"{prefix}output.LayerNorm")

    def _attention(self, rows: str, prefix: str) -> str:
        graph, shape = self._graph, self._weights.shape
        names = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        together = self.dense(rows, *names, normalised=True)
        parts = graph.nodes(
            "Split", [together, graph.integers(*[shape.hidden] * 3)], 3, attributes={"axis": -1}
        )
        parts = [graph.node("Reshape", part, self.unfolded) for part in parts]
        attended = graph.node("MultiHeadAttention", *parts, domain=MICROSOFT, num_heads=shape.heads)
        return self.folded_rows(attended)

    def dense(self, rows: str, *names: str, normalised: bool = False) -> str:
        """One or several dense layers of the same input, their outputs side by side.

        Only what comes out of a normalisation has the outliers.
        """
        matrix = np.concatenate([self._weights.tensor(f"{name}.weight") for name in names])
        bias = np.concatenate([self._weights.tensor(f"{name}.bias") for name in names])
        if self._outliers is not None:
            return self._in_8_bits(rows, matrix, bias, self._outliers if normalised else ())
        graph = self._graph
        return graph.node("Gemm", rows, graph.weight(matrix), graph.constant(bias), transB=1)

    def _in_8_bits(
        self,
        rows: str,
        matrix: NDArray[np.float32],
        bias: NDArray[np.float32],
        outliers: Sequence[int],
    ) -> str:
        """A dense layer in integers, as LLM.int8() (Dettmers et al. 2022, arXiv:2208.07339).

        Each row has a scale and a zero of its own, so that a text's vector depends on no other
        text; each output has a scale. The outliers are multiplied beside, in float32. `matrix`,
        shape (out, in), is overwritten.
        """
        graph = self._graph
        apart, exact = list(outliers), []
        beside = matrix[:, apart].T
        if apart:
            matrix[:, apart] = 0
            exact = [graph.node("Gather", rows, graph.integers(*apart), axis=1)]
            kept = np.ones(matrix.shape[1], np.float32)
            kept[apart] = 0
            rows = graph.node("Mul", rows, graph.constant(kept))
        codes, scales = _rounded(matrix)
        least = graph.node("ReduceMin", rows, graph.integers(1))
        range_ = graph.node("Sub", graph.node("ReduceMax", rows, graph.integers(1)), least)
        step = graph.node("Mul", range_, graph.constant(np.array(1 / _MOST_STEPS, np.float32)))
        step = graph.node("Max", step, graph.constant(np.array(_TINY, np.float32)))
        by_row = graph.node("Reshape", step, graph.integers(-1))
        steps = graph.node("QuantizeLinear", graph.node("Sub", rows, least), by_row, axis=0)
        one = graph.constant(np.array(1, np.float32))
        inputs = (steps, graph.weight(codes.T), one, graph.constant(scales))
        product = graph.node("MatMulIntegerToFloat", *inputs, domain=MICROSOFT)
        # What the outliers add, and what each row's zero does: the same for all its steps.
        zeros = scales * codes.sum(axis=1, dtype=np.int32)
        beside = np.vstack([beside, zeros]).astype(np.float32)
        added = graph.node("Concat", *exact, least, axis=1)
        added = graph.node("Gemm", added, graph.constant(beside), graph.constant(bias))
        return graph.node("Add", graph.node("Mul", product, step), added)

    def norm(self, rows: str, name: str) -> str:
        """Layer normalisation."""
        scale, bias = (self._weights.tensor(f"{name}.{part}") for part in ("weight", "bias"))
        graph, epsilon = self._graph, self._weights.shape.epsilon
        inputs = (rows, graph.constant(scale), graph.constant(bias))
        return graph.node("LayerNormalization", *inputs, axis=-1, epsilon=epsilon)

    def folded_rows(self, value: str) -> str:
        """(texts, tokens, hidden) as (texts * tokens, hidden)."""
        return self._graph.node("Reshape", value, self._rows)

    def _add_and_norm(self, rows: str, more: str, name: str) -> str:
        return self.norm(self._graph.node("Add", rows, more), name)


def _rounded(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """A matrix of shape (out, in), which is overwritten, as integers and a scale for each row."""
    scales = np.maximum(matrix.max(axis=1), -matrix.min(axis=1)) / _LARGEST_CODE
    scales = np.maximum(scales, _TINY)
    matrix /= scales[:, np.newaxis]
    return np.rint(matrix, out=matrix).astype(np.int8), scales
