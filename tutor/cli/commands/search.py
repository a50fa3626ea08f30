"""`tutor search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tutor.answering import filtered_by, read_alone
from tutor.assembly import make_hybrid
from tutor.chunking import detect_language, split_sentences
from tutor.cli import diagnostics
from tutor.cli.filtering import filter_options
from tutor.cli.options import STRATEGY, K
from tutor.cli.output import source_record, wrapped, write, write_json
from tutor.cli.records import filter_record
from tutor.cli.session import opened
from tutor.extractive import best_sentences
from tutor.filters import chosen_filter
from tutor.i18n import _
from tutor.presentation.amounts import pages
from tutor.presentation.event_texts import event_line
from tutor.presentation.plain import plain
from tutor.retrieval import retrieve
from tutor.timing import Stopwatch

if TYPE_CHECKING:
    from tutor.cli.main import Invocation
    from tutor.filters import FilterChoice
    from tutor.types import Hit


@click.command(
    name="search",
    help=_("Show the passages nearest to a question, with the sentence that fits it best."),
)
@click.argument("question", nargs=-1, required=True, metavar=_("QUESTION..."))
@STRATEGY
@K
@filter_options
@click.option("--json", "as_json", is_flag=True, help=_("Print the passages as JSON."))
@click.pass_obj
def command(
    invocation: Invocation,
    question: tuple[str, ...],
    strategy: str | None,
    k: int | None,
    as_json: bool,
    choice: FilterChoice,
) -> None:
    """Show what the index finds."""
    config = invocation.config(strategy=strategy, k=k)
    text = " ".join(question)
    stopwatch = Stopwatch()
    with opened(config) as (store, embedder):
        chosen = chosen_filter(choice, store.sources.values())
        asked = read_alone(text, store, chosen)
        filtered, only = filtered_by(asked.filter, asked.recognised, store)
        if filtered:
            diagnostics.warning(plain(event_line(filtered)))
        hits = retrieve(
            asked.searched,
            store,
            embedder,
            strategy=config.strategy,
            k=config.k,
            stopwatch=stopwatch,
            hybrid=make_hybrid(config, store),
            only=only,
        )
        best = best_sentences(asked.searched, hits, embedder, split_sentences, detect_language)
    if as_json:
        records = [_record(hit, best.get(hit.chunk.id)) for hit in hits]
        named = filter_record(filtered) if filtered else None
        seconds = stopwatch.seconds
        write_json({"question": text, "filter": named, "hits": records, "seconds": seconds})
        return
    for hit in hits:
        _print(hit, best.get(hit.chunk.id))


def _print(hit: Hit, span: tuple[int, int] | None) -> None:
    chunk, source = hit.chunk, hit.source
    where = f"{plain(source.path)}, {pages(chunk.first_page, chunk.last_page)}"
    heading = f"{hit.rank}. {plain(source.title)} — {where}"
    legs = " · ".join(f"{name} {leg.score:.3f}" for name, leg in hit.legs.items())
    write(click.style(heading, bold=True) + f"  ({legs})")
    if span is None:
        write(wrapped(plain(chunk.text), "   "))
    else:
        start, end = span
        # Marked before wrapping, with characters that no passage can hold.
        marked = f"{plain(chunk.text[:start])}\x01{plain(chunk.text[start:end])}\x02" + plain(
            chunk.text[end:]
        )
        write(_highlighted(wrapped(marked, "   ")))
    write()


def _highlighted(text: str) -> str:
    head, _mark, rest = text.partition("\x01")
    sentence, _mark, tail = rest.partition("\x02")
    return head + "\n".join(_underlined(line) for line in sentence.split("\n")) + tail


def _underlined(line: str) -> str:
    text = line.lstrip()
    return line[: len(line) - len(text)] + click.style(text, underline=True, bold=True)


def _record(hit: Hit, span: tuple[int, int] | None) -> dict[str, Any]:
    chunk = hit.chunk
    return {
        "rank": hit.rank,
        "score": hit.score,
        "chunk_id": chunk.id,
        "strategy": chunk.strategy.value,
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "text": chunk.text,
        "best_sentence": chunk.text[span[0] : span[1]] if span else None,
        "legs": {name: {"rank": leg.rank, "score": leg.score} for name, leg in hit.legs.items()},
        **source_record(hit.source),
    }
