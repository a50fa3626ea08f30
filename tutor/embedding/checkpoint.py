"""BERT checkpoints as hubs publish them, run by ONNX Runtime: no torch is needed.

The weights are safetensors (https://huggingface.co/docs/safetensors), beside them lie their
configuration and their tokenizer.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tutor.embedding.bert import Shape
from tutor.embedding.onnx import Encoder, Loaded, OnnxEmbedder, Tokenizer
from tutor.embedding.snapshots import fetching, find_snapshot, read_json
from tutor.errors import EmbedderError
from tutor.i18n import _

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LENGTH = struct.Struct("<Q")
_TYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_BROKEN = (OSError, ValueError, KeyError, TypeError, struct.error)
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
        config = read_json(folder / "config.json")
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


class DirectoryEmbedder(OnnxEmbedder):
    """A BERT or XLM-RoBERTa with mean pooling, as all E5 models are, as its hub keeps it."""

    def __init__(self, model: str, *, cut: bool = False) -> None:
        """`model`: a folder or a hub id; with `cut`, what is longer than its window is cut there.

        Raises `EmbedderError` where it is not on disk, or is a model of another kind.
        """
        snapshot = find_snapshot(model, os.environ)
        if snapshot is None:
            raise EmbedderError(
                _("The embedding model %(model)s is not on this disk, or not complete.")
                % {"model": model},
                _("Fetch it once: %(command)s") % {"command": fetching(model)},
            )
        try:
            dim, prefixes = snapshot.dim(), snapshot.prefixes()
            if snapshot.pooling() != {"mean_tokens"}:
                raise ValueError(_("its vector is not the mean of its token vectors"))
        except _BROKEN as error:
            raise _unfit(model, error) from error

        def load() -> Loaded:
            try:
                return _loaded(snapshot.folder)
            except _BROKEN as error:
                raise _unfit(model, error) from error

        identity = f"onnx/{snapshot.name}@{snapshot.revision}"
        super().__init__(identity, dim, prefixes, load, cut=cut)


@cache
def _loaded(folder: Path) -> Loaded:
    """The model, compiled once in a process: half a second, and the size of its layers."""
    checkpoint = Checkpoint(folder)
    tokenizer, begin, end = _tokenizer(folder)
    window = checkpoint.shape.window
    limits = folder / "sentence_bert_config.json"
    if limits.exists():  # its authors may let it read less at once
        window = min(window, read_json(limits).get("max_seq_length") or window)
    return Loaded(Encoder(checkpoint), tokenizer, begin, end, window)


def _tokenizer(folder: Path) -> tuple[Tokenizer, int, int]:
    """The tokenizer of `tokenizer.json`, and the ids that mark beginning and end."""
    from tokenizers import Tokenizer as Library  # noqa: PLC0415 - 0.05 s, for these models only

    path = folder / "tokenizer.json"
    read_json(path)  # of what is cut off the library says so with a bare `Exception`
    library = Library.from_file(str(path))
    library.no_truncation()
    library.no_padding()
    marks = library.encode("").ids
    if len(marks) != 2:
        raise ValueError(f"{path.name}: {len(marks)} marks")

    def tokens(text: str) -> list[int]:
        ids: list[int] = library.encode(text, add_special_tokens=False).ids
        return ids

    return tokens, marks[0], marks[1]


def _unfit(model: str, error: Exception) -> EmbedderError:
    return EmbedderError(
        _("ONNX Runtime cannot be given the embedding model %(model)s: %(reason)s")
        % {"model": model, "reason": str(error) or type(error).__name__},
        _(
            "It takes E5 models and others of their kind, with model.safetensors and "
            'tokenizer.json. For others: embedder.kind = "sentence-transformers".'
        ),
    )


def _tensors(folder: Path) -> dict[str, Tensor]:
    index = folder / "model.safetensors.index.json"
    if not index.exists():
        return _tensors_of(folder / "model.safetensors")
    names = set(read_json(index)["weight_map"].values())
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
