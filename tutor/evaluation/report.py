"""A run as a reader meets it: sections for a terminal or Markdown, and figures as JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tutor.evaluation.comparison import FEWEST, GROUPED_BY, Difference, Results
from tutor.evaluation.metrics import (
    ANSWERING,
    HEADLINE,
    READ_CHARS,
    RETRIEVAL,
    RUBRIC,
    SECONDS,
    SNIPPET_READ,
)
from tutor.evaluation.statistics import Interval
from tutor.i18n import _

ALL_MEASURES = (*RETRIEVAL, *ANSWERING, *SECONDS)
SHORT = (
    *(HEADLINE, "snippet_hit@1", "snippet_hit@k", SNIPPET_READ, "page_hit@1", "page_hit@k"),
    *(*ANSWERING, *SECONDS),
)
"""The measures that a short report compares; a full one compares all."""
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*<#"})
_FEW = 5
"""Questions, or failures, that a short report lists."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A part of a report: a table, its heading first, and lines of text below it."""

    title: str
    rows: Sequence[Sequence[str]] = ()
    lines: Sequence[str] = ()


def headline(record: Mapping[str, Any], results: Results) -> list[str]:
    """What the numbers of a report are of: course, cases, split, judge, settings, versions."""
    request, index = record["request"], record["index"]
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
            "n": len({case for case, _setting in results.outcomes}),
            "judge": record["judge"] or _("none"),
        },
        _("Settings: %(settings)s; tutor %(version)s, %(date)s")
        % {
            "settings": ", ".join(f"{name} (k = {n})" for name, n in k.items()),
            "version": record["versions"]["tutor"],
            "date": record["created"],
        },
    ]


def sections(record: Mapping[str, Any], results: Results, *, full: bool) -> list[ReportSection]:
    """The whole report; a short one leaves out what only a file has room for."""
    found = [_averages(_("Retrieval"), results, RETRIEVAL)]
    if results.measures(ANSWERING):
        found += [_averages(_("Answers"), results, ANSWERING), _engines(results)]
    several, most = len(results.settings) > 1, None if full else _FEW
    if several:
        found.append(_differences(results, ALL_MEASURES if full else SHORT))
    headlines = results.measures((HEADLINE, "acceptable")) or results.measures(RETRIEVAL)[:1]
    for measure in headlines:
        found += [_groups(by, results, measure) for by in GROUPED_BY]
    found.append(_seconds(results))
    if several:
        found.append(_differing(results, most))
    found.append(_failures(record, results, most))
    return [section for section in found if len(section.rows) > 1 or section.lines]


def is_partial(record: Mapping[str, Any], results: Results) -> bool:
    """Whether anything had to be left out."""
    failed = any(one.failure or one.judge_failure for one in results.outcomes.values())
    return failed or bool(record["cases"]["problems"])


def as_json(record: Mapping[str, Any], results: Results) -> dict[str, Any]:
    """The report's numbers and what they are of, as JSON."""
    measures = results.measures(ALL_MEASURES)
    outcomes = results.outcomes.values()
    return {
        "run": dict(record),
        "averages": {
            measure: {name: _numbers(one) for name, one in results.averages(measure).items()}
            for measure in measures
        },
        "differences": [
            {**asdict(difference), "interval": _numbers(difference.interval)}
            for measure in measures
            for difference in results.differences(measure)
        ],
        "failed": sum(bool(one.failure) for one in outcomes),
        "not_judged": sum(bool(one.judge_failure) for one in outcomes),
        "problems": record["cases"]["problems"],
    }


