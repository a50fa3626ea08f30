"""What an update has to do: the notes as they are against the index as it is."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import file_digest
from types import MappingProxyType
from typing import TYPE_CHECKING

from tutor.i18n import _
from tutor.store import Indexed, Skipped
from tutor.types import Strategy, source_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tutor.courses import NoteFile
    from tutor.store import Manifest, Recipe
    from tutor.types import SourceId

DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class HashedFile:
    """A PDF and the SHA-256 of its bytes; `size` in bytes."""

    file: NoteFile
    sha256: str
    size: int

    @property
    def id(self) -> SourceId:
        """The document's identity."""
        return source_id(self.file.relative)


@dataclass(frozen=True, slots=True)
class Plan:
    """The work of one run. Everything that is in none of these lists leaves the index."""

    to_read: tuple[HashedFile, ...]
    to_cut: tuple[Indexed, ...]
    """Documents whose text is known, but not cut by every wanted strategy."""
    strategies: tuple[Strategy, ...]
    kept: tuple[Indexed, ...]
    skipped: tuple[Skipped, ...]
    removed: tuple[SourceId, ...]
    changed: bool
    """Whether the outcome differs from the index in force."""


def hash_files(files: Sequence[NoteFile]) -> tuple[list[HashedFile], list[Skipped]]:
    """Hash every file, several at once; those that cannot be opened are skipped."""
    with ThreadPoolExecutor() as threads:
        results = list(threads.map(hash_file, files))
    return (
        [result for result in results if isinstance(result, HashedFile)],
        [result for result in results if isinstance(result, Skipped)],
    )


def make_plan(
    old: Manifest | None,
    files: Sequence[HashedFile],
    unreadable: Sequence[Skipped],
    recipe: Recipe,
    strategies: Sequence[Strategy],
    *,
    derived: Mapping[str, str] = MappingProxyType({}),
) -> Plan:
    """Decide what to read, cut, keep and drop. Pure.

    `derived` are the versions of the derived files there should be, by their names.
    """
    known = {entry.source.path: entry for entry in old.indexed} if old else {}
    refused = {(entry.path, entry.sha256): entry for entry in old.skipped} if old else {}
    same_recipe = old is not None and (old.recipe.reading, old.recipe.cleaning) == (
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
        entry = known.get(hashed.file.relative)
        former = refused.get((hashed.file.relative, hashed.sha256))
        if entry and entry.source.sha256 == hashed.sha256 and same_recipe:
            (kept if wanted <= entry.chunks.keys() else to_cut).append(entry)
        elif former and former.reason != DUPLICATE and same_recipe:
            skipped.append(former)
        else:
            to_read.append(hashed)
    skipped += duplicates
    present = {hashed.file.relative for hashed in unique}
    removed = tuple(entry.source.id for path, entry in known.items() if path not in present)
    changed = (
        bool(to_read or to_cut or removed)
        or old is None
        or set(skipped) != set(old.skipped)
        or dict(old.derived) != dict(derived)
    )
    return Plan(
        tuple(to_read),
        tuple(to_cut),
        tuple(strategies),
        tuple(kept),
        tuple(skipped),
        removed,
        changed,
    )


def _split_duplicates(
    files: Sequence[HashedFile], known: Iterable[str]
) -> tuple[list[HashedFile], list[Skipped]]:
    """Of files with the same bytes one stays: that which is indexed already, else the first."""
    indexed = set(known)
    first: dict[str, HashedFile] = {}
    for hashed in sorted(files, key=lambda h: (h.file.relative not in indexed, h.file.relative)):
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
    """Hash one file; one that cannot be opened is skipped."""
    try:
        with file.path.open("rb") as stream:
            digest = file_digest(stream, "sha256").hexdigest()
            return HashedFile(file, digest, stream.tell())
    except OSError as error:
        return Skipped(
            file.relative,
            "",
            "unreadable",
            _("It cannot be opened: %(reason)s.") % {"reason": error.strerror or error},
            _("Check that the file is there and that you may read it."),
        )
