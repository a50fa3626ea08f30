"""The form of a text that an index matches."""

from __future__ import annotations

import unicodedata

from tutor.text.terminal import visible


class _Searchable(dict[int, int | None]):
    """A table for `str.translate`: letters, digits and `_` stay, marks go, the rest is a space."""

    def __missing__(self, code: int) -> int | None:
        char = chr(code)
        category = unicodedata.category(char)
        kept: int | None = 0x20
        if char == "_" or category[0] in "LN":
            kept = code
        elif category[0] == "M":
            kept = None
        self[code] = kept
        return kept


_SEARCHABLE = _Searchable()


def normalised(text: str) -> str:
    """NFKD, diacritics and stray symbols dropped, spaces folded, lower case.

    Letters of every script, digits and `_` stay, so names of variables, acronyms and the Greek of
    formulas can be found; ligatures, mathematical alphabets and superscripts become plain
    characters, and all else a space.
    """
    folded = _folded(visible(text).replace("\xad", ""))
    # Case folding can bring in characters that decompose again.
    return " ".join(_folded(folded).translate(_SEARCHABLE).split())


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
