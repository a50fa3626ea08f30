"""Measure the answers to questions that no passage answers, beside those of plain retrieval.

    python -m scripts.map_quality sample|public [--split dev|test] [--show]

Asks the course whose index is in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR) the
questions of `map_sample.jsonl` or `map_public.jsonl`, as the product asks, once with the map of the
course and once without (`--route` given), and no language model. Of each answer counts what it
states or stands on:

`recall`: of the weeks, documents, authors, dates and numbers that are asked for, of the sections
(their page is cited or their heading named) and of the concepts (named) the share that is there;
of places of a relation whether any is cited. `precision`: of the documents (weeks, where weeks are
asked for) that are cited the share that is asked for or accepted, where any are. `routed`: whether
the map answered, or the outline of documents. With `--negatives` FILE ... counts instead how many
ordinary questions the map answers.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from scripts._course import ask, course_agent, records, share
from tutor.answer import Agent
from tutor.evaluation.statistics import interval
from tutor.model import Answer, Citation, Route, Source, Strategy
from tutor.text.folding import folded


@dataclass(frozen=True)
class Given:
    """What an answer states or stands on."""

    answer: Answer
    route: Route
    sources: dict[str, Source] = field(default_factory=dict)
    pages: set[tuple[str, int]] = field(default_factory=set)
    text: str = ""

    @property
    def weeks(self) -> set[int]:
        """The weeks of the documents that are cited."""
        return {source.week for source in self.sources.values() if source.week is not None}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("course", choices=("sample", "public"))
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--show", action="store_true", help="print each question's figures")
    parser.add_argument("--negatives", type=Path, nargs="+", default=())
    chosen = parser.parse_args()
    with course_agent() as agent:
        if chosen.negatives:
            return _count_negatives(agent, chosen.negatives)
        cases = records(f"map_{chosen.course}.jsonl")
        asked = [case for case in cases if case["split"] == chosen.split]
        rows = [row for case in asked for row in _rows(case, agent)]
    table = pd.DataFrame(rows)
    if chosen.show:
        print(table.drop(columns="split", errors="ignore").to_string())
    for (kind, way), part in table.groupby(["kind", "way"], sort=False):
        print(f"{kind!s:13} {way!s:6} n={len(part)}", *(_share(part, name) for name in _FIGURES))
    for way, part in table.groupby("way", sort=False):
        print(f"{'all':13} {way!s:6} n={len(part)}", *(_share(part, name) for name in _FIGURES))
    wide = table.pivot_table(index="id", columns="way", values="recall")
    gain = interval(list(wide["map"] - wide["plain"]), seed=1)
    print(f"recall, map - plain: {gain:+.3f}")
    return 0


_FIGURES = ("recall", "precision", "routed")


def contents(case: Mapping[str, Any], name: str) -> Mapping[str, list[Any]]:
    """What an answer may state or stand on, each kind for itself; a concept is all its names."""
    return defaultdict(list, case.get(name, {}))


def pages_of(told: Mapping[str, list[Any]]) -> set[tuple[str, int]]:
    """Files and pages of its places, and of the beginnings of its sections."""
    return {(one["file"], one["page"]) for one in (*told["places"], *told["sections"])}


def _rows(case: Mapping[str, Any], agent: Agent) -> Iterator[dict[str, object]]:
    for way, forced in (("map", None), ("plain", agent.strategy)):
        given = _asked(case["question"], agent, forced)
        routed = given.route is Route.MAP or given.answer.text.startswith("- **")
        yield {
            "id": case["id"],
            "kind": case.get("form") or case["kind"],
            "question": case["question"][:60],
            "way": way,
            "recall": _recall(case, given),
            "precision": _precision(case, given),
            "routed": float(routed),
        }


def _asked(question: str, agent: Agent, forced: Strategy | None) -> Given:
    made, route, _hits, _verdict = ask(question, agent, forced)
    cited = [one for one in made.citations if isinstance(one, Citation)]
    pages = {
        (one.hit.source.path, page)
        for one in cited
        for page in range(one.first_page, one.last_page + 1)
    }
    sources = {one.hit.source.path: one.hit.source for one in cited}
    return Given(made, route, sources, pages, _plain(made.text))


def _recall(case: Mapping[str, Any], given: Given) -> float:
    wanted = contents(case, "expected")
    found: list[bool] = [
        *(week in given.weeks for week in wanted["weeks"]),
        *(document in given.sources for document in wanted["documents"]),
        *(_plain(author) in given.text for author in wanted["authors"]),
        *(day in given.answer.text for day in wanted["dates"]),
        *(str(number) in re.findall(r"\d+", given.text) for number in wanted["numbers"]),
        *(
            (part["file"], part["page"]) in given.pages
            or _plain(re.sub(r"^[\d.]+\s+", "", part["title"])) in given.text
            for part in wanted["sections"]
        ),
        *(any(_plain(name) in given.text for name in names) for names in wanted["concepts"]),
    ]
    if places := wanted["places"]:
        found.append(not pages_of({"places": places, "sections": []}).isdisjoint(given.pages))
    return sum(found) / len(found)


def _precision(case: Mapping[str, Any], given: Given) -> float | None:
    right = contents(case, "expected"), contents(case, "accepted")
    if case["kind"] != "fact" or not given.sources:
        return None
    if right[0]["weeks"]:
        known = {week for one in right for week in one["weeks"]}
        return len(given.weeks & known) / max(1, len(given.weeks))
    documents = {path for one in right for path in (*one["documents"], *dict(pages_of(one)))}
    return len(given.sources.keys() & documents) / len(given.sources) if documents else None


def _count_negatives(agent: Agent, paths: Sequence[Path]) -> int:
    asked = [record["question"] for path in paths for record in records(path.resolve())]
    drawn = [question for question in asked if _asked(question, agent, None).route is Route.MAP]
    print(f"{len(drawn)} of {len(asked)} ordinary questions", *drawn, sep="\n  ")
    return 0


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*\n]", " ", folded(text)).split())


def _share(part: pd.DataFrame, name: str) -> str:
    values = part[name].dropna()
    if values.empty:
        return f"{name} –"
    return f"{name} {share(values)}"


if __name__ == "__main__":
    sys.exit(main())
