"""The ways of asking that are measured, over one open course on one device."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tutor.answering import answer
from tutor.assembly import make_agent, make_hybrid
from tutor.errors import EngineError
from tutor.evaluation.latency import ANSWERING, Mode
from tutor.events import Finished, Token
from tutor.i18n import _
from tutor.retrieval import retrieve
from tutor.timing import Stopwatch
from tutor.types import Ending, Route

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import ExitStack
    from pathlib import Path

    from tutor.answering import Agent
    from tutor.config import Config
    from tutor.evaluation.latency import Ask, Subject
    from tutor.ports import Embedder
    from tutor.retrieval import Hybrid
    from tutor.store import StoreReader
    from tutor.types import Answer, Strategy


@dataclass(slots=True)
class Bench:
    """An open course, and what is loaded of it. `baseline` is the folder of LangChain's copy."""

    config: Config
    store: StoreReader
    embedder: Embedder
    resources: ExitStack
    baseline: Path | None = None
    _hybrid: Hybrid | None = None

    def ask(self, subject: Subject) -> Ask:
        """How to ask a subject's way. Raises `EngineError`, `ConfigError`."""
        if subject.mode is Mode.EMBEDDER:
            return self._embed
        assert subject.strategy is not None  # noqa: S101 - all other modes have one
        if subject.mode is Mode.LANGCHAIN:
            return self._langchain(subject.strategy, subject.k)
        if subject.mode in ANSWERING:
            return partial(_answered, self._agent(subject), Route(subject.strategy.value))
        hybrid = self.hybrid if subject.mode is Mode.HYBRID else None
        return partial(self._retrieved, strategy=subject.strategy, k=subject.k, hybrid=hybrid)

    def load(self, subject: Subject) -> dict[str, float]:
        """Load now what a subject needs, one after the other: seconds by part."""
        stopwatch = Stopwatch()
        with stopwatch.stage("load embedder"):
            self.embedder.embed_queries(["a"])
        if subject.strategy is None or subject.mode is Mode.LANGCHAIN:
            return stopwatch.seconds
        with stopwatch.stage("load chroma"):
            self.store.warm_up()
        if subject.mode is not Mode.DENSE and (hybrid := self.hybrid):
            with stopwatch.stage("load vectors"):
                hybrid.store.dense(subject.strategy)
            with stopwatch.stage("load words"):
                hybrid.lexical(subject.strategy)
            with stopwatch.stage("load sentences"):
                hybrid.store.sentences  # noqa: B018 - reading it loads them
        return stopwatch.seconds

    @property
    def hybrid(self) -> Hybrid | None:
        """What hybrid retrieval needs of this course, whatever the settings' own mode is."""
        if self._hybrid is None:
            self._hybrid = make_hybrid(self.config.varied({"retrieval.mode": "hybrid"}), self.store)
        return self._hybrid

    def _embed(self, question: str) -> dict[str, float]:
        self.embedder.embed_queries([question])
        return {}

    def _retrieved(
        self, question: str, *, strategy: Strategy, k: int, hybrid: Hybrid | None
    ) -> dict[str, float]:
        stopwatch = Stopwatch()
        retrieve(
            question,
            self.store,
            self.embedder,
            strategy=strategy,
            k=k,
            stopwatch=stopwatch,
            hybrid=hybrid,
        )
        return stopwatch.seconds

    def _langchain(self, strategy: Strategy, k: int) -> Ask:
        from tutor.evaluation.latency_langchain import (  # noqa: PLC0415 - LangChain, 0.5 s
            open_baseline,
        )

        assert self.baseline is not None  # noqa: S101 - planned only where it was made
        return open_baseline(self.baseline, self.embedder, strategy, k, self.resources)

    def _agent(self, subject: Subject) -> Agent:
        changes = {"engine": subject.mode.value, "strategy": subject.strategy, "k": subject.k}
        return make_agent(self.config.varied(changes), self.store, self.embedder)


def _answered(agent: Agent, route: Route, question: str) -> dict[str, float]:
    """The route is forced: a word such as `internet` must not send a question away."""
    started, arrivals, finished = time.perf_counter(), [], None
    for event in answer(question, agent, forced=route):
        if isinstance(event, Token):
            arrivals.append(time.perf_counter())
        elif isinstance(event, Finished):
            finished = event.answer
    if finished is None or finished.ending is Ending.BROKEN:
        raise EngineError(_("The answer is not complete: the model broke off."))
    stages = {**finished.timings, "refused": float(finished.abstained)}
    if "answer" in stages and arrivals:  # else refused before anything was written
        stages["first_token"] = arrivals[0] - started
    if agent.model:
        stages |= _served(finished, arrivals)
    return stages


def _served(finished: Answer, arrivals: Sequence[float]) -> dict[str, float]:
    """What a model's server says of itself, and its rate."""
    found: dict[str, float] = {}
    if usage := finished.usage:
        found = {"server_load": usage.load_s, "server_prompt": usage.prompt_s}
        found["server_answer"] = usage.answer_s
    if rate := _rate(finished, arrivals):
        found["tokens_per_second"] = rate
    return found


def _rate(finished: Answer, arrivals: Sequence[float]) -> float | None:
    """Tokens per second: by the server's own count where it tells, else pieces as they came."""
    usage = finished.usage
    if usage and usage.answer_s > 0:
        return usage.answer_tokens / usage.answer_s
    if len(arrivals) > 1 and arrivals[-1] > arrivals[0]:
        return (len(arrivals) - 1) / (arrivals[-1] - arrivals[0])
    return None
