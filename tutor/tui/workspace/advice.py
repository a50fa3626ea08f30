"""Which model of ollama.com/library fits this machine."""

from __future__ import annotations

import os

from tutor.i18n import _

_GIB = 2**30
_FITTING = ((6, "llama3.2:1b"), (14, "llama3.2:3b"))
"""GiB of memory below which a model is advised: half of it is left to everything else."""
_LARGEST = "llama3.1:8b"


def memory_gib() -> int:
    """The memory of this machine; 0 where the system does not say."""
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / _GIB)
    except (AttributeError, ValueError, OSError):
        return 0


def fitting_model(gib: int) -> str:
    """A model of ollama.com/library that answers in so much memory; the usual one for 0."""
    if not gib:
        return _FITTING[-1][1]
    return next((model for below, model in _FITTING if gib < below), _LARGEST)


def advice(*, is_there: bool) -> str:
    """Which model to fetch, and how: `is_there` tells whether a server is that can do it."""
    gib = memory_gib()
    told = _("A model that fits this machine (%(gib)d GB of memory): %(model)s.")
    how = _("p fetches it.") if is_there else _("Once Ollama runs, p fetches it.")
    return f"{told % {'gib': gib, 'model': fitting_model(gib)}} {how}"
