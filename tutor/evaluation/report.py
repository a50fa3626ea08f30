"""A run as a reader meets it: sections for a terminal or a Markdown file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.evaluation.comparison import FEWEST, kind_of, language_of
from tutor.evaluation.labels import label
from tutor.evaluation.measures import ANSWERING, HEADLINE, RETRIEVAL, RUBRIC, SECONDS, SNIPPET_READ
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tutor.evaluation.comparison import Comparison, Difference, Differing, Group
    from tutor.evaluation.outcomes import Passage
    from tutor.evaluation.statistics import Interval

SHORT = (
    HEADLINE,
    "snippet_hit@1",
    "snippet_hit@k",
    SNIPPET_READ,
    "page_hit@1",
    "page_hit@k",
    *ANSWERING,
    *SECONDS,
)
"""The measures that a short report compares; a full one compares all."""
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*<#"})
_FEW = 5
"""Questions, or failures, that a short report lists."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report: a table, its heading first, and lines of text below it."""

    title: str
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[str] = field(default_factory=tuple)


def headline(record: Mapping[str, Any], comparison: Comparison) -> list[str]:
    """What the numbers of a report are of: course, cases, split, judge, settings, versions."""
    request, index = record["request"], record["index"]
    asked = {outcome.case for s in comparison.settings for outcome in comparison.outcomes(s)}
    k = {one["name"]: one["config"]["k"] for one in record["settings"]}
    return [
        _("Course %(course)s: %(documents)d documents, %(pages)d pages; embedder %(embedder)s")
        % {
            "course": request["course"],
            **{n: index[n] for n in ("documents", "pages", "embedder")},
        },
        _("Cases: %(source)s, split %(split)s, n = %(n)d; judge: %(judge)s")
        % {
            "source": request["source"],
            "split": request["split"],
            "n": len(asked),
            "judge": record["judge"] or _("none"),
        },
        _("Settings: %(settings)s; tutor %(version)s, %(date)s")
        % {
            "settings": ", ".join(f"{name} (k = {n})" for name, n in k.items()),
            "version": record["versions"]["tutor"],
            "date": record["created"],
        },
    ]


def sections(record: Mapping[str, Any], comparison: Comparison, *, full: bool) -> list[Section]:
    """The whole report; a short one leaves out what only a file has room for."""
    found = [_in_short(comparison), _averages(_("Retrieval"), comparison, RETRIEVAL)]
    if comparison.measures(ANSWERING):
        found.append(_averages(_("Answers"), comparison, ANSWERING))
        found.append(_engines(comparison))
    if len(comparison.settings) > 1:
        found.append(_differences(comparison, full=full))
    headlines = comparison.measures((HEADLINE, "acceptable")) or comparison.measures(RETRIEVAL)[:1]
    for measure in headlines:
        for title, group_of in ((_("kind"), kind_of), (_("language"), language_of)):
            found.append(_groups(title, comparison, comparison.groups(group_of, measure), measure))
    found.append(_seconds(comparison))
    if len(comparison.settings) > 1:
        found.append(_differing(comparison, full=full))
    found.append(_failures(record, comparison, full=full))
    return [section for section in found if len(section.rows) > 1 or section.lines]


def is_partial(record: Mapping[str, Any], comparison: Comparison) -> bool:
    """Whether anything had to be left out."""
    failed = any(o.failure or o.judge_failure for o in comparison.all_outcomes())
    return failed or bool(record["cases"]["problems"])


def markdown(title: str, heading: Iterable[str], found: Iterable[Section]) -> str:
    """The report as a Markdown file."""
    parts = [f"# {_safe(title)}", "\n".join(f"- {_safe(line)}" for line in heading)]
    for section in found:
        parts.append(f"## {_safe(section.title)}")
        if len(section.rows) > 1:
            first, *rest = section.rows
            rule = [":--", *("--:" for _cell in first[1:])]
            parts.append("\n".join(map(_row, (first, rule, *rest))))
        if section.lines:
            parts.append("\n".join(f"- {_safe(line)}" for line in section.lines))
    return "\n\n".join(parts) + "\n"


def shown(interval: Interval, digits: int = 3) -> str:
    """An estimate with its interval; `-` where there is none."""
    if interval.n == 0 or math.isnan(interval.estimate):
        return "-"
    return f"{interval.estimate:.{digits}f} [{interval.low:.{digits}f}, {interval.high:.{digits}f}]"


def _in_short(comparison: Comparison) -> Section:
    """The verdicts that matter most, as sentences."""
    lines = []
    for measure in comparison.measures((HEADLINE, "acceptable", "retrieval_s")):
        for difference in comparison.differences(measure):
            name, n, cell = difference_cells(difference)
            lines.append(
                _(
                    "%(measure)s, %(first)s against %(second)s: "
                    "%(verdict)s (%(difference)s, n = %(n)s)"
                )
                % {
                    "measure": name,
                    "first": difference.first,
                    "second": difference.second,
                    "verdict": _verdict(difference),
                    "difference": cell,
                    "n": n,
                }
            )
    return Section(_("In short"), (), lines)


def _averages(title: str, comparison: Comparison, measures: Sequence[str]) -> Section:
    rows = [[_("measure"), "n", *(f"{name} [95 %]" for name in comparison.settings)]]
    for measure in comparison.measures(measures):
        averages = [comparison.average(name, measure) for name in comparison.settings]
        sizes = sorted({average.n for average in averages})
        n = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"
        digits = 2 if measure == RUBRIC else 3
        rows.append([label(measure), n, *(shown(average, digits) for average in averages)])
    return Section(title, rows)


