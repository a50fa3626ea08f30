"""Models of sentence-transformers, on CUDA, MPS or the CPU (they need the torch extra)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

from tutor.embedding.checkpoint import DirectoryEmbedder
from tutor.embedding.embedder import Prefixes, PrefixingEmbedder
from tutor.embedding.snapshots import Snapshot, find_snapshot
from tutor.errors import EmbedderError
from tutor.i18n import _

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tutor.model import Vectors

DEFAULT_MODEL = "intfloat/multilingual-e5-base"
_BATCHES = {"cuda": 64, "mps": 32, "cpu": 16}
"""How many texts go through a model at once. On a GPU 512 are no faster, in 2.7 GB instead of 0.6
(multilingual-e5-small, H200, without cuDNN's attention)."""
_FEW = 64
"""So many texts ONNX Runtime embeds before torch is loaded, which takes 15 s with a GPU."""
_NO_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def torch_extra_installed() -> bool:
    """Whether sentence-transformers and torch are there; neither is imported to find out."""
    return find_spec("sentence_transformers") is not None and find_spec("torch") is not None


class SentenceTransformerEmbedder(PrefixingEmbedder):
    """A sentence-transformers model from a folder, the hub's cache or, if allowed, the hub.

    A model gets the prompts of its own configuration, an E5 else its prefixes. A text longer than
    the model's window is cut there, as the model's authors do. On CUDA it computes in
    half precision, which moves a cosine by less than 0.001; `identity` therefore names the
    weights and not the device, and an index made on a GPU may be asked on a CPU. So questions are,
    unless a device is forced: until an index needs torch, ONNX Runtime embeds what are few texts,
    where it can be given the model. Threads may share it: their batches take turns.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        device: Literal["auto", "cpu", "cuda", "mps"] = "auto",
        *,
        allow_download: bool = False,
        batch_size: int | None = None,
    ) -> None:
        """`model`: a folder or a hub id. Raises `EmbedderError` for what can never work.

        With `allow_download`, a model that is not on disk is fetched when it is first needed,
        if only to know its identity.
        """
        self._model = model
        self._asked_device = device
        self._batch_size = batch_size
        self._loaded: Any = None
        self._loading = threading.Lock()
        self._encoding = threading.Lock()
        if not torch_extra_installed():
            raise EmbedderError(
                _("The embedding model %(model)s needs torch and sentence-transformers.")
                % {"model": model},
                _("Install the torch extra: pip install 'tutor[torch]'"),
            )
        self._snapshot = find_snapshot(model, os.environ)
        if self._snapshot is None and not allow_download:
            raise EmbedderError(
                _("The embedding model %(model)s is not on this disk, or not complete.")
                % {"model": model},
                _(
                    "Allow its download once (embedder.allow_download = true in tutor.toml, or "
                    "TUTOR_EMBEDDER_ALLOW_DOWNLOAD=1), or set embedder.model to its folder."
                ),
            )

    @property
    def identity(self) -> str:
        """The model's name, and the revision or a fingerprint of its files."""
        snapshot = self._on_disk()
        return f"st/{snapshot.name}@{snapshot.revision}"

    @property
    def device(self) -> str:
        """`cuda`, `mps` or `cpu`; asking imports torch unless the device is forced."""
        return _device(self._asked_device) if self._asked_device == "auto" else self._asked_device

    @cached_property
    def dim(self) -> int:
        """Length of a vector; most models say it in their files, the others are loaded."""
        with _explained(self._model):
            snapshot = self._on_disk()
            if len(snapshot.pooling()) == 1:
                return snapshot.dim()
        self.load()
        with _explained(self._model):
            return int(self._loaded.encode(["a"], show_progress_bar=False).shape[1])

    def load(self) -> None:
        """Load the model now; any thread may do it, and the first use does."""
        with self._loading, _explained(self._model):
            if self._loaded is not None:
                return
            device = _device(self._asked_device)
            library = _library(offline=self._snapshot is not None)
            model = library.SentenceTransformer(
                self._model if self._snapshot is None else str(self._snapshot.folder),
                device=device,
                local_files_only=self._snapshot is not None,
            )
            self._snapshot = self._snapshot or find_snapshot(self._model, os.environ)
            self._batch_size = self._batch_size or _BATCHES[device]
            self._loaded = _for_cuda(model) if device == "cuda" else model

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim). Raises `EmbedderError`."""
        light = self._light_for(texts)
        return light.embed_queries(texts) if light else super().embed_queries(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (n, dim). Raises `EmbedderError`."""
        light = self._light_for(texts)
        return light.embed_passages(texts) if light else super().embed_passages(texts)

    def _light_for(self, texts: Sequence[str]) -> DirectoryEmbedder | None:
        """What embeds these in torch's stead: they are few, and torch is not loaded."""
        free = self._asked_device == "auto" and self._loaded is None and self._snapshot is not None
        return self._light if free and 0 < len(texts) <= _FEW else None

    @cached_property
    def _light(self) -> DirectoryEmbedder | None:
        """The same model on ONNX Runtime, loaded; `None` where it is of another kind."""
        try:
            embedder = DirectoryEmbedder(self._model, cut=True)
            embedder.load()
        except EmbedderError:
            return None
        return embedder

    @cached_property
    def _prefixes(self) -> Prefixes:  # known once the model is on disk
        with _explained(self._model):
            return self._on_disk().prefixes()

    def _rows(self, texts: Sequence[str]) -> NDArray[Any]:
        self.load()
        # The tokenizer cannot be shared ("Already borrowed"): threads take turns. The prefixes
        # stand in the texts; an empty prompt keeps the library from adding one of its own.
        with self._encoding, _explained(self._model):
            rows: NDArray[Any] = self._loaded.encode(
                list(texts), prompt="", batch_size=self._batch_size, show_progress_bar=False
            )
            return rows

    def _on_disk(self) -> Snapshot:
        if self._snapshot is None:
            self.load()
        if self._snapshot is None:
            raise EmbedderError(
                _("The embedding model %(model)s was fetched but cannot be found on disk.")
                % {"model": self._model},
                _("Set embedder.model to the folder that holds it."),
            )
        return self._snapshot


