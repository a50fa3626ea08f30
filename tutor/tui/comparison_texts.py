"""What two indexes found, and how long it took, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from tutor.i18n import _, ngettext
from tutor.model import SourceId
from tutor.presentation.amounts import decimal
from tutor.tui.base import safe
from tutor.tui.workspace.comparing import by_source, pages_of

if TYPE_CHECKING:
    from tutor.tui.workspace.comparing import Half

_NONE = "—"


def summary_text(halves: Sequence[Half]) -> Content:
    """Three lines: what both found and the time of each, what only the left, only the right."""
    if not halves:
        return Content("\n").join([safe(_("Both answers are compared here.")), "", ""])
    left, right = halves
    of_left, of_right = pages_of(left.hits), pages_of(right.hits)
    n = len(of_left & of_right)
    both = ngettext("%(n)d page found by both", "%(n)d pages found by both", n) % {"n": n}
    times = [f"{name} {_seconds(half)}" for name, half in (("A", left), ("B", right))]
    lines = [safe(" · ".join([both, *times]), "bold")]
    lines += [_only("A", left, of_left - of_right), _only("B", right, of_right - of_left)]
    return Content("\n").join(lines)


def _only(name: str, half: Half, pages: set[tuple[SourceId, int]]) -> Content:
    listed = [
        f"{source.title} {_('p.')} {', '.join(map(str, numbers))}"
        for source, numbers in by_source(pages, half.hits)
    ]
    only = _("only %(side)s (%(n)d): ") % {"side": name, "n": len(pages)}
    return safe(only, "bold") + safe("; ".join(listed) or _NONE)


def _seconds(half: Half) -> str:
    return _NONE if half.seconds is None else _("%(s)s s") % {"s": decimal(half.seconds, 1)}
