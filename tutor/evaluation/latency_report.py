"""A latency run in numbers: averages, quantiles, ratios, differences, as tables and as files.

Intervals draw questions with all their repetitions, the same for both sides: repetitions of one
question are no new ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tutor.config import Config
from tutor.evaluation.latency import (
    COLD,
    RETRIEVING,
    TOTAL,
    UNITS,
    WARM,
    BenchPlan,
    Measurement,
    Mode,
    Timings,
    Way,
)
from tutor.evaluation.records import machine, versions
from tutor.evaluation.statistics import Interval, interval
from tutor.i18n import _
from tutor.model import Strategy

LEAST_QUESTIONS = 6
"""With fewer, even if all of them agree, chance does it in more than 5 % of the cases (2/2**n)."""
SERIES = ["what", "mode", "strategy", "k", "device", "temperature", "chunks", "stage", "unit"]
SHOWN_SETTINGS = ("strategy", "k", "engine", "embedder", "retrieval", "ollama")

Rows = Sequence[Sequence[str]]
_Key = tuple[Way, str, int, str]
"""A way of asking, warm or cold, the size of a generated course or 0, a stage."""


@dataclass(frozen=True, slots=True)
class Figures:
    """All that a report shows, as tables of numbers.

    `lines` has a row per series: n, mean, sd, p50, p95. `ratios` are quantiles of the whole
    question's time as multiples of the same of another way. `differences` are fixed minus
    semantic, a stage's mean seconds; `faster` is the strategy shown to be, or empty. Both have
    their 95 % interval as `low` and `high`, NaN where so few questions cannot give any.
    """

    lines: pd.DataFrame
    ratios: pd.DataFrame
    differences: pd.DataFrame


def as_table(measurements: Sequence[Measurement]) -> pd.DataFrame:
    """A row per measurement: warm before cold, baselines first, stages as they were measured."""
    rows = [
        {
            "what": one.way.name,
            "mode": one.way.mode.value,
            "strategy": one.way.strategy.value if one.way.strategy else "",
            "k": one.way.k,
            "device": one.way.device,
            **{name: getattr(one, name) for name in Measurement.__slots__ if name != "way"},
            "unit": UNITS.get(one.stage, "s"),
        }
        for one in measurements
    ]
    table = pd.DataFrame(rows, columns=[*SERIES, "question", "repetition", "value"])
    modes = [mode.value for mode in Mode]
    ranked = table.assign(cold=table["temperature"] == COLD, rank=table["mode"].map(modes.index))
    order = ["cold", "chunks", "device", "rank", "strategy", "k"]
    return ranked.sort_values(order, kind="stable").drop(columns=["cold", "rank"])


def summarise(measurements: Sequence[Measurement], *, seed: int = 0) -> Figures:
    """The summary of a run."""
    values = as_table(measurements).groupby(SERIES, sort=False)["value"]
    lines = values.agg(n="count", mean="mean", sd="std").reset_index()
    lines["p50"], lines["p95"] = (values.quantile(q).to_numpy() for q in (0.5, 0.95))
    series: dict[_Key, dict[tuple[int, int], float]] = {}
    for one in measurements:
        if one.stage not in UNITS:
            key = one.way, one.temperature, one.chunks, one.stage
            series.setdefault(key, {})[one.question, one.repetition] = one.value
    times = {key: pd.Series(values).unstack() for key, values in series.items()}
    bounds = ["n", "low", "high"]
    ratio_columns = ["what", "to", "temperature", "chunks", "to_chunks", "quantile", "ratio"]
    difference_columns = ["what", "temperature", "chunks", "stage", "seconds"]
    return Figures(
        lines,
        pd.DataFrame(_ratios(times, seed), columns=[*ratio_columns, *bounds]),
        pd.DataFrame(_differences(times, seed), columns=[*difference_columns, *bounds, "faster"]),
    )


def _ratios(times: Mapping[_Key, pd.DataFrame], seed: int) -> Iterator[tuple[Any, ...]]:
    """Retrieval to both baselines, and a larger index to the smallest one."""
    totals = [key for key in times if key[3] == TOTAL]
    for one, other in product(totals, totals):
        (way, temperature, chunks, _stage), (to, other_temperature, others, _same) = one, other
        quantiles: tuple[float, ...] = ()
        if 0 < others < chunks and way == to:
            quantiles = (0.5, 0.95)
        elif (temperature, chunks) == (other_temperature, others) and _is_baseline(to, way):
            quantiles = (0.5,)
        sides = _common(times[one], times[other])
        for quantile in quantiles if len(sides[0]) else ():
            ratio = _ratio(*sides, quantile, seed)
            yield way.name, to.name, temperature, chunks, others, quantile, *_cells(ratio)


def _ratio(
    first: NDArray[np.float64], second: NDArray[np.float64], quantile: float, seed: int
) -> Interval:
    def of_quantiles(rows: NDArray[np.intp]) -> NDArray[np.float64]:
        shape = (*rows.shape[:-1], -1)
        high, low = (
            np.nanquantile(side[rows].reshape(shape), quantile, axis=-1) for side in (first, second)
        )
        return np.asarray(high / low)

    return interval(np.arange(len(first)), statistic=of_quantiles, seed=seed)


def _is_baseline(way: Way, of: Way) -> bool:
    """Whether a way is what another is measured against."""
    beside = way.mode is Mode.LANGCHAIN and (way.strategy, way.k) == (of.strategy, of.k)
    retrieves = of.mode in RETRIEVING
    return (way.mode is Mode.EMBEDDER and (retrieves or of.mode is Mode.LANGCHAIN)) or (
        beside and retrieves
    )


def _differences(times: Mapping[_Key, pd.DataFrame], seed: int) -> Iterator[tuple[Any, ...]]:
    for (way, temperature, chunks, stage), table in times.items():
        other = replace(way, strategy=Strategy.SEMANTIC), temperature, chunks, stage
        if way.strategy is Strategy.FIXED and other in times:
            first, second = (np.nanmean(side, axis=1) for side in _common(table, times[other]))
            cells = _cells(found := interval(first - second, seed=seed))
            sign = found.sign if found.n >= LEAST_QUESTIONS else 0
            faster = {0: "", 1: Strategy.SEMANTIC.value, -1: Strategy.FIXED.value}[sign]
            yield way.name, temperature, chunks, stage, *cells, faster


def _common(
    first: pd.DataFrame, second: pd.DataFrame
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The questions, and of each the repetitions, that were measured in both."""
    first, second = first.align(second, join="inner")
    both = first.notna() & second.notna()
    kept = both.any(axis=1).to_numpy()
    sides = [side.where(both).to_numpy(float)[kept] for side in (first, second)]
    return sides[0], sides[1]


