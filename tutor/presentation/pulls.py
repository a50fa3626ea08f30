"""How far a model is fetched, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.i18n import _
from tutor.presentation.amounts import size
from tutor.text.terminal import plain

if TYPE_CHECKING:
    from tutor.llm import PullProgress


def pull_percent(step: PullProgress) -> int | None:
    """How much of the layer at hand is there; None where that is unknown."""
    return 100 * min(step.completed, step.total) // step.total if step.total else None


def pull_text(model: str, step: PullProgress) -> str:
    """How far a model is fetched."""
    percent = pull_percent(step)
    if percent is None:
        return f"{plain(model)}: {plain(step.status)}"
    return _("%(model)s: %(completed)s of %(total)s (%(percent)d %%)") % {
        "model": plain(model),
        "completed": size(step.completed),
        "total": size(step.total),
        "percent": percent,
    }
