"""Checksums of a generation's files: what a failing disk or a cut copy changed is noticed.

They are made before the commit and stand in the manifest. Reading checks the files that are small
enough for it to cost nothing that is felt; `tutor doctor` and whoever writes check all. The CSV
twins are left out, which nothing here reads, and Chroma's own files, which change while in use.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from zlib import crc32

from tutor.courses import unreadable_index
from tutor.errors import StoreError
from tutor.i18n import _
from tutor.index.store.manifest import (
    FILE_NAME,
    FileSum,
    Manifest,
    is_replaced,
    rebuild_command,
    repair_command,
)

CHEAP_BYTES = 8 * 2**20
"""The largest file that is checked whenever it is read: it takes 5 ms."""
_BLOCK = 2**20


def file_sums(folder: Path) -> dict[str, FileSum]:
    """Size and CRC-32 of every file of a generation, by its name within the folder."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".csv")
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_size, _crc(path)) for path in paths
    }


def damaged_files(
    store: Path,
    manifest: Manifest,
    names: str = "",
    *,
    largest: int | None = None,
    held: Mapping[str, int] | None = None,
) -> Iterator[str]:
    """The files whose name begins so and that are missing or not what was written.

    Of files of more than `largest` bytes the size alone is compared. `held` gives descriptors of
    files that may no longer be in their folder.
    """
    folder = store / manifest.folder
    for name, (size, crc) in manifest.files.items():
        if name.startswith(names):
            path = held[name] if held and name in held else folder / name
            try:
                sound = os.stat(path).st_size == size  # noqa: PTH116 - or a descriptor
                if sound and (largest is None or size <= largest):
                    sound = _crc(path) == crc
            except OSError:
                sound = False
            if not sound:
                yield name


def damage(store: Path, manifest: Manifest, name: str) -> StoreError:
    """What to say of a damaged file or folder; texts and vectors have nothing to be made from."""
    if is_replaced(store, manifest):
        return StoreError(
            _("Another run has just replaced the index."), _("Nothing is damaged: ask again.")
        )
    path = store / manifest.folder / name
    try:
        if not (store / FILE_NAME).exists():
            return StoreError(
                _("The index in %(path)s was taken away while it was in use.") % {"path": store},
                _("Bring the folder back, or connect its disk: nothing in it is damaged."),
            )
        os.stat(path)  # noqa: PTH116 - as `open`, it says what is the matter
        if path.is_file():
            path.open("rb").close()
    except PermissionError as error:
        return unreadable_index(path, error.strerror)
    except OSError:
        pass
    made_again = name.partition("/")[0] in manifest.derived
    remedy = _("Make it anew: %(command)s") if made_again else _("Rebuild the index: %(command)s")
    command = repair_command(store) if made_again else rebuild_command(store)
    return StoreError(
        _("The index file %(path)s is missing or damaged.") % {"path": path},
        remedy % {"command": command},
    )


def _crc(path: Path | int) -> int:
    crc = 0
    for block in _blocks(path):
        crc = crc32(block, crc)
    return crc


def _blocks(path: Path | int) -> Iterator[bytes]:
    if isinstance(path, Path):
        with path.open("rb") as file:
            yield from iter(lambda: file.read(_BLOCK), b"")
        return
    at = 0  # others read the same descriptor: its place is not moved
    while block := os.pread(path, _BLOCK, at):
        yield block
        at += len(block)
