"""What a generation holds besides texts and vectors: files computed from its own contents.

They are written before the commit, so a generation in force has all that its manifest names.
A generation made before a kind of file existed lacks it; the next update adds it, and embeds
nothing for it that it knows already.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from tutor.store.manifest import Manifest
    from tutor.store.writer import Contents


class Derivation(Protocol):
    """One kind of derived file, such as an index of words or a calibration."""

    @property
    def name(self) -> str:
        """Name of the file or folder within a generation, as `calibration_fixed.json`."""
        ...

    @property
    def version(self) -> str:
        """What it was made by; files of another version are made anew by the next update."""
        ...

    def write(self, path: Path, contents: Contents, former: Path | None) -> None:
        """Make the file or folder `path` from what the generation holds.

        `former` is the same of the generation before, if that had one of the same version.
        """
        ...


def versions(derivations: Iterable[Derivation]) -> dict[str, str]:
    """The versions by name, as a manifest keeps them."""
    return {one.name: one.version for one in derivations}


def derived_path(store: Path, manifest: Manifest, name: str) -> Path | None:
    """Where a generation's derived file or folder is; None if it has none."""
    path = store / manifest.folder / name
    return path if name in manifest.derived and path.exists() else None


def has_derived(store: Path, manifest: Manifest) -> bool:
    """Whether everything that the manifest names is there."""
    return all(derived_path(store, manifest, name) for name in manifest.derived)


def write_derived(
    store: Path,
    old: Manifest | None,
    folder: Path,
    contents: Contents,
    derivations: Iterable[Derivation],
) -> Mapping[str, str]:
    """Write everything derived from `contents` into a generation's folder; returns its versions."""
    written = {}
    for one in derivations:
        same = old is not None and old.derived.get(one.name) == one.version
        former = derived_path(store, old, one.name) if old and same else None
        one.write(folder / one.name, contents, former)
        _sync(folder / one.name)
        written[one.name] = one.version
    return written


def _sync(path: Path) -> None:
    files = [path] if path.is_file() else [inner for inner in path.rglob("*") if inner.is_file()]
    for file in files:
        with file.open("rb+") as opened:
            os.fsync(opened.fileno())
