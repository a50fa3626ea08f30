"""Which statements of an excerpt can answer anything."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tutor.answer.quoting.excerpts import FORMAL, LEAST_LETTERS
from tutor.index.store.sentences import MOST_CHARS
from tutor.model import BlockKind
from tutor.text.paragraphs import BETWEEN_CELLS, unnumbered

if TYPE_CHECKING:
    from tutor.answer.quoting.excerpts import Excerpt
    from tutor.model import Statement

RELATES = re.compile(r"[=≈∝≤≥→⇒≪].*[a-zA-Zá-úα-ωΑ-Ω]")
_WORD = re.compile(r"[^\W\d_]{3}")
_BULLETS = " •◦○■▪‣*-"


def answering(excerpt: Excerpt, named: Sequence[Statement]) -> list[Statement]:
    """The statements of an excerpt that can answer anything, with those that a question calls by
    their number; the short items of a list that has no others.
    """
    every = excerpt.statements()
    told = [statement for statement in every if statement in named or _tells(excerpt, statement)]
    return told or [statement for statement in every if _is_short_item(excerpt, statement)]


def _tells(excerpt: Excerpt, statement: Statement) -> bool:
    """Whether a statement can answer anything: a formula or code by itself can, however short, if
    it relates something to other than numbers.
    """
    formal = excerpt.kinds <= FORMAL and RELATES.search(statement.words)
    told = (not _is_short(statement) or formal) and len(statement.words) <= MOST_CHARS
    row = BETWEEN_CELLS in statement.words
    return bool(told) and (row or not statement.words.endswith("?"))


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
