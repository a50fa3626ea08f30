"""Accents that the file draws by themselves, put back beside the letter that they stand over.

Old TeX fonts have no `Ó`: an accent is drawn over an `O`. Over a capital it is drawn so high that
PDFium takes it for the end of the line (`DEMOSTRACION ´`). Here it moves to its letter
(`DEMOSTRACI´ON`); the cleaning stage joins the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Glyph: TypeAlias = tuple[str, float, float, float, float]
"""Text (with a space after it, where there is one), left, bottom, right, top."""

_ACCENTS = frozenset("´`~˜¨ˆ¯˘˙ˇ˝¸\u02da")
_MOST = 300
"""Stray accents on a page; where there are more, they are no accents."""


def settle(runs: Sequence[list[Glyph]]) -> None:
    """Move stray accents in front of the letters that they stand over, in place."""
    strays = [
        (run, glyph)
        for run in runs
        for at, glyph in enumerate(run)
        if glyph[0][0] in _ACCENTS
        and not any(_stands_over(glyph, near) for near in _beside(run, at))
    ]
    if len(strays) > _MOST:
        return
    for run, accent in strays:
        found = _letter_under(accent, runs)
        if found is not None:
            letters, at = found
            text, left, bottom, right, top = letters[at]
            letters[at] = (accent[0].strip() + text, left, bottom, right, top)
            run.remove(accent)


def _beside(run: Sequence[Glyph], at: int) -> Iterator[Glyph]:
    yield from run[max(0, at - 1) : at]
    yield from run[at + 1 : at + 2]


def _letter_under(accent: Glyph, runs: Sequence[list[Glyph]]) -> tuple[list[Glyph], int] | None:
    """The nearest letter that the accent stands over, as its run and its place there."""
    under = (
        (abs(accent[2] - glyph[2]), number, at)
        for number, run in enumerate(runs)
        for at, glyph in enumerate(run)
        if _stands_over(accent, glyph)
    )
    nearest = min(under, default=None)
    return (runs[nearest[1]], nearest[2]) if nearest else None


def _stands_over(accent: Glyph, letter: Glyph) -> bool:
    """Level or raised by less than the letter's height, with its middle over the letter."""
    text, left, bottom, right, top = letter
    if text[0] in _ACCENTS or not text[0].isalpha():
        return False
    middle, shift = (accent[1] + accent[3]) / 2, accent[2] - bottom
    return left <= middle <= right and -0.3 * (top - bottom) < shift < 0.6 * (top - bottom)
