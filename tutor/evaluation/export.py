"""A run as tables for other programs: CSV and Parquet, a row per outcome and a row per average.

Every row of the averages names the judge, the split, n, and the whole configuration with its
versions and hashes, so that a number that is copied out of its file can still be traced.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tutor.errors import StoreError
from tutor.evaluation.comparison import kind_of, language_of
from tutor.evaluation.measures import ANSWERING, HEADLINE, RETRIEVAL, SECONDS
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tutor.evaluation.comparison import Comparison
    from tutor.evaluation.statistics import Interval

OUTCOMES, AVERAGES = "outcomes", "averages"
ALL = "all"


def export(folder: Path, record: Mapping[str, Any], comparison: Comparison) -> list[Path]:
    """Write both tables, each as CSV and as Parquet; returns the files. Raises `StoreError`."""
    import pandas  # noqa: PLC0415 - 0.4 s, for reports only

    written = []
    for name, rows in (
        (OUTCOMES, _outcome_rows(record, comparison)),
        (AVERAGES, _average_rows(record, comparison)),
    ):
        frame = pandas.DataFrame(rows)
        try:
            frame.to_csv(folder / f"{name}.csv", index=False)
            frame.to_parquet(folder / f"{name}.parquet", index=False)
        except OSError as error:
            raise StoreError(
                _("The report cannot be written to %(path)s: %(reason)s.")
                % {"path": folder, "reason": error.strerror or type(error).__name__},
                _("Make room or choose another folder with --out, then go on with --resume."),
            ) from error
        written += [folder / f"{name}.csv", folder / f"{name}.parquet"]
    return written


def as_json(record: Mapping[str, Any], comparison: Comparison) -> dict[str, Any]:
    """The report's numbers and what they are of, as JSON."""
    measures = comparison.measures((*RETRIEVAL, *ANSWERING, *SECONDS))
    return {
        "run": dict(record),
        "averages": {
            measure: {
                name: _numbers(comparison.average(name, measure)) for name in comparison.settings
            }
            for measure in measures
        },
        "differences": [
            {**asdict(difference), "interval": _numbers(difference.interval)}
            for measure in measures
            for difference in comparison.differences(measure)
        ],
        "groups": {
            by: [
                {
                    **asdict(group),
                    "averages": {name: _numbers(one) for name, one in group.averages.items()},
                }
                for group in comparison.groups(group_of, HEADLINE)
            ]
            for by, group_of in (("kind", kind_of), ("language", language_of))
        },
        "failed": sum(bool(o.failure) for o in comparison.all_outcomes()),
        "not_judged": sum(bool(o.judge_failure) for o in comparison.all_outcomes()),
        "problems": record["cases"]["problems"],
    }


def _outcome_rows(record: Mapping[str, Any], comparison: Comparison) -> list[dict[str, Any]]:
    rows = []
    for setting in comparison.settings:
        for outcome in comparison.outcomes(setting):
            reply = outcome.reply
            rows.append(
                {
                    "case": outcome.case,
                    "setting": outcome.setting,
                    "split": outcome.split,
                    "language": outcome.language,
                    "kind": outcome.kind,
                    "answerable": outcome.answerable,
                    "question": outcome.question,
                    "searched": outcome.searched,
                    "first_file": outcome.passages[0].file if outcome.passages else None,
                    "first_page": outcome.passages[0].first_page if outcome.passages else None,
                    **outcome.measures,
                    **{f"seconds_{stage}": s for stage, s in outcome.seconds.items()},
                    "answer": reply.text if reply else None,
                    "model": reply.model if reply else None,
                    "judge": record["judge"],
                    "failure": outcome.failure,
                    "judge_failure": outcome.judge_failure,
                }
            )
    return rows


def _average_rows(record: Mapping[str, Any], comparison: Comparison) -> list[dict[str, Any]]:
    rows = []
    for measure in comparison.measures((*RETRIEVAL, *ANSWERING, *SECONDS)):
        for setting in comparison.settings:
            whole = comparison.average(setting, measure)
            rows.append(_average_row(record, measure, setting, (ALL, ALL), whole))
        for by, group_of in (("kind", kind_of), ("language", language_of)):
            for group in comparison.groups(group_of, measure):
                for setting, average in group.averages.items():
                    rows.append(_average_row(record, measure, setting, (by, group.name), average))
    return rows


def _average_row(
    record: Mapping[str, Any],
    measure: str,
    setting: str,
    group: tuple[str, str],
    average: Interval,
) -> dict[str, Any]:
    config = next(one for one in record["settings"] if one["name"] == setting)
    return {
        "measure": measure,
        "setting": setting,
        "by": group[0],
        "group": group[1],
        "n": average.n,
        "estimate": average.estimate,
        "low": average.low,
        "high": average.high,
        "judge": record["judge"],
        "split": record["request"]["split"],
        "course": record["request"]["course"],
        "cases": record["request"]["source"],
        "cases_sha256": record["cases"]["sha256"],
        "index_sha256": record["index"]["sha256"],
        "created": record["created"],
        "config": json.dumps(config, ensure_ascii=False, sort_keys=True),
        "versions": json.dumps(record["versions"], sort_keys=True),
        "machine": json.dumps(record["machine"], ensure_ascii=False, sort_keys=True),
    }


def _numbers(interval: Interval) -> dict[str, float | int | None]:
    """JSON has no NaN."""
    return {name: None if math.isnan(value) else value for name, value in asdict(interval).items()}
