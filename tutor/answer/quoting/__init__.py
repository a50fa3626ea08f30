"""Hits -> an answer made of whole blocks of the notes, without a language model."""

from tutor.answer.quoting.answer import (
    best_sentences,
    compose,
    quotes_of,
    ranked_excerpts,
    reading_of,
)
from tutor.answer.quoting.quote import Quote, signed
from tutor.answer.quoting.told import read_on

__all__ = [
    "Quote",
    "best_sentences",
    "compose",
    "quotes_of",
    "ranked_excerpts",
    "read_on",
    "reading_of",
    "signed",
]
