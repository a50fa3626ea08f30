"""A latency run in numbers: averages, quantiles, ratios, differences, as tables and as files.

A question counts once: its repetitions are no new ones, so ratios, differences and their intervals
are of the medians over each question's repetitions, and the same questions are drawn on both sides.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tutor.config import Config
from tutor.embedding.embedder import Embedder
from tutor.evaluation.latency import COLD, TOTAL, UNITS, BenchPlan, Measurement, Timings
from tutor.evaluation.records import machine, versions
from tutor.evaluation.report import ReportSection, markdown
from tutor.evaluation.statistics import Interval, Samples, interval
from tutor.evaluation.ways import RETRIEVING, Mode
from tutor.i18n import _
from tutor.model import Strategy

LEAST_QUESTIONS = 6
"""With fewer, even if all of them agree, chance does it in more than 5 % of the cases (2/2**n)."""
SERIES = ["what", "mode", "strategy", "temperature", "stage", "unit"]
_ONE = ["mode", "strategy", "temperature", "stage"]
SHOWN_SETTINGS = ("strategy", "k", "engine", "embedder", "retrieval", "ollama")
_BOUNDS = ["n", "low", "high"]
_RATIOS = ["what", "to", "temperature", "ratio", *_BOUNDS]
_DIFFERENCES = ["what", "temperature", "stage", "seconds", *_BOUNDS, "faster"]

Rows = Sequence[Sequence[str]]
_Medians = Mapping[tuple[str, str, str, str], "pd.Series[float]"]
"""Of each question, by mode, strategy, temperature and stage."""


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """All that a report shows, as tables of numbers.

    `lines` has a row per series: n, mean, sd, p50, p95. `ratios` are the p50 of the whole
    question's time as multiples of the same of a baseline. `differences` are fixed minus
    semantic, a stage's mean seconds; `faster` is the strategy shown to be, or empty. Both have
    their 95 % interval as `low` and `high`, NaN where so few questions cannot give any.
    """

    lines: pd.DataFrame
    ratios: pd.DataFrame
    differences: pd.DataFrame


def as_table(measurements: Sequence[Measurement]) -> pd.DataFrame:
    """A row per measurement: warm before cold, baselines first, stages as they were measured."""
    modes = list(Mode)
    rows = [
        (one.way.name, one.way.mode.value, one.way.strategy or "", *one[1:])
        for one in sorted(
            measurements,
            key=lambda m: (m.temperature == COLD, modes.index(m.way.mode), m.way.strategy or ""),
        )
    ]
    table = pd.DataFrame(rows, columns=["what", "mode", "strategy", *Measurement._fields[1:]])
    table["unit"] = table["stage"].map(UNITS).fillna("s")
    return table[[*SERIES, "question", "repetition", "value"]]


def summarise(measurements: Sequence[Measurement]) -> LatencySummary:
    """The summary of a run."""
    measured = as_table(measurements)
    values = measured.groupby(SERIES, sort=False)["value"]
    lines = values.agg(n="count", mean="mean", sd="std", p50="median").reset_index()
    lines["p95"] = values.quantile(0.95).to_numpy()
    timed = measured[measured["unit"] == "s"].groupby([*_ONE, "question"], sort=False)["value"]
    table: Any = timed.median().unstack(_ONE)  # a row per question, a column per series
    medians: _Medians = dict(table.items())
    return LatencySummary(
        lines,
        pd.DataFrame(_ratios(medians), columns=_RATIOS),
        pd.DataFrame(_differences(medians), columns=_DIFFERENCES),
    )


def _ratios(medians: _Medians) -> Iterator[tuple[Any, ...]]:
    """The p50 of retrieval as a multiple of both baselines'."""
    for key, values in medians.items():
        mode, strategy, temperature, stage = key
        for baseline in (Mode.EMBEDDER, ""), (Mode.LANGCHAIN, strategy):
            to = (*baseline, temperature, TOTAL)
            if stage == TOTAL and mode in _COMPARED[baseline[0]] and to in medians:
                both = pd.concat([values, medians[to]], axis=1).dropna().to_numpy(float)
                if len(both):
                    ratio = interval(*both.T, statistic=_of_medians)
                    names = (" ".join(filter(None, one)) for one in ((mode, strategy), baseline))
                    yield *names, temperature, *_cells(ratio)


_COMPARED = {Mode.EMBEDDER: (*RETRIEVING, Mode.LANGCHAIN), Mode.LANGCHAIN: RETRIEVING}
"""What is measured against each baseline."""


def _of_medians(first: Samples, second: Samples) -> Samples:
    return np.asarray(np.median(first, axis=-1) / np.median(second, axis=-1))


