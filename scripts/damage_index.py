"""Change single bits of an index, and count how many of the changes are noticed.

    python -m scripts.damage_index [--flips 3000]

Works on a copy of the index of the course in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR),
which has to be of this version. Of the files that are read, one bit at a time is changed; then it
is looked whether whoever reads the file refuses it, and whether `tutor doctor` would name it.
Chroma's own files and the CSV twins are left out: vectors and texts are never read from them.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from scripts._course import in_force
from tutor.app import find_course
from tutor.config import ChromaConfig
from tutor.errors import StoreError
from tutor.index.lexical import LexicalIndex, lexical_name
from tutor.index.store import StoreReader, read_manifest
from tutor.index.store.manifest import FILE_NAME, Manifest
from tutor.index.store.upkeep import damaged_files
from tutor.model import Strategy


def _readings(reader: StoreReader) -> dict[str, Callable[[], object]]:
    """How each file, or the folder that begins its name, is read."""
    source = next(iter(reader.sources))
    readings: dict[str, Callable[[], object]] = {
        "texts.parquet": lambda: reader.text(source),
        "blocks.parquet": lambda: reader.text(source),
        "sentences": lambda: reader.sentences,
    }
    for strategy in Strategy:
        readings[f"vectors_{strategy.value}.parquet"] = partial(reader.dense, strategy)
        name = lexical_name(strategy)
        readings[name] = partial(reader.derived, name, LexicalIndex.load)
    return readings


def _refused(store: Path, manifest: Manifest, name: str) -> bool:
    with StoreReader(store, manifest, ChromaConfig()) as reader:
        try:
            _readings(reader)[name.partition("/")[0]]()
        except StoreError:
            return True
    return False


def _noticed(store: Path, sound: Manifest, name: str) -> tuple[bool, bool]:
    """Whether a reader refuses what was changed, and whether `doctor` names it."""
    if name == FILE_NAME:
        try:
            return (read_manifest(store) is None,) * 2
        except StoreError:
            return True, True
    return _refused(store, sound, name), name in damaged_files(store, sound)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flips", type=int, default=3000, metavar="N")
    flips = parser.parse_args().flips
    config = in_force()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "course"
        shutil.copytree(find_course(config).store, store)
        manifest = read_manifest(store)
        if manifest is None or not manifest.files:
            sys.exit("The index is missing, or of an earlier version: `tutor index --repair`.")
        paths = {name: store / manifest.folder / name for name in manifest.files}
        paths[FILE_NAME] = store / FILE_NAME
        random, unnoticed = Random(0), Counter[str]()
        for _flip in range(flips):
            name = random.choice(list(paths))
            content = paths[name].read_bytes()
            changed = bytearray(content)
            changed[random.randrange(len(content))] ^= 1 << random.randrange(8)
            paths[name].write_bytes(changed)
            by_reader, by_doctor = _noticed(store, manifest, name)
            unnoticed["readers"] += not by_reader
            unnoticed["doctor"] += not by_doctor
            paths[name].write_bytes(content)
    print(f"{flips} changed bits in {len(paths)} files of {store.name}.")
    for who in ("readers", "doctor"):
        print(f"not noticed by {who}: {unnoticed[who]}")


if __name__ == "__main__":
    main()
