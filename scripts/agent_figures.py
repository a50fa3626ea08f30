"""Measure the agent's decisions on the sets that come with the project.

    python scripts/agent_figures.py [followups] [grounding] [refusals]

Follow-ups: how often the right page is among the four passages found, as typed and as rewritten.
Grounding: which sentences the checker calls supported, against labels given by hand.
Refusals: which questions are declined before anything is generated.
Asks the index of the sample course (`tutor index` first). Needs no language model.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tutor.answering import READER  # noqa: E402
from tutor.assembly import (  # noqa: E402
    find_course,
    make_agent,
    make_embedder,
    open_course,
)
from tutor.chunking import detect_language, split_sentences  # noqa: E402
from tutor.cli.output import table  # noqa: E402
from tutor.config import find_root, load_config  # noqa: E402
from tutor.coverage import DEPTH, judge  # noqa: E402
from tutor.evaluation import followups, grounding, refusals  # noqa: E402
from tutor.evaluation.cases import sample_followups, sample_questions  # noqa: E402
from tutor.retrieval import retrieve  # noqa: E402
from tutor.timing import Stopwatch  # noqa: E402
from tutor.types import Strategy  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tutor.answering import Agent
    from tutor.types import Coverage, Hit

TASKS = ("followups", "grounding", "refusals")


def main() -> int:
    tasks = sys.argv[1:] or TASKS
    if unknown := set(tasks) - set(TASKS):
        print(f"not one of {', '.join(TASKS)}: {', '.join(unknown)}", file=sys.stderr)
        return 2
    config = load_config(find_root(Path.cwd(), os.environ), os.environ, {"engine": "extractive"})
    embedder, _why = make_embedder(config)
    if "grounding" in tasks:
        pairs = grounding.support_pairs()
        report = grounding.evaluate(pairs, embedder, split_sentences, detect_language)
        print(f"\n## grounding\n\n{table(grounding.rows(report))}")
    with open_course(config, find_course(config), embedder) as store:
        agent = make_agent(config, store, embedder)
        for strategy in Strategy:
            _report(tasks, agent, strategy)
    return 0


def _report(tasks: Sequence[str], agent: Agent, strategy: Strategy) -> None:
    if "followups" in tasks:
        found = followups.evaluate(sample_followups(), lambda q: _ask(q, agent, strategy, 4))
        print(f"\n## follow-ups, {strategy.value}\n\n{table(followups.rows(found))}")
    if "refusals" in tasks:
        declined = refusals.evaluate(sample_questions(), lambda q: _covers(q, agent, strategy))
        print(f"\n## refusals, {strategy.value}\n\n{table(refusals.rows(declined))}")


def _ask(question: str, agent: Agent, strategy: Strategy, k: int) -> Sequence[Hit]:
    return retrieve(
        question,
        agent.store,
        agent.embedder,
        strategy=strategy,
        k=k,
        stopwatch=Stopwatch(),
        hybrid=agent.hybrid,
    )


def _covers(question: str, agent: Agent, strategy: Strategy) -> Coverage:
    hits = _ask(question, agent, strategy, DEPTH)
    vector = agent.embedder.embed_queries([question])[0]
    return judge(question, hits, vector, agent.calibrations[strategy], READER)


if __name__ == "__main__":
    sys.exit(main())
