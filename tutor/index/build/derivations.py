"""What an index holds besides texts and vectors: what retrieval asks, one folder each."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tutor.index.lexical import LEXICAL_VERSION, LexicalIndex, lexical_name
from tutor.model import Strategy

if TYPE_CHECKING:
    from tutor.index.store import Derivation
    from tutor.index.store.tables import Contents


@dataclass(frozen=True, slots=True)
class LexicalFiles:
    """The index of the words of a strategy's chunks.

    The rarity of every word depends on all chunks, so it is built anew for every generation.
    """

    strategy: Strategy
    version: str = LEXICAL_VERSION

    @property
    def name(self) -> str:
        """Name of the folder."""
        return lexical_name(self.strategy)

    def write(self, path: Path, contents: Contents) -> None:
        """Index the words of all chunks."""
        texts = [chunk.text for chunk in contents.tables[self.strategy].chunks]
        LexicalIndex.build(texts).save(path)


@dataclass(frozen=True, slots=True)
class CopiedDerivation:
    """What `made` has written before in another generation, of the same chunks: a copy."""

    made: Derivation
    former: Path

    @property
    def name(self) -> str:
        """As before."""
        return self.made.name

    @property
    def version(self) -> str:
        """As before."""
        return self.made.version

    def write(self, path: Path, contents: Contents) -> None:  # noqa: ARG002 - as `Derivation`
        """Copy the file or folder."""
        copy = shutil.copytree if self.former.is_dir() else shutil.copyfile
        copy(self.former, path)


def retrieval_derivations() -> Sequence[Derivation]:
    """What retrieval asks besides the sentences, which have to be embedded first."""
    return tuple(LexicalFiles(strategy) for strategy in Strategy)
