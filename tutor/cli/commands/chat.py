"""`tutor chat`: a plain conversation in the terminal."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial

import click

from tutor.answer import Agent
from tutor.answer.conversation import unsaved
from tutor.app import find_course, make_agent, open_sessions, remember_counter
from tutor.cli import diagnostics
from tutor.cli.chatting import Chat
from tutor.cli.filtering import filter_options
from tutor.cli.invocation import Invocation
from tutor.cli.options import ENGINE, LENGTH, STRATEGY, K
from tutor.cli.prompting import line_history, next_line
from tutor.cli.session import opened
from tutor.cli.studying import practise
from tutor.config import Config
from tutor.errors import SessionError, StoreError
from tutor.i18n import _
from tutor.model import Strategy
from tutor.search.filters import FilterChoice, chosen_filter


@click.command(
    name="chat",
    help=_("Hold a conversation: follow-ups are understood, everything said is saved."),
)
@STRATEGY
@K
@ENGINE
@LENGTH
@filter_options
@click.option(
    "--resume",
    metavar=_("[ID]"),
    is_flag=False,
    flag_value="last",
    help=_("Go on with a saved conversation; without ID, with the latest one."),
)
@click.pass_obj
def command(
    invocation: Invocation,
    strategy: str | None,
    k: int | None,
    engine: str | None,
    length: str | None,
    resume: str | None,
    choice: FilterChoice,
) -> None:
    """Take questions until the end of the input."""
    config = invocation.config(strategy=strategy, k=k, engine=engine, length=length)
    converse(config, resume, choice)


def converse(config: Config, resume: str | None = None, choice: FilterChoice | None = None) -> None:
    """Take questions until the end of the input; `choice` filters all of them."""
    found = find_course(config)
    course = found.name
    with opened(config) as (store, embedder), ExitStack() as resources:
        sessions = None
        try:
            sessions = resources.enter_context(open_sessions(config))
        except SessionError as error:
            if resume:
                raise
            diagnostics.warning(unsaved(error))
        chosen = chosen_filter(choice or FilterChoice(), store.sources.values())
        agent = replace(make_agent(config, store, embedder), filter=chosen)
        _open_both_indexes(agent)
        if agent.why_no_model:
            diagnostics.warning(agent.why_no_model)
            agent = replace(agent, why_no_model="")
        chat = Chat(agent, sessions, course, config.language, partial(practise, config, found))
        if sessions and resume == "last":
            latest = sessions.sessions(course=course)[:1]
            resume = latest[0].id if latest else None
        if resume:
            chat.resume(resume)
        diagnostics.line(_("Ask about your notes. /ayuda lists the commands, Ctrl-D leaves."))
        with line_history(config.stores_path / "chat_history"):
            _talk(chat)
        remember_counter(config, agent)


def _open_both_indexes(agent: Agent) -> None:
    """Open what the other index needs while its files are there: 4 ms over the sample course."""
    for strategy in Strategy:
        with suppress(StoreError):  # who asks that index is told
            agent.reference(strategy)


def _talk(chat: Chat) -> None:
    while not chat.over:
        try:
            line = next_line()
        except KeyboardInterrupt:
            diagnostics.line("")
            return
        if line is None:
            return
        chat.take(line)
