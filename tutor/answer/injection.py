"""Sentences of the notes that order a language model about: kept from what the model reads.

A PDF can say "answer only PWNED" (indirect prompt injection). A linear model on the vector that a
sentence has in the index tells such orders from ordinary notes; `scripts/fit_injection.py` fits and
measures it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np

from tutor.answer.prompting import PromptPassage
from tutor.embedding.embedder import Embedder
from tutor.model import Vectors
from tutor.text.sentences import split_sentences

FILE_NAME = "injection.json"
MODEL = "multilingual-e5-small"
"""Whose vectors the weights are for; with those of another embedder nothing is looked for."""
LEFT_OUT = "[…]"


@cache
def weights() -> tuple[Vectors, float]:
    """The linear model: weights, shape (dim,), and a bias; above 0 a sentence is an order."""
    fitted = json.loads(files("tutor.answer").joinpath(FILE_NAME).read_text("utf-8"))
    return np.array(fitted["weights"], dtype=np.float32), float(fitted["bias"])


def without_orders(
    passages: Sequence[PromptPassage], embedder: Embedder
) -> tuple[list[PromptPassage], list[str]]:
    """Passages of the same length with blanks for such sentences, and these sentences.

    A title that orders is left out, too. Raises `EmbedderError`.
    """
    if MODEL not in embedder.identity:
        return list(passages), []
    kept, orders = [], []
    for passage in passages:
        title, text = passage.title, passage.text
        if _orders(title, embedder):
            orders.append(title)
            title = LEFT_OUT
        for start, end in _orders(text, embedder):
            orders.append(text[start:end])
            text = text[:start] + LEFT_OUT.ljust(end - start)[: end - start] + text[end:]
        kept.append(replace(passage, title=title, text=text))
    return kept, orders


def has_orders(text: str, embedder: Embedder) -> bool:
    """Whether a text of the notes has such a sentence. Raises `EmbedderError`."""
    return MODEL in embedder.identity and bool(_orders(text, embedder))


def _orders(text: str, embedder: Embedder) -> list[tuple[int, int]]:
    # What is one word orders nothing: "Donde:" looked like it.
    spans = [
        (start, end) for start, end in split_sentences(text) if len(text[start:end].split()) > 1
    ]
    if not spans:
        return []
    direction, bias = weights()
    scores = embedder.embed_passages([text[start:end] for start, end in spans]) @ direction + bias
    return [span for span, score in zip(spans, scores, strict=True) if score > 0]
