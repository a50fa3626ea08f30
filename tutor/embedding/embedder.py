"""What every embedder offers and what ours share: bounded texts, prefixes, unit vectors."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tutor.errors import EmbedderError
from tutor.i18n import _
from tutor.model import Vectors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

MAX_TEXT_CHARS = 20_000
"""Characters of a text that count; the rest is ignored.

A chunk has 800. Without a bound, a megabyte pasted as a question would keep the bundled model
busy for minutes.
"""
_REPLACEMENTS: dict[int, str] = {
    0: " ",  # to a server it may be the end of the text
} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # lone surrogates are not encodable


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


@dataclass(frozen=True, slots=True)
class Prefixes:
    """The words that a model was trained to see before a question and before a passage."""

    query: str = ""
    passage: str = ""


class PrefixingEmbedder(ABC):
    """An embedder that puts its model's prefixes before bounded texts, and normalises the rows."""

    _model: str
    """What the model is called in errors."""
    _prefixes: Prefixes

    @property
    @abstractmethod
    def dim(self) -> int:
        """Length of a vector."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (n, dim). Raises `EmbedderError`."""
        return self._embed(texts, self._prefixes.query)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, shape (n, dim). Raises `EmbedderError`."""
        return self._embed(texts, self._prefixes.passage)

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        if not len(texts):
            return np.empty((0, self.dim), np.float32)
        return unit_rows(self._rows([prefix + embeddable(text) for text in texts]), self._model)

    @abstractmethod
    def _rows(self, texts: Sequence[str]) -> ArrayLike:
        """Vectors of at least one text, of any length, shape (n, dim)."""


class CachingEmbedder:
    """An embedder that embeds the same text once: one question asks for its vector again and
    again, and sentences are checked one after another against the same passages.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.identity, self.dim = embedder.identity, embedder.dim
        self._queries: dict[str, Vectors] = {}
        self._passages: dict[str, Vectors] = {}

    @property
    def device(self) -> str:
        """As the embedder says; one of sentence-transformers has to import torch for it."""
        return self._embedder.device

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""
        return self._remembered(texts, self._queries, self._embedder.embed_queries)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages."""
        return self._remembered(texts, self._passages, self._embedder.embed_passages)

    def remember_passages(self, texts: Sequence[str], vectors: Vectors) -> None:
        """Take over vectors of passages, shape (n, dim), that an index holds already."""
        self._passages.update(zip(texts, vectors, strict=True))

    def _remembered(
        self,
        texts: Sequence[str],
        known: dict[str, Vectors],
        embed: Callable[[Sequence[str]], Vectors],
    ) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, embed(new), strict=True))
        rows = [known[text] for text in texts]
        return np.stack(rows) if rows else np.empty((0, self.dim), np.float32)


def embeddable(text: str) -> str:
    """`text` as every engine can take it: no NUL, no lone surrogates, at most `MAX_TEXT_CHARS`."""
    return text[:MAX_TEXT_CHARS].translate(_REPLACEMENTS)


def unit_rows(rows: ArrayLike, model: str) -> Vectors:
    """`rows`, shape (n, dim), as float32 with L2-normalised rows.

    Raises `EmbedderError`, naming `model`, for rows that have no direction: infinite, not a
    number, or all zero (half precision can overflow, and a broken model file gives such rows).
    """
    wide = np.asarray(rows, dtype=np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise EmbedderError(
            _("The embedding model %(model)s returned a vector without direction.")
            % {"model": model},
            _('Try embedder.device = "cpu"; if that does not help, install the model again.'),
        )
    return np.ascontiguousarray(wide / norms, dtype=np.float32)


E5 = Prefixes("query: ", "passage: ")
_RETRIEVE = "Given a web search query, retrieve relevant passages that answer the query"
_REPRESENT = Prefixes("Represent this sentence for searching relevant passages: ")
# Taken from the models' own cards. A model that is not listed gets none, which is right for
# BGE-M3, all-MiniLM, paraphrase-multilingual and granite-embedding.
_E5_FAMILY = {
    r"(^|[-_.])e5[-_.].*instruct": Prefixes(f"Instruct: {_RETRIEVE}\nQuery: "),
    r"(^|[-_.])e5([-_.]|$)": E5,
}
_SERVED_FAMILIES = {
    **_E5_FAMILY,
    r"^nomic-embed-text": Prefixes("search_query: ", "search_document: "),
    r"^embeddinggemma": Prefixes("task: search result | query: ", "title: none | text: "),
    r"^qwen3-embedding": Prefixes(f"Instruct: {_RETRIEVE}\nQuery:"),
    r"^snowflake-arctic-embed(2|-[ml]-v2)": Prefixes("query: "),
    r"^(snowflake-arctic-embed|mxbai-embed|bge-(small|base|large)-en|bge-large)": _REPRESENT,
}


def e5_prefixes(*names: str) -> Prefixes:
    """The prefixes of an E5 model (Wang et al., arXiv:2402.05672), else none.

    `names`: what the model is called, as a hub id or the path of a folder, of which only the last
    part counts. The first name that is an E5's decides.
    """
    found = (_lookup(name, _E5_FAMILY) for name in names)
    return next((one for one in found if one != Prefixes()), Prefixes())


def served_prefixes(model: str) -> Prefixes:
    """The prefixes of a model named as Ollama names them: `[host/][owner/]name[:tag]`."""
    return _lookup(model, _SERVED_FAMILIES)


def _lookup(model: str, families: dict[str, Prefixes]) -> Prefixes:
    last = re.split(r"[/\\]", model.rstrip("/\\"))[-1]
    name = last.partition(":")[0].lower()
    return next((one for pattern, one in families.items() if re.search(pattern, name)), Prefixes())
