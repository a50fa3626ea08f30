"""How long a map takes to make and to ask: of stored courses, and of a generated one.

    python -m scripts.map_speed [STORE ...] [--documents 1000]

Each figure is of this process alone; imports are told apart, since they are paid once. The
generated course has documents of the sample notes' shape, with terms drawn from one vocabulary.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from pathlib import Path

from tutor.index.store import Indexed, Manifest, Recipe, VectorSpace, read_manifest
from tutor.index.store.tables import read_texts
from tutor.map.course_map import CourseMap
from tutor.map.facts import facts_of
from tutor.map.files import make_map, opened
from tutor.model import Block, BlockKind, CleanText, Source, SourceId

TIMES = 30
TEMPLATES = {
    "weeks and authors of a concept": (
        "MATCH (c:Concept {id: $id})<-[:MENTIONS]-(:Section)<-[:HAS_SECTION*1..4]-(d:Document)"
        "<-[:WROTE]-(a:Author) RETURN DISTINCT d.week, d.title, a.name"
    ),
    "neighbours": (
        "MATCH (:Concept {id: $id})-[r:RELATED]-(o:Concept) RETURN o.name, r.weight, r.page"
        " ORDER BY r.weight DESC LIMIT 10"
    ),
    "what comes before": (
        "MATCH (a:Concept)-[b:BEFORE]->(:Concept {id: $id}) RETURN a.name, b.document, b.page"
    ),
    "documents a week": "MATCH (d:Document)-[:IN_WEEK]->(w:Week) RETURN w.number, count(d)",
    "who wrote most": (
        "MATCH (a:Author)-[:WROTE]->(d:Document) RETURN a.name, count(d) AS n"
        " ORDER BY n DESC LIMIT 5"
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", type=Path, nargs="*")
    parser.add_argument("--documents", type=int, default=0)
    options = parser.parse_args()
    timed("imports", lambda: (__import__("ladybug"), __import__("networkx"), __import__("pyarrow")))
    for store in options.stores:
        manifest = read_manifest(store)
        assert manifest is not None
        measure(store.name, manifest, read_texts(store / manifest.folder))
    if options.documents:
        measure("generated", *generated(options.documents))


def measure(name: str, manifest: Manifest, texts: dict[SourceId, CleanText]) -> None:
    pages = sum(entry.source.pages for entry in manifest.indexed)
    print(f"{name}: {len(manifest.indexed)} documents, {pages} pages")
    timed("reading the documents", lambda: read(manifest, texts))
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder)
        timed("making the map", lambda: make_map(store, manifest, texts.__getitem__))
        path = make_map(store, manifest, texts.__getitem__)
        print(f"  {'its file':32} {path.stat().st_size / 1e6:8.1f} MB")
        timed("finding it again", lambda: make_map(store, manifest, texts.__getitem__))
        started = time.perf_counter()
        with opened(path) as connection:
            course = CourseMap(path, connection)
            counts = course.state.nodes
            print(f"  {'concepts, sections':32} {counts['Concept']}, {counts['Section']}")
            timed("first look at all concepts", lambda: course.concepts)
            ask(course)
        print(f"  {'opened for':32} {time.perf_counter() - started:8.3f} s")


def read(manifest: Manifest, texts: dict[SourceId, CleanText]) -> None:
    for source in manifest.sources.values():
        facts_of(source, texts[source.id])


def ask(course: CourseMap) -> None:
    chosen = list(course.concepts.values())[:TIMES]
    for name, query in TEMPLATES.items():
        values = [{"id": one.id} if "$id" in query else {} for one in chosen]
        repeated(name, [partial(course.query, query, None, **value) for value in values])
    repeated("prerequisites, three steps", [partial(course.before, one, 3) for one in chosen])
    pairs = zip(chosen, reversed(chosen), strict=True)
    repeated("paths", [partial(course.path, *pair) for pair in pairs])


def timed(name: str, work: Callable[[], object]) -> None:
    started, computed = time.perf_counter(), time.process_time()
    work()
    passed, computing = time.perf_counter() - started, time.process_time() - computed
    print(f"  {name:32} {passed:8.3f} s, {computing:8.3f} s of computing")


def repeated(name: str, works: Sequence[Callable[[], object]]) -> None:
    times = []
    for work in works:
        started = time.perf_counter()
        work()
        times.append(1000 * (time.perf_counter() - started))
    ordered = sorted(times)
    print(
        f"  {name:32} first {times[0]:6.1f} ms, median {statistics.median(times):6.1f} ms,"
        f" 95 % {ordered[int(0.95 * len(ordered))]:6.1f} ms"
    )


def generated(count: int) -> tuple[Manifest, dict[SourceId, CleanText]]:
    """A course of documents with ten sections each, whose terms are drawn from one vocabulary."""
    chosen = random.Random(7)
    syllables = "ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo fu ga ge gi go".split()
    words = ["".join(chosen.choices(syllables, k=4)) for _number in range(600)]
    terms: list[str] = [" de ".join(chosen.sample(words, 2)) for _number in range(1500)]
    indexed, texts = [], {}
    for number in range(count):
        source = Source(
            SourceId(f"{number:016x}"),
            f"{number:04d}.pdf",
            f"Lección {number}",
            f"{number}",
            7,
            1 + number * 16 // count,
            date(2025, 1, 1) + timedelta(days=number),
            None,
            (f"Autora {number % 90}",),
        )
        texts[source.id] = lesson(source.id, chosen, terms)
        indexed.append(Indexed(source, {}, texts[source.id].page_starts))
    recipe = Recipe(VectorSpace("none", 0, 1), 1, "generated")
    return Manifest(1, recipe, tuple(indexed)), texts


def lesson(identity: SourceId, chosen: random.Random, terms: list[str]) -> CleanText:
    text, blocks, starts = "", list[Block](), []
    for section in range(10):
        here = chosen.sample(terms, 6)
        defined = (
            f"Definición ({here[0].capitalize()}). Una {here[0]} es una cantidad que compara "
            f"la {here[1]} con la {here[2]} en cada paso del curso."
        )
        said = (
            f"La {here[0]} se usa junto con la {here[3]}. En la práctica la {here[4]} y la "
            f"{here[5]} dan lo mismo que la {here[0]}, salvo que falten datos. "
        )
        parts = [
            (BlockKind.HEADING, here[0].capitalize()),
            (BlockKind.DEFINITION, defined),
            (BlockKind.PARAGRAPH, said * 3),
        ]
        if section % 3 == 0:
            starts.append(len(text))
        for kind, words in parts:
            start = len(text)
            level = 1 if kind is BlockKind.HEADING else 0
            blocks.append(Block(kind, start, start + len(words.rstrip()), start, level))
            text += f"{words}\n\n"
    return CleanText(identity, text, tuple(starts), tuple(blocks))


if __name__ == "__main__":
    main()
