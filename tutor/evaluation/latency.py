"""How long questions take, stage by stage: the product's ways beside baselines, in fair turns.

Nothing here imports what only reports need.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tutor.answer import Agent, answer, find
from tutor.app import find_course, make_agent, make_embedder, open_course
from tutor.config import Config
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError, EngineError, TutorError
from tutor.events import Finished, Token
from tutor.i18n import _
from tutor.index.store.upkeep import CHROMA_FOLDER
from tutor.model import Ending, Route, Strategy

TOTAL = "total"
"""The stage that is the whole question."""
UNITS = {"tokens_per_second": "1/s", "refused": "share"}
"""Units of what is measured in something else than seconds, by stage."""
WARM_UP = 3
"""Questions asked before, unmeasured."""


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


class Measurement(NamedTuple):
    """One stage of one question. `value` is in seconds unless `UNITS` has the stage.

    `question` and `repetition` count from 0.
    """

    way: WayOfAsking
    question: int
    repetition: int
    stage: str
    value: float


@dataclass(slots=True)
class Timings:
    """All measurements of a run; `failures` are what could not be measured, and why."""

    measurements: list[Measurement] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What to measure. Counts may be 0: that part is then left out.

    `questions` serve the retrieval; the first `answers` of them the whole answers, which are
    asked once each.
    """

    questions: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    modes: tuple[Mode, ...]
    repetitions: int = 5
    answers: int = 6

    def ways(self, modes: Sequence[Mode]) -> list[WayOfAsking]:
        """Every combination that these modes make of the strategies."""
        return [
            WayOfAsking(mode, strategy)
            for mode in modes
            if mode in self.modes
            for strategy in ([None] if mode is Mode.EMBEDDER else self.strategies)
        ]


Progress = Callable[[str, int, int], None]
"""Is told the part of a run, and how much of it is done."""


def measure(
    config: Config, plan: BenchPlan, progress: Progress = lambda _part, _done, _all: None
) -> Timings:
    """Measure everything that the plan asks for and that can be had here.

    What cannot be measured is in `failures`. Raises `NotesError`, `StoreError` and
    `EmbedderError` when the course itself cannot be asked.
    """
    with _asking(config) as ask:
        turns, part = partial(take_turns, ask), partial(progress, _("Retrieval"))
        timings = turns(plan.ways(FINDING), plan.questions, plan.repetitions, progress=part)
        # Apart from the retrieval: a model's server takes the processor from whatever runs beside.
        for mode in ANSWERING:
            part, questions = partial(progress, _("Answers")), plan.questions[: plan.answers]
            answers = turns(plan.ways((mode,)), questions, 1, warm_up=1, progress=part)
            timings.measurements += answers.measurements
            timings.failures += answers.failures
    return timings


def take_turns(
    ask: Ask,
    ways: Sequence[WayOfAsking],
    questions: Sequence[str],
    repetitions: int,
    *,
    warm_up: int = WARM_UP,
    clock: Callable[[], float] = time.perf_counter,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Timings:
    """Ask every question in every way, so often; the ways take turns within each question.

    Their order is drawn anew each time, so that noise of the machine, and what one way leaves in
    the processor's caches for the next, hit all alike. The first `warm_up` questions are asked
    before, unmeasured. A way that fails is left out from then on.
    """
    timings, alive, random = Timings(), list(ways), np.random.default_rng(0)

    def stages(way: WayOfAsking, question: str) -> Mapping[str, float]:
        started = clock()
        try:
            return {**ask(way, question), TOTAL: clock() - started}
        except TutorError as error:
            alive.remove(way)
            timings.failures.append((way.name, error.message))
            return {}

    rounds = list(product(range(repetitions), enumerate(questions)))
    for _repetition, (_number, question) in rounds[:warm_up]:
        for way in tuple(alive):
            stages(way, question)
    for done, (repetition, (number, question)) in enumerate(rounds):
        progress(done, len(rounds))
        drawn = [alive[place] for place in random.permutation(len(alive))]
        timings.measurements += [
            Measurement(way, number, repetition, stage, value)
            for way in drawn
            for stage, value in stages(way, question).items()
        ]
    return timings


@contextmanager
def _asking(config: Config) -> Iterator[Ask]:
    """Asks the course in any way; what a way needs is made by its first question, which raises
    `EngineError`, `ConfigError` or `StoreError` where it cannot be had.
    """
    course = find_course(config)
    embedder, _why = make_embedder(config, course)
    with open_course(config, course, embedder) as store, ExitStack() as resources:
        embedder.embed_queries(["a"])  # a device that does not work is known before the rest

        @cache
        def made(way: WayOfAsking) -> Callable[[str], Mapping[str, float]]:
            if way.strategy is None:
                return partial(_embedded, embedder)
            if way.mode is Mode.LANGCHAIN:
                folder = course.store / store.manifest.folder / CHROMA_FOLDER
                collection = langchain_store(folder, way.strategy, resources)
                return partial(_similar, embedder, collection, config.k)
            is_answered = way.mode in ANSWERING
            changes = {"engine": "extractive", "strategy": way.strategy}
            changes["engine" if is_answered else "retrieval.mode"] = way.mode.value
            agent = make_agent(config.varied(changes), store, embedder)
            return partial(_answered if is_answered else _found, agent)

        yield lambda way, question: made(way)(question)


def langchain_store(folder: Path, strategy: Strategy, resources: ExitStack) -> Any:
    """langchain-chroma's view of a collection in Chroma's folder, open as long as `resources`.

    Raises `ConfigError` where that package or the folder is missing.
    """
    if find_spec("langchain_chroma") is None or not folder.is_dir():
        raise ConfigError(
            _("The baseline needs langchain-chroma, and collections that are not on a server."),
            "pip install langchain-chroma",
        )
    # First, since it keeps a `.env` and the environment from Chroma.
    from tutor.index.store.chroma import local_client  # noqa: PLC0415 - Chroma, 0.5 s

    client = resources.enter_context(local_client(folder))
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


def _answered(agent: Agent, question: str) -> dict[str, float]:
    """The route is forced: a word such as `internet` must not send a question away."""
    route = Route(agent.strategy.value)
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