def _differences(medians: _Medians) -> Iterator[tuple[Any, ...]]:
    for (mode, strategy, temperature, stage), fixed in medians.items():
        other = (mode, Strategy.SEMANTIC.value, temperature, stage)
        if strategy == Strategy.FIXED and other in medians:
            difference = interval((fixed - medians[other]).dropna().to_numpy(float))
            sign = difference.sign if difference.n >= LEAST_QUESTIONS else 0
            faster = {0: "", 1: Strategy.SEMANTIC.value, -1: Strategy.FIXED.value}[sign]
            yield f"{mode} {strategy}", temperature, stage, *_cells(difference), faster


def _cells(found: Interval) -> tuple[float, int, float, float]:
    trusted = found.n >= LEAST_QUESTIONS
    bounds = (found.low, found.high) if trusted else (math.nan, math.nan)
    return (found.estimate, found.n, *bounds)


def configuration(config: Config, plan: BenchPlan, embedder: Embedder) -> dict[str, Any]:
    """Everything that a run's figures depend on, as plain values, without paths or secrets."""
    return {
        **machine(),
        "embedder": embedder.identity,
        "device": embedder.device,
        "packages": versions(),
        "plan": {**asdict(plan), "questions": len(plan.questions)},
        "settings": config.model_dump(mode="json", include=set(SHOWN_SETTINGS)),
    }


def as_json(
    summary: LatencySummary, timings: Timings, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The figures and what they are of, as JSON, which has no NaN."""
    shown = summary.lines.drop(columns=["mode", "strategy"])
    tables = {
        "stages": shown,
        "ratios": summary.ratios,
        "fixed_minus_semantic": summary.differences.mask(summary.differences == ""),
    }
    return {
        "configuration": dict(settings),
        **{
            name: json.loads(table.to_json(orient="records", double_precision=15))
            for name, table in tables.items()
        },
        "not_measured": [{"what": what, "why": why} for what, why in timings.failures],
    }


def sections(summary: LatencySummary) -> list[ReportSection]:
    """The report's tables: what a terminal and Markdown show."""
    lines = summary.lines
    timed, cold = lines["unit"] == "s", lines["temperature"] == COLD
    tables = {
        _("Warm: each stage"): _line_rows(lines[timed & ~cold]),
        _("Cold: a fresh process for each question"): _line_rows(lines[timed & cold]),
        _("Ratios of p50, with 95 % intervals"): _ratio_rows(summary.ratios),
        _("Fixed minus semantic, with 95 % intervals"): _difference_rows(summary.differences),
        _("Memory, and what else is not a time"): _line_rows(lines[~timed]),
    }
    return [ReportSection(title, rows) for title, rows in tables.items() if len(rows) > 1]


def _line_rows(lines: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("stage"), _("unit"), "n", _("mean"), _("sd"), "p50", "p95"]]
    for one in _records(lines):
        scale, unit = (1000, "ms") if one.unit == "s" else (1, one.unit)
        values = (one.mean, one.sd, one.p50, one.p95)
        cells = ["-" if math.isnan(value) else f"{scale * value:.1f}" for value in values]
        rows.append([_what(one), one.stage, unit, str(one.n), *cells])
    return rows


def _ratio_rows(ratios: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("as a multiple of"), _("ratio [95 %]"), "n"]]
    for one in _records(ratios):
        ratio = Interval(one.ratio, one.low, one.high, one.n)
        rows.append([_what(one), one.to, f"{ratio:.3f}", str(one.n)])
    return rows


def _difference_rows(differences: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("stage"), _("difference (ms) [95 %]"), "n", _("verdict")]]
    for one in _records(differences):
        faster = _("%(strategy)s is faster") % {"strategy": one.faster}
        verdict = faster if one.faster else _("no difference shown")
        shown = Interval(1000 * one.seconds, 1000 * one.low, 1000 * one.high, one.n)
        rows.append([_what(one), one.stage, f"{shown:+.1f}", str(one.n), verdict])
    return rows


def _records(table: pd.DataFrame) -> Iterable[Any]:
    """The rows, whose columns are attributes."""
    return table.itertuples()


def _what(one: Any) -> str:
    temperature = _("cold") if one.temperature == COLD else _("warm")
    return f"{one.what} ({temperature})"


def write_report(
    folder: Path, timings: Timings, summary: LatencySummary, settings: Mapping[str, Any]
) -> list[Path]:
    """Write `latency.md`, `.csv` and `.parquet`; raises `OSError`.

    The CSV file has a row per stage, the Parquet file every single measurement; both carry the
    configuration as JSON in a column.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"latency.{kind}" for kind in ("md", "csv", "parquet")]
    described = json.dumps(settings, ensure_ascii=False)
    why = [f"{what}: {why}" for what, why in timings.failures]
    found = [*sections(summary), *([ReportSection(_("Not measured"), (), why)] if why else [])]
    configured = (f"{name}: {json.dumps(value)}" for name, value in settings.items())
    paths[0].write_text(markdown(_("Latency"), configured, found), encoding="utf-8")
    summary.lines.assign(configuration=described).to_csv(paths[1], index=False)
    table = as_table(timings.measurements).drop(columns="what")
    table.assign(configuration=described).to_parquet(paths[2], index=False)
    return paths
