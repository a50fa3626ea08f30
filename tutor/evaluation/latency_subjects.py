"""The ways of asking that are measured, over one open course on one device."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tutor.answering import answer
from tutor.assembly import make_agent
from tutor.chunking import detect_language
from tutor.evaluation.latency import ANSWERING, Mode
from tutor.indexing.derivations import lexical_name
from tutor.lexical import LexicalIndex
from tutor.retrieval import Hybrid, retrieve
from tutor.timing import Stopwatch
from tutor.types import Finished, Token

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import ExitStack
    from pathlib import Path

    from tutor.answering import Agent
    from tutor.config import Config
    from tutor.evaluation.latency import Ask, Subject
    from tutor.ports import Embedder
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
    _words: dict[Strategy, LexicalIndex | None] = field(default_factory=dict)

    def ask(self, subject: Subject) -> Ask:
        """How to ask a subject's way. Raises `EngineError`, `ConfigError`."""
        if subject.mode is Mode.EMBEDDER:
            return self._embed
        assert subject.strategy is not None  # noqa: S101 - all other modes have one
        if subject.mode is Mode.LANGCHAIN:
            return self._langchain(subject.strategy, subject.k)
        if subject.mode in ANSWERING:
            return partial(_answered, self._agent(subject))
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
        if subject.mode is not Mode.DENSE:
            with stopwatch.stage("load vectors"):
                self.store.dense(subject.strategy)
            with stopwatch.stage("load words"):
                self.words(subject.strategy)
            with stopwatch.stage("load sentences"):
                _ = self.store.sentences
        return stopwatch.seconds

    @property
    def hybrid(self) -> Hybrid:
        """What hybrid retrieval needs of this course."""
        return Hybrid(self.store, self.words)

    def words(self, strategy: Strategy) -> LexicalIndex | None:
        """A strategy's index of words, loaded once."""
        if strategy not in self._words:
            self._words[strategy] = self.store.derived(
                lexical_name(strategy), partial(LexicalIndex.load, language_of=detect_language)
            )
        return self._words[strategy]

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


def _answered(agent: Agent, question: str) -> dict[str, float]:
    started, arrivals, finished = time.perf_counter(), [], None
    for event in answer(question, agent):
        if isinstance(event, Token):
            arrivals.append(time.perf_counter())
        elif isinstance(event, Finished):
            finished = event.answer
    stages = dict(finished.timings) if finished else {}
    if arrivals:
        stages["first_token"] = arrivals[0] - started
    if finished and agent.model and (rate := _rate(finished, arrivals)):
        stages["tokens_per_second"] = rate
    return stages


def _rate(finished: Answer, arrivals: Sequence[float]) -> float | None:
    """Tokens per second: by the server's own count where it tells, else pieces as they came."""
    usage = finished.usage
    if usage and usage.answer_s > 0:
        return usage.answer_tokens / usage.answer_s
    if len(arrivals) > 1 and arrivals[-1] > arrivals[0]:
        return (len(arrivals) - 1) / (arrivals[-1] - arrivals[0])
    return None