def markdown(title: str, heading: Iterable[str], found: Iterable[ReportSection]) -> str:
    """The report as a Markdown file."""
    parts = [f"# {safe(title)}", "\n".join(f"- {safe(line)}" for line in heading)]
    for section in found:
        parts.append(f"## {safe(section.title)}")
        if len(section.rows) > 1:
            parts.append(markdown_table(section.rows))
        if section.lines:
            parts.append("\n".join(f"- {safe(line)}" for line in section.lines))
    return "\n\n".join(parts) + "\n"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table, the first one its heading."""
    first, *rest = rows
    lines = [first, [":--", *("--:" for _cell in first[1:])], *rest]
    cells = ([safe(cell).replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def safe(text: str) -> str:
    """Text of notes and of cases in one line of Markdown, where it can start nothing."""
    line = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
    return line.translate(_MARKS).replace("](", "]\\(")


def _averages(title: str, results: Results, measures: Sequence[str]) -> ReportSection:
    rows = [[_("measure"), "n", *(f"{name} [95 %]" for name in results.settings)]]
    for measure in results.measures(measures):
        averages = results.averages(measure).values()
        sizes = sorted({average.n for average in averages})
        n = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"
        spec = ".2f" if measure == RUBRIC else ".3f"
        rows.append([label(measure), n, *(format(average, spec) for average in averages)])
    return ReportSection(title, rows)


def _engines(results: Results) -> ReportSection:
    """Who answered: a model that fails may have been replaced by quotes."""
    lines = []
    for setting in results.settings:
        own = (one for one in results.outcomes.values() if one.setting == setting)
        counts = Counter(one.reply.model for one in own if one.reply)
        engines = ", ".join(f"{model}: {n}" for model, n in counts.items())
        lines.append(
            _("%(setting)s answered by %(engines)s") % {"setting": setting, "engines": engines}
        )
    return ReportSection(_("Engines"), (), lines)


def _differences(results: Results, measures: Sequence[str]) -> ReportSection:
    rows = [[_("measure"), _("settings"), "n", _("difference [95 %]"), _("verdict")]]
    for measure in results.measures(measures):
        for difference in results.differences(measure):
            found = difference.interval
            name, spec = label(measure), "+.3f"
            if measure in SECONDS:
                name, spec = name + _(", seconds"), "+.4f"
            pair = f"{difference.first} − {difference.second}"
            rows.append([name, pair, str(found.n), format(found, spec), _verdict(difference)])
    note = _("Paired bootstrap over the cases; not corrected for the number of comparisons.")
    return ReportSection(_("Differences"), rows, [note])


def _verdict(difference: Difference) -> str:
    if difference.interval.n < FEWEST:
        return _("too few questions")
    if difference.better is None:
        return _("no difference shown")
    return _("%(name)s is better") % {"name": difference.better}


def _groups(by: str, results: Results, measure: str) -> ReportSection:
    title = {"kind": _("kind"), "language": _("language")}[by]
    several = len(results.settings) > 1
    heading = [title, "n", *(f"{name} [95 %]" for name in results.settings)]
    rows = [[*heading, _("winner")] if several else heading]
    for name, group in results.groups(by, measure).items():
        averages = group.averages(measure).values()
        n = max(average.n for average in averages)
        leader, shown = group.leader(measure)
        verdict = leader if shown else _("no difference shown")
        winner = [verdict if n >= FEWEST else _("too few questions")] if several else []
        rows.append([label(name), str(n), *(f"{average:.3f}" for average in averages), *winner])
    words = {"measure": label(measure), "group": title}
    return ReportSection(_("%(measure)s by %(group)s") % words, rows)


def _seconds(results: Results) -> ReportSection:
    rows = [[_("milliseconds"), *(f"{name} p50 / p95" for name in results.settings)]]
    for measure in results.measures(SECONDS):
        quantiles = 1000 * results.values(measure).quantile([0.5, 0.95])
        cells = [f"{half:.1f} / {most:.1f}" for half, most in quantiles.to_numpy().T]
        rows.append([label(measure), *("-" if "nan" in cell else cell for cell in cells)])
    return ReportSection(_("Time"), rows)


def _differing(results: Results, most: int | None) -> ReportSection:
    """The questions on which settings differ from the first, the largest differences first."""
    lines: list[str] = []
    base, *others = results.settings
    for other in others:
        values = results.values(HEADLINE)[[base, other]].dropna()
        gaps = (values[base] - values[other]).abs()
        apart = gaps[gaps > 0].sort_values(ascending=False, kind="stable")
        lines.append(
            _("%(first)s and %(second)s differ on %(n)d questions (%(measure)s)")
            % {"first": base, "second": other, "n": len(apart), "measure": label(HEADLINE)}
        )
        for case in map(str, apart.index[:most]):
            sides = [results.outcomes[case, name] for name in (base, other)]
            lines.append(f"{case}: {sides[0].question}")
            for one in sides:
                places = ", ".join(one.passages) or _("nothing found")
                lines.append(f"  {one.setting} {one.measures[HEADLINE]:.2f}: {places}")
    return ReportSection(_("Questions on which they differ"), (), lines)


def _failures(record: Mapping[str, Any], results: Results, most: int | None) -> ReportSection:
    outcomes = results.outcomes.values()
    failed = [f"{o.case} ({o.setting}): {o.failure}" for o in outcomes if o.failure]
    unjudged = [f"{o.case} ({o.setting}): {o.judge_failure}" for o in outcomes if o.judge_failure]
    lines: list[str] = []
    for heading, found in (
        (_("Lines of the cases with problems: %(n)d"), record["cases"]["problems"]),
        (_("Outcomes that failed: %(n)d"), failed),
        (_("Answers that the judge could not judge: %(n)d"), unjudged),
    ):
        if found:
            lines += [heading % {"n": len(found)}, *(f"  {line}" for line in found[:most])]
    return ReportSection(_("Problems"), (), lines)


def label(name: str) -> str:
    """A measure or a kind in the reader's language; a strange name stays as it is."""
    _level, _underscore, rest = name.partition("_")
    ranked = rest.replace("mrr", "MRR").replace("ndcg", "nDCG")
    named = {
        f"snippet_{rest}": _("passage") + f" {ranked}",
        f"page_{rest}": _("page") + f" {ranked}",
        SNIPPET_READ: _("passage within %(n)d characters") % {"n": READ_CHARS},
        "acceptable": _("acceptable (rubric 4-5)"),
        "rubric": _("rubric, 1-5"),
        "correctness": _("correctness"),
        "faithfulness": _("faithfulness"),
        "answer_relevance": _("answer relevance"),
        "context_precision": _("context precision"),
        "context_recall": _("context recall"),
        "citation_precision": _("citation precision"),
        "citation_recall": _("citation recall"),
        "place_cited": _("right page cited"),
        "refusal_precision": _("refusal precision"),
        "refusal_recall": _("refusal recall"),
        "false_refusal": _("false refusals"),
        "retrieval_s": _("whole retrieval"),
        "total_s": _("whole answer"),
        "formulas": _("formulas"),
        "techniques": _("techniques"),
        "concepts": _("concepts"),
        "fact": _("facts"),
        "comparison": _("comparisons"),
        "list": _("lists"),
        "follow-up": _("follow-ups"),
        "new-topic": _("new topics"),
        "unanswerable": _("unanswerable"),
        "es": _("Spanish"),
        "en": _("English"),
    }
    return named.get(name, name)


def _numbers(interval: Interval) -> dict[str, float | int | None]:
    """JSON has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in asdict(interval).items()}