def _library(*, offline: bool) -> Any:
    """sentence-transformers, as quiet as it can be."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    import sentence_transformers  # noqa: PLC0415 - takes seconds

    logging = import_module("transformers.utils.logging")  # untyped
    logging.set_verbosity_error()
    if offline:  # a download of minutes keeps its progress bar, a loading of a second needs none
        logging.disable_progress_bar()
    return sentence_transformers


def _for_cuda(model: Any) -> Any:
    """The model in half precision.

    cuDNN's attention plans anew for every shape, and batches of texts have many of them: a text of
    a new length took 55 ms on an H100, one of a known length 11 (torch 2.11).
    """
    import torch  # noqa: PLC0415 - takes seconds

    torch.backends.cuda.enable_cudnn_sdp(False)
    return model.half()


def _device(asked: str) -> str:
    with _explained("torch"):
        import torch  # noqa: PLC0415 - takes seconds

        there = {
            "cuda": torch.cuda.is_available(),
            "mps": torch.backends.mps.is_available(),
            "cpu": True,
        }
    if asked == "auto":
        return next(name for name, present in there.items() if present)
    if not there[asked]:
        raise EmbedderError(
            _("The embedding device %(device)s was asked for, but torch finds none here.")
            % {"device": asked},
            _('Set embedder.device = "auto", or install the graphics driver and a torch for it.'),
        )
    return asked


@contextmanager
def _explained(model: str) -> Iterator[None]:
    """Turn what goes wrong inside torch and the hub's library into an `EmbedderError`."""
    import httpx  # noqa: PLC0415 - 0.3 s; comes with the hub's library, as safetensors does
    from safetensors import SafetensorError  # noqa: PLC0415

    broken = (OSError, ValueError, KeyError, TypeError, httpx.HTTPError, SafetensorError)
    try:
        yield
    except ImportError as error:
        raise EmbedderError(
            _("torch or sentence-transformers cannot be imported: %(reason)s.") % {"reason": error},
            _("Install the torch extra again: pip install --force-reinstall 'tutor[torch]'"),
        ) from error
    except (*broken, MemoryError, RuntimeError) as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        # torch has several ways to be out of memory, most of them a `RuntimeError`.
        if isinstance(error, MemoryError) or any(words in reason.lower() for words in _NO_MEMORY):
            raise EmbedderError(
                _("The embedding model %(model)s does not fit into memory.") % {"model": model},
                _('Close other programs, set embedder.device = "cpu", or choose a smaller model.'),
            ) from error
        raise EmbedderError(
            _("The embedding model %(model)s does not work: %(reason)s")
            % {"model": model, "reason": reason},
            _(
                "Check embedder.model and the network if it has yet to be fetched; a broken "
                "download is mended by deleting the model's folder and fetching it again."
            ),
        ) from error
