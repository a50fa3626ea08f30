"""Judges of an answer: the port, one that computes and needs no model, and what they agree on.

The rubric is the one commonly used for question answering with references: 1 wrong or harmful,
2 mostly wrong, 3 harmless but of no use ("no information"), 4 useful with gaps, 5 right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tutor.evaluation.wording import contained, news, numbers, share, words, yes_or_no
from tutor.text.folding import folded
from tutor.text.sentences import split_sentences

WRONG, MISLEADING, NO_INFORMATION, ACCEPTABLE, RIGHT = range(1, 6)
"""The rubric; `ACCEPTABLE` is the least mark of a useful answer."""
AGREES = 0.5
"""The share of what the reference adds to its question from which an answer says it, and the share
of a sentence's words from which the passages do.
"""
COMPLETE = 0.7
"""The share of the reference's news from which nothing is missing."""
QUOTED = 0.8
"""The share of the reference's news from which a passage holds it."""
NAMED = 0.3
"""The share of the question's words from which a passage with a bare number answers it."""
_REFUSAL = re.compile(
    r"no (?:he )?(?:encontr|encuentr|hall)"
    r"|i (?:did not|couldn t|could not|didn t|cannot|can t) find"
    r"|.*\b(?:apuntes|notas|notes|pasajes|passages)\b.*\b(?:no|not|nothing|nada)\b"
    r"|.*\b(?:no|not|nothing|nada)\b.*\b(?:apuntes|notas|notes|pasajes|passages)\b"
)
_LONGEST_REFUSAL = 16
"""Words of a refusal, with what it says besides."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer to be judged. `contexts` are the passages that were retrieved, best first."""

    question: str
    reference: str
    answer: str
    contexts: Sequence[str]
    abstained: bool = False
    answerable: bool = True

    @property
    def refuses(self) -> bool:
        """Whether it is marked as a refusal, is empty, or says that the notes lack the answer."""
        said = " ".join(re.findall(r"\w+", folded(self.answer)))
        refusal = _REFUSAL.match(said) and len(said.split()) <= _LONGEST_REFUSAL
        return self.abstained or not self.answer.strip() or bool(refusal)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Marks between 0 and 1 by name, the rubric from 1 to 5; `failure` says what went wrong.

    A mark that could not be given is missing from `marks`: it is never a NaN.
    """

    marks: Mapping[str, float] = field(default_factory=dict)
    rubric: int | None = None
    failure: str = ""

    @property
    def acceptable(self) -> bool | None:
        """Whether the answer is useful; None where there is no rubric."""
        return None if self.rubric is None else self.rubric >= ACCEPTABLE


class Judge(Protocol):
    """Gives an answer its marks."""

    @property
    def name(self) -> str:
        """What is written beside every number: kind, model, version."""
        ...

    def judge(self, sample: Sample) -> Judgement:
        """The marks of an answer. Raises nothing: what goes wrong is in the judgement."""
        ...


def refusal_rubric(*, answerable: bool) -> int:
    """The rubric of a refusal: right where there is nothing to answer, else harmless."""
    return NO_INFORMATION if answerable else RIGHT


def average_precision(useful: Sequence[bool]) -> float:
    """The mean of the precisions at the ranks of the useful passages; 0 without any."""
    ranks = [rank for rank, one in enumerate(useful, start=1) if one]
    return sum(n / rank for n, rank in enumerate(ranks, start=1)) / len(ranks) if ranks else 0.0


class RuleJudge:
    """Compares words, numbers, and yes or no. It gives the same marks every time."""

    name = "rules/6"

    def judge(self, sample: Sample) -> Judgement:
        """An answer agrees with the reference that has half of what it adds to the question, its
        numbers, or its yes or no; and that neither denies it nor has another number instead.
        """
        marks = _context_marks(sample) if sample.answerable and sample.reference.strip() else {}
        if sample.refuses:
            return Judgement(marks, refusal_rubric(answerable=sample.answerable))
        faithful = _faithfulness(sample)
        if faithful is not None:
            marks["faithfulness"] = faithful
        if not sample.answerable:
            return Judgement(marks, WRONG)
        if not sample.reference.strip():
            return Judgement(marks)
        marks["correctness"] = correct = _correctness(sample)
        if correct >= AGREES:
            return Judgement(marks, RIGHT if correct >= COMPLETE else ACCEPTABLE)
        return Judgement(marks, MISLEADING if correct and faithful == 1 else WRONG)


def _correctness(sample: Sample) -> float:
    """How much of the reference's news the answer has, 0 where it says something else."""
    meant, said = (numbers(t) - numbers(sample.question) for t in (sample.reference, sample.answer))
    sides = yes_or_no(sample.reference), yes_or_no(sample.answer)
    if (meant - said and said - meant) or (None not in sides and sides[0] != sides[1]):
        return 0.0
    has = share(news(sample.question, sample.reference), sample.answer)
    right_numbers = bool(meant) and 2 * len(meant & said) >= len(meant) and not said - meant
    return max(has, AGREES) if right_numbers or None not in sides else has


def _faithfulness(sample: Sample) -> float | None:
    """The share of the answer's sentences that stand in the passages; None without a sentence.

    One stands there that has half of its words and all of its numbers there.
    """
    sentences = [sample.answer[start:end] for start, end in split_sentences(sample.answer)]
    shares = [contained(sentence, sample.contexts) for sentence in sentences if words(sentence)]
    verdicts = [one >= AGREES for one in shares if one is not None]
    return sum(verdicts) / len(verdicts) if verdicts else None


def _context_marks(sample: Sample) -> dict[str, float]:
    """Recall: the share of the reference's sentences that a passage has. Precision: that of the
    passages that have any, averaged over their ranks (Es and others, "RAGAS", 2024).
    """
    spans = split_sentences(sample.reference)
    claims = [sample.reference[start:end] for start, end in spans]
    # A bare yes or no cannot be looked up.
    claims = [one for one in claims if numbers(one) or any(len(word) > 2 for word in words(one))]
    if not claims:
        return {}
    held = [
        [_holds(passage, sample.question, one) for one in claims] for passage in sample.contexts
    ]
    recall = sum(any(column) for column in zip(*held, strict=True)) / len(claims) if held else 0.0
    return {
        "context_precision": average_precision([any(one) for one in held]),
        "context_recall": recall,
    }


def _holds(passage: str, question: str, claim: str) -> bool:
    """Whether a passage has a claim; one of numbers only, where it treats the question, too."""
    if not numbers(claim) <= numbers(passage):
        return False
    if not words(claim):
        return share(words(question), passage) >= NAMED
    return share(news(question, claim), passage) >= QUOTED
