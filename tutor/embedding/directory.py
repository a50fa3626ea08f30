"""A model from a folder or from a hub's cache, on ONNX Runtime: no torch is needed."""

from __future__ import annotations

import json
import os
import struct
from functools import cache
from pathlib import Path
from typing import Any

from tutor.embedding.checkpoint import Checkpoint, pooled_by_mean, tokenizer_of, tokens_at_once
from tutor.embedding.onnx import Encoder, Loaded, OnnxEmbedder
from tutor.embedding.prefixes import Prefixes, e5_prefixes
from tutor.embedding.snapshots import fetching, find_snapshot, name_of, original_name
from tutor.errors import EmbedderError
from tutor.i18n import _

_BROKEN = (OSError, ValueError, KeyError, TypeError)
_PASSAGE_PROMPTS = ("document", "passage", "corpus")


class DirectoryEmbedder(OnnxEmbedder):
    """A BERT or XLM-RoBERTa with mean pooling, as all E5 models are, as its hub keeps it."""

    def __init__(self, model: str, threads: int | None = None) -> None:
        """`model`: a folder or a hub id; `threads`: as in `OnnxEmbedder`.

        Raises `EmbedderError` where it is not on disk, or is a model of another kind.
        """
        snapshot = find_snapshot(model, os.environ)
        if snapshot is None:
            raise EmbedderError(
                _("The embedding model %(model)s is not on this disk, or not complete.")
                % {"model": model},
                _("Fetch it once: %(command)s") % {"command": fetching(model)},
            )
        folder = snapshot.folder
        try:
            dim = int(_json(folder / "config.json")["hidden_size"])
            prefixes = _prefixes(model, folder)
            if not pooled_by_mean(folder):
                raise ValueError(_("its vector is not the mean of its token vectors"))
        except _BROKEN as error:
            raise _unfit(model, error) from error

        def load() -> Loaded:
            try:
                return _loaded(folder)
            except (*_BROKEN, struct.error) as error:
                raise _unfit(model, error) from error

        identity = f"onnx/{name_of(model, snapshot)}@{snapshot.revision}"
        super().__init__(identity, dim, prefixes, load, threads)


@cache
def _loaded(folder: Path) -> Loaded:
    """The model, compiled once in a process: half a second, and the size of its layers."""
    checkpoint = Checkpoint(folder)
    tokenizer, begin, end = tokenizer_of(folder)
    window = tokens_at_once(folder, checkpoint.shape.window)
    return Loaded(Encoder(checkpoint), tokenizer, begin, end, window)


def _prefixes(model: str, folder: Path) -> Prefixes:
    """The prompts of the model's own configuration, else those of the E5 family."""
    path = folder / "config_sentence_transformers.json"
    prompts = (_json(path) if path.exists() else {}).get("prompts") or {}
    query = prompts.get("query") or ""
    passage = next((prompts[name] for name in _PASSAGE_PROMPTS if prompts.get(name)), "")
    if query or passage:
        return Prefixes(query, passage)
    return e5_prefixes(model, folder.resolve().name, original_name(model, folder))


def _json(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def _unfit(model: str, error: Exception) -> EmbedderError:
    return EmbedderError(
        _("ONNX Runtime cannot be given the embedding model %(model)s: %(reason)s")
        % {"model": model, "reason": str(error) or type(error).__name__},
        _(
            "It takes E5 models and others of their kind, with model.safetensors and "
            'tokenizer.json. For others: embedder.kind = "sentence-transformers".'
        ),
    )
