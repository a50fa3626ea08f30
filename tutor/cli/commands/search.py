"""`tutor search`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import click

from tutor.answer import find
from tutor.answer.finding import filter_event
from tutor.answer.quoting import best_sentences
from tutor.app import make_agent
from tutor.cli import diagnostics
from tutor.cli.invocation import Invocation
from tutor.cli.options import STRATEGY, K, filter_options
from tutor.cli.output import Styled, folded, wrapped, write, write_json
from tutor.cli.records import filter_record, passage_record
from tutor.cli.session import opened
from tutor.i18n import _
from tutor.model import Hit
from tutor.model.marks import pages
from tutor.presentation.answers import event_line
from tutor.search.filters import FilterChoice, chosen_filter
from tutor.text.terminal import one_line, plain


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
    config = invocation.config(strategy=strategy, k=k)
    text = " ".join(question)
    with opened(config, by_words=not as_json) as (store, embedder):
        if store.words_only:
            diagnostics.line(_("Still indexing: for now the notes are searched by words only."))
        chosen = chosen_filter(choice, store.sources.values())
        # Without a model: what is found is shown as it is.
        agent = make_agent(config.varied({"engine": "extractive"}), store, embedder)
        inquiry, hits = find(text, replace(agent, filter=chosen), k=config.k)
        filtered = None if inquiry.only is None else filter_event(inquiry, inquiry.only, store)
        if filtered:
            diagnostics.warning(event_line(filtered))
        best = best_sentences(inquiry.searched, hits, embedder)
        if as_json:
            records = [_record(hit, best.get(hit.chunk.id)) for hit in hits]
            named = filter_record(filtered) if filtered else None
            seconds = inquiry.stopwatch.seconds
            write_json({"question": text, "filter": named, "hits": records, "seconds": seconds})
            return
        for hit in hits:
            _print(hit, best.get(hit.chunk.id))


def _print(hit: Hit, span: tuple[int, int] | None) -> None:
    chunk, source = hit.chunk, hit.source
    where = f"{one_line(source.path)}, {pages(chunk.first_page, chunk.last_page)}"
    heading = f"{hit.rank}. {one_line(source.title)} — {where}"
    retrievers = " · ".join(
        f"{name} {retriever.score:.3f}" for name, retriever in hit.retrievers.items()
    )
    write(Styled(heading, bold=True), f"  ({retrievers})")
    if span is None:
        write(wrapped(chunk.text, "   "))
    else:
        start, end = span
        # Marked before wrapping, with a character that no plain text holds.
        text = chunk.text
        marked = "\0".join(map(plain, (text[:start], text[start:end], text[end:])))
        head, sentence, tail = folded(marked, "   ").split("\0")
        write(head, *_highlighted(sentence), tail)
    write()


def _highlighted(sentence: str) -> Iterator[str]:
    """A sentence underlined, but not the indent of its lines."""
    for number, part in enumerate(re.split(r"(\S.*)", sentence)):
        yield Styled(part, bold=True, underlined=True) if number % 2 else part


def _record(hit: Hit, span: tuple[int, int] | None) -> dict[str, Any]:
    best = hit.chunk.text[slice(*span)] if span else None
    strategy = hit.chunk.strategy.value
    return {**passage_record(hit), "strategy": strategy, "best_sentence": best}
