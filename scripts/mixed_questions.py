"""What English words in Spanish questions cost, with the dictionary of terms and without it.

    python -m scripts.mixed_questions

Asks the index of the sample course, which has to be in the current folder (or TUTOR_ROOT,
TUTOR_STORES_DIR), 32 questions with English words (`qué es el overfitting`) and the same ones in
Spanish, and 24 with English words that the notes do not answer (`mixed_pairs.jsonl`), with both
strategies. Prints, with 95 % intervals over questions, how many are hedged or refused, and for how
many the first quote stands where it does for the Spanish wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from scripts._course import ask, course_agent, records, share
from tutor.answer import Agent
from tutor.model import Strategy
from tutor.text import terms


@dataclass(frozen=True, slots=True)
class Asked:
    """Whether a question was refused, or at least hedged, and where its first quote stands."""

    refused: bool
    hedged: bool
    place: tuple[str, int] | None


def main() -> None:
    pairs = records("mixed_pairs.jsonl")
    answerable = [pair for pair in pairs if pair["spanish"]]
    mixed = [pair["mixed"] for pair in answerable]
    others = [pair["mixed"] for pair in pairs if not pair["spanish"]]
    with course_agent() as agent:
        spanish = [list(asked(pair["spanish"], agent)) for pair in answerable]
        now = [list(asked(question, agent)) for question in mixed]
        missing = [list(asked(question, agent)) for question in others]
        bare = terms._dictionary()._replace(only_english=frozenset())  # noqa: SLF001
        with patch.object(terms, "_dictionary", lambda: bare):
            before = [list(asked(question, agent)) for question in mixed]
            missing_before = [list(asked(question, agent)) for question in others]
    told("in Spanish", spanish, spanish)
    told("with English words", now, spanish)
    told("the same without the dictionary", before, spanish)
    told("not in the notes", missing)
    told("the same without the dictionary", missing_before)


def asked(question: str, agent: Agent) -> Iterator[Asked]:
    """What comes of a question, by either strategy."""
    for strategy in Strategy:
        told, _route, _hits, verdict = ask(question, agent, strategy)
        assert verdict is not None
        cited = told.citations
        place = (cited[0].hit.source.id, cited[0].first_page) if cited else None
        yield Asked(not verdict.answerable, verdict.near or not verdict.answerable, place)


def told(
    name: str, rows: Sequence[Sequence[Asked]], same: Sequence[Sequence[Asked]] | None = None
) -> None:
    """Print the shares of some questions; `same`: those in Spanish, in the same order."""

    def of(values: Sequence[Sequence[bool]]) -> str:
        return share(float(np.mean(both)) for both in values)

    line = f"{name}: {len(rows)} questions"
    line += f", refused {of([[one.refused for one in both] for both in rows])}"
    line += f", hedged or refused {of([[one.hedged for one in both] for both in rows])}"
    if same:
        alike = [
            [one.place == other.place for one, other in zip(*pair, strict=True)]
            for pair in zip(rows, same, strict=True)
        ]
        line += f", first quote in the same place {of(alike)}"
    print(line)


if __name__ == "__main__":
    main()
