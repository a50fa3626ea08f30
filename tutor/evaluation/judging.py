"""Judges of an answer: one that computes, one that asks a language model.

The rubric is the one commonly used for question answering with references: 1 wrong or harmful,
2 mostly wrong, 3 harmless but of no use ("no information"), 4 useful with gaps, 5 right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tutor.grounding import Verdict, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.ports import Embedder

ACCEPTABLE = 4
"""The least mark of a useful answer."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer to be judged. `contexts` are the passages that were retrieved for it."""

    question: str
    reference: str
    answer: str
    contexts: Sequence[str]
    abstained: bool
    answerable: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """Marks between 0 and 1 by name, the rubric from 1 to 5; `failure` says what went wrong.

    A mark that could not be given is missing from `marks`: it is never a NaN.
    """

    marks: Mapping[str, float] = field(default_factory=dict)
    rubric: int | None = None
    failure: str = ""


class Judge(Protocol):
    """Gives an answer its marks."""

    @property
    def name(self) -> str:
        """What is written beside every number: kind, model, version."""
        ...

    def judge(self, sample: Sample) -> Judgement:
        """The marks of an answer. Raises nothing: what goes wrong is in the judgement."""
        ...


@dataclass(frozen=True, slots=True)
class RuleJudge:
    """Computes: sentences are compared as `tutor.grounding` compares them, by vectors, words and
    numbers. Needs no language model, and gives the same marks every time.
    """

    embedder: Embedder
    split: Callable[[str], list[tuple[int, int]]]
    language_of: Callable[[str], str]

    @property
    def name(self) -> str:
        """Kind and embedder."""
        return f"rules/1 ({self.embedder.identity})"

    def judge(self, sample: Sample) -> Judgement:
        """Faithfulness, relevance, context recall, correctness and the rubric."""
        marks: dict[str, float] = {}
        if sample.answerable and sample.reference:
            recall = self._supported(sample.reference, sample.contexts)
            if recall is not None:
                marks["context_recall"] = recall
        if sample.abstained:
            return Judgement(marks, 3 if sample.answerable else 5)
        faithful = self._supported(sample.answer, sample.contexts)
        if faithful is not None:
            marks["faithfulness"] = faithful
        marks["answer_relevance"] = self._relevance(sample)
        if not sample.answerable:
            return Judgement(marks, 1)
        covered = self._supported(sample.reference, [sample.answer]) or 0.0
        marks["correctness"] = max(covered, self._nearness(sample))
        return Judgement(marks, _rubric(marks["correctness"], faithful))

    def _supported(self, text: str, passages: Sequence[str]) -> float | None:
        """The share of a text's claims that the passages support; None without a claim."""
        statements = verify(text, list(passages), self.embedder, self.split, self.language_of)
        claims = [s for s in statements if s.verdict is not Verdict.NEUTRAL]
        if not claims:
            return None
        return sum(s.verdict is Verdict.SUPPORTED for s in claims) / len(claims)

    def _relevance(self, sample: Sample) -> float:
        """Cosine of question and answer, stretched over the band in which E5's cosines live."""
        asked = self.embedder.embed_queries([sample.question])[0]
        said = self.embedder.embed_passages([sample.answer])[0]
        return _stretched(float(asked @ said))

    def _nearness(self, sample: Sample) -> float:
        said, meant = self.embedder.embed_passages([sample.answer, sample.reference])
        return _stretched(float(said @ meant))


def _stretched(cosine: float) -> float:
    """A cosine of the E5 family between 0 (unrelated, 0.75) and 1 (equal)."""
    return min(1.0, max(0.0, (cosine - 0.75) / 0.25))


def _rubric(correctness: float, faithful: float | None) -> int:
    if correctness < 0.4:
        return 1 if faithful is None or faithful < 1 else 2
    return 5 if correctness > 0.8 and faithful != 0 else 4
