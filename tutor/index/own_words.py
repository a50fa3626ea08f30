"""A question in the words of the notes: as they write them, and by the names that they use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tutor.index.lexical import LexicalIndex
from tutor.text.folding import folded
from tutor.text.numerals import ORDINALS
from tutor.text.other_names import terms_with_other_names
from tutor.text.terms import question_language, question_terms
from tutor.text.words import STOP_WORDS_OF_BOTH

_WORD = re.compile(r"(?<![\w-])\w+(?![\w(-])")
_GLUED = re.compile(r"([^\W\d_]{3,})(\d{1,3})")
"""A noun with its number, as messages write it: "tarea2"."""
_ORDINAL = re.compile(
    rf"\b({'|'.join(ORDINALS)}) "
    r"(tarea|pr[aá]ctica|entrega|trabajo|proyecto|assignment|homework)\b",
    re.IGNORECASE,
)
"""What is set by numbers; "el primer paso de Adam" is no step 1."""
_ARTICLE = re.compile(r"\b(del|de la|al|a la|el|la|los|las|un|una) \Z", re.IGNORECASE)
_OF_FEMININE = {"del": "de la", "al": "a la", "el": "la", "los": "las", "un": "una"}
_OF_MASCULINE = {feminine: masculine for masculine, feminine in _OF_FEMININE.items()}
_WITHOUT = {"del": "de ", "de la": "de ", "al": "a ", "a la": "a "}
_FEMININE = ("a", "as", "cion", "ciones", "sion", "dad", "dades", "tud")
_GREEK = ("ema", "oma", "grama", "igma")
"""How nouns end that look feminine and are not: "el teorema"."""
_IN_PASSING, _MORE = 1, 4
"""A name that so few passages hold gives way to one that so many times as many do."""
_FEW_WORDS = 3
"""Around a name, which do not tell what it means."""


def in_its_words(question: str, index: LexicalIndex) -> str:
    """The question with words as the notes write them, where more passages hold them so:
    "k-means" for "kmeans", "λ" for "lambda", "tarea 2" for "tarea2" and "segunda tarea". Terms
    that no passage holds, or one in passing, are called as the notes call them: "búsqueda en
    anchura" for "búsqueda en amplitud".
    """

    def written(match: re.Match[str]) -> str:
        word = match[0]
        if glued := _GLUED.fullmatch(word):
            apart = f"{glued[1]} {glued[2]}"
            return apart if _holding(apart, index) and not _holding(word, index) else word
        compound = index.compounds.get(folded(word))
        if compound is None or folded(word) in STOP_WORDS_OF_BOTH:
            return word
        as_typed = max((len(term.holders) for term in index.score(folded(word)).terms), default=0)
        around = f"{question[: match.start()]} {question[match.end() :]}"
        if len(compound) == 1 and _fit(word, around, index) > _fit(compound, around, index):
            return word  # "Alfa" may be more than a letter
        return compound if len(index.holders([compound])[0]) > as_typed else word

    def counted(match: re.Match[str]) -> str:
        numbered = f"{match[2]} {ORDINALS[match[1].casefold()]}"
        return numbered if _holding(numbered, index) else match[0]

    question = _ORDINAL.sub(counted, _WORD.sub(written, question))
    for start, end, other_names in reversed(terms_with_other_names(question)):
        name, around = question[start:end], f"{question[:start]} {question[end:]}"
        held = _holding(name, index)
        if held <= _IN_PASSING:
            least = max(1, _MORE * held)
            called = next(
                (
                    other
                    for other in other_names
                    if _holding(other, index) >= least and _may_mean(name, other, around, index)
                ),
                name,
            )
            before = _fitting(question[:start], name, called)
            question = f"{before}{called}{question[end:]}"
    return question


def _may_mean(name: str, other: str, around: str, index: LexicalIndex) -> bool:
    """Whether half of the words around a name are met with its other one: a single word has
    more meanings ("predictor de saltos" is no "variable explicativa de saltos").
    """
    if " " in name or name.isupper():
        return True
    terms = question_terms(around, question_language(around))
    known = [forms for forms in terms if len(index.holders(forms)[0])]
    met = sum(_with(other, forms, index) for forms in known)
    return len(known) < _FEW_WORDS or 2 * met >= len(known)


def _fit(name: str, around: str, index: LexicalIndex) -> float:
    """How much of the words around a name is met with it, by their idf."""
    terms = index.score(around).terms
    return sum(term.idf for term in terms if _with(name, term.forms, index))


def _with(name: str, forms: Sequence[str], index: LexicalIndex) -> bool:
    """Whether a passage holds a name and one of these forms."""
    return bool(index.holds(name)[index.holders(forms)[0]].any())


def _holding(name: str, index: LexicalIndex) -> int:
    """How many passages hold all words of a name."""
    return int(np.count_nonzero(index.holds(name)))


def _fitting(before: str, name: str, called: str) -> str:
    """What stands before a name, as it may stand before what it is called instead: with the article
    that fits, or without one.
    """
    was, now = _form(name), _form(called)
    if was == now:
        return before
    if was.several != now.several:
        return _ARTICLE.sub(lambda one: _WITHOUT.get(one[1].lower(), ""), before)
    fitting = _OF_FEMININE if now.feminine else _OF_MASCULINE
    return _ARTICLE.sub(lambda one: f"{fitting.get(one[1].lower(), one[1])} ", before)


class _Form(NamedTuple):
    """What a noun looks like in Spanish."""

    feminine: bool
    several: bool


def _form(name: str) -> _Form:
    """The form of a name's first word."""
    noun = folded(name).split()[0]
    is_feminine = noun.endswith(_FEMININE) and not noun.rstrip("s").endswith(_GREEK)
    return _Form(is_feminine, noun.endswith("s"))
