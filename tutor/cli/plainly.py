"""`tutor` where no app can be shown: the index brought up to date, then a plain conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.app import find_course, make_embedder
from tutor.cli import diagnostics
from tutor.cli.commands.chat import converse
from tutor.cli.indexed import run_index
from tutor.errors import NotesError
from tutor.index.build import IndexOptions

if TYPE_CHECKING:
    from tutor.config import Config


def index_and_converse(config: Config) -> None:
    """Index, then take questions until the end of the input."""
    course = find_course(config)
    embedder, _why = make_embedder(config)
    try:
        run_index(course, config, embedder, IndexOptions())
    except NotesError as error:  # the notes are out of reach; an index may be there
        diagnostics.failure(error)
    converse(config)
