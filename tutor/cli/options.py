"""Options that several commands share."""

from __future__ import annotations

import click

from tutor.i18n import _
from tutor.model import AnswerLength, Strategy

STRATEGY = click.option(
    "--strategy",
    type=click.Choice([strategy.value for strategy in Strategy]),
    help=_("Index to ask: fixed windows, or whole sentences."),
)
K = click.option("--k", type=int, metavar=_("N"), help=_("Number of passages."))
ENGINE = click.option(
    "--engine",
    type=click.Choice(["auto", "ollama", "extractive"]),
    help=_("Who answers: a model on Ollama, or the notes' own sentences."),
)
LENGTH = click.option(
    "--length",
    type=click.Choice([length.value for length in AnswerLength]),
    help=_("How much is quoted of the notes, and how much a model writes."),
)
ROUTE = click.option(
    "--route",
    type=click.Choice(["fixed", "semantic", "map", "web"]),
    help=_("Which tool answers, whatever words the question has; `web` leaves your machine."),
)
JSON = click.option("--json", "as_json", is_flag=True, help=_("Print the result as JSON."))
FORCE = click.option("--force", is_flag=True, help=_("Write over a file that is there."))
