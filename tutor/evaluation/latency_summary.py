"""What the measurements of a latency run say: averages, quantiles, ratios and differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from tutor.evaluation.latency import TOTAL, UNITS, Mode, Subject, Temperature
from tutor.evaluation.statistics import Interval, Verdict, paired_difference, statistic_interval
from tutor.evaluation.statistics import verdict as verdict_of
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from tutor.evaluation.latency import Measurement

    Times: TypeAlias = NDArray[np.float64]
    """Shape (questions, repetitions), NaN where something was not measured."""

MEDIAN, TAIL = 0.5, 0.95
LEAST_QUESTIONS = 6
"""With fewer, even if all of them agree, chance does it in more than 5 % of the cases (2/2**n)."""


@dataclass(frozen=True, slots=True)
class Series:
    """One stage of one subject. `chunks` is the size of a generated index, 0 for the course."""

    subject: Subject
    temperature: Temperature
    chunks: int
    stage: str

    @property
    def unit(self) -> str:
        """As in `Measurement`."""
        return UNITS.get(self.stage, "s")


@dataclass(frozen=True, slots=True)
class Line:
    """A series in numbers, in its own unit. `sd` is the sample's, NaN of a single value."""

    series: Series
    n: int
    mean: float
    sd: float
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A quantile of one series' times as a multiple of the same of another one's.

    The interval draws questions, with all their repetitions, the same ones for both.
    """

    of: Series
    to: Series
    quantile: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Difference:
    """Fixed minus semantic: seconds of the mean, paired by question and repetition.

    `series` is fixed's. The interval draws questions, since repetitions of one are no new ones.
    """

    series: Series
    interval: Interval

    @property
    def faster(self) -> Strategy | None:
        """The strategy that is shown to be faster, if any."""
        shown = verdict_of(self.interval)
        if shown is Verdict.NO_DIFFERENCE:
            return None
        return Strategy.SEMANTIC if shown is Verdict.FIRST else Strategy.FIXED


@dataclass(frozen=True, slots=True)
class Summary:
    """All that a report shows."""

    lines: tuple[Line, ...]
    ratios: tuple[Ratio, ...]
    differences: tuple[Difference, ...]


def summarise(measurements: Sequence[Measurement], *, seed: int = 0) -> Summary:
    """The summary of a run; series come in the order in which they were first measured."""
    times = _times(measurements)
    ratios = [
        _ratio(of, to, quantile, times, seed) for of, to, quantile in _pairs_to_compare(list(times))
    ]
    return Summary(
        lines=tuple(_line(series, values) for series, values in times.items()),
        ratios=tuple(ratio for ratio in ratios if ratio.interval.n),
        differences=tuple(_differences(times, seed)),
    )


def _times(measurements: Sequence[Measurement]) -> dict[Series, Times]:
    cells: dict[Series, dict[tuple[int, int], float]] = {}
    for one in measurements:
        series = Series(one.subject, one.temperature, one.chunks, one.stage)
        cells.setdefault(series, {})[one.question, one.repetition] = one.value
    found = {}
    for series in sorted(cells, key=lambda one: _rank(one, list(Mode))):
        places = np.array(list(cells[series]))
        table = np.full(places.max(axis=0) + 1, np.nan)
        table[places[:, 0], places[:, 1]] = list(cells[series].values())
        found[series] = table
    return found


def _rank(series: Series, modes: list[Mode]) -> tuple[bool, int, str, int, str, int]:
    """Warm before cold, baselines first; stages keep the order of their measuring."""
    subject = series.subject
    return (
        series.temperature is Temperature.COLD,
        series.chunks,
        subject.device,
        modes.index(subject.mode),
        subject.strategy or "",
        subject.k,
    )


def _line(series: Series, table: Times) -> Line:
    values = table[~np.isnan(table)]
    return Line(
        series,
        len(values),
        float(values.mean()),
        float(values.std(ddof=1)) if len(values) > 1 else float("nan"),
        float(np.quantile(values, MEDIAN)),
        float(np.quantile(values, TAIL)),
    )


def _pairs_to_compare(all_series: Sequence[Series]) -> Iterator[tuple[Series, Series, float]]:
    """Retrieval to both baselines, a GPU to the processor, a larger index to the smallest one."""
    totals = [series for series in all_series if series.stage == TOTAL]
    for of in totals:
        for to in totals:
            same_course = of.temperature is to.temperature and of.chunks == to.chunks
            comparable = _is_baseline(of.subject, to.subject) or _on_cpu(of.subject) == to.subject
            if same_course and comparable:
                yield of, to, MEDIAN
            elif 0 < to.chunks < of.chunks and of.subject == to.subject:
                yield of, to, MEDIAN
                yield of, to, TAIL


def _is_baseline(subject: Subject, other: Subject) -> bool:
    if subject.device != other.device:
        return False
    if other.mode is Mode.EMBEDDER:
        return subject.mode in {Mode.LANGCHAIN, Mode.DENSE, Mode.HYBRID}
    same = (subject.strategy, subject.k) == (other.strategy, other.k)
    return same and other.mode is Mode.LANGCHAIN and subject.mode in {Mode.DENSE, Mode.HYBRID}


def _on_cpu(subject: Subject) -> Subject | None:
    """What a GPU is compared with."""
    return None if subject.device == "cpu" else replace(subject, device="cpu")


def _ratio(of: Series, to: Series, quantile: float, times: dict[Series, Times], seed: int) -> Ratio:
    first, second = _common(times[of], times[to])

    def statistic(questions: NDArray[np.float64]) -> NDArray[np.float64]:
        drawn = questions.astype(np.intp)
        shape = (*drawn.shape[:-1], -1)
        high = np.nanquantile(first[drawn].reshape(shape), quantile, axis=-1)
        low = np.nanquantile(second[drawn].reshape(shape), quantile, axis=-1)
        return np.asarray(high / low)

    questions = np.arange(len(first), dtype=float)
    interval = statistic_interval(questions, statistic, seed=seed)
    return Ratio(of, to, quantile, _trusted(interval))


def _trusted(interval: Interval) -> Interval:
    """The interval, without its bounds (NaN) where so few questions cannot give any."""
    if interval.n >= LEAST_QUESTIONS:
        return interval
    return replace(interval, low=float("nan"), high=float("nan"))


def _differences(times: dict[Series, Times], seed: int) -> Iterator[Difference]:
    for series, table in times.items():
        subject = series.subject
        if subject.strategy is not Strategy.FIXED or series.unit != "s":
            continue
        other = Subject(subject.mode, subject.device, Strategy.SEMANTIC, subject.k)
        mirrored = Series(other, series.temperature, series.chunks, series.stage)
        if mirrored in times:
            first, second = _common(table, times[mirrored])
            means = np.nanmean(first, axis=1), np.nanmean(second, axis=1)
            difference = paired_difference(*map(list, means), seed=seed)
            yield Difference(series, _trusted(difference))


def _common(first: Times, second: Times) -> tuple[Times, Times]:
    """The questions, and of each the repetitions, that were measured in both."""
    questions, repetitions = np.minimum(first.shape, second.shape)
    first, second = first[:questions, :repetitions], second[:questions, :repetitions]
    both = ~(np.isnan(first) | np.isnan(second))
    kept = both.any(axis=1)
    return tuple(np.where(both, table, np.nan)[kept] for table in (first, second))  # type: ignore[return-value]
