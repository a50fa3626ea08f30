"""The app's own colours. Words stand out from what is behind them by 4.5:1 at least.

`scripts/contrast.py` checks that over the pictures of all screens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.theme import Theme

_COLOURS = {
    "primary": ("#6cb6ff", "#0b57a4"),
    "secondary": ("#2d6cae", "#2d6cae"),
    "accent": ("#ffb454", "#8a4b00"),
    "warning": ("#ffc26b", "#7a4a00"),
    "error": ("#ff9b9b", "#a4161a"),
    "success": ("#7ee787", "#1b6b33"),
    "foreground": ("#e6e6e6", "#1a1a1a"),
    "background": ("#121212", "#fafafa"),
    "surface": ("#1c1c1c", "#f0f0f0"),
    "panel": ("#2a2f36", "#e2e6ea"),
}
"""Dark and light."""
_VARIABLES = {
    "text-muted": ("#b0b0b0", "#4f4f4f"),
    "text-disabled": ("#a0a0a0", "#595959"),
    "text-primary": ("#8cc6ff", "#0b4a8c"),
    "text-accent": ("#ffc26b", "#7a4200"),
    "text-warning": ("#ffc26b", "#7a4200"),
    "text-error": ("#ff9b9b", "#a4161a"),
    "text-success": ("#7ee787", "#145226"),
    "block-cursor-background": ("#123a63", "#cfe0f5"),
    "block-cursor-foreground": ("#ffffff", "#1a1a1a"),
    "block-cursor-blurred-background": ("#2a2f36", "#d3dae2"),
    "footer-key-foreground": ("#ffc26b", "#7a4200"),
}


def _theme(name: str, place: int) -> Theme:
    colours: dict[str, Any] = {what: pair[place] for what, pair in _COLOURS.items()}
    variables = {what: pair[place] for what, pair in _VARIABLES.items()}
    return Theme(name=name, dark=not place, variables=variables, **colours)


DARK, LIGHT = _theme("tutor-dark", 0), _theme("tutor-light", 1)
_LIGHT_BACKGROUNDS = frozenset({"7", "15"})


def theme_for(setting: str, environ: Mapping[str, str]) -> Theme:
    """The theme of a setting; `auto` asks the terminal, which says it in COLORFGBG if at all."""
    if setting == "auto":
        is_light = environ.get("COLORFGBG", "").split(";")[-1] in _LIGHT_BACKGROUNDS
    else:
        is_light = setting == "light"
    return LIGHT if is_light else DARK
