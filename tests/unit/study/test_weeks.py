"""Reviews and due cards by week, as figures, as a plot and as a drawing."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

from tests.study_cards import Clock, course
from tutor.cli.commands.cards_progress import week_plot
from tutor.study.progress import Graded, Week, by_week, weeks_csv, weeks_svg
from tutor.study.schedule import Grade, Scheduler
from tutor.study.store import FILE_NAME, StudyStore

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
MONDAY = date(2026, 3, 2)
WEEK = timedelta(days=7)


def graded(days: int, *, was_known: bool = True, remembered: bool = True) -> Graded:
    return Graded(NOW + timedelta(days=days), was_known, remembered)


def test_reviews_and_due_cards_are_counted_by_week() -> None:
    reviews = [
        graded(-14, was_known=False), graded(-14), graded(-12, remembered=False), graded(0),
    ]  # fmt: skip
    due = [NOW - timedelta(days=40), NOW + timedelta(days=1), NOW + timedelta(days=13)]
    assert by_week(reviews, due, NOW) == [
        Week(MONDAY - 2 * WEEK, 3, 2, 1, 0),
        Week(MONDAY - WEEK, 0, 0, 0, 0),
        Week(MONDAY, 1, 1, 1, 2),
        Week(MONDAY + WEEK, 0, 0, 0, 0),
        Week(MONDAY + 2 * WEEK, 0, 0, 0, 1),
    ]
    assert by_week([], [], NOW) == [Week(MONDAY, 0, 0, 0, 0)]


def test_what_is_years_away_makes_no_endless_table() -> None:
    weeks = by_week([graded(-4000)], [NOW + timedelta(days=9000)], NOW)
    assert len(weeks) == 105


def test_a_first_answer_is_no_retention(tmp_path: Path) -> None:
    clock, plain = Clock(), Scheduler(0.9, fuzz=False)
    with StudyStore(tmp_path / FILE_NAME, now=clock) as store:
        store.merge("ia", course(1))
        (number,) = store.new("ia", 1)
        for grade, days in ((Grade.EASY, 0), (Grade.AGAIN, 60), (Grade.GOOD, 0)):
            clock.forward(days=days)
            store.grade(number, grade, plain)
        assert [(one.was_known, one.remembered) for one in store.graded("ia")] == [
            (False, True), (True, False), (False, True),
        ]  # fmt: skip
        assert store.graded("otro") == []


def test_the_plot_has_a_bar_for_each_week_in_sight() -> None:
    weeks = by_week([graded(-7 * n) for n in range(30)], [NOW + timedelta(days=70)], NOW)
    lines = week_plot(weeks, NOW.date()).split("\n")
    assert len(lines) == 1 + 12 + 9
    assert "100%" in lines[1]
    assert lines[1].endswith("█" * 36)
    assert not lines[-1].endswith("█")


def test_the_drawing_is_sound_and_the_figures_can_be_read_back() -> None:
    weeks = by_week([graded(-7), graded(-7, remembered=False)], [NOW + timedelta(days=9)], NOW)
    drawing = ElementTree.fromstring(weeks_svg(weeks, "<IA> & más"))
    bars = [one for one in drawing.iter() if one.tag.endswith("rect") and one.get("x")]
    assert len(bars) == 2 * len(weeks)
    assert sum(one.tag.endswith("circle") for one in drawing.iter()) == 1
    assert "<IA> & más" in "".join(drawing.itertext())
    rows = list(csv.DictReader(io.StringIO(weeks_csv(weeks))))
    assert [row["retention"] for row in rows] == ["0.5000", "", ""]
    assert [row["due"] for row in rows] == ["0", "0", "1"]
