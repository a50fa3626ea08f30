"""Cases that are run when asked for, as with `./scripts/test -m slow`."""

from __future__ import annotations

from typing import Any

import pytest


def also_slow(*values: Any) -> list[Any]:
    """These values of a parameter, for which a sibling of theirs stands in day by day."""
    return [pytest.param(value, marks=pytest.mark.slow) for value in values]
