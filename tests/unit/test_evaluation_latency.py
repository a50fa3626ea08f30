"""Turns that are fair, numbers that are right, and processes that fail without taking the run."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.stores import DIM, SPACE, apply, make_update, unit_vectors
from tutor.config import ChromaConfig, Config, load_config
from tutor.courses import Course
from tutor.errors import EngineError
from tutor.evaluation.indices import generate_course, perturbed
from tutor.evaluation.latency import (
    COLD,
    TOTAL,
    WARM,
    Ask,
    BenchPlan,
    Job,
    Measurement,
    Mode,
    OpenCourse,
    Timings,
    Way,
    memory,
    run_job,
    take_turns,
)
from tutor.evaluation.latency_report import (
    as_json,
    as_table,
    configuration,
    markdown,
    summarise,
    tables,
    write_report,
)
from tutor.index.store import open_store
from tutor.model import Strategy, Vectors

EMBEDDER = Way(Mode.EMBEDDER, "cpu")
FIXED = Way(Mode.HYBRID, "cpu", Strategy.FIXED, 4)
SEMANTIC = Way(Mode.HYBRID, "cpu", Strategy.SEMANTIC, 4)
PLAN = BenchPlan(("a",), tuple(Strategy), (4,), tuple(Mode))


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


def measured(way: Way, table: Sequence[Sequence[float]], chunks: int = 0) -> Timings:
    return Timings(
        [
            Measurement(way, WARM, question, repetition, TOTAL, value, chunks)
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
    timings = take_turns(asks, ["a", "b", "c"], repetitions=8, warm_up=2, clock=clock)
    warm_up, counted = log[:4], log[4:]
    assert [question for _name, question in warm_up] == ["a", "a", "b", "b"]
    assert set(Counter(counted).values()) == {8}
    pairs = [tuple(counted[place : place + 2]) for place in range(0, len(counted), 2)]
    assert all(first[1] == second[1] for first, second in pairs)
    assert {first[0] for first, _second in pairs} == {"f", "s"}
    totals = [one for one in timings.measurements if one.stage == TOTAL]
    assert {(one.way, one.value) for one in totals} == {(FIXED, 2), (SEMANTIC, 3)}
    assert len({(one.way, one.question, one.repetition) for one in totals}) == 48
    stages = [one.value for one in timings.measurements if one.stage == "search"]
    assert Counter(stages) == {1.0: 24, 1.5: 24}


def test_a_way_that_fails_is_named_and_the_others_are_measured_to_the_end() -> None:
    clock, log = Clock(), list[tuple[str, str]]()
    left = iter(range(3))

    def dying(question: str) -> Mapping[str, float]:
        if next(left, None) is None:
            raise EngineError("gone")
        return {}

    timings = take_turns(
        {FIXED: dying, SEMANTIC: asking(clock, "s", 1, log)}, ["a", "b"], repetitions=4, clock=clock
    )
    assert timings.failures == [(FIXED.name, "gone")]
    assert len(log) == 8
    assert sum(one.way == FIXED for one in timings.measurements) == 3


def test_nothing_to_ask_measures_nothing() -> None:
    assert take_turns({}, ["a"], repetitions=2).measurements == []
    assert take_turns({EMBEDDER: lambda _q: {}}, [], repetitions=2, warm_up=3).measurements == []


def test_the_lines_are_what_numpy_says() -> None:
    table = np.random.default_rng(0).gamma(2, 1, (7, 5))
    line = summarise(measured(FIXED, table.tolist()).measurements).lines.iloc[0].to_dict()
    assert line["n"] == 35
    assert line["mean"] == pytest.approx(table.mean())
    assert line["sd"] == pytest.approx(table.std(ddof=1))
    assert (line["p50"], line["p95"]) == pytest.approx(tuple(np.quantile(table, [0.5, 0.95])))


def test_what_is_common_to_both_sides_does_not_hide_a_difference() -> None:
    random = np.random.default_rng(1)
    hard = random.gamma(2, 1, (12, 1)) + random.normal(0, 0.001, (12, 4))
    both = measured(FIXED, (hard + 0.01).tolist())
    both.add(measured(SEMANTIC, hard.tolist()))
    difference = summarise(both.measurements).differences.iloc[0]
    assert difference.seconds == pytest.approx(0.01)
    assert difference.faster == Strategy.SEMANTIC
    same = measured(FIXED, random.gamma(2, 1, (12, 4)).tolist())
    same.add(measured(SEMANTIC, random.gamma(2, 1, (12, 4)).tolist()))
    assert summarise(same.measurements).differences.iloc[0].faster == ""


def test_repetitions_are_no_new_questions() -> None:
    """Four questions asked a thousand times are still four: no interval, no verdict."""
    both = measured(FIXED, [[2.0] * 1000] * 4)
    both.add(measured(SEMANTIC, [[1.0] * 1000] * 4))
    difference = summarise(both.measurements).differences.iloc[0]
    assert difference.seconds == 1
    assert difference.n == 4
    assert math.isnan(difference.low)
    assert difference.faster == ""


def test_ratios_are_of_quantiles_over_the_same_questions() -> None:
    random = np.random.default_rng(2)
    alone = random.gamma(4, 1, (10, 3))
    timings = measured(EMBEDDER, alone.tolist())
    timings.add(measured(SEMANTIC, (1.2 * alone).tolist()))
    ratio = summarise(timings.measurements).ratios.iloc[0]
    assert (ratio.what, ratio.to) == (SEMANTIC.name, EMBEDDER.name)
    assert ratio.low == pytest.approx(1.2)
    assert ratio.high == pytest.approx(1.2)


def test_a_gap_is_left_out_on_both_sides() -> None:
    timings = measured(EMBEDDER, [[1.0, 1.0]] * 6)
    broken = measured(SEMANTIC, [[2.0, 2.0]] * 6)
    timings.add(
        Timings([one for one in broken.measurements if (one.question, one.repetition) != (5, 1)])
    )
    timings.measurements[11:12] = [Measurement(EMBEDDER, WARM, 5, 1, TOTAL, 1e6)]
    ratio = summarise(timings.measurements).ratios.iloc[0]
    assert (ratio.ratio, ratio.high) == (2, 2)


def test_a_larger_index_is_compared_with_the_smallest() -> None:
    timings = measured(SEMANTIC, [[1.0, 1.0]] * 6, chunks=100)
    timings.add(measured(SEMANTIC, [[1.0, 3.0]] * 6, chunks=900))
    ratios = summarise(timings.measurements).ratios.set_index(["chunks", "to_chunks", "quantile"])
    assert ratios["ratio"].to_dict() == {(900, 100, 0.5): 2, (900, 100, 0.95): 3}


def test_memory_counts_what_this_process_takes() -> None:
    before = memory()["own"]
    block = np.ones(2**23)
    after = memory()
    assert after["own"] - before > 50
    assert after["peak"] >= after["own"]
    assert block[0] == 1
    assert ("gpu_peak" in after) <= ("torch" in sys.modules)


def test_the_baseline_finds_what_the_vectors_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the same vectors, and without embedding any passage again."""
    monkeypatch.setenv("ALLOW_RESET", "quizas")  # for LangChain's own settings of Chroma

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
        opened = OpenCourse(Config(), store, Embedder(), resources)
        opened.fill_baseline(tmp_path / "baseline", tuple(Strategy))
        found = opened.collection(Strategy.FIXED).similarity_search_with_score("x", k=4)
        nearest = store.search(Strategy.FIXED, unit_vectors(1, seed=99)[0], 4)
    assert [document.page_content for document, _score in found] == [
        chunk.text for chunk, _score in nearest
    ]


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
    job = Job(tmp_path, secret, course, (EMBEDDER, FIXED), ("¿qué?",), COLD, seed=4)
    text = job.to_json()
    assert b"top-secret" not in text
    back = Job.from_json(text)
    assert back.config.k == 7
    assert (back.ways, back.questions, back.course) == (job.ways, job.questions, course)
    assert (back.temperature, back.seed) == (COLD, 4)


