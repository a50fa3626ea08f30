"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from tutor.i18n import _
from tutor.model import AnswerLength, Strategy
from tutor.search.filters import FilterChoice


def _words(context: click.Context, option: click.Parameter, value: str | None) -> str:
    """What was typed, empty where the option was left out; nothing is no topic."""
    if value is not None and not value.strip():
        raise click.BadParameter(_("It is empty: give words, or leave it out."), context, option)
    return value or ""


class Numbers(click.FloatRange):
    """Numbers within bounds; the library takes `nan` for one of them."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number that was typed. Raises `click.BadParameter`."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(_("It must be a number."), param, ctx)
        return number


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
TOPIC = click.option(
    "--topic",
    callback=_words,
    metavar=_("WORDS"),
    help=_("Only cards about this: words of their question, section or document."),
)
JSON = click.option("--json", "as_json", is_flag=True, help=_("Print the result as JSON."))
FORCE = click.option("--force", is_flag=True, help=_("Write over a file that is there."))
FILE = click.Path(path_type=Path)

_FILTERS = (
    click.option(
        "--week", default="", metavar=_("WEEKS"), help=_("Ask only these weeks: 5, 3-5, 3,5.")
    ),
    click.option(
        "--author",
        multiple=True,
        metavar=_("NAME"),
        help=_("Ask only notes by this author, named in full or in part; may be repeated."),
    ),
    click.option(
        "--doc",
        multiple=True,
        metavar=_("DOCUMENT"),
        help=_("Ask only this document, by file or title, or a part of it; may be repeated."),
    ),
)


def filter_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds `--week`, `--author` and `--doc`; the command gets them as one `choice`."""

    @wraps(command)
    def with_choice(
        *arguments: Any, week: str, author: tuple[str, ...], doc: tuple[str, ...], **options: Any
    ) -> None:
        command(*arguments, choice=FilterChoice(week, author, doc), **options)

    for option in reversed(_FILTERS):
        with_choice = option(with_choice)
    return with_choice
