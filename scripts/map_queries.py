"""Measure the queries of the map that a language model writes.

    python -m scripts.map_queries [--split dev|test] [--show]

Asks the configured model the questions of `tutor/evaluation/data/map_queries.jsonl`, which are of
the sample course, and runs what it writes as the product does. A table is right if one of its
columns has just the values of the first column of the right query's. Beside it stands whether a
form tells the question without a model (the product asks the model only where none does).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Generator, Sequence

from scripts._course import course_agent, in_force, records
from tutor.answer.ways.forms import forms_of
from tutor.answer.ways.queries import Queried, queried
from tutor.llm import OllamaChat
from tutor.map.course_map import open_map
from tutor.map.cypher import QueryTable
from tutor.study.exams import wilson


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=["dev", "test"])
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args(arguments)
    config = in_force()
    model = OllamaChat(config.ollama)
    chosen = [
        case for case in records("map_queries.jsonl") if options.split in (None, case["split"])
    ]
    right, shown, formed, taken = 0, 0, 0, list[float]()
    with course_agent(config) as agent, open_map(agent.store) as course:
        for case in chosen:
            begun = time.monotonic()
            found = _result(queried(case["question"], model, course.query))
            taken.append(time.monotonic() - begun)
            is_right = found is not None and _is_right(found.table, course.query(case["gold"]))
            form = next(forms_of(case["question"]), None)
            right, shown, formed = (
                right + is_right,
                shown + (found is not None),
                formed + bool(form),
            )
            if options.show:
                _show(case, found, form.way if form else "", is_right=is_right)
    low, high = wilson(right, len(chosen))
    print(
        f"{model.name}: of {len(chosen)} questions {shown} got a table, {right} the right one,"
        f" {right / len(chosen):.2f} [{low:.2f}, {high:.2f}]; a form tells {formed};"
        f" {sorted(taken)[len(taken) // 2]:.0f} s (median)"
    )
    return 0


def _result(running: Generator[object, None, Queried | None]) -> Queried | None:
    while True:
        try:
            next(running)
        except StopIteration as ended:
            found: Queried | None = ended.value
            return found


def _is_right(table: QueryTable, gold: QueryTable) -> bool:
    def columns(of: QueryTable) -> list[set[str]]:
        return [{str(row[n]) for row in of.rows} for n in range(len(of.columns))]

    return columns(gold)[0] in columns(table)


def _show(case: dict[str, str], found: Queried | None, form: str, *, is_right: bool) -> None:
    print(f"\n{'right' if is_right else 'wrong' if found else 'none'}: {case['question']} {form}")
    if found:
        print(f"  {found.cypher}\n  {found.table.rows[:3]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
