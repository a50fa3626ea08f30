"""`tutor cards progress`: what is known, what is to be done, and how the weeks went."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click

from tutor.cli import diagnostics
from tutor.cli.cards import cards_to_ask, none_chosen, opened_cards, selection
from tutor.cli.invocation import Invocation
from tutor.cli.options import FILE, FORCE, JSON, TOPIC, filter_options
from tutor.cli.output import check_place, save_document, table, text_width, write, write_json
from tutor.config import Config
from tutor.courses import Course
from tutor.errors import StudyError
from tutor.i18n import _
from tutor.model import Source
from tutor.preferences import Preferences
from tutor.presentation.plans import bar, forgotten, plan_text, progress_text, standing
from tutor.search.filters import FilterChoice
from tutor.study.planning import Plan, day_said, planned
from tutor.study.progress import (
    Day,
    TopicProgress,
    Week,
    by_week,
    plan,
    topics,
    weeks_csv,
    weeks_svg,
)
from tutor.study.schedule import Scheduler
from tutor.text.terminal import one_line, shortened

_WIDTH = 60
_BAR = 36
_BACK, _AHEAD = 12, 9
"""Weeks that are shown, before and from this one on."""


class _Day(click.DateTime):
    """A day, told with an example where it is none."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            with suppress(StudyError):
                day, rest = day_said(str(value), datetime.now().astimezone())
                if not rest.strip():
                    return datetime.combine(day, datetime.min.time())
            self.fail(_("'%(said)s' is no date as 2026-12-10.") % {"said": value}, param, ctx)


@click.command(help=_("Show how much is known by topic; with --exam what to do until then."))
@filter_options
@TOPIC
@click.option("--sections", is_flag=True, help=_("By section instead of by document."))
@click.option(
    "--exam",
    type=_Day(["%Y-%m-%d"]),
    metavar=_("DATE"),
    help=_("Day of an exam: a plan until then, day by day."),
)
@click.option("--weeks", is_flag=True, help=_("Plot what was remembered and is due, by week."))
@click.option("--svg", type=FILE, metavar=_("FILE"), help=_("Draw that into a file."))
@click.option("--csv", type=FILE, metavar=_("FILE"), help=_("Write its figures into a file."))
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
    written = _places(svg, csv, force=force)
    config, course = invocation.course()
    which = selection(course, choice, topic)
    with opened_cards(config, course) as store:
        found, now = store.cards(course.name, which), store.now()
        if not found:
            raise none_chosen(course, which, store)
        numbers = tuple(saved.number for saved in found)
        reviews = store.graded(course.name, replace(which, numbers=numbers))
    scheduler = Scheduler(config.study.retention, fuzz=False)
    due = [one.schedule.due for one in found if one.schedule and not one.suspended]
    told = topics(found, scheduler, now, sections=sections)
    days = plan(found, scheduler, now, exam.date()) if exam else []
    all_weeks = by_week(reviews, due, now)
    if svg:
        save_document(weeks_svg(all_weeks, one_line(course.name)), svg, force=force)
    if csv:
        save_document(weeks_csv(all_weeks), csv, force=force)
    if as_json:
        write_json(_record(told, days, all_weeks if weeks else []))
        return
    parts = [_("Written: %(path)s") % {"path": one_line(str(path))} for path in written]
    if weeks:
        parts.append(week_plot(all_weeks, now.astimezone().date()))
    if not parts:
        parts.append(_topic_table(told))
    if exam:
        parts.append("\n" + plan_text(Plan(exam.date(), days), config.study.new_per_day))
    write("\n".join(parts))


def _places(svg: Path | None, csv: Path | None, *, force: bool) -> list[Path]:
    """The files that are to be written, none of which is there twice, or in the way of another."""
    if svg and csv and svg.resolve() == csv.resolve():
        raise click.UsageError(_("`--svg` and `--csv` name the same file."))
    places = [path for path in (svg, csv) if path]
    for path in places:
        check_place(path, force=force)
    return places


def tell_plan(config: Config, course: Course, said: str, sources: Collection[Source]) -> None:
    """Print the plan that a line of a conversation asks for. Raises `StudyError`, `StoreError`."""
    with cards_to_ask(config, course) as store:
        kept, retention = Preferences(config.stores_path), config.study.retention
        plan = planned(said, sources, store, course.name, retention=retention, kept=kept)
        today = store.now().astimezone().date()
    if plan:
        write(standing(plan, today) + "\n\n" + plan_text(plan, config.study.new_per_day) + "\n")
    else:
        diagnostics.line(forgotten())


def tell_progress(config: Config, course: Course) -> None:
    """Print how much of each document is known. Raises `StudyError`, `StoreError`."""
    scheduler = Scheduler(config.study.retention, fuzz=False)
    with cards_to_ask(config, course) as store:
        told = topics(store.cards(course.name), scheduler, store.now())
    write(progress_text(told, text_width()) + "\n")


def _record(
    told: Sequence[TopicProgress], days: Sequence[Day], weeks: Sequence[Week]
) -> dict[str, Any]:
    def rounded(share: float | None, digits: int = 4) -> float | None:
        return None if share is None else round(share, digits)

    return {
        "topics": [
            {**asdict(one), "known": rounded(one.known, 2), "mastery": rounded(one.mastery)}
            for one in told
        ],
        "plan": list(map(asdict, days)),
        "weeks": [{**asdict(week), "retention": rounded(week.retention)} for week in weeks],
    }


def _topic_table(topics: Sequence[TopicProgress]) -> str:
    """Topics with what is known of them, in columns."""
    heading = (_("Topic"), _("Week"), _("Cards"), _("Never seen"), _("Known now"))
    rows = [
        (
            shortened(
                " › ".join(filter(None, (one.title or _("My own cards"), one.section))), _WIDTH
            ),
            one.week,
            one.cards,
            one.cards - one.seen,
            f"{one.mastery:.0%}",
        )
        for one in topics
    ]
    return table([heading, *rows])


def week_plot(weeks: Sequence[Week], today: date) -> str:
    """The weeks around today, each with a bar: full for reviews, pale for what comes due."""
    shown = [week for week in weeks if -_BACK <= (week.monday - today).days // 7 < _AHEAD]
    most = max(1, *(week.reviews + week.due for week in shown))
    heading = (_("Week of"), _("Reviews"), _("Remembered"), _("Cards due"))
    rows = [
        (
            week.monday,
            week.reviews or None,
            None if week.retention is None else f"{week.retention:.0%}",
            week.due or None,
        )
        for week in shown
    ]
    bars = ["", *(bar(week.reviews, week.due, most, _BAR) for week in shown)]
    lines = zip(table([heading, *rows]).split("\n"), bars, strict=True)
    return "\n".join(f"{line}  {bar}".rstrip() for line, bar in lines)