def _engines(comparison: Comparison) -> Section:
    """Who answered: a model that fails may have been replaced by quotes."""
    lines = []
    for setting in comparison.settings:
        counts: dict[str, int] = {}
        for outcome in comparison.outcomes(setting):
            if outcome.reply:
                counts[outcome.reply.model] = counts.get(outcome.reply.model, 0) + 1
        engines = ", ".join(f"{model}: {n}" for model, n in counts.items())
        lines.append(
            _("%(setting)s answered by %(engines)s") % {"setting": setting, "engines": engines}
        )
    return Section(_("Engines"), (), lines)


def _differences(comparison: Comparison, *, full: bool) -> Section:
    chosen = (*RETRIEVAL, *ANSWERING, *SECONDS) if full else SHORT
    rows = [[_("measure"), _("settings"), "n", _("difference [95 %]"), _("verdict")]]
    for measure in comparison.measures(chosen):
        for difference in comparison.differences(measure):
            name, n, interval = difference_cells(difference)
            pair = f"{difference.first} − {difference.second}"
            rows.append([name, pair, n, interval, _verdict(difference)])
    note = _("Paired bootstrap over the cases; not corrected for the number of comparisons.")
    return Section(_("Differences"), rows, [note])


def difference_cells(difference: Difference) -> list[str]:
    """Measure, n, and the difference with its interval."""
    interval = difference.interval
    digits = 4 if difference.measure in SECONDS else 3
    cell = "-"
    if interval.n:
        cell = (
            f"{interval.estimate:+.{digits}f} "
            f"[{interval.low:+.{digits}f}, {interval.high:+.{digits}f}]"
        )
    unit = _(", seconds") if difference.measure in SECONDS else ""
    return [label(difference.measure) + unit, str(interval.n), cell]


def _verdict(difference: Difference) -> str:
    if difference.interval.n < FEWEST:
        return _("too few questions")
    if difference.better is None:
        return _("no difference shown")
    return _("%(name)s is better") % {"name": difference.better}


def _groups(title: str, comparison: Comparison, groups: Sequence[Group], measure: str) -> Section:
    several = len(comparison.settings) > 1
    verdicts = [_("winner")] if several else []
    rows = [[title, "n", *(f"{name} [95 %]" for name in comparison.settings), *verdicts]]
    for group in groups:
        n = max(average.n for average in group.averages.values())
        verdicts = [_winner(group, n)] if several else []
        averages = (shown(average) for average in group.averages.values())
        rows.append([label(group.name), str(n), *averages, *verdicts])
    return Section(
        _("%(measure)s by %(group)s") % {"measure": label(measure), "group": title}, rows
    )


def _winner(group: Group, n: int) -> str:
    if n < FEWEST:
        return _("too few questions")
    return group.winner or _("no difference shown")


def _seconds(comparison: Comparison) -> Section:
    rows = [[_("stage, milliseconds"), *(f"{name} p50 / p95" for name in comparison.settings)]]
    for stage in comparison.stages():
        cells = []
        for setting in comparison.settings:
            values = list(comparison.values(setting, stage).values())
            half, most = np.quantile(values, [0.5, 0.95]) * 1000 if values else (math.nan, math.nan)
            cells.append(f"{half:.1f} / {most:.1f}" if values else "-")
        rows.append([label(stage), *cells])
    return Section(_("Time"), rows)


def _differing(comparison: Comparison, *, full: bool) -> Section:
    lines: list[str] = []
    base, *others = comparison.settings
    for other in others:
        found = comparison.differing(base, other)
        lines.append(
            _("%(first)s and %(second)s differ on %(n)d questions (%(measure)s)")
            % {"first": base, "second": other, "n": len(found), "measure": label(HEADLINE)}
        )
        for one in found if full else found[:_FEW]:
            lines += _differing_lines(one, base, other)
    return Section(_("Questions on which they differ"), (), lines)


def _differing_lines(one: Differing, base: str, other: str) -> list[str]:
    lines = [f"{one.case}: {one.question}"]
    for name, value, passage in zip((base, other), one.values, one.passages, strict=True):
        lines.append(f"  {name} {value:.2f}: {_where(passage)}")
    return lines


def _where(passage: Passage | None) -> str:
    if passage is None:
        return _("nothing found")
    worth = _("wrong page")
    if passage.on_page:
        worth = _("right page, answer elsewhere on it")
    if passage.holds_snippet:
        worth = _("holds the answer")
    return f"{worth} · {passage.file}, {passage.first_page} · «{passage.text}»"


def _failures(record: Mapping[str, Any], comparison: Comparison, *, full: bool) -> Section:
    outcomes = comparison.all_outcomes()
    failed = [f"{o.case} ({o.setting}): {o.failure}" for o in outcomes if o.failure]
    unjudged = [f"{o.case} ({o.setting}): {o.judge_failure}" for o in outcomes if o.judge_failure]
    lines: list[str] = []
    for heading, found in (
        (_("Lines of the cases with problems: %(n)d"), record["cases"]["problems"]),
        (_("Outcomes that failed: %(n)d"), failed),
        (_("Answers that the judge could not judge: %(n)d"), unjudged),
    ):
        if found:
            lines.append(heading % {"n": len(found)})
            lines += [f"  {line}" for line in (found if full else found[:_FEW])]
    return Section(_("Problems"), (), lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_safe(cell).replace("|", "\\|") for cell in cells) + " |"


def _safe(text: str) -> str:
    """Text of notes and of cases in one line of Markdown, where it can start nothing."""
    line = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
    return line.translate(_MARKS).replace("](", "]\\(")
