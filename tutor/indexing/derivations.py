"""What an index holds besides texts and vectors: what retrieval asks, one folder each."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tutor.chunking import detect_language, split_sentences
from tutor.coverage import (
    COVERAGE_VERSION,
    TextReader,
    calibrate,
    calibration_name,
    read_calibration,
    refreshed,
)
from tutor.lexical import (
    LEXICAL_VERSION,
    LexicalIndex,
    lexical_name,
    passage_terms,
    question_terms,
)
from tutor.store.dense import DENSE_VERSION, dense_name, write_dense
from tutor.store.sentences import SENTENCES, read_sentences
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tutor.coverage.calibrating import BestSentences
    from tutor.ports import Embedder
    from tutor.store import Derivation
    from tutor.store.writer import Contents

READER = TextReader(split_sentences, detect_language, passage_terms, question_terms)


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


@dataclass(frozen=True, slots=True)
class CoverageFiles:
    """What tells whether a strategy's chunks cover a question, on the index's own scale.

    A course that has changed little keeps its scales, so that one new file embeds no questions.
    """

    strategy: Strategy
    embedder: Embedder
    version: str = COVERAGE_VERSION

    @property
    def name(self) -> str:
        """Name of the file."""
        return calibration_name(self.strategy)

    def write(self, path: Path, contents: Contents, former: Path | None) -> None:
        """Calibrate, with the sentences of the same generation where it has them."""
        table = contents.tables[self.strategy]
        calibration = None
        if former:
            with suppress(ValueError):  # a damaged one is made anew
                calibration = refreshed(
                    read_calibration(former), table.chunks, table.vectors, READER
                )
        if calibration is None:
            calibration = calibrate(
                table.chunks, table.vectors, self.embedder, READER, self._best_sentences(path)
            )
        path.write_text(json.dumps(calibration.to_json(), ensure_ascii=False), encoding="utf-8")

    def _best_sentences(self, path: Path) -> BestSentences | None:
        folder = path.parent / SENTENCES
        return partial(read_sentences(folder).best, self.strategy) if folder.is_dir() else None


def retrieval_derivations() -> Sequence[Derivation]:
    """What retrieval asks besides the sentences, which have to be embedded first."""
    return tuple(kind(strategy) for strategy in Strategy for kind in (DenseFiles, LexicalFiles))


def default_derivations(embedder: Embedder) -> Sequence[Derivation]:
    """Everything derived from texts and vectors; the sentences come before these."""
    return (
        *retrieval_derivations(),
        *(CoverageFiles(strategy, embedder) for strategy in Strategy),
    )
