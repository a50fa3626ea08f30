"""What rewriting follow-ups is worth: the share of questions whose page is found, with and without.

Only cases that need rewriting enter the hit rates; those that stand alone count false alarms.
Both sides ask the same cases, so that the interval of the difference is paired.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tutor.evaluation.ranking import hit_at
from tutor.evaluation.statistics import mean_interval, paired_difference
from tutor.followups import needs_rewriting, rewrite_by_rules
from tutor.i18n import _

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from tutor.evaluation.statistics import Interval
    from tutor.types import Hit, Turn

K = 4
ALL = "all"


class FollowUpCase(Protocol):
    """A follow-up after its conversation. `pages` are pairs of course-relative path and page."""

    @property
    def id(self) -> str:
        """What the case is called in reports."""
        ...

    @property
    def language(self) -> str:
        """`es` or `en`: the follow-up's."""
        ...

    @property
    def split(self) -> str:
        """`dev` or `test`."""
        ...

    @property
    def history(self) -> Sequence[Turn]:
        """The turns before, oldest first."""
        ...

    @property
    def question(self) -> str:
        """The follow-up as typed."""
        ...

    @property
    def needs_rewriting(self) -> bool:
        """Whether it cannot be understood without the turns before."""
        ...

    @property
    def pages(self) -> Collection[tuple[str, int]]:
        """Where the answer stands; finding one of them is enough."""
        ...


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case: what was made of it, and whether its page was found without and with that."""

    case: FollowUpCase
    rewritten: str
    detected: bool
    found_without: float
    found_with: float


@dataclass(frozen=True, slots=True)
class FollowUpResult:
    """A group of cases. Rates are over the `needed` cases; `difference` is with minus without.

    `false_positives` are cases rewritten though they stand alone (of `standing`), and
    `false_negatives` those left alone though they lean on the conversation (of `needed`).
    """

    split: str
    language: str
    k: int
    needed: int
    standing: int
    without: Interval
    with_rewriting: Interval
    difference: Interval
    false_positives: int
    false_negatives: int


@dataclass(frozen=True, slots=True)
class FollowUpReport:
    """Every group, and every case for those who want to see why."""

    results: tuple[FollowUpResult, ...]
    cases: tuple[CaseResult, ...]


def evaluate(
    cases: Iterable[FollowUpCase],
    ask: Callable[[str], Sequence[Hit]],
    *,
    rewrite: Callable[[str, Sequence[Turn]], str] = rewrite_by_rules,
    k: int = K,
    seed: int = 0,
) -> FollowUpReport:
    """Ask each follow-up as typed and as rewritten; `ask` gives the passages, best first.

    A question is rewritten only where `needs_rewriting` says so, as in a conversation. One result
    per split and, where a split has several, per language of the split.
    """
    judged = tuple(_judge(case, ask, rewrite, k) for case in cases)
    results: list[FollowUpResult] = []
    for split in sorted({one.case.split for one in judged}):
        within = [one for one in judged if one.case.split == split]
        results.append(_result(within, split, ALL, k, seed))
        languages = sorted({one.case.language for one in within})
        for language in languages if len(languages) > 1 else ():
            group = [one for one in within if one.case.language == language]
            results.append(_result(group, split, language, k, seed))
    return FollowUpReport(tuple(results), judged)


def rows(report: FollowUpReport) -> list[list[str]]:
    """The results as rows of a table, its heading first."""
    heading = [
        _("split, language"),
        _("follow-ups"),
        _("without"),
        _("rewritten"),
        _("difference [95 %]"),
        _("false alarms"),
        _("missed"),
    ]
    return [heading, *(_row(result) for result in report.results)]


def _row(result: FollowUpResult) -> list[str]:
    difference = result.difference
    return [
        f"{result.split}, {result.language}",
        str(result.needed),
        f"{result.without.estimate:.3f}",
        f"{result.with_rewriting.estimate:.3f}",
        f"{difference.estimate:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]",
        f"{result.false_positives}/{result.standing}",
        f"{result.false_negatives}/{result.needed}",
    ]


def _judge(
    case: FollowUpCase,
    ask: Callable[[str], Sequence[Hit]],
    rewrite: Callable[[str, Sequence[Turn]], str],
    k: int,
) -> CaseResult:
    detected = needs_rewriting(case.question, case.history)
    rewritten = rewrite(case.question, case.history) if detected else case.question
    without = _found(ask(case.question), case.pages, k)
    changed = rewritten != case.question
    return CaseResult(
        case=case,
        rewritten=rewritten,
        detected=detected,
        found_without=without,
        found_with=_found(ask(rewritten), case.pages, k) if changed else without,
    )


def _found(hits: Sequence[Hit], pages: Collection[tuple[str, int]], k: int) -> float:
    wanted = set(pages)
    return hit_at([_holds(hit, wanted) for hit in hits], k)


def _holds(hit: Hit, wanted: set[tuple[str, int]]) -> bool:
    held = range(hit.chunk.first_page, hit.chunk.last_page + 1)
    return any((hit.source.path, page) in wanted for page in held)


def _result(
    group: Sequence[CaseResult], split: str, language: str, k: int, seed: int
) -> FollowUpResult:
    needed = [one for one in group if one.case.needs_rewriting]
    standing = [one for one in group if not one.case.needs_rewriting]
    without = [one.found_without for one in needed]
    rewritten = [one.found_with for one in needed]
    return FollowUpResult(
        split=split,
        language=language,
        k=k,
        needed=len(needed),
        standing=len(standing),
        without=mean_interval(without, seed=seed),
        with_rewriting=mean_interval(rewritten, seed=seed),
        difference=paired_difference(rewritten, without, seed=seed),
        false_positives=sum(one.detected for one in standing),
        false_negatives=sum(not one.detected for one in needed),
    )
