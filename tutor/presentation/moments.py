"""Moments as people say them."""

from __future__ import annotations

from datetime import datetime

from tutor.i18n import _

_A_WEEK = 7


def when(moment: datetime, now: datetime) -> str:
    """A past moment, as seen from `now`: by its day within the last week, else by its date.

    Both have a time zone; what is shown is that of `now`.
    """
    local = moment.astimezone(now.tzinfo)
    days = (now.date() - local.date()).days
    time = {"time": f"{local:%H:%M}", "days": days}
    if days == 0:
        return _("today %(time)s") % time
    if days == 1:
        return _("yesterday %(time)s") % time
    if 1 < days < _A_WEEK:
        return _("%(days)d days ago, %(time)s") % time
    return f"{local:%Y-%m-%d %H:%M}"
