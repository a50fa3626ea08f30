"""`tutor` without a command: the index brought up to date, then questions one after another."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tutor.answering import answer
from tutor.assembly import find_course, make_agent, make_embedder
from tutor.cli import diagnostics
from tutor.cli.answers import AnswerPrinter
from tutor.cli.indexed import run_index
from tutor.cli.output import write
from tutor.cli.session import opened
from tutor.errors import NotesError, TutorError
from tutor.i18n import _
from tutor.indexing import IndexOptions

if TYPE_CHECKING:
    from tutor.answering import Agent
    from tutor.cli.main import Invocation


def run(invocation: Invocation) -> None:
    """Take questions until the end of the input."""
    config = invocation.config()
    course = find_course(config)
    embedder, _why = make_embedder(config)
    try:
        run_index(course, config, embedder, IndexOptions())
    except NotesError as error:  # the notes are out of reach; an index may be there
        diagnostics.failure(error)
    with opened(config) as (store, embedder):
        agent = make_agent(config, store, embedder)
        diagnostics.line(_("Ask about your notes. An empty line or Ctrl-D leaves."))
        while question := _next_question():
            _answer(question, agent)


def _answer(question: str, agent: Agent) -> None:
    printer = AnswerPrinter(streams=agent.model is not None)
    try:
        for event in answer(question, agent):
            printer.show(event)
    except KeyboardInterrupt:
        diagnostics.line("\n" + _("Stopped."))
    except TutorError as error:
        diagnostics.failure(error)
    write()


def _next_question() -> str:
    try:
        return input("> " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return ""
