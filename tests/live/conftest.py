"""Tests against a real Ollama server: at OLLAMA_HOST, with the model TUTOR_LIVE_MODEL."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tutor.config import OllamaConfig, load_config
from tutor.llm import OllamaChat

DEFAULT_MODEL = "llama3.2"
NUM_CTX = 2048


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let these tests, and no others, reach the server."""
    here = Path(__file__).parent
    host = urlsplit(_settings(Path.cwd()).host).hostname or "127.0.0.1"
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.allow_hosts([host, "127.0.0.1"]))


def _settings(root: Path) -> OllamaConfig:
    named = os.environ.get("OLLAMA_HOST")
    ollama = load_config(root, {"OLLAMA_HOST": named} if named else {}).ollama
    model = os.environ.get("TUTOR_LIVE_MODEL", DEFAULT_MODEL)
    return ollama.model_copy(update={"model": model, "num_ctx": NUM_CTX, "num_predict": 64})


@pytest.fixture
def ollama(tmp_path: Path) -> OllamaConfig:
    """The settings of a server that answers and has the model; skips where there is none."""
    settings = _settings(tmp_path)
    if why_not := OllamaChat(settings).why_not():
        pytest.skip(f"LIVE TEST NOT RUN: {why_not}")
    return settings
