"""Vectors, prefixes, and models on disk."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.embedding.embedder import (
    E5,
    MAX_TEXT_CHARS,
    Prefixes,
    e5_prefixes,
    embeddable,
    served_prefixes,
    unit_rows,
)
from tutor.embedding.snapshots import find_snapshot, fingerprint
from tutor.errors import EmbedderError


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_becomes_encodable_and_good_text_stays(text: str) -> None:
    ready = embeddable(text)
    assert not {"\0", "\ufdfa"} & set(ready.encode().decode())
    if not any(sign in "\0\ufdfa" or "\ud800" <= sign <= "\udfff" for sign in text):
        assert ready == text
    assert len(embeddable(text * MAX_TEXT_CHARS)) >= min(MAX_TEXT_CHARS, len(text) * MAX_TEXT_CHARS)


def test_rows_become_unit_float32() -> None:
    rows = unit_rows(np.array([[3, 4], [-1e-30, 0], [6e4, 6e4]], np.float32), "m")
    assert rows.dtype == np.float32
    assert rows.flags.c_contiguous
    np.testing.assert_allclose(rows, np.array([[0.6, 0.8], [-1.0, 0.0], [0.5**0.5] * 2]), atol=1e-6)


@pytest.mark.parametrize("bad", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_rows_without_direction_are_refused(bad: list[float]) -> None:
    with pytest.raises(EmbedderError, match="model-x returned a vector without direction"):
        unit_rows(np.array([[1.0, 0.0], bad]), "model-x")


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-base", "query: ", "passage: "),
        ("intfloat/e5-small-v2", "query: ", "passage: "),
        ("/models/Multilingual-E5-base/", "query: ", "passage: "),
        ("C:\\models\\e5", "query: ", "passage: "),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
        ("/home/e5-user/all-minilm", "", ""),
        ("BAAI/bge-m3", "", ""),
        ("acme/some5-model", "", ""),
    ],
)
def test_only_e5_models_get_e5_prefixes(model: str, query: str, passage: str) -> None:
    found = e5_prefixes(model)
    assert (found.query, found.passage) == (query, passage)


def test_an_instructed_e5_wants_an_instruction_and_bare_passages() -> None:
    found = e5_prefixes("intfloat/multilingual-e5-large-instruct")
    assert found.query.startswith("Instruct: ")
    assert found.query.endswith("\nQuery: ")
    assert found.passage == ""


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("nomic-embed-text", "search_query: ", "search_document: "),
        ("nomic-embed-text-v2-moe:latest", "search_query: ", "search_document: "),
        ("embeddinggemma:300m", "task: search result | query: ", "title: none | text: "),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("hf.co/acme/multilingual-e5-base-GGUF:Q8_0", E5.query, E5.passage),
    ],
)
def test_served_models_get_the_prefixes_of_their_cards(
    model: str, query: str, passage: str
) -> None:
    found = served_prefixes(model)
    assert (found.query, found.passage) == (query, passage)


@pytest.mark.parametrize("model", ["mxbai-embed-large", "snowflake-arctic-embed:33m", "bge-large"])
def test_some_served_models_want_a_prefix_for_questions_only(model: str) -> None:
    found = served_prefixes(model)
    assert found.query == "Represent this sentence for searching relevant passages: "
    assert found.passage == ""


@pytest.mark.parametrize("model", ["bge-m3", "all-minilm", "llama3.2", "granite-embedding:278m"])
def test_other_served_models_get_none(model: str) -> None:
    assert served_prefixes(model) == Prefixes()


def _model(folder: Path, weights: bytes = b"w" * 2_000_000) -> Path:
    (folder / "1_Pooling").mkdir(parents=True)
    parts = [("", "Transformer"), ("1_Pooling", "Pooling")]
    (folder / "modules.json").write_text(
        json.dumps([{"path": path, "type": f"st.models.{kind}"} for path, kind in parts])
    )
    (folder / "1_Pooling" / "config.json").write_text(
        '{"word_embedding_dimension": 384, "pooling_mode_mean_tokens": true}'
    )
    (folder / "config.json").write_text("{}")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def _cached(cache: Path, name: str, commit: str, *, head: bool = True) -> Path:
    repository = cache / f"models--{name.replace('/', '--')}"
    folder = _model(repository / "snapshots" / commit)
    if head:
        (repository / "refs").mkdir(exist_ok=True)
        (repository / "refs" / "main").write_text(commit)
    return folder


@pytest.mark.parametrize(
    ("variable", "below"),
    [
        ("HF_HUB_CACHE", ""),
        ("HUGGINGFACE_HUB_CACHE", ""),
        ("SENTENCE_TRANSFORMERS_HOME", ""),
        ("HF_HOME", "hub"),
        ("XDG_CACHE_HOME", "huggingface/hub"),
    ],
)
def test_a_model_is_found_wherever_the_hub_would_cache_it(
    tmp_path: Path, variable: str, below: str
) -> None:
    folder = _cached(tmp_path / below, "acme/model", "0123456789abcdef")
    found = find_snapshot("acme/model", {variable: str(tmp_path)})
    assert found is not None
    assert (found.folder, found.revision) == (folder, "0123456789ab")
    assert find_snapshot("acme/other", {variable: str(tmp_path)}) is None


def test_the_main_revision_wins_unless_it_is_incomplete(tmp_path: Path) -> None:
    environ = {"HF_HUB_CACHE": str(tmp_path)}
    main = _cached(tmp_path, "acme/model", "a" * 40)
    _cached(tmp_path, "acme/model", "b" * 40, head=False)
    found = find_snapshot("acme/model", environ)
    assert found is not None
    assert found.revision == "a" * 12
    (main / "model.safetensors").unlink()
    found = find_snapshot("acme/model", environ)
    assert found is not None
    assert found.revision == "b" * 12


@pytest.mark.parametrize("missing", ["model.safetensors", "tokenizer.json"])
def test_half_a_model_is_no_model(tmp_path: Path, missing: str) -> None:
    folder = _model(tmp_path / "m")
    assert find_snapshot(str(folder), {}) is not None
    (folder / missing).unlink()
    assert find_snapshot(str(folder), {}) is None


def test_a_home_folder_that_there_is_not_holds_no_model() -> None:
    nowhere = "~nobody-of-that-name/models"
    assert find_snapshot(nowhere, {"HF_HOME": nowhere, "HF_HUB_CACHE": nowhere}) is None


def test_weights_in_shards_must_all_be_there(tmp_path: Path) -> None:
    folder = _model(tmp_path / "m")
    (folder / "model.safetensors").rename(folder / "model-1.safetensors")
    (folder / "model.safetensors.index.json").write_text(
        '{"weight_map": {"x": "model-1.safetensors", "y": "model-2.safetensors"}}'
    )
    assert find_snapshot(str(folder), {}) is None
    (folder / "model-2.safetensors").write_bytes(b"w")
    assert find_snapshot(str(folder), {}) is not None


def test_the_fingerprint_follows_the_content_and_not_the_place(tmp_path: Path) -> None:
    first = fingerprint(_model(tmp_path / "a"))
    assert fingerprint(_model(tmp_path / "b")) == first
    (tmp_path / "b" / "README.md").write_text("notes")
    (tmp_path / "b" / ".cache").mkdir()
    (tmp_path / "b" / ".cache" / "x").write_text("y")
    assert fingerprint(tmp_path / "b") == first
    assert fingerprint(_model(tmp_path / "c", b"v" * 2_000_000)) != first
    assert fingerprint(_model(tmp_path / "d", b"w" * 2_000_001)) != first


def test_pooling_is_told_where_the_files_are_plain(tmp_path: Path) -> None:
    folder = _model(tmp_path / "m")
    found = find_snapshot(str(folder), {})
    assert found is not None
    assert found.pooling() == {"mean_tokens"}
    (folder / "modules.json").write_text('[{"path": "2_Dense", "type": "st.models.Dense"}]')
    assert found.pooling() == set()
    (folder / "modules.json").unlink()
    assert found.pooling() == {"mean_tokens"}
