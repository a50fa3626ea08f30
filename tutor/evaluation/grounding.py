"""How well answer sentences are told apart that a passage supports and that it does not.

Positive are supported sentences. Precision is what a citation is worth, recall how many true
sentences are left without one. Intervals are percentile bootstraps over the pairs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.evaluation.statistics import statistic_interval
from tutor.grounding import Verdict, verify
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from tutor.evaluation.statistics import Interval
    from tutor.ports import Embedder

ALL = "all"
_PAIRS = "support_pairs.jsonl"
_TRUE_POSITIVE, _FALSE_POSITIVE, _FALSE_NEGATIVE, _TRUE_NEGATIVE = range(4)


@dataclass(frozen=True, slots=True)
class SupportPair:
    """A sentence, a passage, and whether a person finds that the passage supports the sentence.

    `split` is `dev` or `test`; no document is in both. `kind` says how the sentence was made.
    """

    id: str
    split: str
    kind: str
    lang: str
    file: str
    sentence: str
    passage: str
    supported: bool


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair and what the verifier said; `support` is the sentence's least, between 0 and 1."""

    pair: SupportPair
    found: bool
    support: float


@dataclass(frozen=True, slots=True)
class GroundingResult:
    """The pairs of a split, all or of one kind; `supported` of them are so.

    A kind that has supported or unsupported sentences only is told by its accuracy; its
    precision, recall or F1 may be undefined (NaN).
    """

    split: str
    kind: str
    pairs: int
    supported: int
    precision: Interval
    recall: Interval
    f1: Interval
    accuracy: Interval


@dataclass(frozen=True, slots=True)
class GroundingReport:
    """Every group, and every pair for those who want to see why."""

    results: tuple[GroundingResult, ...]
    pairs: tuple[PairResult, ...]


def support_pairs() -> list[SupportPair]:
    """The pairs over the sample course that come with the program."""
    text = files("tutor.evaluation").joinpath("data", _PAIRS).read_text(encoding="utf-8")
    return [SupportPair(**json.loads(line)) for line in text.splitlines() if line.strip()]


def evaluate(
    pairs: Iterable[SupportPair],
    embedder: Embedder,
    split: Callable[[str], list[tuple[int, int]]],
    language_of: Callable[[str], str],
    *,
    seed: int = 0,
) -> GroundingReport:
    """Verify each sentence against its passage; one result per split and kind, `all` first.

    Raises `EmbedderError`.
    """
    judged = tuple(_judge(pair, embedder, split, language_of) for pair in pairs)
    results: list[GroundingResult] = []
    for part in sorted({one.pair.split for one in judged}):
        within = [one for one in judged if one.pair.split == part]
        results.append(_result(within, part, ALL, seed))
        for kind in dict.fromkeys(one.pair.kind for one in within):
            group = [one for one in within if one.pair.kind == kind]
            results.append(_result(group, part, kind, seed))
    return GroundingReport(tuple(results), judged)


def rows(report: GroundingReport) -> list[list[str]]:
    """The results as rows of a table, its heading first."""
    heading = [
        _("split, kind"),
        _("pairs"),
        _("supported"),
        _("precision [95 %]"),
        _("recall [95 %]"),
        _("F1 [95 %]"),
        _("correct"),
    ]
    return [
        heading,
        *(
            [
                f"{result.split}, {result.kind}",
                str(result.pairs),
                str(result.supported),
                _shown(result.precision),
                _shown(result.recall),
                _shown(result.f1),
                f"{result.accuracy.estimate:.3f}",
            ]
            for result in report.results
        ),
    ]


def _judge(
    pair: SupportPair,
    embedder: Embedder,
    split: Callable[[str], list[tuple[int, int]]],
    language_of: Callable[[str], str],
) -> PairResult:
    statements = verify(pair.sentence, [pair.passage], embedder, split, language_of)
    verdicts = {statement.verdict for statement in statements}
    found = Verdict.SUPPORTED in verdicts and Verdict.UNSUPPORTED not in verdicts
    claims = [s.support for s in statements if s.verdict is not Verdict.NEUTRAL]
    return PairResult(pair, found, min(claims, default=0.0))


def _result(group: Sequence[PairResult], split: str, kind: str, seed: int) -> GroundingResult:
    outcomes = np.array([_outcome(one) for one in group], dtype=float)
    kinds = (_precision, _recall, _f1, _accuracy)
    intervals = [statistic_interval(outcomes, measure, seed=seed) for measure in kinds]
    return GroundingResult(
        split,
        kind,
        len(group),
        sum(one.pair.supported for one in group),
        *intervals,
    )


def _outcome(one: PairResult) -> int:
    if one.pair.supported:
        return _TRUE_POSITIVE if one.found else _FALSE_NEGATIVE
    return _FALSE_POSITIVE if one.found else _TRUE_NEGATIVE


def _counts(drawn: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    tp, fp, fn = (
        np.asarray((drawn == outcome).sum(axis=-1), dtype=float)
        for outcome in (_TRUE_POSITIVE, _FALSE_POSITIVE, _FALSE_NEGATIVE)
    )
    return tp, fp, fn


def _share(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
    """NaN where there is nothing to take a share of."""
    undefined = np.full_like(whole, np.nan)
    shares: NDArray[Any] = np.divide(part, whole, out=undefined, where=whole > 0)
    return shares


def _precision(drawn: NDArray[Any]) -> NDArray[Any]:
    tp, fp, _fn = _counts(drawn)
    return _share(tp, tp + fp)


def _recall(drawn: NDArray[Any]) -> NDArray[Any]:
    tp, _fp, fn = _counts(drawn)
    return _share(tp, tp + fn)


def _f1(drawn: NDArray[Any]) -> NDArray[Any]:
    tp, fp, fn = _counts(drawn)
    return _share(2 * tp, 2 * tp + fp + fn)


def _accuracy(drawn: NDArray[Any]) -> NDArray[Any]:
    right = (drawn == _TRUE_POSITIVE) | (drawn == _TRUE_NEGATIVE)
    return np.asarray(right.mean(axis=-1), dtype=float)


def _shown(interval: Interval) -> str:
    if np.isnan(interval.estimate):
        return "-"
    if np.isnan(interval.low):
        return f"{interval.estimate:.3f}"
    return f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
