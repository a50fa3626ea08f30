"""A latency run in numbers: averages, quantiles, ratios, as tables and as JSON.

A question counts once: its repetitions are no new ones, so ratios and their intervals are of the
medians over each question's repetitions, and the same questions are drawn on both sides.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from tutor.config import Config
from tutor.embedding.embedder import Embedder
from tutor.evaluation.latency import (
    RETRIEVING,
    TOTAL,
    UNITS,
    BenchPlan,
    Measurement,
    Mode,
    Timings,
)
from tutor.evaluation.records import machine, versions
from tutor.evaluation.report import ReportSection
from tutor.evaluation.statistics import Interval, Samples, interval
from tutor.i18n import _

LEAST_QUESTIONS = 6
"""With fewer, even if all of them agree, chance does it in more than 5 % of the cases (2/2**n)."""
SERIES = ["what", "mode", "strategy", "stage", "unit"]
_WAY = ["mode", "strategy"]
SHOWN_SETTINGS = ("strategy", "k", "engine", "embedder", "retrieval", "ollama")
_RATIOS = ["what", "to", "ratio", "n", "low", "high"]

Rows = Sequence[Sequence[str]]
_Medians = Mapping[tuple[str, str], "pd.Series[float]"]
"""Of each whole question, by mode and strategy."""


@dataclass(frozen=True, slots=True)
class LatencySummary:
    """All that a report shows, as tables of numbers.

    `lines` has a row per series: n, mean, sd, p50, p95. `ratios` are the p50 of the whole
    question's time as multiples of the same of a baseline, with their 95 % interval as `low` and
    `high`, NaN where so few questions cannot give any.
    """

    lines: pd.DataFrame
    ratios: pd.DataFrame


def as_table(measurements: Sequence[Measurement]) -> pd.DataFrame:
    """A row per measurement: baselines first, stages as they were measured."""
    modes = list(Mode)
    rows = [
        (one.way.name, one.way.mode.value, one.way.strategy or "", *one[1:])
        for one in sorted(
            measurements, key=lambda m: (modes.index(m.way.mode), m.way.strategy or "")
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
    whole = measured[measured["stage"] == TOTAL].groupby([*_WAY, "question"], sort=False)["value"]
    table: Any = whole.median().unstack(_WAY)  # a row per question, a column per way
    return LatencySummary(lines, pd.DataFrame(_ratios(dict(table.items())), columns=_RATIOS))


def _ratios(medians: _Medians) -> Iterator[tuple[Any, ...]]:
    """The p50 of retrieval as a multiple of both baselines'."""
    for way, values in medians.items():
        for baseline in (Mode.EMBEDDER, ""), (Mode.LANGCHAIN, way[1]):
            if way[0] in _COMPARED[baseline[0]] and baseline in medians:
                both = pd.concat([values, medians[baseline]], axis=1).dropna().to_numpy(float)
                if len(both):
                    ratio = interval(*both.T, statistic=_of_medians)
                    names = (" ".join(filter(None, one)) for one in (way, baseline))
                    trusted = ratio.n >= LEAST_QUESTIONS
                    bounds = (ratio.low, ratio.high) if trusted else (math.nan, math.nan)
                    yield *names, ratio.estimate, ratio.n, *bounds


_COMPARED = {Mode.EMBEDDER: (*RETRIEVING, Mode.LANGCHAIN), Mode.LANGCHAIN: RETRIEVING}
"""What is measured against each baseline."""


def _of_medians(first: Samples, second: Samples) -> Samples:
    return np.asarray(np.median(first, axis=-1) / np.median(second, axis=-1))


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
    tables = {"stages": summary.lines.drop(columns=_WAY), "ratios": summary.ratios}
    return {
        "configuration": dict(settings),
        **{
            name: json.loads(table.to_json(orient="records", double_precision=15))
            for name, table in tables.items()
        },
        "not_measured": [{"what": what, "why": why} for what, why in timings.failures],
    }


def sections(summary: LatencySummary) -> list[ReportSection]:
    """The report's tables, as a terminal shows them."""
    lines, timed = summary.lines, summary.lines["unit"] == "s"
    tables = {
        _("Each stage"): _line_rows(lines[timed]),
        _("Ratios of p50, with 95 % intervals"): _ratio_rows(summary.ratios),
        _("What is not a time"): _line_rows(lines[~timed]),
    }
    return [ReportSection(title, rows) for title, rows in tables.items() if len(rows) > 1]


def _line_rows(lines: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("stage"), _("unit"), "n", _("mean"), _("sd"), "p50", "p95"]]
    rows_of: Any = lines.itertuples()  # their columns are attributes
    for one in rows_of:
        scale, unit = (1000, "ms") if one.unit == "s" else (1, one.unit)
        values = (one.mean, one.sd, one.p50, one.p95)
        cells = ["-" if math.isnan(value) else f"{scale * value:.1f}" for value in values]
        rows.append([one.what, one.stage, unit, str(one.n), *cells])
    return rows


def _ratio_rows(ratios: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("as a multiple of"), _("ratio [95 %]"), "n"]]
    rows_of: Any = ratios.itertuples()
    for one in rows_of:
        ratio = Interval(one.ratio, one.low, one.high, one.n)
        rows.append([one.what, one.to, f"{ratio:.3f}", str(one.n)])
    return rows
