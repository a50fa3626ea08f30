"""A BERT encoder (Devlin et al. 2019, arXiv:1810.04805) as an ONNX model, in float32.

The E5 models are BERTs: multilingual-e5-small by name, -base and -large as XLM-RoBERTa, which
differs in its tokens and in where its positions begin.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tutor.embedding.onnx_graph import MICROSOFT, OnnxGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

INPUT = "embeddings"


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


def bert_model(weights: Weights) -> tuple[bytes, str, dict[str, NDArray[np.float32]]]:
    """The model, the name of its output, and the tensors that it only names.

    In: embeddings of words and positions, shape (texts, tokens, hidden), before their
    normalisation. Out: the mean of the token vectors, shape (texts, hidden). There is no mask:
    all texts of a run are equally long.
    """
    graph, shape = OnnxGraph(), weights.shape
    builder = _Builder(graph, weights)
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

    def __init__(self, graph: OnnxGraph, weights: Weights) -> None:
        self._graph = graph
        self._weights = weights
        self._rows = graph.integers(-1, weights.shape.hidden)
        self.unfolded = ""
        """The shape (texts, tokens, hidden) as a value of the graph."""

    def layer(self, rows: str, prefix: str) -> str:
        """Attention and the two dense layers behind it."""
        attended = self.dense(self._attention(rows, prefix), f"{prefix}attention.output.dense")
        rows = self._add_and_norm(rows, attended, f"{prefix}attention.output.LayerNorm")
        wide = self.dense(rows, f"{prefix}intermediate.dense")
        wide = self._graph.node("Gelu", wide, domain=MICROSOFT)
        narrow = self.dense(wide, f"{prefix}output.dense")
        return self._add_and_norm(rows, narrow, f"{prefix}output.LayerNorm")

    def _attention(self, rows: str, prefix: str) -> str:
        graph, shape = self._graph, self._weights.shape
        names = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        together = self.dense(rows, *names)
        parts = graph.nodes(
            "Split", [together, graph.integers(*[shape.hidden] * 3)], 3, attributes={"axis": -1}
        )
        parts = [graph.node("Reshape", part, self.unfolded) for part in parts]
        attended = graph.node("MultiHeadAttention", *parts, domain=MICROSOFT, num_heads=shape.heads)
        return self.folded_rows(attended)

    def dense(self, rows: str, *names: str) -> str:
        """One or several dense layers of the same input, their outputs side by side."""
        matrix = np.concatenate([self._weights.tensor(f"{name}.weight") for name in names])
        bias = np.concatenate([self._weights.tensor(f"{name}.bias") for name in names])
        graph = self._graph
        return graph.node("Gemm", rows, graph.weight(matrix), graph.constant(bias), transB=1)

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
