"""Exported conversations as files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tutor.memory.texts import folded

if TYPE_CHECKING:
    from pathlib import Path

    from tutor.memory.saved import Session

_NO_NAME = re.compile(r"[^a-z0-9]+")
_LONGEST_NAME = 40


def export_path(folder: Path, session: Session) -> Path:
    """A file in `folder` that is not there yet, named after the conversation's title and id."""
    words = _NO_NAME.sub("-", folded(session.title)).strip("-")[:_LONGEST_NAME].rstrip("-")
    stem = f"{words}-{session.id}" if words else session.id
    path, number = folder / f"{stem}.md", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.md"
    return path


def write_document(path: Path, text: str, *, replace: bool = False) -> None:
    """Write a file whole or not at all; one that was there stays if that fails.

    Raises `OSError`, of which `FileExistsError` unless it may be replaced.
    """
    partial = path.with_name(f"{path.name}.partial")
    if path.exists() and not replace:
        raise FileExistsError
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
