"""What an index holds besides texts and vectors: what retrieval asks, one folder each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.chunking import detect_language
from tutor.lexical import LEXICAL_VERSION, LexicalIndex
from tutor.store.dense import DENSE_VERSION, dense_name, write_dense
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tutor.store import Derivation
    from tutor.store.writer import Contents


@dataclass(frozen=True, slots=True)
class DenseFiles:
    """The vectors of a strategy's chunks as mapped files."""

    strategy: Strategy
    version: str = DENSE_VERSION

    @property
    def name(self) -> str:
        """Name of the folder."""
        return dense_name(self.strategy)

    def write(self, path: Path, contents: Contents, former: Path | None) -> None:  # noqa: ARG002
        """Write all vectors."""
        table = contents.tables[self.strategy]
        write_dense(path, table.chunks, table.vectors)


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

    def write(self, path: Path, contents: Contents, former: Path | None) -> None:  # noqa: ARG002
        """Index the words of all chunks."""
        texts = [chunk.text for chunk in contents.tables[self.strategy].chunks]
        LexicalIndex.build(texts, detect_language).save(path)


def lexical_name(strategy: Strategy) -> str:
    """Name of the folder, within a generation, of a strategy's index of words."""
    return f"lexical_{strategy.value}"


def default_derivations() -> Sequence[Derivation]:
    """Everything that retrieval asks besides the sentences, which have to be embedded first."""
    return tuple(kind(strategy) for strategy in Strategy for kind in (DenseFiles, LexicalFiles))
