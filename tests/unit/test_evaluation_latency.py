"""Turns that are fair, numbers that are right, and processes that fail without taking the run."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.stores import DIM, SPACE, apply, make_update, unit_vectors
from tutor.config import ChromaConfig, load_config
from tutor.courses import Course
from tutor.errors import EngineError
from tutor.evaluation.latency import (
    TOTAL,
    Ask,
    Failure,
    Measurement,
    Mode,
    Outcome,
    Plan,
    Subject,
    Temperature,
    take_turns,
)
from tutor.evaluation.latency_jobs import Job, job_from_json, run_job
from tutor.evaluation.latency_langchain import LangChainEmbeddings, fill_baseline, open_baseline
from tutor.evaluation.latency_memory import memory
from tutor.evaluation.latency_report import configuration, markdown, tables, write_report
from tutor.evaluation.latency_scale import generate_course, perturbed
from tutor.evaluation.latency_summary import Series, summarise
from tutor.store import open_store
from tutor.types import Strategy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tutor.config import Config
    from tutor.types import Vectors

EMBEDDER = Subject(Mode.EMBEDDER, "cpu")
FIXED = Subject(Mode.HYBRID, "cpu", Strategy.FIXED, 4)
SEMANTIC = Subject(Mode.HYBRID, "cpu", Strategy.SEMANTIC, 4)
PLAN = Plan(("a",), tuple(Strategy), (4,), tuple(Mode), ("auto",))


class Clock:
    """A clock that only moves when something is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def asking(clock: Clock, name: str, seconds: float, log: list[tuple[str, str]]) -> Ask:
    def ask(question: str) -> Mapping[str, float]:
        log.append((name, question))
        clock.now += seconds
        return {"search": seconds / 2}

    return ask


def measured(subject: Subject, table: Sequence[Sequence[float]], chunks: int = 0) -> Outcome:
    return Outcome(
        [
            Measurement(subject, Temperature.WARM, question, repetition, TOTAL, value, chunks)
            for question, row in enumerate(table)
            for repetition, value in enumerate(row)
        ]
    )


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return load_config(tmp_path, {"TUTOR_EMBEDDER_KIND": "bundled"})


def test_every_way_is_asked_everything_and_the_order_changes() -> None:
    clock, log = Clock(), list[tuple[str, str]]()
    asks = {FIXED: asking(clock, "f", 2, log), SEMANTIC: asking(clock, "s", 3, log)}
    outcome = take_turns(asks, ["a", "b", "c"], repetitions=8, warm_up=2, clock=clock)
    warm_up, counted = log[:4], log[4:]
    assert [question for _name, question in warm_up] == ["a", "a", "b", "b"]
    assert set(Counter(counted).values()) == {8}
    pairs = [tuple(counted[place : place + 2]) for place in range(0, len(counted), 2)]
    assert all(first[1] == second[1] for first, second in pairs)
    assert {first[0] for first, _second in pairs} == {"f", "s"}
    totals = [one for one in outcome.measurements if one.stage == TOTAL]
    assert {(one.subject, one.value) for one in totals} == {(FIXED, 2), (SEMANTIC, 3)}
    assert len({(one.subject, one.question, one.repetition) for one in totals}) == 48
    stages = [one.value for one in outcome.measurements if one.stage == "search"]
    assert Counter(stages) == {1.0: 24, 1.5: 24}


def test_a_way_that_fails_is_named_and_the_others_are_measured_to_the_end() -> None:
    clock, log = Clock(), list[tuple[str, str]]()
    left = iter(range(3))

    def dying(question: str) -> Mapping[str, float]:
        if next(left, None) is None:
            raise EngineError("gone")
        return {}

    outcome = take_turns(
        {FIXED: dying, SEMANTIC: asking(clock, "s", 1, log)}, ["a", "b"], repetitions=4, clock=clock
    )
    assert outcome.failures == [Failure(FIXED.name, "gone")]
    assert len(log) == 8
    assert sum(one.subject == FIXED for one in outcome.measurements) == 3


def test_nothing_to_ask_measures_nothing() -> None:
    assert take_turns({}, ["a"], repetitions=2).measurements == []
    assert take_turns({EMBEDDER: lambda _q: {}}, [], repetitions=2, warm_up=3).measurements == []


def test_the_lines_are_what_numpy_says() -> None:
    table = np.random.default_rng(0).gamma(2, 1, (7, 5))
    line = summarise(measured(FIXED, table.tolist()).measurements).lines[0]
    assert line.n == 35
    assert line.mean == pytest.approx(table.mean())
    assert line.sd == pytest.approx(table.std(ddof=1))
    assert (line.p50, line.p95) == pytest.approx(tuple(np.quantile(table, [0.5, 0.95])))


