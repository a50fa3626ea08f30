"""`tutor cards progress`: what is known, what is to be done, and how the weeks went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from tutor.cli.cards import TOPIC, opened_cards, selection
from tutor.cli.documents import save_document
from tutor.cli.filtering import filter_options
from tutor.cli.invocation import Invocation
from tutor.cli.options import FORCE, JSON
from tutor.cli.output import table, write, write_json
from tutor.errors import StudyError
from tutor.i18n import _
from tutor.search.filters import FilterChoice
from tutor.study.practice import none_fits
from tutor.study.progress import Day, TopicProgress, plan, topics
from tutor.study.schedule import Scheduler
from tutor.study.weeks import Week, by_week, weeks_csv, weeks_svg
from tutor.text.terminal import one_line, shortened

_WIDTH = 60
_BAR = 36
_BACK, _AHEAD = 12, 9
"""Weeks that are shown, before and from this one on."""


_FILE = click.Path(path_type=Path)


@click.command(help=_("Show how much is known by topic; with --exam what to do until then."))
@filter_options
@TOPIC
@click.option("--sections", is_flag=True, help=_("By section instead of by document."))
@click.option(
    "--exam",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar=_("DATE"),
    help=_("Day of an exam: a plan until then, day by day."),
)
@click.option("--weeks", is_flag=True, help=_("Plot what was remembered and is due, by week."))
@click.option("--svg", type=_FILE, metavar=_("FILE"), help=_("Draw that into a file."))
@click.option("--csv", type=_FILE, metavar=_("FILE"), help=_("Write its figures into a file."))
@FORCE
@JSON
@click.pass_obj
def progress(
    invocation: Invocation,
    topic: str,
    sections: bool,
    exam: datetime | None,
    weeks: bool,
    svg: Path | None,
    csv: Path | None,
    force: bool,
    as_json: bool,
    choice: FilterChoice,
) -> None:
    """Print what is known of each topic, a plan, and the weeks."""
    config, course = invocation.course()
    which = selection(course, choice, topic)
    with opened_cards(config, course) as store:
        found, now = store.cards(course.name, which), store.now()
        reviews = store.graded(course.name, which)
    if not found:
        raise none_fits()
    scheduler = Scheduler(config.study.retention, fuzz=False)
    due = [one.schedule.due for one in found if one.schedule and not one.suspended]
    told = topics(found, scheduler, now, sections=sections)
    days = plan(found, scheduler, now, exam.date()) if exam else []
    all_weeks = by_week(reviews, due, now)
    contents = {svg: weeks_svg(all_weeks, one_line(course.name)), csv: weeks_csv(all_weeks)}
    written = [path for path in contents if path]
    for path in written:
        save_document(contents[path], path, force=force, failure=StudyError)
    if as_json:
        write_json(_record(told, days, all_weeks if weeks else []))
        return
    parts = [_("Written: %(path)s") % {"path": one_line(str(path))} for path in written]
    if weeks:
        parts.append(week_plot(all_weeks, now.astimezone().date()))
    if not parts:
        parts.append(topic_table(told))
    if days:
        parts.append("\n" + plan_table(days))
    write("\n".join(parts))


def _record(
    told: Sequence[TopicProgress], days: Sequence[Day], weeks: Sequence[Week]
) -> dict[str, Any]:
    return {
        "topics": [topic_record(one) for one in told],
        "plan": list(map(asdict, days)),
        "weeks": list(map(week_record, weeks)),
    }


def topic_record(topic: TopicProgress) -> dict[str, Any]:
    """A topic for JSON."""
    record = asdict(topic)
    return {**record, "known": round(topic.known, 2), "mastery": round(topic.mastery, 4)}


def topic_table(topics: Sequence[TopicProgress]) -> str:
    """Topics with what is known of them, in columns."""
    rows = [[_("Topic"), _("Week"), _("Cards"), _("Never seen"), _("Known now")]]
    for topic in topics:
        name = " › ".join(filter(None, (topic.title or _("My own cards"), topic.section)))
        rows.append([
            shortened(name, _WIDTH),
            "-" if topic.week is None else str(topic.week),
            str(topic.cards),
            str(topic.cards - topic.seen),
            f"{topic.mastery:.0%}",
        ])  # fmt: skip
    return table(rows)


def week_record(week: Week) -> dict[str, Any]:
    """A week for JSON."""
    share = week.retention
    return {**asdict(week), "retention": None if share is None else round(share, 4)}


def week_plot(weeks: Sequence[Week], today: date) -> str:
    """The weeks around today, each with a bar: full for reviews, pale for what comes due."""
    shown = [week for week in weeks if -_BACK <= (week.monday - today).days // 7 < _AHEAD]
    most = max(1, *(week.reviews + week.due for week in shown))
    rows = [[_("Week of"), _("Reviews"), _("Remembered"), _("Cards due")]]
    rows += [
        [
            week.monday.isoformat(),
            str(week.reviews or "-"),
            "-" if week.retention is None else f"{week.retention:.0%}",
            str(week.due or "-"),
        ]
        for week in shown
    ]
    bars = ["", *(_bar(week, most) for week in shown)]
    lines = zip(table(rows).split("\n"), bars, strict=True)
    return "\n".join(f"{line}  {bar}".rstrip() for line, bar in lines)


def _bar(week: Week, most: int) -> str:
    full, pale = (-(-_BAR * n // most) for n in (week.reviews, week.due))
    return "█" * full + "░" * pale


def plan_table(days: Sequence[Day]) -> str:
    """A plan by day, in columns."""
    rows = [[_("Day"), _("Reviews"), _("New")]]
    rows += [[day.day.isoformat(), str(day.reviews), str(day.new)] for day in days]
    return table(rows)
