"""Which statements of an excerpt can answer anything, and what they count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from tutor.answer.quoting.excerpts import FORMAL, LEAST_LETTERS
from tutor.index.store.sentences import MOST_CHARS
from tutor.model import BlockKind
from tutor.text.folding import folded
from tutor.text.numerals import SPELLED
from tutor.text.paragraphs import BETWEEN_CELLS, CELL_SEPARATOR, unnumbered

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Excerpt
    from tutor.model import Statement

EQUALS = re.compile(r"(?<![<>!=])=(?!=)")
_RELATES = re.compile(r"[=≈∝≤≥→⇒≪].*[a-zA-Zá-úα-ωΑ-Ω]")
_WORD = re.compile(r"[^\W\d_]{3}")
_BULLETS = " •◦○■▪‣*-"
_HOW_MANY = re.compile(
    r"\bcuant[oa]s\b|\b(?:que|cual es (?:el|la)) (?:porcentaje|proporcion|parte)\b"
    r"|\bhow many\b|\bwhat (?:share|percentage|proportion|fraction)\b"
)
_COUNTED = re.compile(
    rf"(?<![\w.])(?<![-−+·*/=] )(?:\d+(?:[.,]\d+)?|{'|'.join(SPELLED.keys() - {'uno', 'one'})})"
    r"(?:\s|%)\W*((?:[\w-]+\s+){0,2}[\w-]+)"
)
"""What may be counted: the words behind a number, not "K − 1 componentes"."""


def answering(excerpt: Excerpt, named: Sequence[Statement]) -> list[Statement]:
    """The statements of an excerpt that can answer anything, with those that a question names; the
    short items of a list that has no others.
    """
    every = excerpt.statements()
    told = [statement for statement in every if statement in named or _tells(excerpt, statement)]
    return told or [statement for statement in every if _is_short_item(excerpt, statement)]


def _tells(excerpt: Excerpt, statement: Statement) -> bool:
    """Whether a statement can answer anything: a formula or code by itself can, however short, if
    it relates something to other than numbers.
    """
    formal = excerpt.kinds <= FORMAL and _RELATES.search(statement.words)
    told = (not _is_short(statement) or formal) and len(statement.words) <= MOST_CHARS
    row = BETWEEN_CELLS in statement.words
    return bool(told) and (row or not statement.words.endswith("?"))


def is_short_formula(excerpt: Excerpt, statement: Statement) -> bool:
    """Whether a statement is a formula in a list, too short to answer anything but what names it:
    "• Var(X) = np(1 − p)".
    """
    said = statement.words
    related = EQUALS.search(said) and _RELATES.search(said) and "?" not in said
    return bool(related) and BlockKind.LIST in excerpt.kinds and _is_short(statement)


def _is_short_item(excerpt: Excerpt, statement: Statement) -> bool:
    """Whether a statement is a short item of a list without questions, of two words and more:
    "• apt-cache search", not "• C: C - E - G".
    """
    words = unnumbered(statement.words).strip(_BULLETS)
    listed = BlockKind.LIST in excerpt.kinds and "?" not in excerpt.text
    several = len(words.split()) > 1 and _WORD.search(words)
    return bool(several) and listed and _is_short(statement) and len(words) <= MOST_CHARS


def _is_short(statement: Statement) -> bool:
    return sum(map(str.isalpha, statement.words)) < LEAST_LETTERS


def asks_how_many(question: str) -> bool:
    """Whether a number of things is asked for, or their share."""
    return _HOW_MANY.search(folded(question)) is not None


def counted_in(statement: str) -> str:
    """The words of a statement that stand behind a number."""
    return " ".join(_COUNTED.findall(unnumbered(folded(statement))))


def heads_of(table: str) -> str:
    """What heads the rows and columns of a table."""
    rows = [line.split(CELL_SEPARATOR) for line in table.split("\n") if CELL_SEPARATOR in line]
    return "\n".join(chain(rows[0], (row[0] for row in rows))) if rows else ""
