"""Measure single parts of the product by themselves, on cases that come with the program.

    python -m scripts.part_quality checks|followups|grounding|judge|refusals
        [--strategy fixed|semantic] [--judge rules|ollama]

`followups`: whether a page of a question in a conversation is among the first passages.
`grounding`: whether the verifier finds the support that a person found. `judge`: a judge of answers
beside a person. `refusals`: what is refused before anything is generated. `checks`: what each check
of written sentences is worth to the verifier, by the pairs of `grounding` and the labelled
sentences of a real model (`tests/data/model_answers.jsonl`). `followups` and `refusals` ask the
index of the sample course (or of another that has the documents), which has to be in the current
folder (or TUTOR_ROOT, TUTOR_STORES_DIR).

Each is measured into a table with a row per case, and shown per split and kind with 95 % intervals.
Precision is the share of right ones among the decisions `yes`, recall the share of the cases that
are so which were decided `yes`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock, patch

import numpy as np
import pandas as pd
from scipy import stats

from scripts._course import DATA, ROOT, course_agent, in_force, records
from tutor.answer import Agent, answer
from tutor.answer.finding import find
from tutor.answer.verification.verify import SupportVerdict, verify
from tutor.app import make_embedder
from tutor.cli.output import table as as_text
from tutor.embedding.embedder import CachingEmbedder
from tutor.evaluation.cases import ALL, Case, sample_questions, shipped_cases
from tutor.evaluation.judges import ACCEPTABLE, RuleJudge, Sample, ollama_judge
from tutor.evaluation.statistics import Interval, Samples, interval
from tutor.events import Filtered, Judged
from tutor.model import Answerability, Turn
from tutor.search.contextual import Found, earlier_question, longer

if TYPE_CHECKING:
    from tutor.config import Config
    from tutor.embedding.embedder import Embedder
    from tutor.evaluation.judges import Judge

CONVERSATIONS = ("followups", "conversations", "conversations_typed")
QUESTIONS = tuple(
    f"questions{kind}" for kind in ("", "_within", "_kinds", "_short", "_topics", "_unseen")
)
UNRELATED = "unrelated questions"
PARTS = ("checks", "followups", "grounding", "judge", "refusals")
CHECKS: dict[str, tuple[str, object]] = {
    "numbers agree": ("verify.numbers.agree", True),
    "names are known": ("verify._names", frozenset()),
    "formulas agree": ("verify.formulas.agree", True),
    "nothing negated otherwise": ("contradiction._negated_otherwise", False),
    "no opposite said": ("contradiction._at_other_pole", False),
    "parallels not exchanged": ("verify.contradiction.exchanged", False),
}
"""Of `tutor.answer.verification`: where each check is, and what it says where nothing is wrong."""

Rows = list[list[str]]
"""Of a table, its heading first."""


def judged_answers() -> Iterator[tuple[dict[str, Any], Sample]]:
    """The answers over the sample course, with what one person says of each.

    `kind` says how the answer was made, `faithful` is None where it claims nothing.
    """
    told = ("question", "reference", "contexts", "answerable")
    for record in records("judged_answers.jsonl"):
        for one in record["answers"]:
            sample = Sample(**{name: record[name] for name in told}, answer=one["answer"])
            yield {"split": record["split"], **one}, sample


def judged(judge: Judge) -> pd.DataFrame:
    """What the person says of each answer and what the judge says (NaN where it failed)."""
    rows = []
    for hand, sample in judged_answers():
        judgement = judge.judge(sample)
        faithful = judgement.marks.get("faithfulness")
        told = hand["faithful"] is not None and faithful is not None
        sides = (hand["faithful"], faithful == 1) if told else (None, None)
        rows.append((hand["split"], hand["kind"], hand["rubric"], judgement.rubric, *sides))
    columns = ["split", "group", "hand", "judge", "hand_faithful", "judge_faithful"]
    return pd.DataFrame(rows, columns=columns)


def agreement_rows(table: pd.DataFrame, judge: str) -> Rows:
    """Agreement by split, and on the test part by kind of answer.

    Acceptable or not is compared by the share that agrees and by Cohen's kappa, the rubric by
    Spearman's rank correlation, faithful or not by kappa.
    """
    heading = ["judge, answers", "answers", "failed", "acceptable or not [95 %]"]
    heading += ["kappa [95 %]", "rank correlation [95 %]"]
    heading += ["faithful or not, kappa [95 %]"]
    rows = [heading]
    for name, group in _groups(table, only="test"):
        rated, told = group.dropna(subset="judge"), group.dropna(subset="judge_faithful")
        marks = [rated[side].to_numpy(float) for side in ("hand", "judge")]
        useful = [side >= ACCEPTABLE for side in marks]
        faithful = [told[side].to_numpy(bool) for side in ("hand_faithful", "judge_faithful")]
        several = len(set(useful[0])) > 1
        cells = [
            interval(useful[0] == useful[1]),
            kappa(*useful) if several else interval([]),
            rank_correlation(*marks) if several else interval([]),
            kappa(*faithful) if len(set(faithful[0])) > 1 else interval([]),
        ]
        counts = [str(len(group)), str(len(group) - len(rated))]
        rows.append([f"{judge}, {name}", *counts, *(f"{cell:.3f}" for cell in cells)])
    return rows


def verified(pairs: Iterable[Mapping[str, Any]], embedder: Embedder) -> pd.DataFrame:
    """Each pair and what the product's verifier decides. Raises `EmbedderError`."""
    rows = []
    for pair in pairs:
        statements = verify(pair["sentence"], [pair["passage"]], embedder)
        verdicts = {statement.verdict for statement in statements}
        decided = (
            SupportVerdict.SUPPORTED in verdicts and SupportVerdict.UNSUPPORTED not in verdicts
        )
        rows.append((pair["split"], pair["kind"], pair["supported"], decided))
    return pd.DataFrame(rows, columns=["split", "group", "so", "decided"])


