"""Judges of an answer: the port, and one that computes and needs no language model.

The rubric is the one commonly used for question answering with references: 1 wrong or harmful,
2 mostly wrong, 3 harmless but of no use ("no information"), 4 useful with gaps, 5 right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from tutor.errors import TutorError
from tutor.evaluation.agreement import compare, main_clause, news, values
from tutor.grounding import Verdict, declares_not_covered, verify
from tutor.grounding.evidence import UNRELATED
from tutor.grounding.words import content_words, coverage, fold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tutor.evaluation.agreement import Wording
    from tutor.grounding import Statement
    from tutor.ports import Embedder
    from tutor.types import Vectors

WRONG, MISLEADING, NO_INFORMATION, ACCEPTABLE, RIGHT = range(1, 6)
"""The rubric; `ACCEPTABLE` is the least mark of a useful answer."""

AGREES = 0.62
"""Support, between reference and answer, from which one says what the other says."""
COMPLETE = 0.6
"""The same, or the share of the reference's news, from which nothing is missing."""
QUOTED_NEWS = 0.8
"""The share of the reference's news from which a passage or a longer answer holds it."""
INVENTED = 0.35
"""Support below which a sentence that is added to a right answer is an invention."""
NAMED = 0.3
"""The share of the question's words from which a passage with a bare number answers it."""
STRANGE = 0.5
"""The share of such a sentence's words that stand nowhere in what is known."""
_FOUND_NOTHING = re.compile(
    r"\W*(?:no (?:he )?(?:encontr\w+|encuentro|hall\w+|veo)|i (?:did not|could not|couldn't|didn't"
    r"|cannot|can't) find|(?:nothing|nada) (?:about|sobre))\b"
)
_LONGEST_REFUSAL = 15
"""Content words of a refusal, with what it says besides."""
_REMEMBERED = 4000
"""Vectors kept: a few megabytes, and all passages of some hundred questions."""


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer to be judged. `contexts` are the passages that were retrieved, best first."""

    question: str
    reference: str
    answer: str
    contexts: Sequence[str]
    abstained: bool
    answerable: bool

    @property
    def refuses(self) -> bool:
        """Whether it is marked as a refusal, is empty, or says that the notes lack the answer."""
        found_nothing = _FOUND_NOTHING.match(fold(self.answer)) is not None
        return (
            self.abstained
            or not self.answer.strip()
            or declares_not_covered(self.answer)
            or (found_nothing and len(content_words(self.answer)) <= _LONGEST_REFUSAL)
        )


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


class RuleJudge:
    """Compares sentences as `tutor.grounding` does: by vectors, words, numbers and denials.

    It gives the same marks every time. `split` gives the spans of a text's sentences.
    """

    def __init__(
        self,
        embedder: Embedder,
        split: Callable[[str], list[tuple[int, int]]],
        language_of: Callable[[str], str],
    ) -> None:
        self._embedder = _Remembering(embedder)
        self._split = split
        self._language_of = language_of

    @property
    def name(self) -> str:
        """Kind, version and embedder."""
        return f"rules/2 ({self._embedder.identity})"

    def judge(self, sample: Sample) -> Judgement:
        """Marks and rubric; an embedder that fails is the judgement's failure."""
        try:
            return self._judged(sample)
        except TutorError as error:
            return Judgement(failure=error.message)

    def _judged(self, sample: Sample) -> Judgement:
        marks = self._context_marks(sample) if sample.answerable and sample.reference else {}
        if sample.refuses:
            return Judgement(marks, refusal_rubric(answerable=sample.answerable))
        statements = self._verified(sample.answer, sample.contexts)
        faithful = _supported_share(statements)
        if faithful is not None:
            marks["faithfulness"] = faithful
        marks["answer_relevance"] = self._nearness(sample.question, sample.answer)
        if not sample.answerable:
            return Judgement(marks, WRONG)
        if not sample.reference.strip():
            return Judgement(marks)
        marks["correctness"], rubric = self._correctness(sample, statements)
        return Judgement(marks, rubric)

    def _context_marks(self, sample: Sample) -> dict[str, float]:
        """Recall: the share of the reference's claims that a passage has. Precision: the mean of
        the precisions at the ranks of the passages that have any (Es and others, "RAGAS", 2024).
        """
        found = [self._claims_in(sample.question, sample.reference, c) for c in sample.contexts]
        if found and not found[0]:
            return {}
        ranks = [rank for rank, claims in enumerate(found, start=1) if any(claims)]
        precisions = [n / rank for n, rank in enumerate(ranks, start=1)]
        marks = {"context_precision": sum(precisions) / len(ranks) if ranks else 0.0}
        claims = [any(column) for column in zip(*found, strict=True)]
        marks["context_recall"] = sum(claims) / len(claims) if claims else 0.0
        return marks

    def _claims_in(self, question: str, reference: str, passage: str) -> list[bool]:
        """Which of the reference's claims the passage has; a fragment is looked up by words.

        One that only holds numbers ("45.") is there with them, if the passage treats what the
        question names. One that has neither ("Yes.") cannot be looked up, and is left out.
        """
        across = self._language_of(reference) != self._language_of(passage)
        there, said = content_words(passage), values(passage)
        found = []
        for statement in self._verified(reference, [passage]):
            claim = reference[statement.start : statement.end]
            words = content_words(claim)
            if not (words or values(claim)):
                continue
            wanted, least = (
                (news(question, claim), QUOTED_NEWS) if words else (content_words(question), NAMED)
            )
            known = coverage(wanted, there, across=across) >= least and values(claim) <= said
            found.append(statement.verdict is Verdict.SUPPORTED or known)
        return found

    def _correctness(self, sample: Sample, statements: Sequence[Statement]) -> tuple[float, int]:
        """Agreement with the reference between 0 and 1, and the rubric."""
        across = self._language_of(sample.answer) != self._language_of(sample.reference)
        wording = compare(sample.question, sample.reference, sample.answer, across=across)
        entailed = self._support(sample.reference, sample.answer)
        entails = self._support(sample.answer, sample.reference)
        key = self._support(main_clause(sample.reference), sample.answer)
        agreement = max(entailed, entails, 0.9 * key, _by_words(wording))
        if wording.wrong_number or (wording.contradicts and entailed < AGREES):
            nearly = wording.wrong_number and wording.numbers_known > 0
            return min(agreement, 0.3), MISLEADING if nearly else WRONG
        if agreement < AGREES:
            grounded = _supported_share(statements) == 1
            return agreement, MISLEADING if grounded else WRONG
        if self._invents(sample, statements):
            return min(agreement, 0.45), MISLEADING
        complete = max(entailed, wording.covered) >= COMPLETE and not across
        return agreement, RIGHT if complete else ACCEPTABLE

    def _invents(self, sample: Sample, statements: Sequence[Statement]) -> bool:
        """Whether a sentence has neither support in passages and reference nor words of theirs."""
        known = "\n".join((sample.question, sample.reference, *sample.contexts))
        doubtful = [s for s in statements if _is_claim(s) and s.support < INVENTED]
        sentences = [sample.answer[s.start : s.end] for s in doubtful]
        return any(
            self._support(sentence, sample.reference) < INVENTED
            and (_strange(sentence, known) >= STRANGE or not values(sentence) <= values(known))
            for sentence in sentences
        )

    def _support(self, text: str, passage: str) -> float:
        """How well the passage supports the text's weakest claim; 0 without a claim."""
        return min((s.support for s in self._verified(text, [passage]) if _is_claim(s)), default=0)

    def _verified(self, text: str, passages: Sequence[str]) -> list[Statement]:
        return verify(text, list(passages), self._embedder, self._split, self._language_of)

    def _nearness(self, question: str, answer: str) -> float:
        """Cosine of question and answer, 0 where unrelated texts have it.

        The zero is measured per question: embedders differ in how near unrelated texts are.
        """
        asked = self._embedder.embed_queries([question])[0]
        said = self._embedder.embed_passages([answer, *UNRELATED])
        zero = float((said[1:] @ asked).mean())
        return min(1.0, max(0.0, (float(said[0] @ asked) - zero) / max(1e-6, 1 - zero)))


