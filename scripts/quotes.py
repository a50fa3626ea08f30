"""How often a quoted answer holds what is asked for, beside quoting the first passage whole.

    python -m scripts.quotes [--strategy fixed|semantic] [--split dev|test] [--questions FILE]

Asks the course the answerable questions of FILE (those of the sample course), as the product asks;
its index has to be in the current folder (or TUTOR_ROOT, TUTOR_STORES_DIR). An answer holds what is
asked for where it holds the question's snippets, the exact words of the notes, whole, or those of
another place that says the same; white space, accents, case and punctuation do not count. Of
questions that have a line for each of their parts, it is told how many answers hold all of them.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scripts._course import DATA, course_agent, in_force, records, share
from scripts._course import ask as asked_of
from tutor.text.folding import folded

QUESTIONS = DATA / "questions.jsonl"


class Known(NamedTuple):
    """A question; `places` are those that answer it, each with the words that have to be there."""

    id: str
    language: str
    question: str
    split: str
    places: tuple[tuple[str, ...], ...]


class Asked(NamedTuple):
    """What came of a question: whether the snippet is in it, and its length in characters."""

    question: str
    language: str
    whole: bool
    first: bool
    passage: bool
    characters: int
    quotes: int
    abstained: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strategy", choices=("fixed", "semantic"), default="fixed")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    chosen = parser.parse_args()
    cases = [case for case in read_questions(chosen.questions) if case.split == chosen.split]
    asked = ask(chosen.strategy, cases)
    for language in ("es", "en", ""):
        rows = [row for row in asked if row.language.startswith(language)]
        print(f"{language or 'all'}: {len(rows)} questions")
        for name in ("whole", "first", "passage", "abstained"):
            print(f"  {name:9} {share([getattr(row, name) for row in rows])}")
        gain = [row.whole - row.passage for row in rows]
        print(f"  whole - passage {share(gain)}")
        print(f"  characters {np.mean([row.characters for row in rows]):.0f}", end=", ")
        print(f"quotes {np.mean([row.quotes for row in rows]):.2f}")
    by_question: dict[str, list[bool]] = {}
    for row in asked:
        by_question.setdefault(row.question, []).append(row.whole)
    parted = [all(parts) for parts in by_question.values() if len(parts) > 1]
    if parted:
        print(f"all parts: {len(parted)} questions {share(parted)}")
    return 0


def read_questions(path: Path) -> list[Known]:
    """The answerable questions of a file."""
    return [
        Known(
            record["id"],
            record.get("lang") or record["language"],
            record["question"],
            record["split"],
            tuple(
                tuple(map(_bare, [place["snippet"]] if "snippet" in place else place["snippets"]))
                for place in (record, *record.get("alternatives", ()))
            ),
        )
        for record in records(path.resolve())
        if record.get("answerable", True)
    ]


def holds(text: str, case: Known) -> bool:
    """Whether a text holds what is asked for."""
    bare = _bare(text)
    return any(all(snippet in bare for snippet in place) for place in case.places)


def ask(strategy: str, cases: Sequence[Known]) -> list[Asked]:
    """Ask these questions."""
    asked = []
    with course_agent(in_force(engine="extractive", strategy=strategy)) as agent:
        for case in cases:
            given, _route, hits, _verdict = asked_of(case.question, agent)
            first = given.citations[0] if given.citations else None
            text = given.text[first.start : first.end] if first else ""
            asked.append(
                Asked(
                    case.question,
                    case.language,
                    holds(given.text, case),
                    holds(text, case),
                    bool(hits) and holds(hits[0].chunk.text, case),
                    len(given.text),
                    len(given.citations),
                    given.abstained,
                )
            )
    return asked


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", folded(text))


if __name__ == "__main__":
    sys.exit(main())