def check_rows(embedder: Embedder) -> Rows:
    """The verifier with all checks and without one at a time, and the F1 that each gains."""
    cases = [
        (pair["split"], pair["sentence"], [pair["passage"]], "", pair["supported"])
        for pair in records("support_pairs.jsonl")
    ]
    cases += [
        ("model", sentence["text"], row["passages"], row["question"], sentence["holds"])
        for row in records(ROOT / "tests" / "data" / "model_answers.jsonl")
        for sentence in row["sentences"]
        if sentence.get("holds") is not None
    ]

    def decided() -> Samples:
        told = [verify(text, read, embedder, asked) for _split, text, read, asked, _truth in cases]
        return np.array([any(s.verdict is SupportVerdict.SUPPORTED for s in one) for one in told])

    def f1(so: Samples, said: Samples) -> Samples:
        return _quotient(2 * (so & said).sum(-1), so.sum(-1) + said.sum(-1))

    by_check = {"": decided()}
    for name, (place, fine) in CHECKS.items():
        with patch(f"tutor.answer.verification.{place}", Mock(return_value=fine)):
            by_check[f", without {name}"] = decided()
    truth, splits = np.array([case[-1] for case in cases]), [case[0] for case in cases]
    rows = [["", "cases", "otherwise", "precision", "recall", "F1", "F1 that it gains [95 %]"]]
    for split in dict.fromkeys(splits):
        among = np.array(splits) == split
        so, whole = truth[among], by_check[""][among]
        for name, decisions in by_check.items():
            said = decisions[among]
            shares = (_quotient((so & said).sum(), of.sum()) for of in (said, so))
            gain = interval(so, whole, said, statistic=lambda t, w, d: f1(t, w) - f1(t, d))
            counts = (str(len(so)), str((whole != said).sum()))
            figures = (f"{float(share):.3f}" for share in (*shares, f1(so, said)))
            rows.append([split + name, *counts, *figures, f"{gain:+.3f}"])
    return rows


def refused(cases: Iterable[Case], answerable: Callable[[str], Answerability]) -> pd.DataFrame:
    """Each case and whether the product refuses it, before it generates anything.

    Asks for the question that stands alone. `near` are unanswerable questions whose topic the
    notes do treat. Raises what `answerable` raises.
    """
    rows = []
    for case in cases:
        decided = not answerable(case.standalone or case.question).answerable
        rows.append((case.split, case.language, not case.answerable, decided, case.near))
    return pd.DataFrame(rows, columns=["split", "group", "so", "decided", "near"])


