"""A run as files for other programs and for slides: tables as CSV and Parquet, JSON, a picture.

Every row of the averages names the judge, the split, n, and as JSON the whole run with its
settings, versions and hashes, so that a number that is copied out of its file can still be traced.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tutor.evaluation.cases import ALL
from tutor.evaluation.comparison import GROUPED_BY, Results
from tutor.evaluation.metrics import ANSWERING, RETRIEVAL, RUBRIC
from tutor.evaluation.records import Outcome, not_written
from tutor.evaluation.report import ALL_MEASURES, label
from tutor.evaluation.statistics import Interval
from tutor.i18n import _

# Colours that people with any colour vision tell apart (Okabe and Ito, 2008).
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")


def export(folder: Path, record: Mapping[str, Any], results: Results) -> list[Path]:
    """Write both tables, each as CSV and as Parquet; returns the files. Raises `StoreError`."""
    outcomes = [_row(one, record["judge"]) for name in results.settings for one in results.of(name)]
    written = []
    for name, rows in (("outcomes", outcomes), ("averages", _average_rows(record, results))):
        frame = pd.DataFrame(rows)
        paths = [folder / f"{name}.csv", folder / f"{name}.parquet"]
        try:
            frame.to_csv(paths[0], index=False)
            frame.to_parquet(paths[1], index=False)
        except OSError as error:
            raise not_written(folder, error) from error
        written += paths
    return written


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


def draw(folder: Path, results: Results, subtitle: str, form: str = "svg") -> list[Path]:
    """Draw every measure that lies between 0 and 1 as a point with its 95 % interval, per setting.

    Returns the file, if there is anything to draw. Raises `StoreError` if it cannot be written.
    """
    measures = [name for name in results.measures((*RETRIEVAL, *ANSWERING)) if name != RUBRIC]
    if not measures:
        return []
    figure = Figure(figsize=(8.0, 2.0 + 0.35 * len(measures)), layout="constrained")
    FigureCanvasAgg(figure)  # no window shows it, whatever is configured
    axes = figure.subplots()
    count = len(results.settings)
    for number, setting in enumerate(results.settings):
        found = [results.average(setting, name) for name in measures]
        bounds = [(one.estimate - one.low, one.high - one.estimate) for one in found]
        axes.errorbar(
            [one.estimate for one in found],
            [row + 0.6 / count * (number - (count - 1) / 2) for row in range(len(measures))],
            xerr=[[max(0.0, pair[side]) for pair in bounds] for side in (0, 1)],
            fmt="o",
            markersize=4,
            capsize=2,
            color=_COLOURS[number % len(_COLOURS)],
            label=setting,
        )
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel(_("average with its 95 % interval"))
    axes.set_yticks(range(len(measures)), [label(name) for name in measures])
    axes.invert_yaxis()
    title = "\n".join((_("Measures by setting"), subtitle.replace("$", r"\$")))  # no formula
    axes.set_title(title, fontsize="medium", loc="left", wrap=True)
    axes.grid(axis="x", alpha=0.3)
    figure.legend(loc="outside lower center", ncols=3)
    path = folder / f"measures.{form}"
    metadata: dict[str, Any] = {"Date": None} if form == "svg" else {}
    try:
        with rc_context({"svg.hashsalt": "tutor", "svg.fonttype": "none"}):  # always the same bytes
            figure.savefig(path, dpi=150, metadata=metadata)
    except OSError as error:
        raise not_written(path, error) from error
    return [path]


def _row(outcome: Outcome, judge: str | None) -> dict[str, Any]:
    named = ("case", "setting", "kind", "language", "split", "answerable", "question", "searched")
    first, reply = next(iter(outcome.passages), None), outcome.reply
    return {
        **{name: getattr(outcome, name) for name in (*named, "failure", "judge_failure")},
        **({"first_file": first.file, "first_page": first.first_page} if first else {}),
        **outcome.measures,
        **outcome.seconds,
        **({"answer": reply.text, "model": reply.model} if reply else {}),
        "judge": judge,
    }


def _average_rows(record: Mapping[str, Any], results: Results) -> Iterator[dict[str, Any]]:
    request = {name: record["request"][name] for name in ("course", "source", "split")}
    described = json.dumps(record, ensure_ascii=False, sort_keys=True)
    common = {"judge": record["judge"], **request, "run": described}
    for measure in results.measures(ALL_MEASURES):
        groups = [(by, results.groups(by, measure)) for by in GROUPED_BY]
        for by, parts in [(ALL, {ALL: results}), *groups]:
            for name, part in parts.items():
                for setting, average in part.averages(measure).items():
                    row = {"measure": measure, "setting": setting, "by": by, "group": name}
                    yield {**row, **asdict(average), **common}


def _numbers(interval: Interval) -> dict[str, float | int | None]:
    """JSON has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in asdict(interval).items()}
