"""What the product needs from the outside, as protocols. `assembly` picks the implementations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from tutor.events import Reasoning, Token, Waiting
    from tutor.types import Chunk, Message, Source, SourceId, Strategy, Usage, Vectors, WebResult


class Embedder(Protocol):
    """Turns texts into vectors of one space.

    `identity` names the model exactly (it goes into the manifest: vectors of different
    identities are never mixed), `device` says where it runs, `dim` is the vectors' length.
    Both methods add the prefixes that the model was trained with, accept any number of texts,
    return float32 of shape (n, dim) with L2-normalised rows in the order of the texts, and raise
    `EmbedderError`. An implementation may load its model at the first call.
    """

    @property
    def identity(self) -> str:
        """Model, precision and version; two embedders share it only if their vectors are equal."""
        ...

    @property
    def device(self) -> str:
        """Where it runs: `cpu`, `cuda`, `mps` or the address of a server."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages to be found."""
        ...


class ChatModel(Protocol):
    """A language model that answers in pieces."""

    @property
    def name(self) -> str:
        """The model's name on its server."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and answer may have together, the same in every request."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        """Yield the answer piece by piece; closing the generator stops the model.

        While there is nothing new, `Waiting` comes a few times a second, so that whoever listens
        can stop it. `max_tokens` is the longest answer (None: as configured), `schema` a JSON
        schema that the whole answer must obey. Returns the server's own figures.
        Raises `EngineError`, also in mid-answer; `ContextOverflowError` when the prompt is too
        long.
        """
        ...


class WebSearch(Protocol):
    """A search engine on the web; asking it sends the question away from this machine."""

    def search(self, query: str, language: str) -> list[WebResult]:
        """Results, best first, ranked from 1; `language` is `es` or `en`.

        Empty when nothing was found. Raises `WebSearchError`.
        """
        ...


class PassageStore(Protocol):
    """An index of a course, opened for asking."""

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        """The documents by their identity."""
        ...

    def search(
        self,
        strategy: Strategy,
        vector: Vectors,
        k: int,
        only: frozenset[SourceId] | None = None,
    ) -> list[tuple[Chunk, float]]:
        """The `k` chunks nearest to a vector of shape (dim,), with their cosine, best first.

        `only` names the documents that are searched; None searches all.
        """
        ...

    def page_at(self, source: SourceId, offset: int) -> int:
        """The page that holds the character at `offset` of a document's reading form."""
        ...
