"""A language model that says what it is told to, and stores of a few passages."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tests.passages import make_hit
from tutor.embedding.embedder import Embedder
from tutor.errors import EngineError, StoreError
from tutor.events import Reasoning, Token, Waiting
from tutor.index.store import StoreReader
from tutor.model import (
    Block,
    BlockKind,
    Chunk,
    CleanText,
    Hit,
    Message,
    Source,
    SourceId,
    Strategy,
    Usage,
    Vectors,
)

HITS = [
    make_hit("Una red neuronal es un modelo formado por capas de neuronas.", path="n.pdf"),
    make_hit(
        "La retropropagación calcula los gradientes con la regla de la cadena. "
        "Su costo es lineal en el número de pesos.",
        rank=2,
        start=150,
    ),
]


class ScriptedModel:
    """Gives its answers one after another, the last one again and again.

    An answer is a list of pieces; an `EngineError` among them is raised where it stands.
    """

    name = "scripted"

    def __init__(
        self,
        *answers: Iterable[str | EngineError],
        reason: str = "stop",
        context_tokens: int = 8192,
        parameters: int = 0,
        prompt_tokens: int = 0,
    ) -> None:
        self.context_tokens = context_tokens
        self.parameters = parameters
        self.prompts: list[Sequence[Message]] = []
        self.stopped = False
        self._answers = list(answers)
        self._usage = Usage(reason, prompt_tokens)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        self.prompts.append(messages)
        pieces = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        try:
            for piece in pieces:
                if isinstance(piece, EngineError):
                    raise piece
                yield Token(piece)
        except GeneratorExit:
            self.stopped = True
            raise
        return self._usage


class FixedStore(StoreReader):
    """Finds the same passages whatever is asked. A page holds a hundred characters."""

    words_only = False

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = hits
        self.store_folder = Path("default")

    @cached_property
    def sources(self) -> dict[SourceId, Source]:
        return {hit.source.id: hit.source for hit in self._hits}

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        assert vector.shape == (384,)
        wanted = [hit for hit in self._hits if only is None or hit.source.id in only]
        return [(hit.chunk, hit.score) for hit in wanted][:k]

    def page_at(self, source: SourceId, offset: int) -> int:
        return 1 + offset // 100

    def text(self, source: SourceId) -> CleanText:
        text = ""
        for chunk in (hit.chunk for hit in self._hits if hit.source.id == source):
            text = text.ljust(chunk.end)
            text = text[: chunk.start] + chunk.text + text[chunk.end :]
        blocks: list[Block] = []
        for chunk in sorted(
            (h.chunk for h in self._hits if h.source.id == source), key=lambda chunk: chunk.start
        ):
            start = chunk.start
            if blocks and start <= blocks[-1].end:
                start = blocks.pop().start
            blocks.append(Block(BlockKind.PARAGRAPH, start, chunk.end, start))
        return CleanText(source, text, tuple(range(0, len(text), 100)), tuple(blocks))


class NearestStore(FixedStore):
    """Finds the passages nearest to the question; remembers which strategies were asked."""

    def __init__(self, hits: Sequence[Hit], embedder: Embedder) -> None:
        super().__init__(hits)
        self._vectors = embedder.embed_passages([hit.chunk.text for hit in hits])
        self.asked: list[Strategy] = []

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        self.asked.append(strategy)
        cosines = self._vectors @ vector
        ranked = [(self._hits[row].chunk, float(cosines[row])) for row in np.argsort(-cosines)]
        return [found for found in ranked if only is None or found[0].source_id in only][:k]


class BrokenStore(FixedStore):
    """Cannot be searched."""

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        raise StoreError("The index is broken.", "tutor index --rebuild")
