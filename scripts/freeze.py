"""Freeze what the program finds, judges and reads, so that a change that was not meant is seen.

    python -m scripts.freeze OUT.json [--pdf FOLDER]
    git diff --no-index OLD.json NEW.json

Asks every question of the sample course (rank of the right page, the first
passages, whether the notes cover it and how sure that is) and every follow-up in both strategies,
quotes an answer to one question in twelve, verifies every support pair, and reads the PDFs of the
course and of FOLDER (hashes of their display text and of their chunks). It needs an index of the
sample course: `tutor index` with the same settings.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

from scripts._course import course_agent, in_force, records
from tutor.answer import Agent, answer
from tutor.answer.verification.verify import verify
from tutor.app import find_course
from tutor.cli.records import source_record
from tutor.errors import TutorError
from tutor.events import Finished, Judged, Retrieved, Rewritten
from tutor.ingest.chunking import chunks_of
from tutor.ingest.cleaning.document import clean
from tutor.ingest.reading.document import read_pdf
from tutor.model import Hit, Route, Strategy, Turn, source_id

Record: TypeAlias = dict[str, Any]
STRATEGIES = ("fixed", "semantic")
SHOWN_HITS = 4
ANSWERED = 12
"""One question in so many is answered to the end: quoting takes a second."""
DIGITS = 4


def ask(case: Record, agent: Agent, strategy: str, *, whole: bool) -> Record:
    """What comes of a question on the way that `tutor ask` takes."""
    question = case["question"]
    turns = case.get("history", [])
    history = [Turn(turn["question"], turn["question"], turn["answer"]) for turn in turns]
    record: Record = {"resolved": question, "rank": None, "hits": [], "covered": None}
    with closing(answer(question, agent, history, Route(strategy))) as events:
        for event in events:
            if isinstance(event, Rewritten):
                record["resolved"] = event.standalone
            elif isinstance(event, Retrieved):
                record["rank"] = _rank(case, event.hits)
                record["hits"] = [_place(hit) for hit in event.hits[:SHOWN_HITS]]
            elif isinstance(event, Judged):
                record["covered"] = event.answerability.answerable
                record["evidence"] = round(event.answerability.evidence, DIGITS)
                if not whole:
                    break
            elif isinstance(event, Finished):
                record["answer"] = event.answer.text
                cited = event.answer.citations
                record["cited"] = [f"{_place(one.hit)}: {one.quote}" for one in cited]
    return record


def read(path: Path, name: str) -> Record:
    """A PDF's display text and its chunks, hashed."""
    try:
        text = clean(read_pdf(path, source_id(name), ocr="off"))
    except TutorError as error:
        return {"unreadable": type(error).__name__}
    cut = {one: [chunk.id for chunk in chunks_of(text, Strategy(one))] for one in STRATEGIES}
    return {
        "chars": len(text.text),
        "text": _hash(text.text),
        "pages": len(text.page_starts),
        "page_starts": _hash(*map(str, text.page_starts)),
        **{f"{one} chunks": len(ids) for one, ids in cut.items()},
        **{f"{one} ids": _hash(*ids) for one, ids in cut.items()},
    }


def _rank(case: Record, hits: Iterable[Hit]) -> int | None:
    """The rank of the first passage that stands, at least in part, on a right page."""
    places = {(one["file"], one["page"]) for one in (case, *case.get("also", [])) if "file" in one}
    for rank, hit in enumerate(hits, start=1):
        held = range(hit.chunk.first_page, hit.chunk.last_page + 1)
        if any((hit.source.path, page) in places for page in held):
            return rank
    return None


def _place(hit: Hit) -> str:
    return f"{hit.source.path} {hit.chunk.first_page}-{hit.chunk.last_page}"


def _hash(*texts: str) -> str:
    return sha256("\x1f".join(texts).encode()).hexdigest()[:32]


def frozen(folder: Path | None) -> Record:
    """Everything, by section; the values of a section are by the name of what was looked at."""
    with course_agent() as agent:
        sources = agent.store.sources.values()
        sections: Record = {
            "sources": {one.path: source_record(one) | {"pages": one.pages} for one in sources}
        }
        for name, strategy in product(("questions", "followups"), STRATEGIES):
            cases = records(f"{name}.jsonl")
            asked = {
                case["id"]: ask(case, agent, strategy, whole=number % ANSWERED == 0)
                for number, case in enumerate(cases)
            }
            sections[f"{name}, {strategy}"] = asked
            _tell(f"{name}, {strategy}", cases, asked)
        sections["support pairs"] = {
            pair["id"]: [
                [one.verdict.value, round(one.support, DIGITS)]
                for one in verify(pair["sentence"], [pair["passage"]], agent.embedder)
            ]
            for pair in records("support_pairs.jsonl")
        }
    for title, below in (("course PDFs", find_course(in_force()).notes), ("other PDFs", folder)):
        paths = sorted(below.rglob("*.pdf")) if below else ()
        names = {path.relative_to(below or path).as_posix(): path for path in paths}
        sections[title] = {name: read(path, name) for name, path in names.items() if path.is_file()}
    return sections


def _tell(name: str, cases: list[Record], asked: Mapping[str, Record]) -> None:
    """A line of figures: how often the right page is found, and what is taken to be covered."""
    ranks = [asked[case["id"]]["rank"] for case in cases if case["answerable"]]
    among = {k: sum(rank is not None and rank <= k for rank in ranks) for k in (1, SHOWN_HITS)}
    covered = Counter(
        "right" if asked[case["id"]]["covered"] == case["answerable"] else "wrong" for case in cases
    )
    print(
        f"{name}: right page first {among[1]}, among {SHOWN_HITS} {among[SHOWN_HITS]} "
        f"of {len(ranks)}; covered or not: {covered['right']} right, {covered['wrong']} wrong"
    )


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE.json")
    parser.add_argument("--pdf", type=Path, metavar="FOLDER", help="more PDFs to read")
    given = parser.parse_args(arguments)
    text = json.dumps(frozen(given.pdf), ensure_ascii=False, indent=1, sort_keys=True, default=str)
    given.file.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
