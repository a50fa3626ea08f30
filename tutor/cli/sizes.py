"""Sizes as people say them."""

from __future__ import annotations

_STEP = 1000


def size(n: int) -> str:
    """A number of bytes in decimal units, as Ollama's own command shows them."""
    value = float(n)
    for unit in ("B", "kB", "MB", "GB"):
        if value < _STEP:
            return f"{value:.0f} {unit}" if unit != "GB" else f"{value:.1f} {unit}"
        value /= _STEP
    return f"{value:.1f} TB"
