"""Text with its layout from PDFium, page by page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import pypdfium2

from tutor.ingest.reading.formulas import OPERATORS
from tutor.ingest.reading.glyphs import HANGING, Glyph, GlyphReader, Run, drawn_on
from tutor.ingest.reading.layout import page_lines
from tutor.ingest.reading.lines import TERM_GAP
from tutor.ingest.reading.spans import Rule, TextSpan
from tutor.model import BlockKind, PageLine

_GAP = 0.9
"""A span ends at a horizontal gap of this many times its size: the narrowest gutter in use."""
_STEP = 0.07
"""A span ends at a vertical step of this share of its size: raised and lowered letters."""

_ACCENTS = frozenset("^´`~˜¨ˆ¯˘˙ˇ˝¸\u02da")
_FLUSH = 0.1
"""Gap between two signs of a word, as a share of the type's size."""
_HATS = {"^": "\u0302", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304"}
"""What formulas draw over letters that no word has it on."""
_BAR = "\u0304"
_LONGEST_BAR, _MOST_BARS, _MOST_UNDER = 30.0, 200, 2
"""Points, bars on a page, letters under one: what is longer, or where there are more, are no bars
over letters."""
_LINES_AWAY = 4
"""Sizes of its type between a bar and a line to which it can belong."""
_BEARERS = frozenset("aeiounAEIOUN")
_MOST = 300
"""Stray accents on a page; where there are more, they are no accents."""


def lines_of(page: pypdfium2.PdfPage) -> list[PageLine]:
    """The lines of the page's text layer in reading order; none if it has none."""
    textpage = page.get_textpage()
    try:
        rules, dots = drawn_on(page)
        turned: dict[int, list[TextSpan]] = {}
        for quarter, span in _spans(list(GlyphReader(textpage.raw).runs()), rules):
            turned.setdefault(quarter, []).append(span)
    finally:
        textpage.close()
    # The direction most of the page is set in comes first: a stamp in the margin does not matter.
    groups = sorted(turned.items(), key=lambda group: -sum(len(span.text) for span in group[1]))
    lines: list[PageLine] = []
    for number, (quarter, spans) in enumerate(groups):
        bullets = [] if quarter else _drawn_bullets(spans, dots)
        made = page_lines([*spans, *bullets], [] if quarter else rules)
        lines += [replace(line, kind=BlockKind.FIGURE) for line in made] if number else made
    return lines


def _spans(
    runs: Sequence[tuple[int, Run]], rules: Sequence[Rule]
) -> Iterator[tuple[int, TextSpan]]:
    """Yield (quarter turns, span) in the order in which the page draws them, set upright."""
    _settle_accents([glyphs for _, glyphs in runs])
    runs = [run for run in runs if run[1]]
    upright = [rule for rule in rules if not rule.level and rule.top - rule.bottom > 4]
    signs = [g for _quarter, run in runs for g in run if g.text.strip() == "√"]
    roofs = [rule for rule in rules if rule.level and any(_begins_at(rule, sign) for sign in signs)]
    lines = [glyphs for quarter, glyphs in runs if not quarter]
    _settle_bars(lines, [rule for rule in rules if rule.level and rule not in roofs])
    order = 0
    for quarter, glyphs in runs:
        for piece in _pieces(glyphs, *((), ()) if quarter else (upright, roofs)):
            yield quarter, _span(piece, order)
            order += 1


def _settle_bars(runs: Sequence[Run], level: Sequence[Rule]) -> None:
    """Put the bars that are drawn over one or two letters, as over a mean's x, upon them."""
    bars = [rule for rule in level if rule.right - rule.left < _LONGEST_BAR]
    for bar in bars if len(bars) <= _MOST_BARS else ():
        for run, place in _letters_under(bar, runs):
            text = run[place].text
            letter = text.rstrip()
            run[place] = run[place]._replace(text=letter + _BAR + text[len(letter) :])


def _letters_under(bar: Rule, runs: Sequence[Run]) -> list[tuple[Run, int]]:
    """The letters that a bar stands upon; none of a fraction's, or of a longer one."""
    below: list[tuple[Run, int]] = []
    for run in runs:
        if abs(bar.middle - run[0].base) > _LINES_AWAY * run[0].font.size:
            continue
        for place, glyph in enumerate(run):
            size, height = glyph.font.size, bar.middle - glyph.base
            if glyph.right < bar.left - size or glyph.left > bar.right + size:
                continue
            apart = max(glyph.left - bar.right, bar.left - glyph.right) >= -0.1 * size
            if not apart and -0.45 * size < height < 0:
                return []
            if not apart and 0.45 * size < height < 0.88 * size:
                below.append((run, place))
    letters = [run[place] for run, place in below]
    covered = sum(letter.right - letter.left for letter in letters)
    fits = bar.right - bar.left < 1.7 * covered and len(below) <= _MOST_UNDER
    return below if fits and all(letter.text.strip().isalpha() for letter in letters) else []


def _drawn_bullets(spans: Sequence[TextSpan], dots: Sequence[Rule]) -> list[TextSpan]:
    """Squares and dots that are drawn before the first words of a line."""
    bullets = []
    for dot in dots:
        line = [s for s in spans if -0.1 * s.size < dot.middle - s.base < 0.7 * s.size]
        after = [s for s in line if 0.15 * s.size < s.left - dot.right < 1.6 * s.size]
        beside = [s for s in line if s.left < dot.right and s.right > dot.left - 3 * s.size]
        if after and not beside:
            first = min(after, key=lambda s: s.left)
            box = (dot.left, first.bottom, dot.right, first.top)
            bullets.append(TextSpan("•", *box, first.order, first.size, first.base))
    return bullets


def _span(piece: Sequence[Glyph], order: int) -> TextSpan:
    first, last = piece[0], piece[-1]
    size, base = first.font.size, first.base
    bottom, top = base - 0.22 * size, base + 0.78 * size
    if len(piece) == 1 and first.text.strip() in HANGING:
        bottom, top = first.bottom, first.top
    elif size <= 0 or not first.bottom - size < base < first.top + size:
        bottom, top = min(g.bottom for g in piece), max(g.top for g in piece)
        size, base = top - bottom, bottom + 0.22 * (top - bottom)
    return TextSpan(
        "".join(glyph.text for glyph in piece),
        min(glyph.left for glyph in piece),
        bottom,
        max(glyph.right for glyph in piece),
        top,
        order,
        size,
        base,
        first.font.bold,
        last.font.bold,
        first.font.mono and last.font.mono,
    )


def _begins_at(bar: Rule, sign: Glyph) -> bool:
    """Whether a bar is that of a root's sign."""
    size = sign.font.size
    return (
        abs(bar.left - sign.right) < 0.35 * size
        and -0.2 * size < bar.middle - sign.base < 1.5 * size
    )


def _pieces(glyphs: Run, upright: Sequence[Rule], roofs: Sequence[Rule]) -> Iterator[Run]:
    """Cut a run at wide gaps, jumps back, steps up or down, rules, and around big operators."""
    cuts = _around_operators(glyphs) | _behind_roots(glyphs, roofs)
    base = glyphs[0].base
    edges = [rule.left for rule in upright if rule.bottom < base < rule.top]
    start = 0
    for stop in range(1, len(glyphs)):
        before, after = glyphs[stop - 1], glyphs[stop]
        white = after.left - before.right
        if after.font is before.font and after.base == before.base:
            size = after.font.size or 1.0
            stepped = False
        else:
            size = max(before.font.size, after.font.size, 1.0)
            stepped = abs(after.base - before.base) > _STEP * size
            stepped = stepped or abs(after.font.size - before.font.size) > 0.15 * size
            stepped = stepped or (_ends_term(before, after) and white > TERM_GAP * size)
        if (
            stepped
            or not -1.5 * size <= white <= _GAP * size
            or stop in cuts
            or (edges and any(before.right < edge < after.left for edge in edges))
        ):
            yield glyphs[start:stop]
            start = stop
    yield glyphs[start:]


def _ends_term(before: Glyph, after: Glyph) -> bool:
    """Whether bold ends between two letters, and no code begins."""
    return before.font.bold and not (after.font.bold or after.font.mono)


def _behind_roots(glyphs: Run, roofs: Sequence[Rule]) -> set[int]:
    """Where what stands under the bar of a root ends."""
    return {
        stop
        for stop, (before, after) in enumerate(pairwise(glyphs), 1)
        for bar in roofs
        if bar.left - 0.1 * before.font.size < before.left
        and before.right - 0.1 * before.font.size < bar.right < after.left + 0.1 * after.font.size
        and 0 < bar.middle - before.base < 1.3 * before.font.size
    }


def _around_operators(glyphs: Run) -> set[int]:
    text = "".join(glyph.text for glyph in glyphs)
    cuts: set[int] = set()
    for match in OPERATORS.finditer(text):
        ends, at = [], 0
        for number, glyph in enumerate(glyphs):
            if at in match.span():
                ends.append(number)
            at += len(glyph.text)
        cuts.update(ends)
    return cuts


# --- Accents that are drawn by themselves --------------------------------------------------------


def _settle_accents(runs: Sequence[Run]) -> None:
    """Move accents that the file draws by themselves to the letters under them, in place.

    Old TeX fonts have no `Ó`: an accent is drawn over an `O`. Over a capital it is drawn so high
    that PDFium takes it for the end of the line (`DEMOSTRACION ´`). Here it moves in front of its
    letter (`DEMOSTRACI´ON`); the cleaning stage joins the two.
    """
    for run in runs:
        _settle_hats(run)
    strays = [
        (run, glyph)
        for run in runs
        for at, glyph in enumerate(run)
        if glyph.text[0] in _ACCENTS
        and not any(_stands_over(glyph, near) for near in _beside(run, at))
        and not _is_typed(run, at)
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


def _settle_hats(run: Run) -> None:
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


def _is_typed(run: Sequence[Glyph], at: int) -> bool:
    """Whether it is a sign of its line, with its neighbours right beside it: "f(x)^g(x)"."""
    level = [one for one in _beside(run, at) if one.base == run[at].base]
    return len(level) > 1 and all(
        max(one.left - run[at].right, run[at].left - one.right) < _FLUSH * run[at].font.size
        and not one.left < (run[at].left + run[at].right) / 2 < one.right
        for one in level
    )


def _beside(run: Sequence[Glyph], at: int) -> Iterator[Glyph]:
    yield from run[max(0, at - 1) : at]
    yield from run[at + 1 : at + 2]


def _letter_under(accent: Glyph, runs: Sequence[Run]) -> tuple[Run, int] | None:
    """The nearest letter that the accent stands over, as its run and its place there."""
    under = (
        (abs(accent.bottom - glyph.bottom), number, at)
        for number, run in enumerate(runs)
        for at, glyph in enumerate(run)
        if _stands_over(accent, glyph)
    )
    nearest = min(under, default=None)
    return (runs[nearest[1]], nearest[2]) if nearest else None


def _stands_over(accent: Glyph, letter: Glyph) -> bool:
    """Level or raised by less than the letter's height, with its middle over the letter."""
    if letter.text[0] in _ACCENTS or not letter.text[0].isalpha():
        return False
    height, shift = letter.top - letter.bottom, accent.bottom - letter.bottom
    middle = (accent.left + accent.right) / 2
    highest = 1.3 if accent.text[0] == "^" else 0.6
    return letter.left <= middle <= letter.right and -0.3 * height < shift < highest * height
