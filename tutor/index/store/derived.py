"""What a generation holds besides texts and vectors: files computed from its own contents.

They are written before the commit, so a generation in force has all that its manifest names.
A generation made before a kind of file existed lacks it; the next update adds it, and embeds
nothing for it that it knows already.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tutor.index.store.manifest import Manifest
    from tutor.index.store.tables import Contents


class Derivation(Protocol):
    """One kind of derived file, such as an index of words."""

    @property
    def name(self) -> str:
        """Name of the file or folder within a generation, as `lexical_fixed`."""
        ...

    @property
    def version(self) -> str:
        """What it was made by; files of another version are made anew by the next update."""
        ...

    def write(self, path: Path, contents: Contents) -> None:
        """Make the file or folder `path` from what the generation holds."""
        ...


def versions(derivations: Iterable[Derivation]) -> dict[str, str]:
    """The versions by name, as a manifest keeps them."""
    return {one.name: one.version for one in derivations}


def derived_path(store: Path, manifest: Manifest, name: str) -> Path | None:
    """Where a generation's derived file or folder is; None if it has none."""
    path = store / manifest.folder / name
    try:
        return path if name in manifest.derived and path.exists() else None
    except OSError:  # whoever reads it says why it cannot be read
        return path


def has_derived(store: Path, manifest: Manifest) -> bool:
    """Whether everything that the manifest names is there."""
    return all(derived_path(store, manifest, name) for name in manifest.derived)


def write_derived(
    folder: Path, contents: Contents, derivations: Iterable[Derivation]
) -> Mapping[str, str]:
    """Write everything derived from `contents` into a generation's folder; returns its versions."""
    written = {}
    for one in derivations:
        one.write(folder / one.name, contents)
        _sync(folder / one.name)
        written[one.name] = one.version
    return written


def _sync(path: Path) -> None:
    files = [path] if path.is_file() else [inner for inner in path.rglob("*") if inner.is_file()]
    for file in files:
        with file.open("rb+") as opened:
            os.fsync(opened.fileno())
