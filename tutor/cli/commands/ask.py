"""`tutor ask`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tutor.answering import answer
from tutor.assembly import make_agent
from tutor.cli.answers import AnswerPrinter, answer_record
from tutor.cli.options import ENGINE, STRATEGY, K
from tutor.cli.output import write_json
from tutor.cli.session import opened
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.cli.main import Invocation


@click.command(
    name="ask",
    help=_("Ask a question; the answer names the document and the page of each sentence."),
)
@click.argument("question", nargs=-1, required=True, metavar=_("QUESTION..."))
@STRATEGY
@K
@ENGINE
@click.option("--json", "as_json", is_flag=True, help=_("Print the whole record as JSON."))
@click.pass_obj
def command(
    invocation: Invocation,
    question: tuple[str, ...],
    strategy: str | None,
    k: int | None,
    engine: str | None,
    as_json: bool,
) -> None:
    """Answer one question."""
    config = invocation.config(strategy=strategy, k=k, engine=engine)
    text = " ".join(question)
    with opened(config) as (store, embedder):
        agent = make_agent(config, store, embedder)
        events = answer(text, agent)
        if as_json:
            write_json(answer_record(text, list(events)))
            return
        printer = AnswerPrinter(streams=agent.model is not None)
        for event in events:
            printer.show(event)
