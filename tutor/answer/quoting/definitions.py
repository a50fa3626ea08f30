"""What "what is X?" asks for: the notes' own definition of X, rather than a property of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tutor.answer.quoting.words import content_words
from tutor.text.folding import folded

_ARTICLE = r"(?:(?:un|una|unos|unas|el|la|los|las|lo|a|an|the) )?"
_POLITE = (
    r"(?:.*\b(?:explica\w*|entiendo|dime|decir\w*|saber|recuerda\w*|hola|tell me|explain)\W+)?"
)
_ASKED = re.compile(
    rf"\W*{_POLITE}(?:(?:que|what) (?:es|son|significa|is|are)"
    r"|que (?:se entiende por|quiere decir)|en que consisten?|como se definen?|define"
    r"|(?:dame )?(?:la )?definicion de|hablame de|tell me about|como funcionan?|how do(?:es)?)"
    rf" {_ARTICLE}(.+?)(?: works?)?$"
    rf"|\W*(?:explica(?:me)?|explain) {_ARTICLE}((?!que|what|como|how|por|why).+)"
)
_CALLED = re.compile(r"\W*cuando se dice que (?:un|una|el|la) (.+?) es (.+)")
_LEAST_LETTERS = 4
"""Shorter words have no plural, or are symbols."""
_MOST_WORDS = 8
"""A term has no more."""
_NUMBERING = re.compile(r"^[\d.]+\s")
_OF_ANY_SECTION = content_words(
    "concepto definición idea introducción intuición método modelo algoritmo"
)
"""What a heading may say besides its subject."""
_SAYS = r"(?:es|son|fue|se define|se llama|consiste|busca|is|are|was|seeks)\b"


@dataclass(frozen=True, slots=True)
class Definition:
    """How a term's definition is recognised."""

    _label: re.Pattern[str]
    _subject: re.Pattern[str]
    _words: frozenset[str]

    @classmethod
    def asked_for(cls, question: str) -> Definition | None:
        """What a question of this form asks for; `None` for any other question."""
        plain = " ".join(folded(question).split()).rstrip(" ?¿!.")
        asked = _ASKED.match(plain) or _CALLED.match(plain)
        if asked is None:
            return None
        words = " ".join(filter(None, asked.groups())).split()
        if len(words) > _MOST_WORDS:
            return None
        term = r"\W+".join(_in_any_number(word) for word in words)
        return cls(
            re.compile(rf"\W*defini\w+\s*[\d.]*\s*\({term}\W*\)|(?:❒ ?)?{term}\s*(?::|[–—-]\s)"),
            re.compile(rf"\W*{_ARTICLE}{term}(?:\s*\([^)]*\))?\s+{_SAYS}"),
            _singular(content_words(" ".join(words))),
        )

    def heads(self, excerpt: str) -> bool:
        """Whether an excerpt is a definition that is headed by the very term."""
        return bool(self._label.match(folded(excerpt)))

    def names(self, title: str) -> bool:
        """Whether a heading is the term: what stands first below it begins to tell what it is."""
        words = _singular(content_words(_NUMBERING.sub("", title)))
        return bool(self._words) and self._words <= words <= self._words | _OF_ANY_SECTION

    def says(self, statement: str) -> bool:
        """Whether a statement begins with the term, and says what it is."""
        return bool(self._subject.match(folded(statement)))


def _singular(stems: frozenset[str]) -> frozenset[str]:
    """Stems of either language without the plural of the other."""
    return frozenset(stem.rstrip("s") for stem in stems)


def _in_any_number(word: str) -> str:
    """A pattern for a word in the singular and in the plural."""
    if len(word) < _LEAST_LETTERS or not word.isalpha():
        return re.escape(word)
    return rf"{re.sub('e?s$', '', word)}\w{{0,2}}"
