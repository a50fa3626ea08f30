"""Single stages by themselves, on cases that come with the program.

The judge beside a person, refusals, the support of sentences, and questions in a conversation. Each
is measured into a table with a row per case, and shown per split and kind with 95 % intervals.
Precision is the share of right ones among the decisions `yes`, recall the share of the cases that
are so which were decided `yes`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tutor.answer.verification import Verdict, verify
from tutor.embedding.embedder import Embedder
from tutor.evaluation.cases import ALL, Case
from tutor.evaluation.judges import ACCEPTABLE, Judge, Sample
from tutor.evaluation.statistics import Samples, interval, kappa, rank_correlation, ratio
from tutor.i18n import _
from tutor.model import Answerability, Hit
from tutor.search.retrieval import earlier_question, longer

if TYPE_CHECKING:
    from tutor.search.retrieval import Found

Rows = list[list[str]]
"""Of a table, its heading first."""


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer with a person's rubric; `faithful` is None where the answer claims nothing.

    `split` is `dev` or `test`, by question and document. `kind` says how the answer was made.
    """

    split: str
    kind: str
    sample: Sample
    rubric: int
    faithful: bool | None


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


def judged_answers(split: str | None = None) -> list[JudgedAnswer]:
    """The answers over the sample course, judged by one person."""
    return [
        JudgedAnswer(
            record["split"],
            answer["kind"],
            Sample(
                record["question"],
                record["reference"],
                answer["answer"],
                tuple(record["contexts"]),
                abstained=False,
                answerable=record["answerable"],
            ),
            answer["rubric"],
            answer["faithful"],
        )
        for record in _records("judged_answers.jsonl")
        if split in {None, record["split"]}
        for answer in record["answers"]
    ]


def support_pairs() -> list[SupportPair]:
    """The pairs over the sample course."""
    return [SupportPair(**record) for record in _records("support_pairs.jsonl")]


def _records(name: str) -> list[Any]:
    path = files("tutor.evaluation") / "data" / name
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def judged(judge: Judge, answers: Iterable[JudgedAnswer]) -> pd.DataFrame:
    """What the person says of each answer and what the judge says (None where it failed)."""
    rows = []
    for answer in answers:
        judgement = judge.judge(answer.sample)
        faithful = judgement.marks.get("faithfulness")
        sides = (answer.faithful, faithful == 1)
        told = answer.faithful is not None and faithful is not None
        rated = (answer.rubric, judgement.rubric)
        rows.append((answer.split, answer.kind, *rated, *(sides if told else (None, None))))
    columns = ["split", "group", "hand", "judge", "hand_faithful", "judge_faithful"]
    return pd.DataFrame(rows, columns=columns)


def agreement_rows(table: pd.DataFrame, judge: str) -> Rows:
    """Agreement by split, and on the test part by kind of answer.

    Acceptable or not is compared by the share that agrees and by Cohen's kappa, the rubric by
    Spearman's rank correlation, faithful or not by kappa.
    """
    heading = [_("judge, answers"), _("answers"), _("failed"), _("acceptable or not [95 %]")]
    heading += [_("kappa [95 %]"), _("rank correlation [95 %]")]
    heading += [_("faithful or not, kappa [95 %]")]
    rows = [heading]
    for name, group in (
        *table.groupby("split", sort=False),
        *table[table["split"] == "test"].groupby("group", sort=False),
    ):
        rated, told = group.dropna(subset="judge"), group.dropna(subset="judge_faithful")
        marks = [rated[side].to_numpy(float) for side in ("hand", "judge")]
        useful = [side >= ACCEPTABLE for side in marks]
        faithful = [told[side].to_numpy(bool) for side in ("hand_faithful", "judge_faithful")]
        cells = [
            interval(useful[0] == useful[1]),
            kappa(*useful) if len(set(useful[0])) > 1 else None,
            rank_correlation(*marks) if len(set(useful[0])) > 1 else None,
            kappa(*faithful) if len(set(faithful[0])) > 1 else None,
        ]
        shown = [f"{cell:.3f}" if cell else "-" for cell in cells]
        rows.append([f"{judge}, {name}", str(len(group)), str(len(group) - len(rated)), *shown])
    return rows


def verified(pairs: Iterable[SupportPair], embedder: Embedder) -> pd.DataFrame:
    """Each pair and what the product's verifier decides. Raises `EmbedderError`."""
    rows = []
    for pair in pairs:
        statements = verify(pair.sentence, [pair.passage], embedder)
        verdicts = {statement.verdict for statement in statements}
        decided = Verdict.SUPPORTED in verdicts and Verdict.UNSUPPORTED not in verdicts
        rows.append((pair.split, pair.kind, pair.supported, decided))
    return pd.DataFrame(rows, columns=["split", "group", "so", "decided"])


