"""What takes long to make and nobody changes: made once for all the processes of pytest-xdist."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

if TYPE_CHECKING:
    import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The file or folder of that name, which `make` writes for the first that wants it."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with FileLock(shared / f"{name}.lock"):
        if not (shared / name).exists():
            made = factory.mktemp("once") / name
            make(made)
            made.rename(shared / name)
    return shared / name
