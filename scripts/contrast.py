"""Tell which words of the app's pictures stand out too little from what is behind them.

    python scripts/contrast.py [PICTURE.svg ...]

Without pictures, those that the tests compare. The measure is the contrast ratio of WCAG 2.1
(1.4.3), which asks for 4.5:1. Frames, scrollbars and the pixels of page images are no words. Exit
code 1 if any word is too faint.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "tests" / "tui" / "__snapshots__" / "test_snapshots"
LEAST = 4.5
_CLASS = re.compile(r"\.(terminal-r\d+) \{ fill: (#[0-9a-fA-F]{6})([^}]*)\}")
_RECT = re.compile(r'<rect fill="(#[0-9a-fA-F]{6})" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"')
_TEXT = re.compile(r'<text class="(terminal-r\d+)" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>')
_LINE, _ASCENT = 24.4, 18.5


class Words(NamedTuple):
    """A run of text of one look, and its contrast ratio."""

    ratio: float
    text: str
    colour: str
    behind: str


def words(svg: str) -> Iterator[Words]:
    """All runs of a picture that hold a letter or a digit."""
    fills = {name: fill for name, fill, _rest in _CLASS.findall(svg)}
    rects = [
        (colour, float(x), float(y), float(x) + float(width))
        for colour, x, y, width in _RECT.findall(svg)
    ]
    for name, x, y, text in _TEXT.findall(svg):
        shown = html.unescape(text).replace("\xa0", " ")
        if name not in fills or not any(sign.isalnum() for sign in shown):
            continue
        left, top = float(x), float(y) - _ASCENT
        behind = [c for c, x0, y0, x1 in rects if x0 - 1 <= left < x1 and abs(y0 - top) < _LINE / 2]
        if behind:
            ratio = contrast(fills[name], behind[-1])
            yield Words(ratio, shown.strip(), fills[name], behind[-1])


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, `#rrggbb`, from 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def main(arguments: list[str]) -> int:
    faint = 0
    for path in map(Path, arguments) if arguments else sorted(PICTURES.glob("*.svg")):
        found = {one for one in words(path.read_text(encoding="utf-8")) if one.ratio < LEAST}
        faint += len(found)
        for one in sorted(found):
            print(f"{path.name}: {one.ratio:.1f}  {one.colour} on {one.behind}  {one.text[:60]}")
    return 1 if faint else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
