"""Turns that are fair, numbers that are right."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scripts.generated_course import generate_course, perturbed
from tests.stores import DIM, SPACE, apply, make_changes, unit_vectors
from tutor.config import ChromaConfig, Config, load_config
from tutor.errors import EngineError
from tutor.evaluation.latency import (
    TOTAL,
    BenchPlan,
    Measurement,
    Mode,
    Timings,
    WayOfAsking,
    langchain_store,
    take_turns,
)
from tutor.evaluation.latency_report import (
    as_json,
    as_table,
    configuration,
    sections,
    summarise,
)
from tutor.index.store import open_store
from tutor.index.store.upkeep import CHROMA_FOLDER
from tutor.model import CleanText, Strategy, Vectors, source_id

EMBEDDER = WayOfAsking(Mode.EMBEDDER)
FIXED = WayOfAsking(Mode.HYBRID, Strategy.FIXED)
SEMANTIC = WayOfAsking(Mode.HYBRID, Strategy.SEMANTIC)
PLAN = BenchPlan(("a",), tuple(Strategy), tuple(Mode))


class Clock:
    """A clock that only moves when something is asked."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def asking(
    clock: Clock, seconds: Mapping[WayOfAsking, float], log: list[tuple[WayOfAsking, str]]
) -> Callable[[WayOfAsking, str], Mapping[str, float]]:
    def ask(way: WayOfAsking, question: str) -> Mapping[str, float]:
        log.append((way, question))
        clock.now += seconds[way]
        return {"search": seconds[way] / 2}

    return ask


def measured(way: WayOfAsking, table: Sequence[Sequence[float]]) -> Timings:
    return Timings(
        [
            Measurement(way, question, repetition, TOTAL, value)
            for question, row in enumerate(table)
            for repetition, value in enumerate(row)
        ]
    )


class Embedder:
    """Knows one question; whoever has it read passages, fails."""

    identity, device, dim = SPACE.embedder, "cpu", DIM

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return unit_vectors(1, seed=99)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        raise AssertionError(texts)


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return load_config(tmp_path, {"TUTOR_EMBEDDER_KIND": "bundled"})


def test_every_way_is_asked_everything_and_the_order_changes() -> None:
    clock, log = Clock(), list[tuple[WayOfAsking, str]]()
    ask = asking(clock, {FIXED: 2, SEMANTIC: 3}, log)
    timings = take_turns(ask, [FIXED, SEMANTIC], ["a", "b", "c"], 8, warm_up=2, clock=clock)
    warm_up, counted = log[:4], log[4:]
    assert [question for _way, question in warm_up] == ["a", "a", "b", "b"]
    assert set(Counter(counted).values()) == {8}
    pairs = [tuple(counted[place : place + 2]) for place in range(0, len(counted), 2)]
    assert all(first[1] == second[1] for first, second in pairs)
    assert {first[0] for first, _second in pairs} == {FIXED, SEMANTIC}
    totals = [one for one in timings.measurements if one.stage == TOTAL]
    assert {(one.way, one.value) for one in totals} == {(FIXED, 2), (SEMANTIC, 3)}
    assert len({(one.way, one.question, one.repetition) for one in totals}) == 48
    stages = [one.value for one in timings.measurements if one.stage == "search"]
    assert Counter(stages) == {1.0: 24, 1.5: 24}


def test_a_way_that_fails_is_named_and_the_others_are_measured_to_the_end() -> None:
    clock, log = Clock(), list[tuple[WayOfAsking, str]]()
    steady, left = asking(clock, {SEMANTIC: 1}, log), iter(range(3))

    def ask(way: WayOfAsking, question: str) -> Mapping[str, float]:
        if way == FIXED and next(left, None) is None:
            raise EngineError("gone")
        return {} if way == FIXED else steady(way, question)

    timings = take_turns(ask, [FIXED, SEMANTIC], ["a", "b"], 4, warm_up=0, clock=clock)
    assert timings.failures == [(FIXED.name, "gone")]
    assert len(log) == 8
    assert sum(one.way == FIXED for one in timings.measurements) == 3


def test_nothing_to_ask_measures_nothing() -> None:
    ask = asking(Clock(), {}, [])
    assert take_turns(ask, [], ["a"], 2).measurements == []
    assert take_turns(ask, [EMBEDDER], [], 2).measurements == []
    assert take_turns(ask, [EMBEDDER], ["a"], 0).measurements == []


def test_the_lines_are_what_numpy_says() -> None:
    table = np.random.default_rng(0).gamma(2, 1, (7, 5))
    line = summarise(measured(FIXED, table.tolist()).measurements).lines.iloc[0].to_dict()
    assert line["n"] == 35
    assert line["mean"] == pytest.approx(table.mean())
    assert line["sd"] == pytest.approx(table.std(ddof=1))
    assert (line["p50"], line["p95"]) == pytest.approx(tuple(np.quantile(table, [0.5, 0.95])))


