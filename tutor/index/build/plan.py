"""What an update has to do: the notes as they are against the index as it is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import file_digest
from types import MappingProxyType
from typing import TYPE_CHECKING

from tutor.errors import reason_of
from tutor.i18n import _
from tutor.index.store import Indexed, Skipped
from tutor.index.store.manifest import DUPLICATE
from tutor.ingest.prepared import HashedFile
from tutor.model import SourceId, Strategy

if TYPE_CHECKING:
    from tutor.courses import NoteFile
    from tutor.index.store import Manifest, Recipe


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """The work of one run. Everything that is in none of these lists leaves the index."""

    to_read: tuple[HashedFile, ...]
    to_cut: tuple[Indexed, ...]
    """Documents whose text is known, but not cut by every wanted strategy."""
    strategies: tuple[Strategy, ...]
    kept: tuple[Indexed, ...]
    skipped: tuple[Skipped, ...]
    removed: tuple[SourceId, ...]
    outdated: bool
    """Whether the index was made by another recipe, or lacks files that it should have."""
    changed: bool
    """Whether the outcome differs from the index in force."""


def hash_files(files: Sequence[NoteFile]) -> tuple[list[HashedFile], list[Skipped]]:
    """Hash every file, several at once; those that cannot be opened, twice, are skipped."""
    with ThreadPoolExecutor() as threads:
        results = list(threads.map(hash_file, files))
    results = [
        result if isinstance(result, HashedFile) else hash_file(file)
        for file, result in zip(files, results, strict=True)
    ]
    return (
        [result for result in results if isinstance(result, HashedFile)],
        [result for result in results if isinstance(result, Skipped)],
    )


def make_plan(
    base: Manifest | None,
    files: Sequence[HashedFile],
    unreadable: Sequence[Skipped],
    recipe: Recipe,
    strategies: Sequence[Strategy],
    *,
    derived: Mapping[str, str] = MappingProxyType({}),
) -> IndexPlan:
    """Decide what to read, cut, keep and drop. Pure.

    `base` is the manifest to build upon: None where all is built anew.

    A document whose file or folder is there but out of reach keeps its place in the index.

    `derived` are the versions of the derived files there should be, by their names.
    """
    known = {entry.source.id: entry for entry in base.indexed} if base else {}
    refused = {(entry.path, entry.sha256): entry for entry in base.skipped} if base else {}
    tried_again = {path for (path, _sha256), entry in refused.items() if entry.is_passing}
    same_recipe = base is not None and (base.recipe.reading, base.recipe.cleaning) == (
        recipe.reading,
        recipe.cleaning,
    )
    to_read: list[HashedFile] = []
    to_cut: list[Indexed] = []
    kept: list[Indexed] = []
    skipped = list(unreadable)
    unique, duplicates = _split_duplicates(files, known.keys())
    wanted = set(strategies)
    for hashed in unique:
        entry = known.get(hashed.id)
        former = refused.get((hashed.file.relative, hashed.sha256))
        if not same_recipe or hashed.file.relative in tried_again:
            to_read.append(hashed)
        elif entry and entry.source.sha256 == hashed.sha256:
            (kept if wanted <= entry.chunks.keys() else to_cut).append(entry)
        elif former and not former.is_copy:
            skipped.append(former)
        else:
            to_read.append(hashed)
    skipped += duplicates
    out_of_reach = {file.path for file in unreadable}
    for entry in known.values():
        if not out_of_reach.isdisjoint(_with_parents(entry.source.path)):
            (kept if wanted <= entry.chunks.keys() else to_cut).append(entry)
    present = {hashed.id for hashed in unique} | {entry.source.id for entry in (*kept, *to_cut)}
    removed = tuple(source for source in known if source not in present)
    outdated = base is None or base.recipe != recipe or dict(base.derived) != dict(derived)
    changed = (
        bool(outdated or to_read or to_cut or removed)
        or base is None
        or set(skipped) != set(base.skipped)
    )
    return IndexPlan(
        tuple(to_read),
        tuple(to_cut),
        tuple(strategies),
        tuple(kept),
        tuple(skipped),
        removed,
        outdated,
        changed,
    )


def _with_parents(path: str) -> Iterator[str]:
    """A path within a course, and all folders above it."""
    while path:
        yield path
        path = path.rpartition("/")[0]


def _split_duplicates(
    files: Sequence[HashedFile], known: Iterable[SourceId]
) -> tuple[list[HashedFile], list[Skipped]]:
    """Of files with the same bytes one stays: that which is indexed already, else the first."""
    indexed = set(known)
    first: dict[str, HashedFile] = {}
    for hashed in sorted(files, key=lambda h: (h.id not in indexed, h.file.relative)):
        first.setdefault(hashed.sha256, hashed)
    duplicates = [
        Skipped(
            hashed.file.relative,
            hashed.sha256,
            DUPLICATE,
            _("It is the same file as %(path)s.") % {"path": first[hashed.sha256].file.relative},
        )
        for hashed in files
        if first[hashed.sha256] is not hashed
    ]
    return [hashed for hashed in files if first[hashed.sha256] is hashed], duplicates


def hash_file(file: NoteFile) -> HashedFile | Skipped:
    """Hash one file; one that cannot be opened, or has no end, is skipped."""
    try:
        with open(file.path, "rb", opener=_at_once) as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                reason, remedy = _("it is not a regular file"), _("Move it out of the notes.")
                return _unreadable(file, reason, remedy)
            digest = file_digest(stream, "sha256").hexdigest()
            return HashedFile(file, digest, stream.tell())
    except OSError as error:
        remedy = _("Check that the file is there and that you may read it.")
        return _unreadable(file, reason_of(error), remedy)


def _at_once(path: str, flags: int) -> int:
    """Open a file without waiting for the other end of what may be a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _unreadable(file: NoteFile, reason: str, remedy: str) -> Skipped:
    message = _("It cannot be opened: %(reason)s.") % {"reason": reason}
    return Skipped(file.relative, "", "unreadable", message, remedy)