def decision_rows(table: pd.DataFrame, *heading: str) -> Rows:
    """Precision, recall and F1 of yes-or-no decisions per split and group, and the share of the
    cases that are not so which were decided `yes`; with `near`, recall of those that come near.
    """
    rates = ["precision [95 %]", "recall [95 %]", "F1 [95 %]", "wrong yes [95 %]"]
    rows = [[*heading, *rates, *(["recall, on topic [95 %]"] if "near" in table else [])]]
    for name, group in _groups(table):
        so, decided = (group[side].to_numpy(bool) for side in ("so", "decided"))
        both, hits = np.concatenate([so, decided]), np.concatenate([so & decided, so & decided])
        # F1, the harmonic mean, is 2 TP of the positives on both sides.
        shares = [ratio(so, decided), ratio(decided, so), ratio(hits, both), ratio(decided, ~so)]
        if "near" in group:
            shares.append(ratio(decided, so & group["near"].to_numpy(bool)))
        rows.append([name, str(len(so)), str(so.sum()), *(f"{share:.3f}" for share in shares)])
    return rows


def _groups(table: pd.DataFrame, only: str = "") -> Iterator[tuple[str, pd.DataFrame]]:
    """Each split as a whole, then its groups where it has several (in the split `only`, if any)."""
    for split, within in table.groupby("split"):
        yield f"{split}, {ALL}", within
        if within["group"].nunique() > 1 and only in {"", split}:
            for name, group in within.groupby("group", sort=False):
                yield f"{split}, {name}", group


def asked_in_context(
    cases: Iterable[Case], ask: Callable[[str, Sequence[Turn]], Found], k: int
) -> pd.DataFrame:
    """Whether a page of each case is among the first `k`: as typed, behind the question before it,
    and as the product asks it; and whether the product reads it with that question.

    `ask` takes a question and the turns before it. Cases of kind `elsewhere` have their page
    where the question before does not lead; those of kind `switch` stand alone after a question
    about something else, and must not suffer.
    """
    rows = []
    for case in cases:
        product = ask(case.question, case.history)
        behind_it = longer(earlier_question(case.history, case.question), case.question)
        typed, behind = (ask(question, ()).hits for question in (case.question, behind_it))
        found = [
            any(
                place.file == hit.source.path
                and hit.chunk.first_page <= place.page <= hit.chunk.last_page
                for hit in hits[:k]
                for place in case.places
            )
            for hits in (typed, behind, product.hits)
        ]
        rows.append((case.kind, case.split, *found, product.is_follow_up))
    columns = ["kind", "split", "typed", "behind", "product", "leans"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[2:], float))


def context_rows(table: pd.DataFrame) -> Rows:
    """The share of cases whose page is found, per kind and split; what context adds to it."""
    heading = ["kind, split", "cases", "as typed", "behind the question before"]
    heading += ["in context", "difference [95 %]", "read together"]
    rows = [heading]
    for (kind, split), group in table.groupby(["kind", "split"]):
        shares = group[["typed", "behind", "product"]].mean().map("{:.3f}".format)
        difference = interval((group["product"] - group["typed"]).to_numpy())
        leaning = f"{int(group['leans'].sum())}/{len(group)}"
        rows.append([f"{kind}, {split}", str(len(group)), *shares, f"{difference:+.3f}", leaning])
    return rows


def conversation_cases(documents: Mapping[str, int]) -> list[Case]:
    """Follow-ups and changes of topic over the documents of a course, by path and pages, and its
    single questions, one after another.

    They are about the sample course, and about public courses whose PDFs are not distributed here.
    """
    conversations, questions = (
        [
            case
            for name in names
            for end in ("", "_public")
            if (case_file := DATA / f"{name}{end}.jsonl").is_file()
            for case in shipped_cases(case_file.name)
            if all(place.file in documents for place in case.places[:1])
        ]
        for names in (CONVERSATIONS, QUESTIONS)
    )
    return [*conversations, *one_after_another(questions)]


