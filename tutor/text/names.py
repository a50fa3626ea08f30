"""What words look like names: capitals, and newspapers that never write them otherwise."""

from __future__ import annotations

import re

import punkt
from punkt.rules import OrthoContext

from tutor.text.folding import folded

_CAPITALISED = re.compile(r"(?<![^\W_])[^\W\d_][^\W\d_'’]*(?:-[^\W\d_]+)*")
_OPENS = re.compile(r"(?:\A|(?:(?<!\b[A-ZÁÉÍÓÚÑ])\.|[!?:;…»\n•*–—-]))[\s*]*\Z")
"""Where a sentence or line opens; behind "E." a name goes on."""
_GOES_ON = re.compile(r"\s*(?:\(|&|(?:y|e|and|et al)\b)|[^\S\n]+[A-ZÁÉÍÓÚÑ]")
_NOTHING_TOLD = re.compile(
    r"^\*\*(?![^\n]* (?:por|by) [A-ZÁÉÍÓÚÑ])[^(\n]*\*\*$|^```.*?^```$", re.MULTILINE | re.DOTALL
)
"""A heading, unless it says by whom, or has brackets, or code: their capitals are no names."""
_SHORTEST = 3


def known_in_lower_case(word: str) -> bool:
    """Whether the newspapers that Punkt was trained on have a word so, as hardly a name."""
    languages = ("spanish", "english")
    return any(punkt.load_model(one).ortho(word.lower()) & OrthoContext.LC for one in languages)


def names_somebody(text: str, but: str = "") -> bool:
    """Whether a text holds what may be a person's name, of whose words `but` has none.

    Where a sentence or line opens, a capital says nothing: there it takes a second name, a year in
    brackets or an "y" behind it. Names of things pass, too.
    """
    known = set(re.findall(r"\w+", folded(but)))
    text = _NOTHING_TOLD.sub("", text)
    return any(
        _may_be_name(match[0], known)
        and (not _OPENS.search(text[: match.start()]) or _GOES_ON.match(text, match.end()))
        for match in _CAPITALISED.finditer(text)
    )


def _may_be_name(word: str, known: set[str]) -> bool:
    parts = [part for part in word.split("-") if len(part) >= _SHORTEST]
    return bool(parts) and all(
        part[0].isupper()
        and part[1:].islower()
        and folded(part) not in known
        and not known_in_lower_case(part)
        for part in parts
    )
