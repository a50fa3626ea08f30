"""How well questions are told apart that the notes answer and that they do not.

Positive are refusals: precision is the share of refused questions that the notes do not answer,
recall the share of unanswerable questions that are refused. Intervals are percentile bootstraps
over the cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tutor.evaluation.statistics import statistic_interval
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from tutor.evaluation.cases import Case
    from tutor.evaluation.statistics import Interval
    from tutor.types import Coverage

ALL = "all"
_RIGHT, _WRONG, _MISSED, _ANSWERED = range(4)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A case and what was decided before anything was generated."""

    case: Case
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class RefusalResult:
    """The cases of a split and a language (`all`: of every language).

    `near_recall` is the recall on unanswerable questions whose topic the notes do treat,
    `false_refusals` the share of answerable questions that were refused. A figure without cases
    is NaN.
    """

    split: str
    language: str
    cases: int
    unanswerable: int
    precision: Interval
    recall: Interval
    f1: Interval
    near_recall: Interval
    false_refusals: Interval


@dataclass(frozen=True, slots=True)
class RefusalReport:
    """Every group, and every case for those who want to see why."""

    results: tuple[RefusalResult, ...]
    judgements: tuple[Judgement, ...]


def evaluate(
    cases: Iterable[Case], covers: Callable[[str], Coverage], *, seed: int = 0
) -> RefusalReport:
    """Decide each case; one result per split and language, `all` first.

    `covers` decides about a question on an opened index, as the product does: retrieves passages
    and judges them. Asks for the question that stands alone. Raises what `covers` raises.
    """
    judged = tuple(Judgement(case, covers(case.standalone or case.question)) for case in cases)
    results: list[RefusalResult] = []
    for part in sorted({one.case.split for one in judged}):
        within = [one for one in judged if one.case.split == part]
        results.append(_result(within, part, ALL, seed))
        languages = sorted({one.case.language for one in within})
        for language in languages if len(languages) > 1 else ():
            group = [one for one in within if one.case.language == language]
            results.append(_result(group, part, language, seed))
    return RefusalReport(tuple(results), judged)


def rows(report: RefusalReport) -> list[list[str]]:
    """The results as rows of a table, its heading first."""
    heading = [
        _("split, language"),
        _("cases"),
        _("unanswerable"),
        _("precision [95 %]"),
        _("recall [95 %]"),
        _("F1 [95 %]"),
        _("recall, on topic [95 %]"),
        _("false refusals [95 %]"),
    ]
    return [
        heading,
        *(
            [
                ", ".join(filter(None, (result.split, result.language))),
                str(result.cases),
                str(result.unanswerable),
                _shown(result.precision),
                _shown(result.recall),
                _shown(result.f1),
                _shown(result.near_recall),
                _shown(result.false_refusals),
            ]
            for result in report.results
        ),
    ]


def _result(group: Sequence[Judgement], split: str, language: str, seed: int) -> RefusalResult:
    kinds = np.array([_kind(one) for one in group], float)
    near = np.array([_kind(one) for one in group if one.case.near and not one.case.answerable])
    return RefusalResult(
        split,
        language,
        len(group),
        sum(not one.case.answerable for one in group),
        _interval(kinds, (_RIGHT,), (_RIGHT, _WRONG), seed),
        _interval(kinds, (_RIGHT,), (_RIGHT, _MISSED), seed),
        _interval(kinds, (_RIGHT, _RIGHT), (_RIGHT, _RIGHT, _WRONG, _MISSED), seed),
        _interval(near.astype(float), (_RIGHT,), (_RIGHT, _MISSED), seed),
        _interval(kinds, (_WRONG,), (_WRONG, _ANSWERED), seed),
    )


def _kind(one: Judgement) -> int:
    if one.coverage.covered:
        return _ANSWERED if one.case.answerable else _MISSED
    return _WRONG if one.case.answerable else _RIGHT


def _interval(
    kinds: NDArray[np.float64], part: tuple[int, ...], whole: tuple[int, ...], seed: int
) -> Interval:
    """A ratio of counts; a draw in which it is undefined counts as 0."""

    def ratio(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
        above = sum((drawn == kind).sum(axis=-1) for kind in part)
        below = sum((drawn == kind).sum(axis=-1) for kind in whole)
        result: NDArray[np.float64] = np.asarray(above) / np.maximum(below, 1)
        return result

    if not np.isin(kinds, whole).any():
        kinds = kinds[:0]
    return statistic_interval(kinds, ratio, seed=seed)


def _shown(interval: Interval) -> str:
    if interval.n == 0:
        return "-"
    return f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
