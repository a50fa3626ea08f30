"""A plan until an exam, put into words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from tutor.i18n import _, plural
from tutor.study.planning import Plan
from tutor.study.progress import TopicProgress
from tutor.text.terminal import shortened

_BAR = 30
_LEAST_WIDTH = 60


def plan_text(plan: Plan, new_per_day: int) -> str:
    """The plan in a sentence, what it cannot be about, what a review asks less than it, and a line
    for each day.
    """
    per_day = -(-plan.never_seen // len(plan.days))
    told = plural(
        "%(n)d card was never asked: %(day)d new a day until then, besides reviews.",
        "%(n)d cards were never asked: %(day)d new a day until then, besides reviews.",
        plan.never_seen,
        day=per_day,
    )
    missing = _("No card is about “%(topic)s”: the plan takes all of them.")
    parts = [missing % {"topic": plan.missing}] if plan.missing else []
    parts += [told] if plan.never_seen else []
    parts += [_more(plan, new_per_day)] if per_day > new_per_day else []
    most = max(1, *(day.reviews + day.new for day in plan.days))
    names = _("Day"), _("Reviews"), _("New")  # not within the f-string, where no text is collected
    rows = ["{:<14}{:>9}{:>8}".format(*names)]
    for day in plan.days:
        shown = bar(day.reviews, day.new, most, _BAR)
        rows.append(f"{_weekday(day.day)} {day.day}{day.reviews:>9}{day.new:>8}  {shown}")
    return "\n\n".join([*parts, "\n".join(rows)])


def _more(plan: Plan, new_per_day: int) -> str:
    """How to have more new cards in a day, of what the plan is about."""
    asked = _("give me 30 questions about %(topic)s") if plan.about else _("give me 30 questions")
    more = _(
        "A review asks %(n)d new ones a day (study.new_per_day): then ask for more, as in"
        " “%(asked)s”."
    )
    return more % {"n": new_per_day, "asked": asked % {"topic": ", ".join(plan.about)}}


def bar(done: int, coming: int, most: int, width: int) -> str:
    """A bar, full for what is done and pale for what comes; `most` of both is as wide as it can."""
    return "█" * -(-width * done // most) + "░" * -(-width * coming // most)


def _weekday(day: date) -> str:
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))[day.weekday()]


def standing(plan: Plan, today: date) -> str:
    """When the exam is, and what it is about."""
    left = plural("%(n)d day is left", "%(n)d days are left", (plan.exam - today).days)
    return " · ".join([_("exam on %(day)s") % {"day": plan.exam}, *plan.about, left])


def forgotten() -> str:
    """What is said once the exam is forgotten."""
    return _("The day of the exam is forgotten.")


def progress_text(topics: Sequence[TopicProgress], width: int) -> str:
    """How much of each document would be remembered now, and how many cards were never seen, in
    lines of at most `width` characters, or of 60.
    """
    names = _("Known now"), _("Cards"), _("Never seen")
    rows = ["{:>14}{:>11}{:>14}".format(*names)]
    for topic in topics:
        title = shortened(
            topic.title or _("My own cards"), max(_LEAST_WIDTH, width) - len(rows[0]) - 2
        )
        rows.append(
            f"{topic.mastery:>14.0%}{topic.cards:>11}{topic.cards - topic.seen:>14}  {title}"
        )
    return "\n".join(rows)