def _cells(found: Interval) -> tuple[float, int, float, float]:
    trusted = found.n >= LEAST_QUESTIONS
    bounds = (found.low, found.high) if trusted else (math.nan, math.nan)
    return (found.estimate, found.n, *bounds)


def configuration(config: Config, plan: BenchPlan, embedder: str) -> dict[str, Any]:
    """Everything that a run's figures depend on, as plain values, without paths or secrets."""
    return {
        **machine(),
        "embedder": embedder,
        "packages": versions(),
        "plan": {**asdict(plan), "questions": len(plan.questions)},
        "settings": config.model_dump(mode="json", include=set(SHOWN_SETTINGS)),
    }


def as_json(summary: Figures, timings: Timings, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The figures and what they are of, as JSON, which has no NaN.

    `chunks` is 0 for the course itself.
    """
    shown = summary.lines.drop(columns=["mode", "strategy", "k", "device"])
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


def tables(summary: Figures) -> list[tuple[str, Rows]]:
    """Headings and rows, the first row naming the columns: what a terminal and Markdown show."""
    lines = summary.lines
    timed, cold = lines["unit"] == "s", lines["temperature"] == COLD
    found = [
        (_("Warm: each stage"), _line_rows(lines[timed & ~cold])),
        (_("Cold: a fresh process for each question"), _line_rows(lines[timed & cold])),
        (_("Ratios of p50 and p95, with 95 % intervals"), _ratio_rows(summary.ratios)),
        (_("Fixed minus semantic, with 95 % intervals"), _difference_rows(summary.differences)),
        (_("Memory, and what else is not a time"), _line_rows(lines[~timed])),
    ]
    return [(heading, rows) for heading, rows in found if len(rows) > 1]


def _line_rows(lines: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("stage"), _("unit"), "n", _("mean"), _("sd"), "p50", "p95"]]
    for one in _records(lines):
        scale, unit = (1000, "ms") if one.unit == "s" else (1, one.unit)
        cells = [
            "-" if math.isnan(value) else f"{scale * value:.1f}"
            for value in (one.mean, one.sd, one.p50, one.p95)
        ]
        rows.append([_what(one), one.stage, unit, str(one.n), *cells])
    return rows


def _ratio_rows(ratios: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("as a multiple of"), _("of"), _("ratio [95 %]"), "n"]]
    for one in _records(ratios):
        ratio = Interval(one.ratio, one.low, one.high, one.n)
        quantile = f"p{100 * one.quantile:.0f}"
        rows.append(
            [_what(one), _sized(one.to, one.to_chunks), quantile, f"{ratio:.3f}", str(one.n)]
        )
    return rows


def _difference_rows(differences: pd.DataFrame) -> Rows:
    rows = [[_("what"), _("stage"), _("difference (ms) [95 %]"), "n", _("verdict")]]
    for one in _records(differences):
        verdict = _("no difference shown")
        if one.faster:
            verdict = _("%(strategy)s is faster") % {"strategy": one.faster}
        shown = Interval(1000 * one.seconds, 1000 * one.low, 1000 * one.high, one.n)
        rows.append([_what(one), one.stage, f"{shown:+.1f}", str(one.n), verdict])
    return rows


def _records(table: pd.DataFrame) -> Iterable[Any]:
    """The rows, whose columns are attributes."""
    return table.itertuples()


def _sized(what: str, chunks: int) -> str:
    size = _("%(n)d chunks") % {"n": chunks}
    return f"{what}, {size}" if chunks else what


def _what(one: Any) -> str:
    temperature = _("cold") if one.temperature == COLD else _("warm")
    return f"{_sized(one.what, one.chunks)} ({temperature})"


def markdown(
    summary: Figures, failures: Sequence[tuple[str, str]], settings: Mapping[str, Any]
) -> str:
    """The whole report in Markdown."""
    from tutor.evaluation.report import markdown_table, safe  # noqa: PLC0415 - files only

    parts = ["# " + _("Latency")]
    for heading, rows in tables(summary):
        parts += [f"## {heading}", markdown_table(rows)]
    if failures:
        lines = (f"- {safe(what)}: {safe(why)}" for what, why in failures)
        parts += ["## " + _("Not measured"), "\n".join(lines)]
    described = json.dumps(settings, indent=2, ensure_ascii=False)
    parts += ["## " + _("Configuration"), f"```json\n{described}\n```"]
    return "\n\n".join(parts) + "\n"


def write_report(
    folder: Path, timings: Timings, summary: Figures, settings: Mapping[str, Any]
) -> list[Path]:
    """Write `latency.md`, `.csv`, `.parquet` and `.svg`; raises `OSError`.

    The CSV file has a row per stage, the Parquet file every single measurement; both carry the
    configuration as JSON in a column.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"latency.{kind}" for kind in ("md", "csv", "parquet", "svg")]
    described = json.dumps(settings, ensure_ascii=False)
    paths[0].write_text(markdown(summary, timings.failures, settings), encoding="utf-8")
    summary.lines.assign(configuration=described).to_csv(paths[1], index=False)
    table = as_table(timings.measurements).drop(columns="what")
    table.assign(configuration=described).to_parquet(paths[2], index=False)
    return paths if draw(paths[3], table) else paths[:3]