def test_a_process_that_cannot_open_the_course_says_why(tmp_path: Path, config: Config) -> None:
    course = Course("x", tmp_path / "notes", tmp_path / "nothing")
    timings = run_job(Job(tmp_path, config, course, (SEMANTIC,), ("a",), COLD))
    assert timings.measurements == []
    ((what, why),) = timings.failures
    assert what == SEMANTIC.name
    assert "nothing" in why


def test_the_files_hold_every_measurement_and_the_configuration(
    tmp_path: Path, config: Config
) -> None:
    random = np.random.default_rng(5)
    timings = measured(FIXED, random.gamma(2, 1, (6, 2)).tolist())
    timings.add(measured(SEMANTIC, random.gamma(2, 1, (6, 2)).tolist()))
    timings.failures.append(("a|b", "line\nline"))
    settings = configuration(config, PLAN, "model-x")
    paths = write_report(tmp_path / "out", timings, summarise(timings.measurements), settings)
    assert [path.suffix for path in paths] == [".md", ".csv", ".parquet", ".svg"]
    rows = list(csv.DictReader(paths[1].read_text(encoding="utf-8").splitlines()))
    assert [row["strategy"] for row in rows] == ["fixed", "semantic"]
    assert json.loads(rows[0]["configuration"])["embedder"] == "model-x"
    table = pq.read_table(paths[2])
    assert table.num_rows == 24
    assert json.loads(table["configuration"][0].as_py())["packages"]["numpy"]
    assert b"<svg" in paths[3].read_bytes()
    written = paths[0].read_text(encoding="utf-8")
    assert "a|b: line line" in written
    assert str(tmp_path) not in written
    assert str(tmp_path) not in json.dumps(settings)


def test_a_report_without_pairs_has_no_empty_tables(config: Config) -> None:
    timings = measured(EMBEDDER, [[1.0]])
    summary = summarise(timings.measurements)
    assert len(tables(summary)) == 1
    assert markdown(summary, [], {}).count("## ") == 2


def test_units_go_with_their_stages() -> None:
    stages = ("peak", "tokens_per_second", "a new stage")
    found = as_table([Measurement(FIXED, COLD, 0, 0, stage, 1) for stage in stages])
    assert list(found["unit"]) == ["MB", "1/s", "s"]


def test_the_json_has_no_nan(config: Config) -> None:
    timings = measured(FIXED, [[1.0]])
    timings.add(measured(SEMANTIC, [[2.0]], chunks=0))
    record = as_json(summarise(timings.measurements), timings, {})
    text = json.dumps(record, allow_nan=False)
    assert json.loads(text)["stages"][0]["sd"] is None
    (difference,) = record["fixed_minus_semantic"]
    assert (difference["seconds"], difference["low"], difference["faster"]) == (-1, None, None)
