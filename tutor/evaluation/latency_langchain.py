"""The baseline: langchain-chroma's plain similarity search, over the same vectors."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from langchain_core.embeddings import Embeddings

from tutor.errors import ConfigError
from tutor.i18n import _
from tutor.store.chroma import local_client

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from langchain_core.documents import Document

    from tutor.ports import Embedder
    from tutor.store import StoreReader
    from tutor.types import Strategy

_BATCH = 2000
"""Chunks per call: Chroma takes some 5,000 at once."""


class LangChainEmbeddings(Embeddings):
    """An embedder in LangChain's form. `known` are vectors of texts that need no embedding."""

    def __init__(self, embedder: Embedder, known: dict[str, list[float]] | None = None) -> None:
        self._embedder = embedder
        self._known = known or {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of passages."""
        missing = [text for text in texts if text not in self._known]
        rows = self._embedder.embed_passages(missing).tolist() if missing else []
        fresh = dict(zip(missing, rows, strict=True))
        return [self._known.get(text) or fresh[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Vector of a question."""
        row: list[float] = self._embedder.embed_queries([text])[0].tolist()
        return row


def fill_baseline(folder: Path, store: StoreReader, embedder: Embedder, strategy: Strategy) -> None:
    """Copy a strategy's texts and vectors into a collection of LangChain's own in `folder`.

    Raises `ConfigError` where langchain-chroma is not installed.
    """
    if find_spec("langchain_chroma") is None:
        raise ConfigError(
            _("The baseline needs langchain-chroma, which is not installed."),
            "pip install langchain-chroma",
        )
    table = store.chunks(strategy)
    known = {
        chunk.text: row for chunk, row in zip(table.chunks, table.vectors.tolist(), strict=True)
    }
    with local_client(folder) as client:
        collection = _collection(client, LangChainEmbeddings(embedder, known), strategy)
        for start in range(0, len(table.chunks), _BATCH):
            chunks = table.chunks[start : start + _BATCH]
            collection.add_texts(
                [chunk.text for chunk in chunks],
                [
                    {"source_id": chunk.source_id, "first_page": chunk.first_page}
                    for chunk in chunks
                ],
                [chunk.id for chunk in chunks],
            )


class Baseline:
    """The search over a collection that `fill_baseline` made."""

    def __init__(self, collection: Any, k: int) -> None:
        self._collection = collection
        self._k = k

    def __call__(self, question: str) -> dict[str, float]:
        """Ask; langchain-chroma tells no stages."""
        self.search(question)
        return {}

    def search(self, question: str) -> list[tuple[Document, float]]:
        """The nearest passages with their distances, nearest first."""
        found: list[tuple[Document, float]] = self._collection.similarity_search_with_score(
            question, k=self._k
        )
        return found


def open_baseline(
    folder: Path, embedder: Embedder, strategy: Strategy, k: int, resources: ExitStack
) -> Baseline:
    """Open a strategy's collection, for as long as `resources` are."""
    client = resources.enter_context(local_client(folder))
    return Baseline(_collection(client, LangChainEmbeddings(embedder), strategy), k)


def _collection(client: Any, embeddings: Embeddings, strategy: Strategy) -> Any:
    from langchain_chroma import Chroma  # noqa: PLC0415 - not everyone who asks has it

    return Chroma(
        f"langchain_{strategy.value}",
        embeddings,
        client=client,
        collection_configuration={"hnsw": {"space": "cosine"}},
    )