class _Remembering:
    """An embedder that keeps its latest vectors: judges meet the same passages many times."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, Vectors] = {}
        self.embed_queries = embedder.embed_queries
        self.identity = embedder.identity
        self.device = embedder.device

    @property
    def dim(self) -> int:
        return self._embedder.dim

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if len(self._known) + len(new) > _REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(texts))
        if new:
            self._known.update(zip(new, self._embedder.embed_passages(new), strict=True))
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        return np.stack([self._known[text] for text in texts])


def _by_words(wording: Wording) -> float:
    """The agreement that yes or no, a choice, numbers and words show without any sentence."""
    if wording.contradicts:
        return 0.0
    if wording.same_side or wording.right_numbers:
        return AGREES
    return AGREES if wording.covered >= QUOTED_NEWS and wording.numbers_known == 1 else 0.0


def _strange(sentence: str, known: str) -> float:
    """The share of a sentence's words that the known text lacks in either language."""
    return 1 - coverage(content_words(sentence), content_words(known), across=True)


def _is_claim(statement: Statement) -> bool:
    return statement.verdict is not Verdict.NEUTRAL


def _supported_share(statements: Sequence[Statement]) -> float | None:
    """The share of the claims that the passages support; None without a claim."""
    claims = [s for s in statements if _is_claim(s)]
    if not claims:
        return None
    return sum(s.verdict is Verdict.SUPPORTED for s in claims) / len(claims)