def refused(cases: Iterable[Case], answerable: Callable[[str], Answerability]) -> pd.DataFrame:
    """Each case and whether the product refuses it, before it generates anything.

    Asks for the question that stands alone. `near` are unanswerable questions whose topic the
    notes do treat. Raises what `answerable` raises.
    """
    rows = [
        (case.split, case.language, not case.answerable, not judged.answerable, case.near)
        for case in cases
        for judged in [answerable(case.standalone or case.question)]
    ]
    return pd.DataFrame(rows, columns=["split", "group", "so", "decided", "near"])


def support_rows(table: pd.DataFrame) -> Rows:
    """The verifier's precision, recall, F1 and accuracy, per split and kind of sentence."""
    heading = [_("split, kind"), _("pairs"), _("supported"), _("precision [95 %]")]
    heading += [_("recall [95 %]"), _("F1 [95 %]"), _("correct")]
    return [
        heading,
        *([name, *_scores(so, decided), f"{(so == decided).mean():.3f}"]
          for name, _group, so, decided in _decisions(table)),
    ]  # fmt: skip


def refusal_rows(table: pd.DataFrame) -> Rows:
    """Precision, recall, F1 and false refusals, per split and language."""
    heading = [_("split, language"), _("cases"), _("unanswerable"), _("precision [95 %]")]
    heading += [_("recall [95 %]"), _("F1 [95 %]"), _("recall, on topic [95 %]")]
    heading += [_("false refusals [95 %]")]
    rows = [heading]
    for name, group, so, decided in _decisions(table):
        near = so & group["near"].to_numpy(bool)
        others = [f"{ratio(decided, whole):.3f}" for whole in (near, ~so)]
        rows.append([name, *_scores(so, decided), *others])
    return rows


def _decisions(table: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame, Samples, Samples]]:
    """Each split as a whole, then its groups where it has several: what is so, what was decided."""
    for split, within in table.groupby("split"):
        groups = list(within.groupby("group", sort=False))
        for name, group in [(ALL, within), *(groups if len(groups) > 1 else ())]:
            so, decided = (group[side].to_numpy(bool) for side in ("so", "decided"))
            yield f"{split}, {name}", group, so, decided


def _scores(so: Samples, decided: Samples) -> list[str]:
    """How many, precision, recall, and F1: its harmonic mean is 2 TP of the positives on both
    sides.
    """
    both, hits = np.concatenate([so, decided]), np.concatenate([so & decided, so & decided])
    shares = (ratio(so, decided), ratio(decided, so), ratio(hits, both))
    return [str(len(so)), str(so.sum()), *(f"{share:.3f}" for share in shares)]


def asked_in_context(
    cases: Iterable[Case], ask: Callable[[str, str], Found], k: int
) -> pd.DataFrame:
    """Whether a page of each case is among the first `k`: as typed, behind the question before it,
    and as the product asks it; and whether the product reads it with that question.

    `ask` takes a question and an earlier one (or none). Cases of kind `elsewhere` have their page
    where the question before does not lead; those of kind `switch` stand alone after a question
    about something else, and must not suffer.
    """
    rows = []
    for case in cases:
        earlier = earlier_question(case.history)
        product = ask(case.question, earlier)
        typed, behind = (
            ask(question, "").hits for question in (case.question, longer(earlier, case.question))
        )
        found = [_finds(case, hits[:k]) for hits in (typed, behind, product.hits)]
        rows.append((case.kind, case.split, *found, product.leans))
    columns = ["kind", "split", "typed", "behind", "product", "leans"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[2:], float))


def _finds(case: Case, hits: Sequence[Hit]) -> bool:
    pages = set(case.pages)
    return any(
        (hit.source.path, page) in pages
        for hit in hits
        for page in range(hit.chunk.first_page, hit.chunk.last_page + 1)
    )


def context_rows(table: pd.DataFrame) -> Rows:
    """The share of cases whose page is found, per kind and split; what context adds to it."""
    heading = [_("kind, split"), _("cases"), _("as typed"), _("behind the question before")]
    heading += [_("in context"), _("difference [95 %]"), _("read together")]
    rows = [heading]
    for (kind, split), group in table.groupby(["kind", "split"]):
        means = group[["typed", "behind", "product", "leans"]].mean()
        difference = interval((group["product"] - group["typed"]).to_numpy())
        shares = [f"{means[name]:.3f}" for name in ("typed", "behind", "product")]
        leaning = f"{int(group['leans'].sum())}/{len(group)}"
        rows.append([f"{kind}, {split}", str(len(group)), *shares, f"{difference:+.3f}", leaning])
    return rows
