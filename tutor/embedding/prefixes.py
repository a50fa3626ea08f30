"""The words that a model was trained to see before a question and before a passage.

Taken from the models' own cards. A model that is not listed gets none, which is right for
BGE-M3, all-MiniLM, paraphrase-multilingual and granite-embedding.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Prefix of a question and prefix of a passage; empty for none."""

    query: str = ""
    passage: str = ""


NONE = Prefixes()
E5 = Prefixes("query: ", "passage: ")

_RETRIEVE = "Given a web search query, retrieve relevant passages that answer the query"
_E5_INSTRUCT = Prefixes(f"Instruct: {_RETRIEVE}\nQuery: ")
_REPRESENT = Prefixes("Represent this sentence for searching relevant passages: ")

_E5_FAMILY: tuple[tuple[str, Prefixes], ...] = (
    (r"(^|[-_.])e5[-_.].*instruct", _E5_INSTRUCT),
    (r"(^|[-_.])e5([-_.]|$)", E5),
)
_SERVED_FAMILIES: tuple[tuple[str, Prefixes], ...] = (
    *_E5_FAMILY,
    (r"^nomic-embed-text", Prefixes("search_query: ", "search_document: ")),
    (r"^embeddinggemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    (r"^qwen3-embedding", Prefixes(f"Instruct: {_RETRIEVE}\nQuery:")),
    (r"^snowflake-arctic-embed(2|-[ml]-v2)", Prefixes("query: ")),
    (r"^snowflake-arctic-embed", _REPRESENT),
    (r"^mxbai-embed", _REPRESENT),
    (r"^bge-(small|base|large)-en", _REPRESENT),
    (r"^bge-large", _REPRESENT),
)


def e5_prefixes(*names: str) -> Prefixes:
    """The prefixes of an E5 model (Wang et al., arXiv:2402.05672), else none.

    `names`: what the model is called, as a hub id or the path of a folder, of which only the last
    part counts. The first name that is an E5's decides.
    """
    return next((found for name in names if (found := _lookup(name, _E5_FAMILY)) != NONE), NONE)


def served_prefixes(model: str) -> Prefixes:
    """The prefixes of a model named as Ollama names them: `[host/][owner/]name[:tag]`."""
    return _lookup(model, _SERVED_FAMILIES)


def _lookup(model: str, families: tuple[tuple[str, Prefixes], ...]) -> Prefixes:
    last = re.split(r"[/\\]", model.rstrip("/\\"))[-1]
    name = last.partition(":")[0].lower()
    return next((found for pattern, found in families if re.search(pattern, name)), NONE)
