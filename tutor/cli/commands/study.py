"""`tutor study`: the cards that are due, and some new ones, in the terminal."""

from __future__ import annotations

import click

from tutor.cli.cards import TOPIC, cards_to_ask, selection
from tutor.cli.filtering import filter_options
from tutor.cli.invocation import Invocation
from tutor.cli.studying import review
from tutor.i18n import _
from tutor.search.filters import FilterChoice


@click.command(name="study", help=_("Review the cards that are due, and learn some new ones."))
@filter_options
@TOPIC
@click.option(
    "--new",
    type=click.IntRange(0, 9999),
    metavar=_("N"),
    help=_("At most so many new cards today."),
)
@click.pass_obj
def command(invocation: Invocation, topic: str, new: int | None, choice: FilterChoice) -> None:
    """Review until nothing is left, or the input ends."""
    config, course = invocation.course(study__new_per_day=new)
    with cards_to_ask(config, course) as store:
        which = selection(course, choice, topic)
        review(config, course, store, new=config.study.new_per_day, which=which)
