"""The app's own colours. Words stand out from what is behind them by 4.5:1 at least.

`scripts/contrast.py` checks that over the pictures of all screens.
"""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

DARK = Theme(
    name="tutor-dark",
    primary="#6cb6ff",
    secondary="#2d6cae",
    accent="#ffb454",
    warning="#ffc26b",
    error="#ff9b9b",
    success="#7ee787",
    foreground="#e6e6e6",
    background="#121212",
    surface="#1c1c1c",
    panel="#2a2f36",
    dark=True,
    variables={
        "text-muted": "#b0b0b0",
        "text-disabled": "#a0a0a0",
        "text-primary": "#8cc6ff",
        "text-accent": "#ffc26b",
        "text-warning": "#ffc26b",
        "text-error": "#ff9b9b",
        "text-success": "#7ee787",
        "block-cursor-background": "#123a63",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-blurred-background": "#2a2f36",
        "footer-key-foreground": "#ffc26b",
    },
)
LIGHT = Theme(
    name="tutor-light",
    primary="#0b57a4",
    secondary="#2d6cae",
    accent="#8a4b00",
    warning="#7a4a00",
    error="#a4161a",
    success="#1b6b33",
    foreground="#1a1a1a",
    background="#fafafa",
    surface="#f0f0f0",
    panel="#e2e6ea",
    dark=False,
    variables={
        "text-muted": "#4f4f4f",
        "text-disabled": "#595959",
        "text-primary": "#0b4a8c",
        "text-accent": "#7a4200",
        "text-warning": "#7a4200",
        "text-error": "#a4161a",
        "text-success": "#145226",
        "block-cursor-background": "#cfe0f5",
        "block-cursor-foreground": "#1a1a1a",
        "block-cursor-blurred-background": "#d3dae2",
        "footer-key-foreground": "#7a4200",
    },
)
_LIGHT_BACKGROUNDS = frozenset({"7", "15"})


def theme_for(setting: str, environ: Mapping[str, str]) -> Theme:
    """The theme of a setting; `auto` asks the terminal, which says it in COLORFGBG if at all."""
    if setting == "auto":
        is_light = environ.get("COLORFGBG", "").split(";")[-1] in _LIGHT_BACKGROUNDS
    else:
        is_light = setting == "light"
    return LIGHT if is_light else DARK
