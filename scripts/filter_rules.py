"""Measure what recognises filters, and what each of its rules is worth.

    python -m scripts.filter_rules [--show dev] [--without-each]

Asks the questions of tests/data/filter_questions.jsonl, which name files of the sample course or
only seem to. A filter is right if it leaves exactly the files that are meant; where none is meant,
any filter is a false one. `misread` are right filters where the rest of the question is wrongly
taken to ask for a subject, or for none. Of a rule it is counted how many questions are answered
worse without it. Nothing is embedded and no index is needed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from scripts._course import ROOT, records
from tutor.ingest.metadata import parse_file_name
from tutor.ingest.reading.document import read_pdf
from tutor.model import Document, Filter, Source, source_id
from tutor.search.filters import Recognised, Recogniser
from tutor.text.folding import fold

PACKAGE = ROOT / "tutor" / "search" / "filters"
SPLITS = ("dev", "test", "new")
Recognise = Callable[[str], Recognised]


@dataclass(frozen=True)
class Question:
    """`files` are patterns of the file names that are meant; None where no filter is.

    `subject` says whether something is asked beside them.
    """

    text: str
    kind: str
    files: tuple[str, ...] | None
    subject: bool
    split: str
    """`new` ones were written after the rules; the others are parted into halves by a hash."""


@dataclass(frozen=True)
class Rule:
    """Source text of a module of the package, and what stands there without the rule."""

    name: str
    module: str
    source: str
    without: str = ""


def questions() -> list[Question]:
    """The questions with what they name."""
    return [
        Question(
            case["question"],
            case["kind"],
            None if case["files"] is None else tuple(case["files"]),
            case.get("subject", True),
            case.get("split")
            or SPLITS[1 - hashlib.sha256(case["question"].encode()).digest()[0] % 2],
        )
        for case in records(ROOT / "tests/data/filter_questions.jsonl")
    ]


def rules() -> list[Rule]:
    """What the table takes away, one at a time."""
    return [Rule(**record) for record in records(ROOT / "tests/data/filter_rules.jsonl")]


def sample_sources() -> list[Source]:
    """The documents of the sample course."""
    paths = sorted((ROOT / "notes").glob("*.pdf"))
    return sources_of({p.name: read_pdf(p, source_id(p.name), ocr="off") for p in paths})


def sources_of(documents: Mapping[str, Document]) -> list[Source]:
    """Documents by their file names and their PDFs' properties."""
    sources = []
    for name, document in documents.items():
        fields, info = parse_file_name(name), document.info
        authors = tuple(info.author.split(", "))
        sources.append(
            Source(source_id(name), name, info.title, "", 1, fields.week, fields.date, "1", authors)
        )
    return sources


def verdict(question: Question, chosen: Filter, sources: list[Source]) -> str:
    """`right`, `wrong` or `false` filter, or `silent`."""
    if not chosen:
        return "silent"
    if question.files is None:
        return "false"
    meant = {s.id for s in sources if any(fnmatch(s.path, f"{one}*") for one in question.files)}
    return "right" if chosen.select(sources) == meant else "wrong"


def measure(recognise: Recognise, sources: list[Source]) -> dict[Question, str]:
    """What becomes of each question: its verdict, or `misread`."""
    verdicts = {}
    for question in questions():
        recognised = recognise(question.text)
        said = verdict(question, recognised.filter, sources)
        misread = said == "right" and recognised.asks != question.subject
        verdicts[question] = "misread" if misread else said
    return verdicts


def counts(verdicts: Mapping[Question, str], split: str) -> Counter[str]:
    """How often each verdict; `meant` are the questions that name something."""
    own = {question: said for question, said in verdicts.items() if question.split == split}
    meant = sum(question.files is not None for question in own)
    return Counter(own.values()) + Counter(meant=meant, plain=len(own) - meant)


def baseline(sources: list[Source]) -> Recognise:
    """`semana 5`, `12 de agosto`, an ISO date, a surname behind `según` or `de`, a whole title."""
    months = (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
        " january february march april may june july august september october november december"
    ).split()
    surnames: dict[str, set[str]] = {}
    for author in {author for source in sources for author in source.authors}:
        for word in fold(author).split()[1:]:
            surnames.setdefault(word, set()).add(author)
    days = {source.date for source in sources if source.date}

    def recognise(question: str) -> Recognised:
        text = fold(question)
        spoken = re.findall(rf"\b(\d{{1,2}}) (?:de |of )?({'|'.join(months)})\b", text)
        said = {(months.index(month) % 12 + 1, int(day)) for day, month in spoken}
        dates = {day for day in days if (day.month, day.day) in said}
        dates |= {day for day in days if day.isoformat() in text}
        names = re.findall(r"\b(?:segun|de|according to|by) (\w+)", text)
        people = [surnames[name] for name in names if len(surnames.get(name, ())) == 1]
        named = Filter(
            tuple(map(int, re.findall(r"\b(?:semana|week) (\d+)\b", text))),
            tuple((day, day) for day in dates),
            tuple(author for one in people for author in one),
            tuple(
                source.id
                for source in sources
                if fold(source.title) in text or fold(source.path.removesuffix(".pdf")) in text
            ),
        )
        return Recognised(named, (), question, asks=True, leans=False)

    return recognise


def without(rule: Rule, sources: list[Source]) -> Recognise:
    """The recogniser of a copy of the package that lacks a rule."""
    source = (PACKAGE / f"{rule.module}.py").read_text(encoding="utf-8")
    assert source.count(rule.source) == 1, f"{rule.name}: not in {rule.module}.py once"
    with tempfile.TemporaryDirectory() as folder:
        name = f"without_{abs(hash(rule))}"
        (Path(folder) / name).mkdir()
        for path in PACKAGE.glob("*.py"):
            text = path.read_text(encoding="utf-8")
            if path.stem == rule.module:
                text = text.replace(rule.source, rule.without)
            text = text.replace("tutor.search.filters", name)
            (Path(folder) / name / path.name).write_text(text, encoding="utf-8")
        sys.path.insert(0, folder)
        try:
            recogniser = importlib.import_module(name).Recogniser(sources)
        finally:
            sys.path.remove(folder)
    recognise: Recognise = recogniser.recognise
    return recognise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", default="", choices=SPLITS, help="print what goes wrong there")
    parser.add_argument("--without-each", action="store_true")
    arguments = parser.parse_args()
    sources = sample_sources()
    shipped = measure(Recogniser(sources).recognise, sources)
    for question, said in shipped.items():
        if question.split == arguments.show and said != _wanted(question):
            print(f"  {said:7} {question.kind:8} {question.text}")
    for name, told in (("rules", shipped), ("regex", measure(baseline(sources), sources))):
        for split in SPLITS:
            print(name, split, dict(counts(told, split)))
    for rule in rules() if arguments.without_each else ():
        bare = measure(without(rule, sources), sources)
        lost = Counter(
            question.split
            for question, said in shipped.items()
            if bare[question] != said and said == _wanted(question)
        )
        print(f"| {rule.name} | {' | '.join(str(lost[split]) for split in SPLITS)} |")


def _wanted(question: Question) -> str:
    return "silent" if question.files is None else "right"


if __name__ == "__main__":
    main()
