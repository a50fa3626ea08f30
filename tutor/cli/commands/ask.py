"""`tutor ask`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import click

from tutor.app import make_agent, remember_counter
from tutor.cli.invocation import Invocation
from tutor.cli.options import ENGINE, LENGTH, ROUTE, STRATEGY, K, filter_options
from tutor.cli.output import write_json
from tutor.cli.records import answer_record
from tutor.cli.session import opened
from tutor.errors import EngineError
from tutor.events import Event, Finished
from tutor.i18n import _
from tutor.model import Ending, Route
from tutor.search.filters import FilterChoice, chosen_filter


@click.command(
    name="ask",
    help=_("Ask a question; the answer names the document and the page of each sentence."),
)
@click.argument("question", nargs=-1, required=True, metavar=_("QUESTION..."))
@STRATEGY
@K
@ENGINE
@LENGTH
@ROUTE
@filter_options
@click.option("--json", "as_json", is_flag=True, help=_("Print the whole record as JSON."))
@click.pass_obj
def command(
    invocation: Invocation,
    question: tuple[str, ...],
    strategy: str | None,
    k: int | None,
    engine: str | None,
    length: str | None,
    route: str | None,
    as_json: bool,
    choice: FilterChoice,
) -> None:
    config = invocation.config(strategy=strategy, k=k, engine=engine, length=length)
    text = " ".join(question)
    with opened(config, by_words=not as_json) as (store, embedder):
        # 0.15 s, while another thread loads the embedder
        from tutor.answer import answer  # noqa: PLC0415

        chosen = chosen_filter(choice, store.sources.values())
        agent = replace(make_agent(config, store, embedder), filter=chosen)
        events = answer(text, agent, forced=Route(route) if route else None)
        if as_json:
            write_json(answer_record(text, events))
        else:
            _print(events)
        remember_counter(config, agent)


def _print(events: Iterator[Event]) -> None:
    from tutor.cli.answers import AnswerPrinter  # noqa: PLC0415 - as above

    printer = AnswerPrinter()
    try:
        for event in events:
            printer.show(event)
            if isinstance(event, Finished) and event.answer.ending is Ending.BROKEN:
                raise EngineError(
                    _("The answer is not complete: the model broke off."),
                    _("Ask again; if it happens again, restart Ollama."),
                )
    except KeyboardInterrupt:
        printer.stop()
        raise
