"""Files that are written whole or not at all."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step, a text in UTF-8; what was there stays if that fails.

    A link's target is written, and nothing half-written is left. Raises `OSError`.
    """
    path = path.resolve()
    partial = path.with_name(f"{path.name}.partial")
    try:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        raise
