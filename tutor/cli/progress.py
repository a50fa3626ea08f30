"""How `tutor cards progress` tells what is known and what is to be done."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tutor.cli.output import table
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.study.progress import Day, Topic

_WIDTH = 60


def topic_record(topic: Topic) -> dict[str, Any]:
    """A topic for JSON."""
    record = asdict(topic)
    return {**record, "known": round(topic.known, 2), "mastery": round(topic.mastery, 4)}


def topic_table(topics: Sequence[Topic]) -> str:
    """Topics with what is known of them, in columns."""
    rows = [[_("Topic"), _("Week"), _("Cards"), _("Never seen"), _("Known now")]]
    for topic in topics:
        name = " › ".join(filter(None, (topic.title or _("My own cards"), topic.section)))
        rows.append([
            name if len(name) <= _WIDTH else f"{name[: _WIDTH - 1]}…",
            "-" if topic.week is None else str(topic.week),
            str(topic.cards),
            str(topic.cards - topic.seen),
            f"{topic.mastery:.0%}",
        ])  # fmt: skip
    return table(rows)


def plan_table(days: Sequence[Day]) -> str:
    """A plan by day, in columns."""
    rows = [[_("Day"), _("Reviews"), _("New")]]
    rows += [[day.day.isoformat(), str(day.reviews), str(day.new)] for day in days]
    return table(rows)
