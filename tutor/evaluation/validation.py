"""How far a judge agrees with a person: answers judged by hand, and measures of agreement.

Acceptable against unacceptable is compared by the share that agrees and by Cohen's kappa (1960),
the rubric by Spearman's rank correlation; intervals are percentile bootstraps over the answers.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from tutor.evaluation.judging import ACCEPTABLE, RIGHT, WRONG, Sample
from tutor.evaluation.statistics import statistic_interval
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from tutor.evaluation.judging import Judge, Judgement
    from tutor.evaluation.statistics import Interval

_ANSWERS = "judged_answers.jsonl"
_BASE = 10
"""A pair of rubrics is coded as `hand * _BASE + judge`."""
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer with a person's rubric; `faithful` is None where the answer claims nothing.

    `id` is the question's and the answer's number; `split` is `dev` or `test`, by question and
    document. `kind` says how the answer was made.
    """

    id: str
    split: str
    kind: str
    lang: str
    sample: Sample
    rubric: int
    faithful: bool | None


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A person's judgement of an answer, and a judge's."""

    hand: JudgedAnswer
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Validation:
    """How a judge did on one group of answers; `failures` are counted in `n` only.

    `faithfulness` is the share of answers of which judge and person say alike whether every
    claim is supported. `confusion` counts (person's, judge's) rubrics.
    """

    judge: str
    group: str
    n: int
    failures: int
    accuracy: Interval
    kappa: Interval
    spearman: Interval
    faithfulness: Interval
    confusion: Mapping[tuple[int, int], int]
    pairs: tuple[JudgedPair, ...]


def judged_answers(split: str | None = None) -> list[JudgedAnswer]:
    """The answers over the sample course that come with the program, judged by one person."""
    text = files("tutor.evaluation").joinpath("data", _ANSWERS).read_text(encoding="utf-8")
    found: list[JudgedAnswer] = []
    for line in text.splitlines():
        record = json.loads(line)
        if split in {None, record["split"]}:
            found += _answers(record)
    return found


def validate(
    judge: Judge, answers: Iterable[JudgedAnswer], *, group: str = "", seed: int = 0
) -> Validation:
    """Judge every answer and compare; nothing is raised for answers that cannot be judged."""
    pairs = tuple(JudgedPair(one, judge.judge(one.sample)) for one in answers)
    return agreement(judge.name, pairs, group=group, seed=seed)


def agreement(
    judge: str, pairs: Sequence[JudgedPair], *, group: str = "", seed: int = 0
) -> Validation:
    """The measures over judgements that are already there."""
    rubrics = [(p.hand.rubric, p.judgement.rubric) for p in pairs if p.judgement.rubric is not None]
    codes = np.array([hand * _BASE + judged for hand, judged in rubrics], dtype=float)
    faithful = [
        float((p.judgement.marks["faithfulness"] == 1) == p.hand.faithful)
        for p in pairs
        if p.hand.faithful is not None and "faithfulness" in p.judgement.marks
    ]

    def interval(
        values: NDArray[Any], statistic: Callable[[NDArray[Any]], NDArray[Any]]
    ) -> Interval:
        return statistic_interval(values, statistic, seed=seed)

    return Validation(
        judge,
        group,
        len(pairs),
        len(pairs) - len(rubrics),
        interval(codes, _accuracy),
        interval(codes, _kappa),
        interval(codes, _spearman),
        interval(np.array(faithful, dtype=float), lambda drawn: drawn.mean(axis=-1)),
        Counter(rubrics),
        tuple(pairs),
    )


def by_kind(validation: Validation, *, seed: int = 0) -> list[Validation]:
    """The same judgements, one group per kind of answer."""
    kinds = dict.fromkeys(pair.hand.kind for pair in validation.pairs)
    return [
        agreement(
            validation.judge,
            [pair for pair in validation.pairs if pair.hand.kind == kind],
            group=kind,
            seed=seed,
        )
        for kind in kinds
    ]


def agreement_rows(validations: Sequence[Validation]) -> list[list[str]]:
    """The measures as rows of a table, the heading first."""
    heading = [
        _("judge, answers"),
        _("answers"),
        _("failed"),
        _("acceptable or not [95 %]"),
        _("kappa [95 %]"),
        _("rank correlation [95 %]"),
        _("faithful or not [95 %]"),
    ]
    return [
        heading,
        *(
            [
                f"{one.judge}, {one.group}" if one.group else one.judge,
                str(one.n),
                str(one.failures),
                _shown(one.accuracy),
                _shown(one.kappa) if _varies(one) else "-",
                _shown(one.spearman) if _varies(one) else "-",
                _shown(one.faithfulness),
            ]
            for one in validations
        ),
    ]


def confusion_rows(validation: Validation) -> list[list[str]]:
    """How often a person's rubric (row) got which rubric of the judge (column)."""
    levels = range(WRONG, RIGHT + 1)
    heading = [_("by hand \\ judge"), *map(str, levels)]
    counts = validation.confusion
    return [
        heading,
        *([str(row), *(str(counts.get((row, column), 0)) for column in levels)] for row in levels),
    ]


