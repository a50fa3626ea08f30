"""What English words in Spanish questions cost, with the dictionary of terms and without it.

    python -m scripts.mixed_questions

Asks the index of the sample course, which has to be in the current folder (or TUTOR_ROOT,
TUTOR_STORES_DIR), 32 questions with English words (`qué es el overfitting`) and the same ones in
Spanish, and 24 with English words that the notes do not answer (`mixed_pairs.jsonl`), with both
strategies. Prints, with 95 % intervals over questions, how many are hedged or refused, and for how
many the first quote stands where it does for the Spanish wording.
"""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import patch

import pandas as pd

from scripts._course import ask, course_agent, records, share
from tutor.answer import Agent
from tutor.model import Strategy
from tutor.text import terms


def main() -> None:
    pairs = records("mixed_pairs.jsonl")
    answerable = [pair for pair in pairs if pair["spanish"]]
    mixed = [pair["mixed"] for pair in answerable]
    others = [pair["mixed"] for pair in pairs if not pair["spanish"]]
    with course_agent() as agent:
        spanish = asked([pair["spanish"] for pair in answerable], agent)
        now, missing = asked(mixed, agent), asked(others, agent)
        bare = terms._dictionary()._replace(only_english=frozenset())  # noqa: SLF001
        with patch.object(terms, "_dictionary", lambda: bare):
            before, missing_before = asked(mixed, agent), asked(others, agent)
    told("in Spanish", spanish, spanish)
    told("with English words", now, spanish)
    told("the same without the dictionary", before, spanish)
    told("not in the notes", missing)
    told("the same without the dictionary", missing_before)


def asked(questions: Sequence[str], agent: Agent) -> pd.DataFrame:
    """Whether each was refused, at least hedged, and where its first quote is, by each strategy."""
    rows = []
    for number, question in enumerate(questions):
        for strategy in Strategy:
            given, _route, _hits, verdict = ask(question, agent, strategy)
            assert verdict is not None
            cited = given.citations
            place = f"{cited[0].hit.source.id} {cited[0].first_page}" if cited else ""
            refused = not verdict.answerable
            rows.append((number, refused, verdict.near or refused, place))
    return pd.DataFrame(rows, columns=["question", "refused", "hedged", "place"])


def told(name: str, table: pd.DataFrame, same: pd.DataFrame | None = None) -> None:
    """Print the shares of some questions; `same`: those in Spanish, in the same order."""
    names = {"refused": "refused", "hedged": "hedged or refused"}
    if same is not None:
        names["alike"] = "first quote in the same place"
        table = table.assign(alike=table["place"] == same["place"])
    means = table.groupby("question")[list(names)].mean()
    shares = (f"{what} {share(means[column])}" for column, what in names.items())
    print(f"{name}: {len(means)} questions", *shares, sep=", ")


if __name__ == "__main__":
    main()
