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
_CONTRAST = re.compile(
    r"\b(?:diferenci\w*|mientras(?: que)?|en cambio|(?:al|por el) contrario|frente a|sin embargo"
    r"|differen\w*|whereas|while|unlike|in contrast|instead|however)\b"
)
_HOW_MANY = re.compile(
    r"\bcuant[oa]s\b|\b(?:que|cual es (?:el|la)) (?:porcentaje|proporcion|parte)\b"
    r"|\bhow many\b|\bwhat (?:share|percentage|proportion|fraction)\b"
)
_COUNTED = re.compile(
    rf"(?<![\w.])(?<![-−+·*/=] )(?:\d+(?:[.,]\d+)?|{'|'.join(SPELLED.keys() - {'uno', 'one'})})"
    r"(?:\s|%)\W*((?:[\w-]+\s+){0,2}[\w-]+)"
)
"""What may be counted: the words behind a number, not "K − 1 componentes"."""
_SO_IF = re.compile(
    r"(?<![^.\n])([^.\n]+?) (?:es|son|esta|estan|se dice|se llama|is|are|is called)"
    r" ((?!no\b|not\b)\w+(?: \w+)?),? (?:si|cuando|siempre que|if|iff|when)\b"
)
_CODED = re.compile(
    r"(?<!\S)(?:-[a-zA-Z](?=\W*\Z|\s)|--[a-z][\w-]+|\\[a-zA-Z](?!\w)|[a-z_]\w*\(\))"
)
"""What is written so in code alone: "-e", "--rm", "\\d", "test()"."""


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


def contrasts(statement: str) -> bool:
    """Whether a statement sets something against something else."""
    return bool(_CONTRAST.search(folded(statement)))


def so_if(statement: str) -> list[tuple[str, str]]:
    """What a statement says to be so on a condition, and how: "un grafo" and "euleriano" of "un
    grafo es euleriano si y solo si …".
    """
    return _SO_IF.findall(folded(statement))


def literals(question: str) -> list[re.Pattern[str]]:
    """What a question names as code has it ("-e", "test()"), as it stands where it is written."""
    codes = (code.partition("()") for code in _CODED.findall(question))
    return [
        re.compile(
            (r"(?<!\S)" if name.startswith("-") else r"(?<!\w)")  # not the -z of exp(-z)
            + re.escape(name)
            + (r"\(" if called else r"(?![\w-])")
        )
        for name, called, _rest in codes
    ]


def heads_of(table: str) -> str:
    """What heads the rows and columns of a table."""
    rows = [line.split(CELL_SEPARATOR) for line in table.split("\n") if CELL_SEPARATOR in line]
    return "\n".join(chain(rows[0], (row[0] for row in rows))) if rows else ""
