"""Print cards that the notes make by rules, to be read: a sample of each kind, and how many.

    python -m scripts.study_cards [FOLDER] [--seed N] [--each N] [--kind KIND]... [--total N]
    python -m scripts.study_cards [FOLDER] --written N [--after N]

Cards are made of the index of the course in force, or of the PDFs in FOLDER, which are read now.
`--each` is how many of a kind are printed; with `--total` so many are drawn in all, of each kind
a share (at least two). The same seed draws the same cards from the same notes.

With `--written` so many cards are written by the configured model and printed, each with what the
second look made of it, `--after` those that come first; the figures of docs/study.md are of these.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts._course import course_agent, in_force
from tutor.app import make_embedder
from tutor.ingest.cleaning.document import clean
from tutor.ingest.metadata import describe_source
from tutor.ingest.reading.document import read_pdf
from tutor.llm import OllamaChat
from tutor.model import CleanText, Source, source_id
from tutor.study.card import Card, CardKind
from tutor.study.making import course_cards
from tutor.study.refreshing import documents as documents_of
from tutor.study.writing.tasks import Task, tasks
from tutor.study.writing.wording import TEMPERATURE, write_cards
from tutor.text.terminal import plain

LEAST = 2
"""Cards of a kind in a sample of all."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--total", type=int)
    parser.add_argument("--written", type=int)
    parser.add_argument("--after", type=int, default=0)
    parser.add_argument("--kind", type=CardKind, action="append", choices=list(CardKind))
    options = parser.parse_args(arguments)
    documents = list(read(options.folder) if options.folder else indexed())
    if options.written:
        found = tasks(documents)
        new = [task for task in found if not task.known]
        print(f"{len(found)} sentences, {len(found) - len(new)} of them with a card of the rules")
        print_written(new[options.after : options.after + options.written], options.after)
        return 0
    begun = time.process_time()
    cards = course_cards(documents)
    taken = time.process_time() - begun
    pages = sum(source.pages for source, _text in documents)
    counts = Counter(card.kind.value for card in cards)
    print(f"{len(cards)} cards of {len(documents)} documents, {pages} pages: {taken:.2f} s")
    print(", ".join(f"{kind} {n}" for kind, n in counts.most_common()))
    by_kind: dict[CardKind, list[Card]] = defaultdict(list)
    for card in cards:
        by_kind[card.kind].append(card)
    draw = random.Random(options.seed)
    for kind in options.kind or sorted(by_kind):
        share = round((options.total or 0) * len(by_kind[kind]) / max(1, len(cards)))
        n = max(LEAST, share) if options.total else options.each
        for card in draw.sample(by_kind[kind], min(n, len(by_kind[kind]))):
            print(shown(card))
    return 0


def print_written(chosen: Sequence[Task], after: int) -> None:
    """Have the model write cards, and print each with its fate; then how many met which."""
    config = in_force().varied({"ollama.temperature": TEMPERATURE})
    embedder, _why = make_embedder(config)
    model = OllamaChat(config.ollama)
    fates: Counter[str] = Counter()
    begun = time.monotonic()
    for number, one in enumerate(write_cards(chosen, model, embedder), after):
        place = one.task.passage.material.origin(one.task.start, one.task.end)
        fate = one.reason.value if one.reason else "kept"
        fates[fate] += 1
        print(f"\n--- {number} · {fate} · {place.path}, p. {place.first_page} · {place.section}")
        print(plain(f"S: {one.task.sentence}"))
        print(plain(f"Q: {one.question}"))
        if card := one.card:
            print(shown(card))
        sys.stdout.flush()
    told = ", ".join(f"{fate} {n}" for fate, n in fates.most_common())
    print(f"\n{model.name}: {told}; {time.monotonic() - begun:.0f} s")


def indexed() -> Iterator[tuple[Source, CleanText]]:
    """The documents of the course in force."""
    with course_agent() as agent:
        yield from documents_of(agent.store)


def read(folder: Path) -> Iterator[tuple[Source, CleanText]]:
    """The documents in a folder and the folders in it."""
    for path in sorted(folder.rglob("*.pdf")):
        name = path.relative_to(folder).as_posix()
        document = read_pdf(path, source_id(name))
        text = clean(document)
        yield describe_source(name, "", document, text, None), text


def shown(card: Card) -> str:
    """A card as it is read: where it is from, its question, its answer, what is to choose from."""
    assert card.origin is not None
    where = f"{card.origin.path}, p. {card.origin.first_page}"
    lines = [f"\n--- {card.kind.value} · {where}", f"Q: {card.question}", f"A: {card.answer}"]
    if card.choices and card.kind is not CardKind.MATCH:
        lines.append(f"C: {' | '.join(card.choices)}")
    if card.kind is CardKind.TRUE_FALSE:
        lines.append(f"   {card.origin.text}")
    return plain("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
