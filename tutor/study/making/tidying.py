"""Words of the notes as they look on a card: without marks of an editor, pictures and the like."""

from __future__ import annotations

import re

from tutor.map.wording import topic

_BOLD = re.compile(r"(?<![^\W_])(?<!\))\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*(?![^\W_]|\()")
"""With no operand outside, whose power it would be: "x**2 + y**2"."""
_LINK = re.compile(r"\[\[(?=[^\W\d_]{3})(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]")
"""Of a note to another one, in Obsidian and in wikis: its name, or what stands for it."""
_STRAY = re.compile(r"(?:^|(?<=\s))\*\*(?=\s|$)")
_ARROW = re.compile(r"(?<![-<])(?:(?<!\w)-+>|-+>(?!\w))")
"""Between words it is code: "p->campo"."""
_PERIODS = re.compile(r"(?<=[^\W\d_])\.\.(?=\s|\Z)")
"""Behind a number it is a range: "0..*"."""
_GLYPH = re.compile(
    r"(?<![^\W_])[\u1f00-\u1fff\u2600-\u27bf\U0001f000-\U0001faff]\ufe0f?(?![^\W_])"
)
"""A picture, or the letter of old Greek as which a font without it is read."""
_RUNS_ON = re.compile(r"[^\n]*")
_PAUSE = re.compile(r"[:.;](?=\s)")
_SHORTEST = 30
"""Characters of a title that ends at a pause."""


def tidy(text: str) -> str:
    """A text of a card without what only the notes' editor understood."""
    plain = _STRAY.sub("", _BOLD.sub(r"\1", _LINK.sub(r"\1", text)))
    return _PERIODS.sub(".", _ARROW.sub("→", plain)).strip()


def as_title(title: str) -> str:
    """A heading without pictures, and without a number behind one."""
    parts = (topic(_GLYPH.sub("", tidy(part)).strip()) for part in title.split(" › "))
    return " › ".join(filter(None, (part.strip(" –—-•·") for part in parts)))


def whole_title(title: str, text: str) -> str:
    """A title that was cut off in its line: up to its last pause."""
    end = len(title)
    if not (text.startswith(title) and text[end : end + 1] == " " and _goes_on(text, end)):
        return title
    pauses = [found.start() for found in _PAUSE.finditer(title) if found.start() >= _SHORTEST]
    return title[: pauses[-1]] if pauses else title


def _goes_on(text: str, end: int) -> bool:
    """Whether words stand behind a place in its line."""
    line = _RUNS_ON.match(text, end)
    return line is not None and any(map(str.isalpha, line[0]))
