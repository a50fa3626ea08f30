"""Measure what a filter named in a question does to what is found and to what is refused.

    python -m scripts.filters [--split test] [--seed 1]

Asks the questions of the sample course three ways (as they are; with the week of their document in
words that are searched for; with the same words recognised), and of a wrong week. Needs an index of
the sample course in the current folder (or TUTOR_ROOT) and no language model.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from scripts._course import course_agent
from tutor.answer.answerability import DEPTH, judge
from tutor.answer.finding import passages, understand
from tutor.embedding.embedder import CachingEmbedder
from tutor.evaluation.cases import sample_questions
from tutor.evaluation.metrics import Relevance
from tutor.model import Filter, Hit, Strategy

if TYPE_CHECKING:
    from tutor.answer import Agent
    from tutor.evaluation.cases import Case

K = 4
LAST_WEEK = 12


def ask(question: str, agent: Agent, *, filters: bool = True) -> tuple[list[Hit], bool]:
    """The passages found, and whether they are taken to answer the question."""
    asked = understand(question, (), agent)
    if not filters:
        asked = replace(asked, searched=question, filter=Filter(), recognised=(), only=None)
    asked, hits = passages(asked, agent, DEPTH)
    reference = agent.reference(agent.strategy)
    assert reference, "an index of today has one"
    return hits, judge(asked.searched, hits, reference).answerable


def measure(agent: Agent, cases: list[Case], seed: int) -> Counter[str]:
    """Counts over the cases that have no history."""
    draw = random.Random(seed)
    weeks = {source.path: source.week for source in agent.store.sources.values()}
    counts: Counter[str] = Counter()
    for case in cases:
        if case.history:
            continue
        if not case.answerable:
            week = draw.randint(1, LAST_WEEK)
            counts["unanswerable"] += 1
            counts["unanswerable, as it is: refused"] += not ask(case.question, agent)[1]
            counts["unanswerable, a week: refused"] += not ask(_of_week(case, week), agent)[1]
            continue
        week = weeks[case.places[0].file] or 0
        wrong = draw.choice([one for one in range(1, LAST_WEEK + 1) if one != week])
        counts["answerable"] += 1
        counts["a wrong week: refused"] += not ask(_of_week(case, wrong), agent)[1]
        relevance = Relevance(case, agent.store)
        for name, question, filters in (
            ("as it is", case.question, False),
            ("words added, no filter", _of_week(case, week), False),
            ("words added, filter", _of_week(case, week), True),
        ):
            hits, covered = ask(question, agent, filters=filters)
            found = [relevance.on_page(hit.chunk) for hit in hits[:K]]
            counts[f"{name}: hit@1"] += found[0]
            counts[f"{name}: hit@{K}"] += any(found)
            counts[f"{name}: refused"] += not covered
    return counts


def _of_week(case: Case, week: int) -> str:
    bare = case.question.rstrip("?")
    words = f"in week {week}" if case.language == "en" else f"en la semana {week}"
    return f"{bare} {words}{case.question[len(bare) :]}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--split", default="test", choices=["dev", "test"])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cases = [case for case in sample_questions() if case.split == arguments.split]
    with course_agent() as agent:
        for strategy in Strategy:
            asked = replace(agent, strategy=strategy, embedder=CachingEmbedder(agent.embedder))
            for name, count in measure(asked, cases, arguments.seed).items():
                print(f"{strategy.value:9} {count:4}  {name}")


if __name__ == "__main__":
    main()
