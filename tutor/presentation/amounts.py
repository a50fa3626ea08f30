"""Numbers, durations, moments, sizes, pages and lengths as people say them."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from tutor.i18n import _, language, plural
from tutor.model import AnswerLength
from tutor.text.terminal import plain

if TYPE_CHECKING:
    from tutor.index.build.events import Progress
    from tutor.llm import PullProgress

_STEP = 1000
_A_WEEK = 7


def size(n: int) -> str:
    """A number of bytes in decimal units, as Ollama's own command shows them."""
    value = float(n)
    for unit in ("B", "kB", "MB", "GB"):
        if value < _STEP:
            return f"{value:.0f} {unit}" if unit != "GB" else f"{value:.1f} {unit}"
        value /= _STEP
    return f"{value:.1f} TB"


def decimal(value: float, digits: int) -> str:
    """A number with so many decimals, and the decimal sign of the reader's language."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",") if language() == "es" else text


def joined(*parts: str) -> str:
    """Short texts in one line, without those that are empty."""
    return " · ".join(filter(None, parts))


def left_out_told(files: int) -> str:
    """That files were left out of the index, and where it is said why."""
    told = plural("%(n)d file was left out", "%(n)d files were left out", files)
    return _("%(told)s of the index; F5 says why.") % {"told": told}


def length_told(length: AnswerLength) -> str:
    """How long answers are."""
    return {
        AnswerLength.SHORT: _("short answers"),
        AnswerLength.NORMAL: _("answers of normal length"),
        AnswerLength.LONG: _("long answers"),
    }[length]


def duration(seconds: float) -> str:
    """A duration as people say it."""
    if seconds < 60:
        return _("%(s)d s") % {"s": round(seconds)}
    minutes, rest = divmod(round(seconds), 60)
    return _("%(m)d min %(s)02d s") % {"m": minutes, "s": rest}


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


def indexing_text(progress: Progress | None) -> str:
    """How far an index is, once that can be told."""
    if progress is None or not progress.chunks_found:
        return _("Indexing ...")
    told = _("%(files_done)d/%(files)d files, %(chunks_done)d/%(chunks_found)d passages")
    if not progress.files:  # all were read before an earlier run was interrupted
        told = _("%(chunks_done)d/%(chunks_found)d passages")
    if progress.sentences_found:
        told = _("%(sentences_done)d/%(sentences_found)d sentences")
    return joined(_("Indexing ..."), told % asdict(progress), left_text(progress))


def left_text(progress: Progress) -> str:
    """How long an index will take still; empty until that can be told."""
    if progress.seconds_left is None:
        return ""
    return _("about %(time)s left") % {"time": duration(progress.seconds_left)}
