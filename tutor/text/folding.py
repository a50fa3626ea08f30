"""Text without accents and case, so that spellings of one word compare equal."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import filterfalse


def unaccented(text: str) -> str:
    """The text decomposed (NFKD) without combining marks; its length may change."""
    if text.isascii():
        return text
    return "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text)))


def folded(text: str) -> str:
    """`unaccented` and case-folded; its length may change."""
    return unaccented(text.casefold())


def last_words_as_typed(question: str, words: str) -> str:
    """The last words of a question, given folded, as they stand there; else as they are given."""
    typed = " ".join(question.rstrip(" ?¿!.").split()[-len(words.split()) :])
    return typed if folded(typed) == words else words


def as_typed(text: str, words: str) -> str:
    """Words of a text, given folded, as they stand there; else as they are given."""
    found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", fold(text))
    return text[slice(*found.span())] if found else words


def fold(text: str) -> str:
    """Lower case without accents, one character for each of `text`, so that offsets stay."""
    return "".join(map(_folded_character, text))


def letters(text: str) -> str:
    """Only the letters and digits of `text`, folded: what two ways of writing a word share."""
    return "".join(map(_letters_of, text))


def letters_with_offsets(text: str) -> tuple[str, list[int]]:
    """`letters(text)`, and for each of them the offset in `text` that it comes from."""
    pieces = [_letters_of(character) for character in text]
    offsets = [offset for offset, piece in enumerate(pieces) for _letter in piece]
    return "".join(pieces), offsets


@lru_cache(maxsize=4096)
def _letters_of(character: str) -> str:
    """The letters and digits that a character stands for; none for a mark or a sign."""
    # A dotless i carries an accent drawn apart ("Garc´ıa"); Unicode gives it no decomposition.
    base = unicodedata.normalize("NFKD", character).replace("\u0131", "i").casefold()
    return "".join(letter for letter in base if letter.isalnum())


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    lower = character.lower()
    base = unicodedata.normalize("NFKD", lower)[:1]
    return base if len(lower) == 1 and base else character
