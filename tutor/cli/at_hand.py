"""The course that a conversation asks: opened, and opened anew where its index is another one."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from typing import TypeAlias

from tutor.answer import Agent
from tutor.app import find_course, make_agent, remember_counter
from tutor.cli import diagnostics
from tutor.cli.session import opened, reopened
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.errors import StoreError
from tutor.index.store import StoreReader, read_manifest
from tutor.model import Strategy
from tutor.search.filters import FilterChoice, chosen_filter

_Opening: TypeAlias = AbstractContextManager[tuple[StoreReader, Embedder]]


class CourseAtHand:
    """A course and the agent that answers from it; both may be others after `open`.

    The agent says nothing of why it has no language model: that is said once, at the beginning.
    """

    config: Config
    course: Course
    agent: Agent

    def __init__(self, config: Config, choice: FilterChoice) -> None:
        """Open the course of the settings, which is indexed now where it has no index.

        `choice` filters all questions. Raises as `open` does.
        """
        self._choice = choice
        self._resources = ExitStack()
        self._put(config, find_course(config), opened(config))
        if self.agent.why_no_model:
            diagnostics.warning(self.agent.why_no_model)
            self.agent = replace(self.agent, why_no_model="")

    def open(self, config: Config) -> None:
        """Ask the course of these settings from now on, as briefly or fully as the one before.

        Raises what keeps it from being asked; the one before then stays.
        """
        self._put_like_before(config, find_course(config), opened(config))

    def refresh(self) -> None:
        """Take up the index in force, where another run has replaced the one that lies open.

        An index that went away is asked on. Raises `StoreError`.
        """
        try:
            in_force = read_manifest(self.course.store)
        except StoreError:
            return
        if in_force is not None and in_force != self.agent.store.manifest:
            again = reopened(self.config, self.course, self.agent.embedder)
            self._put_like_before(self.config, self.course, again)

    def close(self) -> None:
        """Let go of it, and keep what was learned of the model's tokens."""
        remember_counter(self.config, self.agent)
        self._resources.close()

    def _put_like_before(self, config: Config, course: Course, opening: _Opening) -> None:
        before, former = self.agent, self._resources
        remember_counter(self.config, before)
        self._put(config, course, opening)
        self.agent = replace(
            self.agent, strategy=before.strategy, length=before.length, why_no_model=""
        )
        former.close()

    def _put(self, config: Config, course: Course, opening: _Opening) -> None:
        """Open it and leave the former one open."""
        with ExitStack() as resources:
            store, embedder = resources.enter_context(opening)
            agent = make_agent(config, store, embedder)
            chosen = chosen_filter(self._choice, store.sources.values())
            for strategy in Strategy:  # opened while its files are there: 4 ms
                with suppress(StoreError):  # who asks that index is told
                    agent.reference(strategy)
            self._resources = resources.pop_all()
        self.config, self.course = config, course
        self.agent = replace(agent, filter=chosen)
