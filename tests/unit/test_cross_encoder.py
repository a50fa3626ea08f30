"""The cross-encoder on a real, if untrained, model that the tests make themselves."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tutor.embedding.transformer import CrossEncoderReranker
from tutor.errors import EmbedderError

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] que es una red busqueda arbol grafo neurona".split()
PASSAGES = ["una red es una neurona", "busqueda", "arbol grafo " * 400, "", "que"]


def make_model(folder: Path, outputs: int = 1) -> Path:
    """A tiny BERT with random weights, saved as any cross-encoder is."""
    import torch

    transformers: Any = import_module("transformers")

    folder.mkdir()
    (folder / "words.txt").write_text("\n".join(WORDS))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=outputs,
        initializer_range=1.0,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    transformers.BertTokenizerFast(vocab=vocabulary, model_max_length=64).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "reranker")


def test_scores_are_the_librarys_own(folder: Path) -> None:
    from sentence_transformers import CrossEncoder

    plain = CrossEncoder(str(folder), device="cpu", local_files_only=True)
    expected = plain.predict([("que es una red", passage) for passage in PASSAGES])
    scores = CrossEncoderReranker(str(folder), "cpu").score("que es una red", PASSAGES)
    assert len(set(scores.tolist())) > 1
    np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_no_passages_need_no_model(folder: Path) -> None:
    reranker = CrossEncoderReranker(str(folder), "cpu")
    assert reranker.score("que", []).shape == (0,)
    assert reranker._model is None


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="no-such") as caught:
        CrossEncoderReranker(str(tmp_path / "no-such"))
    assert "retrieval.reranker" in caught.value.remedy


def test_a_model_with_several_outputs_is_refused(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "several", outputs=3)
    with pytest.raises(EmbedderError) as caught:
        CrossEncoderReranker(str(folder), "cpu").score("que", PASSAGES)
    assert "retrieval.reranker" in caught.value.remedy


def test_a_broken_file_is_an_embedder_error(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "broken")
    (folder / "config.json").write_text("{}")
    with pytest.raises(EmbedderError):
        CrossEncoderReranker(str(folder), "cpu").score("que", PASSAGES)
