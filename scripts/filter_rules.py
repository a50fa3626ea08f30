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
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeAlias

from scripts._course import ROOT, records
from tutor.ingest.metadata import parse_file_name
from tutor.ingest.reading.document import read_pdf
from tutor.model import Document, Filter, Source, source_id
from tutor.search.filters import Recognised, Recogniser
from tutor.text.folding import fold

PACKAGE = ROOT / "tutor" / "search" / "filters"
SPLITS = ("dev", "test", "new")
Recognise: TypeAlias = Callable[[str], Recognised]
Record: TypeAlias = dict[str, Any]


def questions() -> list[Record]:
    """The questions: `files` are patterns of the file names that are meant, None where none are.

    `subject` says whether something is asked beside them. Of the split `new` are those that were
    written after the rules; the others are parted into halves by a hash.
    """
    cases = records(ROOT / "tests/data/filter_questions.jsonl")
    for case in cases:
        half = hashlib.sha256(case["question"].encode()).digest()[0] % 2
        case.setdefault("split", SPLITS[1 - half])
    return cases


def rules() -> list[Record]:
    """What the table takes away, one at a time.

    That is a `source` text of a `module` of the package; `without` stands there then, if anything.
    """
    return records(ROOT / "tests/data/filter_rules.jsonl")


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


def verdict(question: Record, recognised: Recognised, sources: list[Source]) -> str:
    """`right`, `misread`, `wrong` or `false` filter, or `silent`."""
    chosen, files = recognised.filter, question["files"]
    if not chosen:
        return "silent"
    if files is None:
        return "false"
    meant = {s.id for s in sources if any(fnmatch(s.path, f"{one}*") for one in files)}
    if chosen.select(sources) != meant:
        return "wrong"
    return "right" if recognised.asks == question.get("subject", True) else "misread"


def measure(recognise: Recognise, sources: list[Source]) -> list[tuple[Record, str]]:
    """What becomes of each question."""
    return [(one, verdict(one, recognise(one["question"]), sources)) for one in questions()]


def counts(verdicts: Sequence[tuple[Record, str]], split: str) -> Counter[str]:
    """How often each verdict; `meant` are the questions that name something."""
    own = [(question, said) for question, said in verdicts if question["split"] == split]
    meant = sum(question["files"] is not None for question, _said in own)
    return Counter(said for _question, said in own) + Counter(meant=meant, plain=len(own) - meant)


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
        return Recognised(named, (), question, asks=True, has_only_filter=False)

    return recognise


def without(rule: Record, sources: list[Source]) -> Recognise:
    """The recogniser of a copy of the package that lacks a rule."""
    source = (PACKAGE / f"{rule['module']}.py").read_text(encoding="utf-8")
    assert source.count(rule["source"]) == 1, f"{rule['name']}: not in {rule['module']}.py once"
    with tempfile.TemporaryDirectory() as folder:
        name = f"without_{abs(hash(rule['name']))}"
        (Path(folder) / name).mkdir()
        for path in PACKAGE.glob("*.py"):
            text = path.read_text(encoding="utf-8")
            if path.stem == rule["module"]:
                text = text.replace(rule["source"], rule.get("without", ""))
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
    for question, said in shipped:
        if question["split"] == arguments.show and said != _wanted(question):
            print(f"  {said:7} {question['kind']:8} {question['question']}")
    for name, told in (("rules", shipped), ("regex", measure(baseline(sources), sources))):
        for split in SPLITS:
            print(name, split, dict(counts(told, split)))
    for rule in rules() if arguments.without_each else ():
        bare = measure(without(rule, sources), sources)
        lost = Counter(
            question["split"]
            for (question, said), (_same, now) in zip(shipped, bare, strict=True)
            if now != said and said == _wanted(question)
        )
        print(f"| {rule['name']} | {' | '.join(str(lost[split]) for split in SPLITS)} |")


def _wanted(question: Record) -> str:
    return "silent" if question["files"] is None else "right"


if __name__ == "__main__":
    main()