def test_repetitions_are_no_new_questions() -> None:
    """Four questions asked a thousand times are still four: a ratio without an interval."""
    both = measured(SEMANTIC, [[2.0] * 1000] * 4)
    both.measurements += measured(EMBEDDER, [[1.0] * 1000] * 4).measurements
    ratio = summarise(both.measurements).ratios.iloc[0]
    assert (ratio.ratio, ratio.n) == (2, 4)
    assert math.isnan(ratio.low)


def test_ratios_are_of_quantiles_over_the_same_questions() -> None:
    random = np.random.default_rng(2)
    alone = random.gamma(4, 1, (10, 3))
    timings = measured(EMBEDDER, alone.tolist())
    timings.measurements += measured(SEMANTIC, (1.2 * alone).tolist()).measurements
    ratio = summarise(timings.measurements).ratios.iloc[0]
    assert (ratio.what, ratio.to) == (SEMANTIC.name, EMBEDDER.name)
    assert ratio.low == pytest.approx(1.2)
    assert ratio.high == pytest.approx(1.2)


def test_questions_that_one_side_lacks_do_not_count() -> None:
    timings = measured(EMBEDDER, [[1.0]] * 7)
    timings.measurements += measured(SEMANTIC, [[2.0]] * 6).measurements
    timings.measurements[6] = timings.measurements[6]._replace(value=1e6)
    ratio = summarise(timings.measurements).ratios.iloc[0]
    assert (ratio.ratio, ratio.high, ratio.n) == (2, 2, 6)


def test_the_baseline_finds_what_the_vectors_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the same vectors, and without embedding any passage again."""
    monkeypatch.setenv("ALLOW_RESET", "quizas")  # for LangChain's own settings of Chroma

    apply(tmp_path / "course", None, make_changes({"a.pdf": 30, "b.pdf": 30}))
    with (
        open_store(tmp_path / "course", SPACE, ChromaConfig()) as store,
        ExitStack() as resources,
    ):
        folder = tmp_path / "course" / store.manifest.folder / CHROMA_FOLDER
        vector = unit_vectors(1, seed=99)[0]
        found = langchain_store(
            folder, Strategy.FIXED, resources
        ).similarity_search_by_vector_with_relevance_scores(vector.tolist(), k=4)
        nearest = store.search(Strategy.FIXED, vector, 4)
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
    text = "Una red neuronal tiene capas de neuronas. La entropía mide el desorden de un grupo."
    texts = {source_id("a.pdf"): CleanText.plain(source_id("a.pdf"), text, (0, 1))}
    apply(tmp_path / "real", None, replace(make_changes({"a.pdf": 30}), texts=texts))
    with open_store(tmp_path / "real", SPACE, ChromaConfig()) as real:
        generate_course(tmp_path / "made", real, Strategy.FIXED, 120)
    with open_store(tmp_path / "made", SPACE, ChromaConfig()) as store:
        rows = store.dense(Strategy.FIXED)
        assert rows.vectors.shape == (120, DIM)
        chunks = store.chunks(Strategy.FIXED).chunks
        assert len(chunks) == 120
        for chunk in chunks[:60]:
            assert store.text(chunk.source_id).text[chunk.start : chunk.end] == chunk.text
        assert store.sentences is not None
        best = store.sentences.nearest_spans(Strategy.FIXED, [0, 119], unit_vectors(1)[0])
        assert all(best)
        assert store.derived("lexical_fixed", Path.exists)


def test_a_run_says_its_configuration_and_no_path(tmp_path: Path, config: Config) -> None:
    settings = configuration(config, PLAN, Embedder())
    assert settings["embedder"] == SPACE.embedder
    assert settings["packages"]["numpy"]
    assert str(tmp_path) not in json.dumps(settings)


def test_a_report_without_pairs_has_no_empty_tables() -> None:
    summary = summarise(measured(EMBEDDER, [[1.0]]).measurements)
    assert [section.title for section in sections(summary)] == ["Each stage"]


def test_units_go_with_their_stages() -> None:
    stages = ("refused", "tokens_per_second", "a new stage")
    found = as_table([Measurement(FIXED, 0, 0, stage, 1) for stage in stages])
    assert list(found["unit"]) == ["share", "1/s", "s"]


def test_the_json_has_no_nan() -> None:
    timings = measured(FIXED, [[1.0]])
    timings.measurements += measured(SEMANTIC, [[2.0]]).measurements
    record = as_json(summarise(timings.measurements), timings, {})
    text = json.dumps(record, allow_nan=False)
    assert json.loads(text)["stages"][0]["sd"] is None
    assert record["ratios"] == []
