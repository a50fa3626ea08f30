"""How long questions take: the ways of asking them, turns that are fair, processes of their own.

Warm questions are asked in this process, cold ones each in a fresh one (`child`), which is why
nothing here imports what only reports need.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

import tutor
from tutor.answer import Agent, answer, find
from tutor.app import find_course, make_agent, make_embedder, open_course
from tutor.config import Config
from tutor.courses import Course
from tutor.embedding.embedder import Embedder
from tutor.errors import ConfigError, EngineError, TutorError
from tutor.events import Finished, Token
from tutor.i18n import _, language
from tutor.index.store import StoreReader
from tutor.model import Answer, Ending, Route, Strategy, Vectors
from tutor.timing import Clock, Stopwatch

TOTAL = "total"
"""The stage that is the whole question."""
WARM, COLD = "warm", "cold"
"""Cold is a fresh process; the files may still be in the system's cache."""
UNITS = {"tokens_per_second": "1/s", "refused": "share"} | dict.fromkeys(
    ("peak", "own", "gpu_peak"), "MB"
)
"""Units of what is measured in something else than seconds, by stage."""
SCALE_WARM_UP = 10
TIMEOUT_S = 1800.0
_START = (
    "import time; t = time.perf_counter(); from tutor.evaluation.latency import child; child(t)"
)
_BATCH = 2000
"""Chunks per call: Chroma takes some 5,000 at once."""
_STATUS = Path("/proc/self/status")
_LAST_WORDS = 300
"""Characters of a crashed process's complaint that are shown."""


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


@dataclass(frozen=True, slots=True)
class Way:
    """One way of asking. The embedder alone knows neither `strategy` nor `k` (0)."""

    mode: Mode
    device: str
    strategy: Strategy | None = None
    k: int = 0

    @property
    def name(self) -> str:
        """As in `hybrid semantic k=4 cpu`."""
        parts = [self.strategy.value, f"k={self.k}"] if self.strategy else []
        return " ".join([self.mode.value, *parts, self.device])


@dataclass(frozen=True, slots=True)
class Measurement:
    """One stage of one question. `value` is in seconds unless `UNITS` has the stage.

    `question` and `repetition` count from 0; `chunks` is the size of a generated index, else 0.
    """

    way: Way
    temperature: str
    question: int
    repetition: int
    stage: str
    value: float
    chunks: int = 0


@dataclass(slots=True)
class Timings:
    """All measurements of a run; `failures` are what could not be measured, and why."""

    measurements: list[Measurement] = field(default_factory=list)
    failures: list[tuple[str, str]] = field(default_factory=list)

    def add(self, other: Timings) -> None:
        """Take in another part of the run."""
        self.measurements += other.measurements
        self.failures += other.failures


@dataclass(frozen=True, slots=True)
class BenchPlan:
    """What to measure. Counts may be 0: that part is then left out.

    `questions` serve the retrieval; the first `answers` of them the whole answers, which are
    asked once each, and the first `cold` one fresh process per way each. `chunks` are sizes of
    generated courses.
    """

    questions: tuple[str, ...]
    strategies: tuple[Strategy, ...]
    ks: tuple[int, ...]
    modes: tuple[Mode, ...]
    repetitions: int = 5
    warm_up: int = 3
    answers: int = 6
    cold: int = 6
    chunks: tuple[int, ...] = ()
    seed: int = 0

    def ways(self, device: str, modes: Sequence[Mode]) -> list[Way]:
        """Every combination that these modes make of strategies and k."""
        pairs = list(product(self.strategies, self.ks))
        return [
            Way(mode, device, *pair)
            for mode in modes
            if mode in self.modes
            for pair in ([()] if mode is Mode.EMBEDDER else pairs)
        ]