def test_what_is_common_to_both_sides_does_not_hide_a_difference() -> None:
    random = np.random.default_rng(1)
    hard = random.gamma(2, 1, (12, 1)) + random.normal(0, 0.001, (12, 4))
    both = measured(FIXED, (hard + 0.01).tolist())
    both.add(measured(SEMANTIC, hard.tolist()))
    difference = summarise(both.measurements).differences[0]
    assert difference.interval.estimate == pytest.approx(0.01)
    assert difference.faster is Strategy.SEMANTIC
    same = measured(FIXED, random.gamma(2, 1, (12, 4)).tolist())
    same.add(measured(SEMANTIC, random.gamma(2, 1, (12, 4)).tolist()))
    assert summarise(same.measurements).differences[0].faster is None


def test_repetitions_are_no_new_questions() -> None:
    """Four questions asked a thousand times are still four: no interval, no verdict."""
    both = measured(FIXED, [[2.0] * 1000] * 4)
    both.add(measured(SEMANTIC, [[1.0] * 1000] * 4))
    difference = summarise(both.measurements).differences[0]
    assert difference.interval.estimate == 1
    assert difference.interval.n == 4
    assert math.isnan(difference.interval.low)
    assert difference.faster is None


def test_ratios_are_of_quantiles_over_the_same_questions() -> None:
    random = np.random.default_rng(2)
    alone = random.gamma(4, 1, (10, 3))
    outcome = measured(EMBEDDER, alone.tolist())
    outcome.add(measured(SEMANTIC, (1.2 * alone).tolist()))
    ratio = summarise(outcome.measurements).ratios[0]
    assert (ratio.of.subject, ratio.to.subject) == (SEMANTIC, EMBEDDER)
    assert ratio.interval.low == pytest.approx(1.2)
    assert ratio.interval.high == pytest.approx(1.2)


def test_a_gap_is_left_out_on_both_sides() -> None:
    outcome = measured(EMBEDDER, [[1.0, 1.0]] * 6)
    broken = measured(SEMANTIC, [[2.0, 2.0]] * 6)
    outcome.add(
        Outcome([one for one in broken.measurements if (one.question, one.repetition) != (5, 1)])
    )
    outcome.measurements[11:12] = [Measurement(EMBEDDER, Temperature.WARM, 5, 1, TOTAL, 1e6)]
    ratio = summarise(outcome.measurements).ratios[0]
    assert (ratio.interval.estimate, ratio.interval.high) == (2, 2)


def test_a_larger_index_is_compared_with_the_smallest_and_a_gpu_with_the_processor() -> None:
    outcome = measured(SEMANTIC, [[1.0, 1.0]] * 6, chunks=100)
    outcome.add(measured(SEMANTIC, [[1.0, 3.0]] * 6, chunks=900))
    gpu = Subject(Mode.HYBRID, "cuda", Strategy.SEMANTIC, 4)
    outcome.add(measured(gpu, [[0.5, 0.5]] * 6, chunks=100))
    ratios = summarise(outcome.measurements).ratios
    found = {
        (one.of.subject.device, one.of.chunks, one.to.chunks, one.quantile): one.interval.estimate
        for one in ratios
    }
    assert found[("cpu", 900, 100, 0.5)] == 2
    assert found[("cpu", 900, 100, 0.95)] == 3
    assert found[("cuda", 100, 100, 0.5)] == 0.5


def test_memory_counts_what_this_process_takes() -> None:
    before = memory()["own"]
    block = np.ones(2**23)
    after = memory()
    assert after["own"] - before > 50
    assert after["peak"] >= after["own"]
    assert block[0] == 1
    assert ("gpu_peak" in after) <= ("torch" in sys.modules)


def test_the_baseline_finds_what_the_vectors_say(tmp_path: Path) -> None:
    """Over the same vectors, and without embedding any passage again."""

    class Embedder:
        identity, device, dim = SPACE.embedder, "cpu", DIM

        def embed_queries(self, texts: Sequence[str]) -> Vectors:
            return unit_vectors(1, seed=99)

        def embed_passages(self, texts: Sequence[str]) -> Vectors:
            raise AssertionError(texts)

    apply(tmp_path / "course", None, make_update({"a.pdf": 30, "b.pdf": 30}))
    with (
        open_store(tmp_path / "course", SPACE, ChromaConfig()) as store,
        ExitStack() as resources,
    ):
        fill_baseline(tmp_path / "baseline", store, Embedder(), Strategy.FIXED)
        ask = open_baseline(tmp_path / "baseline", Embedder(), Strategy.FIXED, 4, resources)
        found = [document.page_content for document, _score in ask.search("x")]
        nearest = store.search(Strategy.FIXED, unit_vectors(1, seed=99)[0], 4)
    assert found == [chunk.text for chunk, _score in nearest]


def test_langchain_gets_plain_numbers() -> None:
    class Embedder:
        identity, device, dim = "x", "cpu", 2

        def embed_queries(self, texts: Sequence[str]) -> Vectors:
            return np.array([[0.6, 0.8]] * len(texts), np.float32)

        embed_passages = embed_queries

    wrapped = LangChainEmbeddings(Embedder(), {"known": [1.0, 0.0]})
    assert wrapped.embed_documents(["known", "new"]) == [[1.0, 0.0], pytest.approx([0.6, 0.8])]
    assert wrapped.embed_query("q") == pytest.approx([0.6, 0.8])


