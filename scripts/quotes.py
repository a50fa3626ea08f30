#!/usr/bin/env python3
"""How often a quoted answer holds what is asked for, beside quoting the first passage whole.

    python scripts/quotes.py [--strategy fixed|semantic] [--split dev|test]

Asks the sample course its own answerable questions, as the product asks; its index has to be in the
current folder (or TUTOR_ROOT, TUTOR_STORES_DIR). An answer holds what is asked for where it holds
the question's snippet, the exact words of the notes, whole; white space, accents, case and
punctuation do not count.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tutor.answer import answer  # noqa: E402
from tutor.app import find_course, make_agent, make_embedder, open_course  # noqa: E402
from tutor.config import find_root, load_config  # noqa: E402
from tutor.evaluation.cases import sample_questions  # noqa: E402
from tutor.evaluation.statistics import interval  # noqa: E402
from tutor.events import Finished, Retrieved  # noqa: E402
from tutor.model import Route  # noqa: E402
from tutor.text.folding import folded  # noqa: E402


class Asked(NamedTuple):
    """What came of a question: whether the snippet is in it, and its length in characters."""

    language: str
    whole: bool
    first: bool
    passage: bool
    characters: int
    quotes: int
    abstained: bool


def main() -> int:
    """Ask, and print shares with 95 % intervals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strategy", choices=("fixed", "semantic"), default="fixed")
    parser.add_argument("--split", choices=("dev", "test"), default="dev")
    chosen = parser.parse_args()
    asked = ask(Route(chosen.strategy), chosen.split)
    for language in ("es", "en", ""):
        rows = [row for row in asked if row.language.startswith(language)]
        print(f"{language or 'all'}: {len(rows)} questions")
        for name in ("whole", "first", "passage", "abstained"):
            print(f"  {name:9} {_share([getattr(row, name) for row in rows])}")
        gain = [row.whole - row.passage for row in rows]
        print(f"  whole - passage {_share(gain)}")
        print(f"  characters {np.mean([row.characters for row in rows]):.0f}", end=", ")
        print(f"quotes {np.mean([row.quotes for row in rows]):.2f}")
    return 0


def ask(route: Route, split: str) -> list[Asked]:
    """Ask every answerable question of a half of the sample set."""
    config = load_config(find_root(Path.cwd(), os.environ), os.environ, {"engine": "extractive"})
    embedder, _why = make_embedder(config)
    asked = []
    with open_course(config, find_course(config), embedder) as store:
        agent = make_agent(config, store, embedder)
        for case in sample_questions():
            if not case.answerable or case.split != split:
                continue
            events = list(answer(case.question, agent, forced=route))
            hits = next(event.hits for event in events if isinstance(event, Retrieved))
            given = next(event.answer for event in events if isinstance(event, Finished))
            first = given.citations[0] if given.citations else None
            text = given.text[first.start : first.end] if first else ""
            snippet = _bare(case.snippet)
            asked.append(
                Asked(
                    case.language,
                    snippet in _bare(given.text),
                    bool(text) and snippet in _bare(text),
                    bool(hits) and snippet in _bare(hits[0].chunk.text),
                    len(given.text),
                    len(given.citations),
                    given.abstained,
                )
            )
    return asked


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", folded(text))


def _share(values: list[bool] | list[int]) -> str:
    share = interval([float(value) for value in values], seed=1)
    return f"{share.estimate:.3f} [{share.low:.3f}, {share.high:.3f}]"


if __name__ == "__main__":
    sys.exit(main())