def _answers(record: Mapping[str, Any]) -> list[JudgedAnswer]:
    return [
        JudgedAnswer(
            id=f"{record['id']}/{number}",
            split=record["split"],
            kind=answer["kind"],
            lang=record["lang"],
            sample=Sample(
                record["question"],
                record["reference"],
                answer["answer"],
                tuple(record["contexts"]),
                abstained=False,
                answerable=record["answerable"],
            ),
            rubric=answer["rubric"],
            faithful=answer["faithful"],
        )
        for number, answer in enumerate(record["answers"], start=1)
    ]


def _acceptable(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return codes // _BASE >= ACCEPTABLE, codes % _BASE >= ACCEPTABLE


def _accuracy(codes: NDArray[Any]) -> NDArray[Any]:
    hand, judged = _acceptable(codes)
    return np.asarray((hand == judged).mean(axis=-1), dtype=float)


def _kappa(codes: NDArray[Any]) -> NDArray[Any]:
    """Cohen's kappa; 0 where chance alone agrees on everything."""
    hand, judged = _acceptable(codes)
    share, judged_share = hand.mean(axis=-1), judged.mean(axis=-1)
    chance = share * judged_share + (1 - share) * (1 - judged_share)
    room = 1 - chance
    gained = (hand == judged).mean(axis=-1) - chance
    return _quotient(np.asarray(gained), np.asarray(room))


def _spearman(codes: NDArray[Any]) -> NDArray[Any]:
    """Pearson's correlation of the average ranks; 0 where one side never varies."""
    hand, judged = _ranks(codes // _BASE), _ranks(codes % _BASE)
    hand -= hand.mean(axis=-1, keepdims=True)
    judged -= judged.mean(axis=-1, keepdims=True)
    scale = np.asarray(np.sqrt((hand**2).sum(axis=-1) * (judged**2).sum(axis=-1)))
    together = np.asarray((hand * judged).sum(axis=-1))
    return _quotient(together, scale)


def _quotient(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[Any]:
    zeros = np.zeros(whole.shape)
    return np.asarray(np.divide(part, whole, out=zeros, where=whole > 0))


def _ranks(rubrics: NDArray[Any]) -> NDArray[Any]:
    """Average ranks along the last axis."""
    ranks = np.zeros(rubrics.shape)
    below = np.zeros((*rubrics.shape[:-1], 1))
    for level in range(WRONG, RIGHT + 1):
        here = rubrics == level
        count = here.sum(axis=-1, keepdims=True)
        ranks += here * (below + (count + 1) * _HALF)
        below = below + count
    return ranks


def _varies(validation: Validation) -> bool:
    """Whether the person found some acceptable and some not: else there is nothing to tell."""
    return len({hand >= ACCEPTABLE for hand, _judged in validation.confusion}) > 1


def _shown(interval: Interval) -> str:
    if interval.n == 0:
        return "-"
    return f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