def test_perturbed_vectors_stay_near_theirs() -> None:
    vectors = unit_vectors(5)
    moved = perturbed(vectors, 400, np.random.default_rng(0))
    assert moved.dtype == np.float32
    assert np.linalg.norm(moved, axis=1) == pytest.approx(np.ones(400), abs=1e-5)
    nearest = (moved @ vectors.T).max(axis=1)
    assert 0.85 < nearest.mean() < 0.99
    assert len(np.unique(moved, axis=0)) == 400


def test_a_generated_course_has_its_size_and_everything_that_retrieval_asks(
    tmp_path: Path,
) -> None:
    apply(tmp_path / "real", None, make_update({"a.pdf": 30}))
    with open_store(tmp_path / "real", SPACE, ChromaConfig()) as real:
        made = generate_course(tmp_path / "made", real, Strategy.FIXED, 120, seed=3)
    with open_store(made.store, SPACE, ChromaConfig()) as store:
        rows = store.dense(Strategy.FIXED)
        assert rows is not None
        assert rows.vectors.shape == (120, DIM)
        chunks = store.chunks(Strategy.FIXED).chunks
        assert len(chunks) == 120
        for chunk in chunks[:60]:
            assert store.text(chunk.source_id).text[chunk.start : chunk.end] == chunk.text
        assert store.sentences is not None
        best = store.sentences.best(Strategy.FIXED, [0, 119], unit_vectors(1)[0])
        assert all(best)
        assert store.derived_path("lexical_fixed") is not None


def test_a_job_survives_its_journey_and_keeps_secrets_at_home(
    tmp_path: Path, config: Config
) -> None:
    secret = config.varied({"web.api_key": "top-secret", "k": 7})
    course = Course("x", tmp_path / "notes", tmp_path / "store")
    job = Job(secret, course, (EMBEDDER, FIXED), ("¿qué?",), Temperature.COLD, seed=4)
    text = json.dumps(job.to_json())
    assert "top-secret" not in text
    back = job_from_json(json.loads(text))
    assert back.config.k == 7
    assert (back.subjects, back.questions, back.course) == (job.subjects, job.questions, course)
    assert (back.temperature, back.seed) == (Temperature.COLD, 4)


def test_a_process_that_cannot_open_the_course_says_why(tmp_path: Path, config: Config) -> None:
    course = Course("x", tmp_path / "notes", tmp_path / "nothing")
    outcome = run_job(Job(config, course, (SEMANTIC,), ("a",), Temperature.COLD))
    assert outcome.measurements == []
    assert [one.subject for one in outcome.failures] == [SEMANTIC.name]
    assert "nothing" in outcome.failures[0].why


def test_the_files_hold_every_measurement_and_the_configuration(
    tmp_path: Path, config: Config
) -> None:
    random = np.random.default_rng(5)
    outcome = measured(FIXED, random.gamma(2, 1, (6, 2)).tolist())
    outcome.add(measured(SEMANTIC, random.gamma(2, 1, (6, 2)).tolist()))
    outcome.failures.append(Failure("a|b", "line\nline"))
    settings = configuration(config, PLAN, "model-x")
    paths = write_report(tmp_path / "out", outcome, summarise(outcome.measurements), settings)
    assert [path.suffix for path in paths] == [".md", ".csv", ".parquet", ".svg"]
    rows = list(csv.DictReader(paths[1].read_text(encoding="utf-8").splitlines()))
    assert [row["strategy"] for row in rows] == ["fixed", "semantic"]
    assert json.loads(rows[0]["configuration"])["embedder"] == "model-x"
    table = pq.read_table(paths[2])
    assert table.num_rows == 24
    assert json.loads(table.schema.metadata[b"configuration"])["packages"]["numpy"]
    assert b"<svg" in paths[3].read_bytes()
    written = paths[0].read_text(encoding="utf-8")
    assert "a\\|b: line line" in written
    assert str(tmp_path) not in written
    assert str(tmp_path) not in json.dumps(settings)


def test_a_report_without_pairs_has_no_empty_tables(config: Config) -> None:
    outcome = measured(EMBEDDER, [[1.0]])
    summary = summarise(outcome.measurements)
    assert len(tables(summary)) == 1
    assert markdown(summary, [], {}).count("## ") == 2


def test_units_go_with_their_stages() -> None:
    assert Series(FIXED, Temperature.COLD, 0, "peak").unit == "MB"
    assert Measurement(FIXED, Temperature.WARM, 0, 0, "tokens_per_second", 1).unit == "1/s"
    assert Measurement(FIXED, Temperature.WARM, 0, 0, "a new stage", 1).unit == "s"
