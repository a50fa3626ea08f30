"""The app's memory over hours: what nobody looks at any more is let go of and given back."""

from __future__ import annotations

import ctypes
import sys

from textual._styles_cache import StylesCache

_C = ctypes.CDLL(None) if sys.platform == "linux" else None
_ARENA_MAX = -8  # malloc.h
_ARENAS = 2


def share_arenas() -> None:
    """Let all threads take memory from the same two places (glibc), before there are many threads.

    Otherwise each has its own, and what it frees there no other one uses: 80 MB after 300 rounds of
    `scripts/many_events.py`, and ever more.
    """
    if choose := getattr(_C, "mallopt", None):
        choose(_ARENA_MAX, _ARENAS)


def let_go_of_memory() -> None:
    """Let go of a thousand widgets that are gone, with all their lines, which the library keeps,
    and give back what is free to the system (glibc).
    """
    StylesCache.get_inner_outer.cache_clear()
    if trim := getattr(_C, "malloc_trim", None):
        trim(0)
