"""Accents that the file draws by themselves, put back beside the letter that they stand over.

Old TeX fonts have no `Ó`: an accent is drawn over an `O`. Over a capital it is drawn so high that
PDFium takes it for the end of the line (`DEMOSTRACION ´`). Here it moves to its letter
(`DEMOSTRACI´ON`); the cleaning stage joins the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tutor.ingest.reading.glyphs import Glyph

_ACCENTS = frozenset("^´`~˜¨ˆ¯˘˙ˇ˝¸\u02da")
_HATS = {"^": "\u0302", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304"}
"""What formulas draw over letters that no word has it on."""
_BEARERS = frozenset("aeiounAEIOUN")
_MOST = 300
"""Stray accents on a page; where there are more, they are no accents."""


def settle(runs: Sequence[list[Glyph]]) -> None:
    """Move stray accents in front of the letters that they stand over, in place."""
    for run in runs:
        _settle_hats(run)
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
            letter = letters[at]
            text = accent.text.strip() + letter.text
            if accent.text.strip() == "^":
                text = _under_hat(letter, accent)
            letters[at] = letter._replace(text=text)
            run.remove(accent)


def _settle_hats(run: list[Glyph]) -> None:
    """Join hats of formulas with their letter, which stands beside them in the file."""
    for hat in [glyph for glyph in run if glyph.text[0] in _HATS]:
        at = next(place for place, glyph in enumerate(run) if glyph is hat)
        near = range(max(0, at - 2), min(len(run), at + 3))
        under = [n for n in near if n != at and _stands_over(hat, run[n])]
        if under and run[under[0]].text[0] not in _BEARERS:
            run[under[0]] = run[under[0]]._replace(text=_under_hat(run[under[0]], hat))
            del run[at]


def _under_hat(letter: Glyph, hat: Glyph) -> str:
    return letter.text[:1] + _HATS[hat.text.strip()] + letter.text[1:]


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
    text, left, bottom, right, top = letter[:5]
    if text[0] in _ACCENTS or not text[0].isalpha():
        return False
    middle, shift = (accent[1] + accent[3]) / 2, accent[2] - bottom
    highest = 1.3 if accent[0][0] == "^" else 0.6
    return left <= middle <= right and -0.3 * (top - bottom) < shift < highest * (top - bottom)
