"""BERT checkpoints as hubs publish them: safetensors, their configuration, their tokenizer.

The format: https://huggingface.co/docs/safetensors
"""

from __future__ import annotations

import json
import mmap
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tutor.embedding.bert import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.embedding.onnx import Tokenizer

_LENGTH = struct.Struct("<Q")
_TYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_WORDS = "embeddings.word_embeddings.weight"


class Tensor(NamedTuple):
    """A tensor where it lies in its file."""

    type: str
    stored: NDArray[Any]

    def floats(self, rows: NDArray[np.int64] | slice = slice(None)) -> NDArray[np.float32]:
        """Its values, or those of some rows, in float32."""
        values = self.stored[rows]
        if self.type != "BF16":
            return np.asarray(values, np.float32)
        return (values.astype(np.uint32) << 16).view(np.float32)  # the upper half of a float32


class Checkpoint:
    """The numbers of a BERT or XLM-RoBERTa in a folder; the files are mapped, not read."""

    def __init__(self, folder: Path) -> None:
        """Raises `OSError`, `ValueError` or `KeyError` for what is no such model."""
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        # RoBERTa's positions begin behind the one that padding has.
        first = {"bert": 0, "xlm-roberta": int(config.get("pad_token_id", 1)) + 1}.get(
            config.get("model_type")
        )
        if first is None:
            raise ValueError(f"model_type {config.get('model_type')}")
        for setting, value in (("hidden_act", "gelu"), ("position_embedding_type", "absolute")):
            if config.get(setting, value) != value:
                raise ValueError(f"{setting} {config[setting]}")
        self._first_position = first
        self._tensors = _tensors(folder)
        tables = [name for name in self._tensors if name.endswith(_WORDS)]
        if len(tables) != 1:
            raise ValueError(f"{len(tables)} × {_WORDS}")
        self._prefix = tables[0].removesuffix(_WORDS)
        self.shape = Shape(
            hidden=config["hidden_size"],
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            window=config["max_position_embeddings"] - first,
            epsilon=config["layer_norm_eps"],
        )

    def tensor(self, name: str) -> NDArray[np.float32]:
        """A tensor by its name in BERT's checkpoints; dense matrices have shape (out, in)."""
        return self._tensors[self._prefix + name].floats()

    def words(self, ids: NDArray[np.int64]) -> NDArray[np.float32]:
        """Rows of the table of words, shape (*ids.shape, hidden)."""
        return self._tensors[self._prefix + _WORDS].floats(ids)

    def positions(self) -> NDArray[np.float32]:
        """The embedding of each position with that of the first type, shape (window, hidden)."""
        positions = self.tensor("embeddings.position_embeddings.weight")[self._first_position :]
        types = self.tensor("embeddings.token_type_embeddings.weight")
        return np.asarray(positions + types[0], np.float32)


def pooled_by_mean(folder: Path) -> bool:
    """Whether the model's vector is the mean of its token vectors, as E5's is."""
    modules = folder / "modules.json"
    if not modules.exists():
        return True  # sentence-transformers takes the mean of a bare model, too
    parts = json.loads(modules.read_text(encoding="utf-8"))
    kinds = [str(part["type"]).rpartition(".")[2] for part in parts]
    if kinds[:2] != ["Transformer", "Pooling"] or not set(kinds[2:]) <= {"Normalize"}:
        return False
    path = folder / parts[1]["path"] / "config.json"
    pooling = json.loads(path.read_text(encoding="utf-8"))
    modes = {name for name, on in pooling.items() if name.startswith("pooling_mode_") and on}
    return modes == {"pooling_mode_mean_tokens"}


def tokens_at_once(folder: Path, window: int) -> int:
    """How many tokens its authors let it read at once, at most its window."""
    path = folder / "sentence_bert_config.json"
    if not path.exists():
        return window
    return min(window, json.loads(path.read_text(encoding="utf-8")).get("max_seq_length") or window)


def tokenizer_of(folder: Path) -> tuple[Tokenizer, int, int]:
    """The tokenizer of `tokenizer.json`, and the ids that mark beginning and end.

    Raises `OSError` or `ValueError` where there is none that marks both.
    """
    from tokenizers import Tokenizer as Library  # noqa: PLC0415 - 0.05 s, for these models only

    path = folder / "tokenizer.json"
    text = path.read_text(encoding="utf-8")
    json.loads(text)  # of what is cut off the library says so with a bare `Exception`
    library = Library.from_str(text)
    library.no_truncation()
    library.no_padding()
    marks = library.encode("").ids
    if len(marks) != 2:
        raise ValueError(f"{path.name}: {len(marks)} marks")

    def tokens(text: str) -> list[int]:
        ids: list[int] = library.encode(text, add_special_tokens=False).ids
        return ids

    return tokens, marks[0], marks[1]


def _tensors(folder: Path) -> dict[str, Tensor]:
    index = folder / "model.safetensors.index.json"
    if not index.exists():
        return _tensors_of(folder / "model.safetensors")
    names = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    return {key: one for name in names for key, one in _tensors_of(folder / name).items()}


def _tensors_of(path: Path) -> dict[str, Tensor]:
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    (length,) = _LENGTH.unpack_from(data)
    if length > len(data):
        raise ValueError(path.name)
    begin = _LENGTH.size + length
    tensors = {}
    for name, entry in json.loads(data[_LENGTH.size : begin]).items():
        if entry.get("dtype") not in _TYPES:  # integers, and what the writer says of itself
            continue
        start, end = entry["data_offsets"]
        kind = np.dtype(_TYPES[entry["dtype"]])
        values = np.frombuffer(data, kind, (end - start) // kind.itemsize, begin + start)
        tensors[name] = Tensor(entry["dtype"], values.reshape(entry["shape"]))
    return tensors