def draw(path: Path, table: pd.DataFrame) -> bool:
    """Draw the warm retrievals of the course itself; False where there are none."""
    from tutor.evaluation.files import COLOURS, new_figure, save_figure  # noqa: PLC0415 - 0.5 s

    modes = [mode.value for mode in RETRIEVING]
    wanted = table["mode"].isin(modes) & (table["temperature"] == WARM) & (table["unit"] == "s")
    panels = list(table[wanted & (table["chunks"] == 0)].groupby("mode", sort=False))
    if not panels:
        return False
    figure = new_figure(3.6 * len(panels))
    for axis, (mode, panel) in zip(
        figure.subplots(len(panels), squeeze=False).flat, panels, strict=True
    ):
        stages = list(dict.fromkeys(panel["stage"]))
        for number, (strategy, own) in enumerate(panel.groupby("strategy")):
            values = own.groupby("stage")["value"]
            drawn = axis.boxplot(
                [1000 * values.get_group(stage) for stage in stages if stage in values.groups],
                positions=[
                    place + 0.4 * number - 0.2
                    for place, stage in enumerate(stages)
                    if stage in values.groups
                ],
                widths=0.36,
                orientation="horizontal",
                whis=(5, 95),
                showfliers=False,
                patch_artist=True,
                boxprops={"facecolor": COLOURS[number], "alpha": 0.5},
                medianprops={"color": "black"},
                manage_ticks=False,
            )
            drawn["boxes"][0].set_label(str(strategy))
        axis.set_yticks(range(len(stages)), stages)
        axis.invert_yaxis()
        axis.set_xscale("log")
        axis.xaxis.set_major_formatter("{x:g}")
        axis.set_xlabel(_("milliseconds: median, quartiles, 5 to 95 %"))
        axis.set_title(str(mode))
        axis.legend(frameon=False)
    save_figure(figure, path)
    return True