@dataclass(frozen=True, slots=True)
class Job:
    """Ways of asking one course that a process of its own measures; `root` is that of `config`.

    Cold: everything is loaded, then the questions are asked, of which `number` is the first. Warm:
    `warm_up` questions come first, and the loading is not reported.
    """

    root: Path
    config: Config
    course: Course
    ways: tuple[Way, ...]
    questions: tuple[str, ...]
    temperature: str
    repetitions: int = 1
    warm_up: int = 0
    seed: int = 0
    baseline: Path | None = None
    chunks: int = 0
    number: int = 0

    def to_json(self) -> bytes:
        """Everything that the process needs to know. Secrets stay here."""
        return TypeAdapter(Job).dump_json(self, exclude={"config": {"web"}})

    @classmethod
    def from_json(cls, text: bytes) -> Job:
        """A job as `to_json` wrote it."""
        job = TypeAdapter(Job).validate_json(text)
        return replace(job, config=job.config.model_copy(update={"root": job.root}))


Ask = Callable[[str], Mapping[str, float]]
"""Asks a question one way; returns what each stage took. Raises `TutorError`."""
Progress = Callable[[str, int, int], None]
"""Is told the part of a run, and how much of it is done."""


def take_turns(
    asks: Mapping[Way, Ask],
    questions: Sequence[str],
    *,
    repetitions: int,
    warm_up: int = 0,
    seed: int = 0,
    chunks: int = 0,
    clock: Clock = time.perf_counter,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Timings:
    """Ask every question in every way, so often; the ways take turns within each question.

    Their order is drawn anew each time, so that noise of the machine, and what one way leaves in
    the processor's caches for the next, hit all alike. The first `warm_up` questions are asked
    before, unmeasured. A way that fails is left out from then on.
    """
    timings, alive = Timings(), dict(asks)
    random = np.random.default_rng(seed)

    def ask(way: Way, question: str) -> Mapping[str, float]:
        started = clock()
        try:
            stages = alive[way](question)
        except TutorError as error:
            del alive[way]
            timings.failures.append((way.name, error.message))
            return {}
        return {**stages, TOTAL: clock() - started}

    for number in range(warm_up if questions else 0):
        for way in list(alive):
            ask(way, questions[number % len(questions)])
    rounds = list(product(range(repetitions), range(len(questions))))
    for done, (repetition, number) in enumerate(rounds):
        progress(done, len(rounds))
        ways = list(alive)
        for place in random.permutation(len(ways)):
            timings.measurements += [
                Measurement(ways[place], WARM, number, repetition, stage, value, chunks)
                for stage, value in ask(ways[place], questions[number]).items()
            ]
    progress(len(rounds), len(rounds))
    return timings


@dataclass(slots=True)
class OpenCourse:
    """An open course, and the ways of asking it. `baseline` is the folder of LangChain's copy."""

    config: Config
    store: StoreReader
    embedder: Embedder
    resources: ExitStack
    baseline: Path | None = None
    _agents: dict[Way, Agent] = field(default_factory=dict)

    def ask(self, way: Way) -> Ask:
        """How to ask that way. Raises `EngineError`, `ConfigError`."""
        if way.strategy is None:
            return self._embed
        if way.mode is Mode.LANGCHAIN:
            return partial(self._langchain, collection=self.collection(way.strategy), k=way.k)
        if way.mode in ANSWERING:
            return partial(_answered, self._agent(way), Route(way.strategy.value))
        return partial(_found, self._agent(way))

    def load(self, way: Way) -> dict[str, float]:
        """Load now what a way of asking needs, one after the other: seconds by part."""
        stopwatch = Stopwatch()
        with stopwatch.stage("load embedder"):
            self.embedder.embed_queries(["a"])
        if way.strategy is None or way.mode is Mode.LANGCHAIN:
            return stopwatch.seconds
        with stopwatch.stage("load chroma"):
            self.store.warm_up()
        if hybrid := self._agent(way).hybrid:
            with stopwatch.stage("load vectors"):
                hybrid.store.dense(way.strategy)
            with stopwatch.stage("load words"):
                hybrid.lexical(way.strategy)
            with stopwatch.stage("load sentences"):
                hybrid.store.sentences  # noqa: B018 - reading it loads them
        return stopwatch.seconds

    def fill_baseline(self, folder: Path, strategies: Sequence[Strategy]) -> None:
        """Copy texts and vectors into collections of LangChain's own in `folder`.

        Raises `ConfigError` where langchain-chroma is not installed.
        """
        if find_spec("langchain_chroma") is None:
            raise ConfigError(
                _("The baseline needs langchain-chroma, which is not installed."),
                "pip install langchain-chroma",
            )
        self.baseline = folder
        for strategy in strategies:
            table = self.store.chunks(strategy)
            vectors = dict(zip((chunk.text for chunk in table.chunks), table.vectors, strict=True))
            collection = self.collection(strategy, vectors)
            for start in range(0, len(table.chunks), _BATCH):
                chunks = table.chunks[start : start + _BATCH]
                places = [{"source_id": c.source_id, "first_page": c.first_page} for c in chunks]
                collection.add_texts([c.text for c in chunks], places, [c.id for c in chunks])

    def collection(self, strategy: Strategy, vectors: Mapping[str, Vectors] | None = None) -> Any:
        """LangChain's store of a strategy, open for as long as `resources` are.

        `vectors` are those of texts that are put in; none is computed.
        """
        from langchain_chroma import Chroma  # noqa: PLC0415 - 0.5 s, for one baseline only
        from langchain_core.embeddings import Embeddings  # noqa: PLC0415

        from tutor.index.store.chroma import local_client  # noqa: PLC0415 - Chroma, 0.5 s

        embedder = self.embedder

        class Known(Embeddings):
            """Our embedder in LangChain's form."""

            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return [(vectors or {})[text].tolist() for text in texts]

            def embed_query(self, text: str) -> list[float]:
                row: list[float] = embedder.embed_queries([text])[0].tolist()
                return row

        assert self.baseline is not None  # noqa: S101 - planned only where it was made
        client = self.resources.enter_context(local_client(self.baseline))
        return Chroma(
            f"langchain_{strategy.value}",
            Known(),
            client=client,
            client_settings=client.get_settings(),  # else it reads some from the environment
            collection_configuration={"hnsw": {"space": "cosine"}},
        )

    def _agent(self, way: Way) -> Agent:
        """The agent that asks this way, made once: what it has loaded stays."""
        if way not in self._agents:
            changed = "engine" if way.mode in ANSWERING else "retrieval.mode"
            changes = {"engine": "extractive", "strategy": way.strategy, "k": way.k}
            config = self.config.varied({**changes, changed: way.mode.value})
            self._agents[way] = make_agent(config, self.store, self.embedder)
        return self._agents[way]

    def _embed(self, question: str) -> dict[str, float]:
        self.embedder.embed_queries([question])
        return {}

    def _langchain(self, question: str, *, collection: Any, k: int) -> dict[str, float]:
        """LangChain tells no stages."""
        collection.similarity_search_with_score(question, k=k)
        return {}


def _found(agent: Agent, question: str) -> dict[str, float]:
    stopwatch = Stopwatch()
    find(question, agent, (), agent.k, stopwatch)
    return stopwatch.seconds


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
    if "answer" in stages and not math.isnan(first_token):  # else refused before it was written
        stages["first_token"] = first_token
    return stages | _served(finished)


def _served(answered: Answer) -> dict[str, float]:
    """What a model's server says of itself."""
    usage = answered.usage
    if usage is None:
        return {}
    served = {"server_load": usage.load_s, "server_prompt": usage.prompt_s}
    served["server_answer"] = usage.answer_s
    if usage.answer_s > 0:
        served["tokens_per_second"] = usage.answer_tokens / usage.answer_s
    return served


def child(started: float) -> None:
    """What a fresh process does: a job as JSON comes in, `Timings` go out.

    `started` was read before anything was imported. A failure that a person can mend is printed,
    too, and is no crash.
    """
    imports = time.perf_counter() - started
    job = Job.from_json(sys.stdin.buffer.read())
    try:
        timings = _measured(job, imports, started)
    except TutorError as error:
        # The first way stands for all of the process.
        timings = Timings(failures=[(", ".join(way.name for way in job.ways), error.message)])
    sys.stdout.buffer.write(TypeAdapter(Timings).dump_json(timings))


def _measured(job: Job, imports: float, started: float) -> Timings:
    """A cold job also has the parts of its loading, and in `start` how long it has been alive."""
    stopwatch = Stopwatch()
    loads = {"imports": imports}
    with ExitStack() as resources:
        with stopwatch.stage("open store"):
            embedder, _why = make_embedder(job.config)
            store = resources.enter_context(open_course(job.config, job.course, embedder))
        course = OpenCourse(job.config, store, embedder, resources, job.baseline)
        for way in job.ways:
            loads = course.load(way) | loads
        with stopwatch.stage("prepare"):
            asks = {way: course.ask(way) for way in job.ways}
        timings = take_turns(
            asks,
            job.questions,
            repetitions=job.repetitions,
            warm_up=job.warm_up,
            seed=job.seed,
        )
        extra = memory()
        if job.temperature == COLD:
            extra |= loads | stopwatch.seconds | {"start": time.perf_counter() - started}
    rows = [(m.way, m.question, m.repetition, m.stage, m.value) for m in timings.measurements]
    if job.temperature == COLD:
        rows = [(*row[:3], "first question" if row[3] == TOTAL else row[3], row[4]) for row in rows]
    # The first way stands for what a process has loaded and weighs.
    rows += [(job.ways[0], 0, 0, stage, value) for stage, value in extra.items()]
    timings.measurements = [
        Measurement(way, job.temperature, job.number + n, repetition, stage, value, job.chunks)
        for way, n, repetition, stage, value in rows
    ]
    return timings


def run_job(job: Job) -> Timings:
    """Measure a job in a fresh process. A process that fails is an entry in `failures`.

    A cold way has the stages of loading besides its own: `start` is the interpreter, `total` the
    whole process as its caller waits for it. All processes weigh themselves at their end.
    """
    started = time.perf_counter()
    timings = _answer_of_child(job)
    waited = time.perf_counter() - started
    for place, one in enumerate(timings.measurements):
        if one.stage == "start":
            timings.measurements[place] = replace(one, value=waited - one.value)
            timings.measurements.append(replace(one, stage=TOTAL, value=waited))
            break
    return timings


def _answer_of_child(job: Job) -> Timings:
    home = str(Path(tutor.__file__).parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    try:
        done = subprocess.run(
            [sys.executable, "-c", _START],
            input=job.to_json(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
            env={**os.environ, "PYTHONPATH": path, "TUTOR_LANG": language()},
        )
        return TypeAdapter(Timings).validate_json(done.stdout)
    except subprocess.TimeoutExpired:
        why = _("The measuring process did not end within %(s)d s.") % {"s": TIMEOUT_S}
    except ValidationError:
        words = done.stderr.decode(errors="replace").strip()[-_LAST_WORDS:]
        why = _("The measuring process died (code %(code)d): %(words)s") % {
            "code": done.returncode,
            "words": words,
        }
    return Timings(failures=[(", ".join(way.name for way in job.ways), why)])


def memory() -> dict[str, float]:
    """What this process has needed so far, in MB of 2**20 bytes, where the system tells.

    `peak` is the most that was ever resident, mapped files included (the system may take those
    back at any time); `own` is what is resident now and belongs to no file. Linux tells both
    (`getrusage` will not do: a child starts with its parent's peak).
    """
    weighed = {}
    if _STATUS.exists():
        lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
        fields = dict(line.split(":", 1) for line in lines if ":" in line)
        for name, key in (("peak", "VmHWM"), ("own", "RssAnon")):
            weighed[name] = int(fields[key].split()[0]) / 1024
    # Only a process that has loaded torch for its embedder can have used the GPU.
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        weighed["gpu_peak"] = torch.cuda.max_memory_allocated() / 2**20
    return weighed


def measure(
    config: Config, plan: BenchPlan, progress: Progress = lambda _part, _done, _all: None
) -> Timings:
    """Measure everything that the plan asks for and that can be had here.

    What cannot be measured is in `failures`. Raises `NotesError`, `StoreError` and
    `EmbedderError` when the course itself cannot be asked.
    """
    course = find_course(config)
    embedder, _why = make_embedder(config)
    with TemporaryDirectory(prefix="tutor-bench-") as folder, ExitStack() as resources:
        store = resources.enter_context(open_course(config, course, embedder))
        embedder.embed_queries(["a"])  # a device that does not work is known before the rest
        opened = OpenCourse(config, store, embedder, resources)
        run = _Run(plan, course, opened, progress)
        run.ask_the_course(Path(folder) / "baseline")
        for chunks in plan.chunks:
            run.ask_a_generated_course(chunks, Path(folder) / str(chunks))
        return run.timings


@dataclass(frozen=True, slots=True)
class _Run:
    """What the parts of a run share."""

    plan: BenchPlan
    course: Course
    opened: OpenCourse
    progress: Progress
    timings: Timings = field(default_factory=Timings)

    def ask_the_course(self, baseline: Path) -> None:
        """The course itself: warm retrieval, whole answers, cold starts."""
        plan, device = self.plan, self.opened.embedder.device
        ways = plan.ways(device, FINDING)
        if Mode.LANGCHAIN in plan.modes:
            try:
                self.opened.fill_baseline(baseline, plan.strategies)
            except TutorError as error:
                self.timings.failures.append((Mode.LANGCHAIN, error.message))
                ways = [way for way in ways if way.mode is not Mode.LANGCHAIN]
        self._in_turns(_("Retrieval"), ways, plan.questions, plan.repetitions)
        # Apart from the retrieval: a model's server takes the processor from whatever runs beside.
        for mode in ANSWERING:
            answering = plan.ways(device, (mode,))
            self._in_turns(_("Answers"), answering, plan.questions[: plan.answers], 1)
        self._in_fresh_processes([way for way in ways if way.k in {0, min(plan.ks)}])

    def _in_turns(
        self, part: str, ways: Sequence[Way], questions: Sequence[str], repetitions: int
    ) -> None:
        asks: dict[Way, Ask] = {}
        for way in ways if questions and repetitions else ():
            try:
                asks[way] = self.opened.ask(way)
            except TutorError as error:
                self.timings.failures.append((way.name, error.message))
        if asks:
            self.timings.add(
                take_turns(
                    asks,
                    questions,
                    repetitions=repetitions,
                    warm_up=self.plan.warm_up if repetitions > 1 else 1,
                    seed=self.plan.seed,
                    progress=partial(self.progress, part),
                )
            )

    def _in_fresh_processes(self, ways: Sequence[Way]) -> None:
        """One process per way and question, the ways in a new order each time."""
        random = np.random.default_rng(self.plan.seed)
        questions = self.plan.questions[: self.plan.cold]
        for number, question in enumerate(questions):
            self.progress(_("Cold starts"), number, len(questions))
            for place in random.permutation(len(ways)):
                job = self._job(self.course, (ways[place],), (question,), COLD)
                baseline = self.opened.baseline
                self.timings.add(run_job(replace(job, number=number, baseline=baseline)))

    def _job(
        self, course: Course, ways: Sequence[Way], questions: tuple[str, ...], temperature: str
    ) -> Job:
        config = self.opened.config
        return Job(config.root, config, course, tuple(ways), questions, temperature)

    def ask_a_generated_course(self, chunks: int, folder: Path) -> None:
        """Warm, in a process of its own, so that its memory is its own."""
        from tutor.evaluation.indices import generate_course  # noqa: PLC0415 - Chroma, 0.5 s

        plan, device = self.plan, self.opened.embedder.device
        part = _("Generated course of %(n)d chunks") % {"n": chunks}
        self.progress(part, 0, 1)
        strategy = plan.strategies[-1]
        made = generate_course(folder, self.opened.store, strategy, chunks, seed=plan.seed)
        modes = [mode for mode in reversed(RETRIEVING) if mode in plan.modes]
        ways = [Way(mode, device, strategy, min(plan.ks)) for mode in modes]
        job = replace(
            self._job(made, (*ways, Way(Mode.EMBEDDER, device)), plan.questions, WARM),
            repetitions=plan.repetitions,
            warm_up=SCALE_WARM_UP,
            seed=plan.seed,
            chunks=chunks,
        )
        self.timings.add(run_job(job))
        shutil.rmtree(folder)
        self.progress(part, 1, 1)
