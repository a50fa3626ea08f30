"""A run beside an earlier one: what got better, and what got worse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.evaluation.comparison import between_runs
from tutor.evaluation.measures import ANSWERING, HEADLINE, RETRIEVAL, SECONDS
from tutor.evaluation.report import Section, difference_cells
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.evaluation.comparison import Comparison


def against(now: Comparison, before: Comparison, earlier: str) -> Section:
    """What got better and what got worse since an earlier run, over the cases of both."""
    rows = [[_("measure"), _("setting"), "n", _("difference [95 %]"), _("verdict")]]
    lines: list[str] = []
    for setting in now.settings:
        if setting not in before.settings:
            lines.append(_("%(name)s was not in the earlier run.") % {"name": setting})
            continue
        for measure in now.measures((*RETRIEVAL, *ANSWERING, *SECONDS)):
            difference = between_runs(now, before, setting, measure)
            if difference is None:
                continue
            words = {"now": _("better"), "before": _("WORSE"), None: _("no difference shown")}
            if difference.better or measure == HEADLINE:
                rows.append([*difference_cells(difference), words[difference.better]])
                rows[-1].insert(1, setting)
        lines += _lost(now, before, setting)
    if len(rows) == 1:
        lines.append(_("The runs share no cases."))
    return Section(_("Against %(run)s") % {"run": earlier}, rows, lines)


def _lost(now: Comparison, before: Comparison, setting: str) -> list[str]:
    """The questions whose right passage was among the first k, and no longer is."""
    new, old = (run.values(setting, "snippet_hit@k") for run in (now, before))
    lost = [key for key in new if new[key] < old.get(key, 0)]
    if not lost:
        return []
    return [
        _("%(name)s no longer finds the passage of: %(cases)s")
        % {"name": setting, "cases": ", ".join(lost)}
    ]
