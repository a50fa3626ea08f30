"""The ways of asking a question whose times are compared: the product's, and its baselines."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from importlib.util import find_spec
from typing import Any, NamedTuple

from tutor.answer import Agent, answer, find
from tutor.app import make_agent, make_embedder, open_course
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError, EngineError
from tutor.events import Finished, Token
from tutor.i18n import _
from tutor.index.store import StoreReader
from tutor.index.store.upkeep import CHROMA_FOLDER
from tutor.model import Ending, Route, Strategy


class Mode(StrEnum):
    """What is done with a question."""

    EMBEDDER = "embedder"
    """Baseline: nothing but the question's vector."""
    LANGCHAIN = "langchain-chroma"
    """Baseline: the similarity search of langchain-chroma with the same embedder and vectors."""
    DENSE = "dense"
    """Passages by meaning alone."""
    HYBRID = "hybrid"
    """Passages by meaning, words and the best sentence."""
    EXTRACTIVE = "extractive"
    """A whole answer that quotes the notes."""
    OLLAMA = "ollama"
    """A whole answer by the language model's server."""


RETRIEVING = (Mode.DENSE, Mode.HYBRID)
FINDING = (Mode.EMBEDDER, Mode.LANGCHAIN, *RETRIEVING)
ANSWERING = (Mode.EXTRACTIVE, Mode.OLLAMA)


class WayOfAsking(NamedTuple):
    """One way of asking. The embedder alone knows no `strategy`."""

    mode: Mode
    strategy: Strategy | None = None

    @property
    def name(self) -> str:
        """As in `hybrid semantic`."""
        return " ".join(part.value for part in self if part)


Ask = Callable[[WayOfAsking, str], Mapping[str, float]]
"""Asks a question one way; returns what each stage took. Raises `TutorError`."""


@dataclass(frozen=True, slots=True)
class OpenCourse:
    """An open course, and what is needed to ask it. `resources` close what is opened later."""

    config: Config
    course: Course
    store: StoreReader
    embedder: Embedder
    resources: ExitStack


def open_for_asking(config: Config, course: Course, resources: ExitStack) -> OpenCourse:
    """The course, open as long as `resources` are. Raises `StoreError`, `EmbedderError`."""
    embedder, _why = make_embedder(config)
    store = resources.enter_context(open_course(config, course, embedder))
    return OpenCourse(config, course, store, embedder, resources)


def asker(opened: OpenCourse) -> Ask:
    """Asks any way; what a way needs is made by its first question, which raises what fails."""
    made = cache(partial(way_of_asking, opened))
    return lambda way, question: made(way)(question)


def way_of_asking(opened: OpenCourse, way: WayOfAsking) -> Callable[[str], Mapping[str, float]]:
    """How a question is asked that way. Raises `EngineError`, `ConfigError`, `StoreError`."""
    if way.strategy is None:
        return partial(_embedded, opened.embedder)
    if way.mode is Mode.LANGCHAIN:
        return partial(
            _similar, opened.embedder, langchain_store(opened, way.strategy), opened.config.k
        )
    changed = "engine" if way.mode in ANSWERING else "retrieval.mode"
    changes = {"engine": "extractive", "strategy": way.strategy}
    config = opened.config.varied({**changes, changed: way.mode.value})
    agent = make_agent(config, opened.store, opened.embedder)
    if way.mode in ANSWERING:
        return partial(_answered, agent, Route(way.strategy.value))
    return partial(_found, agent)


def langchain_store(opened: OpenCourse, strategy: Strategy) -> Any:
    """langchain-chroma's view of the course's own collection.

    Raises `ConfigError` where that package or Chroma's folder is missing.
    """
    folder = opened.course.store / opened.store.manifest.folder / CHROMA_FOLDER
    if find_spec("langchain_chroma") is None or not folder.is_dir():
        raise ConfigError(
            _("The baseline needs langchain-chroma, and collections that are not on a server."),
            "pip install langchain-chroma",
        )
    # First, since it keeps a `.env` and the environment from Chroma.
    from tutor.index.store.chroma import local_client  # noqa: PLC0415 - Chroma, 0.5 s

    client = opened.resources.enter_context(local_client(folder))
    from langchain_chroma import Chroma  # noqa: PLC0415 - 0.5 s, for one baseline only

    # Without its settings LangChain reads some from the environment.
    return Chroma(strategy.collection, client=client, client_settings=client.get_settings())


def _embedded(embedder: Embedder, question: str) -> dict[str, float]:
    embedder.embed_queries([question])
    return {}


def _similar(embedder: Embedder, collection: Any, k: int, question: str) -> dict[str, float]:
    """LangChain tells no stages."""
    vector = embedder.embed_queries([question])[0].tolist()
    collection.similarity_search_by_vector_with_relevance_scores(vector, k=k)
    return {}


def _found(agent: Agent, question: str) -> dict[str, float]:
    inquiry, _hits = find(question, agent, k=agent.k)
    return inquiry.stopwatch.seconds


def _answered(agent: Agent, route: Route, question: str) -> dict[str, float]:
    """The route is forced: a word such as `internet` must not send a question away."""
    started, first_token, finished = time.perf_counter(), math.nan, None
    for event in answer(question, agent, forced=route):
        if isinstance(event, Token) and math.isnan(first_token):
            first_token = time.perf_counter() - started
        elif isinstance(event, Finished):
            finished = event.answer
    if finished is None or finished.ending is Ending.BROKEN:
        raise EngineError(_("The answer is not complete: the model broke off."))
    stages = {**finished.timings, "refused": float(finished.abstained)}
    if not finished.abstained:  # a refusal is written at once
        stages["first_token"] = first_token
    if usage := finished.usage:  # what a model's server says of itself
        stages |= {"server_load": usage.load_s, "server_prompt": usage.prompt_s}
        stages["server_answer"] = usage.answer_s
        if usage.answer_s > 0:
            stages["tokens_per_second"] = usage.answer_tokens / usage.answer_s
    return stages
