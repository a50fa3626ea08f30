"""The options that keep a question to some documents."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from tutor.i18n import _
from tutor.search.filters import FilterChoice

_OPTIONS = (
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
        *arguments: Any,
        week: str,
        author: tuple[str, ...],
        doc: tuple[str, ...],
        **options: Any,
    ) -> None:
        command(*arguments, choice=FilterChoice(week, author, doc), **options)

    for option in reversed(_OPTIONS):
        with_choice = option(with_choice)
    return with_choice
