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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strategy", choices=("fixed", "semantic"), default="fixed")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    chosen = parser.parse_args()
    cases = [case for case in read_questions(chosen.questions) if case.split == chosen.split]
    asked = pd.DataFrame(ask(chosen.strategy, cases))
    for language in ("es", "en", ""):
        rows = asked[asked["language"].str.startswith(language)]
        print(f"{language or 'all'}: {len(rows)} questions")
        for name in ("whole", "first", "passage", "abstained"):
            print(f"  {name:9} {share(rows[name])}")
        print(f"  whole - passage {share(rows['whole'].astype(int) - rows['passage'])}")
        print(f"  characters {rows['characters'].mean():.0f}", end=", ")
        print(f"quotes {rows['quotes'].mean():.2f}")
    parts = asked.groupby("question", sort=False)["whole"].agg(["all", "size"])
    parted = parts.loc[parts["size"] > 1, "all"]
    if len(parted):
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


def ask(strategy: str, cases: Sequence[Known]) -> Iterator[dict[str, object]]:
    """What came of each question: where the snippet is, and how long the answer is."""
    with course_agent(in_force(engine="extractive", strategy=strategy)) as agent:
        for case in cases:
            given, _route, hits, _verdict = asked_of(case.question, agent)
            first = given.citations[0] if given.citations else None
            text = given.text[first.start : first.end] if first else ""
            yield {
                "question": case.question,
                "language": case.language,
                "whole": holds(given.text, case),
                "first": holds(text, case),
                "passage": bool(hits) and holds(hits[0].chunk.text, case),
                "characters": len(given.text),
                "quotes": len(given.citations),
                "abstained": given.abstained,
            }


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", folded(text))


if __name__ == "__main__":
    sys.exit(main())