def one_after_another(cases: Iterable[Case]) -> list[Case]:
    """Every question that has an answer, behind another one that was asked of another document."""
    answered = [case for case in cases if case.places]
    draw = Random(1)
    following = []
    for case in answered:
        others = [other for other in answered if other.places[0].file != case.places[0].file]
        if others:
            before = draw.choice(others).question
            history = (Turn(before, before, ""),)
            following.append(replace(case, kind=UNRELATED, split="dev", history=history))
    return following


def ratio(part: Samples, whole: Samples) -> Interval:
    """The share of the `whole` cases that are `part`, all cases drawn again; NaN if none is whole.

    A draw in which no case is `whole` counts as 0.
    """
    if not whole.any():
        return interval([])
    return interval(part & whole, whole, statistic=lambda a, b: _quotient(a.sum(-1), b.sum(-1)))


def kappa(hand: Samples, judged: Samples) -> Interval:
    """Cohen's kappa (1960) of two yes-or-no judgements; 0 where chance alone agrees on all."""

    def agreement(one: Samples, other: Samples) -> Samples:
        first, second = one.mean(axis=-1), other.mean(axis=-1)
        chance = first * second + (1 - first) * (1 - second)
        return _quotient((one == other).mean(axis=-1) - chance, 1 - chance)

    return interval(hand, judged, statistic=agreement)


def rank_correlation(first: Samples, second: Samples) -> Interval:
    """Spearman's correlation, which is Pearson's of the ranks; 0 where one side never varies."""

    def correlation(*sides: Samples) -> Samples:
        one, other = (stats.rankdata(side, axis=-1) - (side.shape[-1] + 1) / 2 for side in sides)
        scale = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
        return _quotient((one * other).sum(axis=-1), scale)

    return interval(first, second, statistic=correlation)


def _quotient(part: Samples, whole: Samples) -> Samples:
    """0 where there is nothing to divide by."""
    part, whole = np.asarray(part, float), np.asarray(whole, float)
    return np.divide(part, whole, out=np.zeros(whole.shape), where=whole > 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--strategy", choices=("fixed", "semantic"), default="fixed")
    parser.add_argument("--judge", choices=("rules", "ollama"), default="rules")
    options = parser.parse_args()
    config = in_force(strategy=options.strategy, engine="extractive")
    if options.part == "judge":
        judge = RuleJudge() if options.judge == "rules" else ollama_judge(config)
        print(as_text(agreement_rows(judged(judge), judge.name)))
    elif options.part == "checks":
        print(as_text(check_rows(CachingEmbedder(make_embedder(config)[0]))))
    elif options.part == "grounding":
        embedder, _why = make_embedder(config)
        pairs = verified(records("support_pairs.jsonl"), embedder)
        print(as_text(decision_rows(pairs, "split, kind", "pairs", "supported")))
    else:
        print(as_text(_asked_rows(options.part, config)))


def _asked_rows(part: str, config: Config) -> Rows:
    """The table of a part that asks an index."""
    with course_agent(config) as agent:
        if part == "refusals":
            cases = refused(sample_questions(), partial(_answerability, agent=agent))
            return decision_rows(cases, "split, language", "cases", "unanswerable")
        documents = {source.path: source.pages for source in agent.store.sources.values()}
        ask = partial(_ask, agent=agent)
        return context_rows(asked_in_context(conversation_cases(documents), ask, agent.k))


def _ask(question: str, history: Sequence[Turn], *, agent: Agent) -> Found:
    """As a conversation is searched: as many passages as answers are quoted from."""
    inquiry, hits = find(question, agent, history)
    return Found(hits, inquiry.is_follow_up)


def _answerability(question: str, *, agent: Agent) -> Answerability:
    """What the product decides before it generates anything."""
    with closing(answer(question, agent)) as events:
        for event in events:
            if isinstance(event, Judged):
                return event.answerability
            if isinstance(event, Filtered) and not event.documents:  # nothing is left to judge
                return Answerability(answerable=False, evidence=0.0, threshold=0.0)
    sys.exit("The index cannot tell what it does not cover; bring it up to date: tutor index")


if __name__ == "__main__":
    main()
