"""Any sentence-transformers model, on CUDA, MPS or the CPU (needs the torch extra)."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tutor.embedding.embedder import embeddable, unit_rows
from tutor.embedding.prefixes import NONE, e5_prefixes
from tutor.embedding.snapshots import Snapshot, dim_on_disk, find_snapshot, name_of, original_name
from tutor.errors import EmbedderError
from tutor.i18n import _
from tutor.model import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEFAULT_MODEL = "intfloat/multilingual-e5-base"
_DEFAULT_BATCHES = {"cuda": 64, "mps": 32, "cpu": 16}
_OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def torch_extra_installed() -> bool:
    """Whether sentence-transformers and torch are there; neither is imported to find out."""
    return find_spec("sentence_transformers") is not None and find_spec("torch") is not None


class SentenceTransformerEmbedder:
    """A sentence-transformers model from a folder, the hub's cache or, if allowed, the hub.

    E5 models get their prefixes, others the prompts of their own configuration, or none. A text
    longer than the model's window is cut there, as the model's authors do. On CUDA it computes in
    half precision, which moves a cosine by less than 0.001; `identity` therefore names the
    weights and not the device, and an index made on a GPU may be asked on a CPU. Threads may share
    it: their batches take turns.
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
        self._name = model
        self._asked_device = device
        self._batch_size = batch_size
        self._model: Any = None
        self._dim: int | None = None
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
        return f"st/{name_of(self._name, snapshot)}@{snapshot.revision}"

    @property
    def device(self) -> str:
        """`cuda`, `mps` or `cpu`; asking imports torch unless the device is forced."""
        return _device(self._asked_device) if self._asked_device == "auto" else self._asked_device

    @property
    def dim(self) -> int:
        """Length of a vector; most models say it in their files, the others are loaded."""
        if self._dim is None:
            self._dim = dim_on_disk(self._on_disk().folder)
        if self._dim is None:
            self.load()
        assert self._dim is not None  # noqa: S101 - loading sets it
        return self._dim

    def load(self) -> None:
        """Load the model now; any thread may do it, and the first use does."""
        with self._loading:
            if self._model is not None:
                return
            with _told_apart(self._name):
                device = _device(self._asked_device)
                model = self._loaded(device)
                # A first text shows what a device that only seems to work would do later.
                self._dim = int(model.encode(["a"], show_progress_bar=False).shape[1])
            self._batch_size = self._batch_size or _DEFAULT_BATCHES[device]
            self._model = model

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim)."""
        return self._embed(texts, is_query=True)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (n, dim)."""
        return self._embed(texts, is_query=False)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        if not len(texts):
            return np.empty((0, self.dim), dtype=np.float32)
        self.load()
        given = [embeddable(text) for text in texts]
        with _told_apart(self._name):
            return unit_rows(self._encoded(given, is_query=is_query), self._name)

    def _encoded(self, texts: list[str], *, is_query: bool) -> NDArray[Any]:
        """The library's vectors of at least one text.

        It takes the longest texts first, so that memory runs out at once or never; then batches
        are half as large, and stay so.
        """
        assert self._batch_size is not None  # noqa: S101 - loading sets it
        encode = self._model.encode_query if is_query else self._model.encode_document
        prompt = self._prompt(is_query=is_query)
        while True:
            size = min(self._batch_size, len(texts))
            try:
                # The tokenizer cannot be shared ("Already borrowed"): threads take turns.
                with self._encoding, _memory_told_apart():
                    rows: NDArray[Any] = encode(
                        texts, prompt=prompt, batch_size=size, show_progress_bar=False
                    )
                    return rows
            except MemoryError:
                if size == 1:
                    raise
                self._batch_size = size // 2

    def _prompt(self, *, is_query: bool) -> str | None:
        """E5's prefix where the model is an E5 without prompts; `None` leaves it to the model."""
        names = ("query",) if is_query else ("document", "passage", "corpus")
        if any(self._model.prompts.get(name) for name in names):
            return None
        folder = self._on_disk().folder
        original = original_name(self._name, folder)
        prefixes = e5_prefixes(self._name, folder.resolve().name, original)
        if prefixes == NONE:
            return None
        return prefixes.query if is_query else prefixes.passage

    def _on_disk(self) -> Snapshot:
        if self._snapshot is None:
            self.load()
        if self._snapshot is None:
            raise EmbedderError(
                _("The embedding model %(model)s was fetched but cannot be found on disk.")
                % {"model": self._name},
                _("Set embedder.model to the folder that holds it."),
            )
        return self._snapshot

    def _loaded(self, device: str) -> Any:
        sentence_transformers = _import_sentence_transformers(offline=self._snapshot is not None)
        source = self._name if self._snapshot is None else str(self._snapshot.folder)
        try:
            model = sentence_transformers.SentenceTransformer(
                source, device=device, local_files_only=self._snapshot is not None
            )
        except import_module("safetensors").SafetensorError as error:  # not even a ValueError
            raise ValueError(str(error)) from error
        if self._snapshot is None:
            self._snapshot = find_snapshot(self._name, os.environ)
        return model.half() if device == "cuda" else model


def _import_sentence_transformers(*, offline: bool) -> Any:
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if offline:
        os.environ["HF_HUB_OFFLINE"] = "1"
    import sentence_transformers  # noqa: PLC0415 - takes seconds

    logging = import_module("transformers.utils.logging")  # untyped
    logging.set_verbosity_error()
    if offline:  # a download of minutes keeps its progress bar, a loading of a second needs none
        logging.disable_progress_bar()
    return sentence_transformers


def _device(asked: str) -> str:
    with _told_apart("torch"):
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
def _memory_told_apart() -> Iterator[None]:
    """Turn torch's ways of being out of memory into `MemoryError`."""
    try:
        yield
    except RuntimeError as error:
        if not any(words in str(error).lower() for words in _OUT_OF_MEMORY):
            raise
        import torch  # noqa: PLC0415 - loaded by now

        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        raise MemoryError(str(error)) from error


@contextmanager
def _told_apart(model: str) -> Iterator[None]:
    """Turn what goes wrong inside torch and the hub's library into an `EmbedderError`."""
    import httpx  # noqa: PLC0415 - 0.09 s; comes with the hub's library

    try:
        with _memory_told_apart():
            yield
    except ImportError as error:
        raise EmbedderError(
            _("torch or sentence-transformers cannot be imported: %(reason)s.") % {"reason": error},
            _("Install the torch extra again: pip install --force-reinstall 'tutor[torch]'"),
        ) from error
    except MemoryError as error:
        raise EmbedderError(
            _("The embedding model %(model)s does not fit into memory.") % {"model": model},
            _('Close other programs, set embedder.device = "cpu", or choose a smaller model.'),
        ) from error
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, httpx.HTTPError) as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise EmbedderError(
            _("The embedding model %(model)s does not work: %(reason)s")
            % {"model": model, "reason": reason},
            _(
                "Check embedder.model and the network if it has yet to be fetched; a broken "
                "download is mended by deleting the model's folder and fetching it again."
            ),
        ) from error
