"""How many of the concepts of sections marked by hand a map has, and how many of its own are right.

    python -m scripts.map_sections STORE [STORE ...] [--split dev]

A case names a file and a heading, and the concepts of that section with their variants; optional
ones count neither for nor against. The baseline takes titles and definitions alone. Intervals are
of 95 %, from resampling the sections.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from scripts._course import records
from tutor.evaluation.statistics import interval
from tutor.index.store import read_manifest
from tutor.index.store.tables import read_texts
from tutor.map.concepts import CourseConcepts, concepts_of
from tutor.map.definitions import Cue
from tutor.map.facts import Facts, facts_of
from tutor.map.model import in_course_order, newest_first
from tutor.map.words import Key, key_of
from tutor.text.folding import folded

BASELINE = {Cue.FORMAL, Cue.SAYS, Cue.LABEL, Cue.TITLE, Cue.WHOLE_TITLE}
Counts = tuple[int, int, int, int]
"""Marked and found, marked, ours and right, ours."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", type=Path, nargs="+")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    cases = [case for case in records("map_sections.jsonl") if case["split"] == options.split]
    courses = [facts_of_store(store) for store in options.stores]
    for name, only in (
        ("titles and definitions", BASELINE),
        ("all but repeated", set(Cue) - {Cue.REPEATED}),
        ("all cues", set(Cue)),
    ):
        found = [concepts_of(course, only) for course in courses]
        counts = [
            count
            for case in cases
            for course, concepts in zip(courses, found, strict=True)
            if (count := counted(case, course, concepts, verbose=options.verbose)) is not None
        ]
        report(name, counts)


def facts_of_store(store: Path) -> list[Facts]:
    manifest = read_manifest(store)
    assert manifest is not None
    texts = read_texts(store / manifest.folder)
    lessons = newest_first(manifest.sources.values())
    sources = in_course_order(lesson[0] for lesson in lessons)
    return [facts_of(source, texts[source.id]) for source in sources]


def counted(
    case: Mapping[str, Any], course: Sequence[Facts], found: CourseConcepts, *, verbose: bool
) -> Counts | None:
    """The counts of a section; None where this course does not have it."""
    wanted, page = folded(case["heading"]).split(), case["page"]
    for facts in course:
        if not facts.source.path.endswith(case["file"]):
            continue
        sections = [
            (part.start, part.end)
            for part in facts.text.sections
            if folded(part.title).split() == wanted and facts.text.page_at(part.start) == page
        ]
        if sections:
            return scored(case, facts, sections[0], found, verbose=verbose)
        print("no such section:", case["id"], case["heading"], file=sys.stderr)
    return None


def scored(
    case: Mapping[str, Any],
    facts: Facts,
    span: tuple[int, int],
    found: CourseConcepts,
    *,
    verbose: bool,
) -> Counts:
    nexts = [part.start for part in facts.text.sections if part.start > span[0]]
    end = min([span[1], *nexts])
    ours = [
        {key_of(name) for name in concept.names}
        for number, concept in enumerate(found.concepts)
        if any(
            of.source.id == facts.source.id and span[0] <= mention.start < end
            for of, mention in found.mentions[number]
        )
    ]
    marked = [(one, keys(one)) for one in case["concepts"]]
    needed = [known for one, known in marked if not one.get("optional")]
    hit = sum(any(known & mine for mine in ours) for known in needed)
    right = [any(known & mine for _one, known in marked) for mine in ours]
    if verbose:
        missed = [
            one["name"]
            for one, known in marked
            if not one.get("optional") and not any(known & mine for mine in ours)
        ]
        wrong = [min(mine) for mine, good in zip(ours, right, strict=True) if not good]
        print(case["id"], case["heading"], "MISSED", missed, "WRONG", [" ".join(w) for w in wrong])
    return hit, len(needed), sum(right), len(ours)


def keys(one: Mapping[str, Any]) -> set[Key]:
    return {key_of(name) for name in (one["name"], *one.get("variants", ()))} - {()}


def report(name: str, counts: Sequence[Counts]) -> None:
    hit, needed, right, ours = np.array(counts).T
    print(f"{name}, {len(counts)} sections")
    for what, part, whole in (("recall", hit, needed), ("precision", right, ours)):
        share = interval(part, whole, statistic=lambda a, b: a.sum(-1) / np.maximum(1, b.sum(-1)))
        print(f"  {what:9} {share:.2f}")


if __name__ == "__main__":
    main()
