"""`tutor bench` as a user runs it, on a small course with the real embedder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.ollama_double import Model, ollama_double
from tests.serpapi_double import serpapi

if TYPE_CHECKING:
    from tests.course import Workspace

SMALL = (
    "--questions",
    "2",
    "--repetitions",
    "2",
    "--answers",
    "0",
)


def bench(workspace: Workspace, *arguments: str, **extra: str) -> dict[str, Any]:
    done = workspace.run_here("bench", "--json", *arguments, **extra)
    assert done.returncode == 0, done.stderr
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def stages(record: dict[str, Any], mode: str) -> dict[str, int]:
    return {one["stage"]: one["n"] for one in record["stages"] if one["what"].startswith(mode)}


def cases(path: Path, *questions: str) -> str:
    records = [
        {"id": str(number), "lang": "es", "kind": "fact", "question": text, "answerable": False}
        for number, text in enumerate(questions)
    ]
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_every_way_is_measured_beside_the_baselines(indexed: Workspace) -> None:
    record = bench(indexed, *SMALL, "--k", "3")
    measured = {one["what"] for one in record["stages"]}
    ways = ("langchain-chroma", "dense", "hybrid")
    assert measured == {"embedder"} | {
        f"{way} {strategy}" for way in ways for strategy in ("fixed", "semantic")
    }
    assert stages(record, "embedder") == {"total": 4}
    assert {"embed_query", "lexical", "search", "rerank", "total"} <= set(stages(record, "hybrid"))
    compared = {(one["what"], one["to"]) for one in record["ratios"]}
    assert compared == {
        *((f"{way} {strategy}", "embedder") for way in ways for strategy in ("fixed", "semantic")),
        *(
            (f"{way} {strategy}", f"langchain-chroma {strategy}")
            for way in ("dense", "hybrid")
            for strategy in ("fixed", "semantic")
        ),
    }
    assert record["configuration"]["settings"]["k"] == 3
    assert all(one["ratio"] > 0 for one in record["ratios"])
    assert record["configuration"]["plan"]["repetitions"] == 2


@pytest.mark.slow
def test_without_a_server_quotes_are_timed_and_the_model_is_named_as_missing(
    indexed: Workspace,
) -> None:
    record = bench(
        indexed, "--questions", "2", "--repetitions", "0", "--answers", "2",
        "--cases", cases(indexed.root / "q.jsonl", "¿Qué es una red neuronal?", "asdf qwerty"),
    )  # fmt: skip
    found = stages(record, "extractive")
    assert found["total"] == found["refused"] == 2
    assert found["first_token"] == 1
    assert {one["what"] for one in record["not_measured"]} == {
        "ollama fixed",
        "ollama semantic",
    }
    assert "127.0.0.1:9" in record["not_measured"][0]["why"]


@pytest.mark.slow
def test_with_a_server_the_first_token_and_the_rate_are_measured(indexed: Workspace) -> None:
    with ollama_double(models={"good": Model()}) as server, serpapi() as web:
        record = bench(
            indexed, "--questions", "1", "--repetitions", "0", "--answers", "1",
            "--modes", "ollama", "--strategies", "semantic",
            "--cases", cases(indexed.root / "q.jsonl", "Busca en internet una red neuronal"),
            TUTOR_OLLAMA_HOST=server.host, TUTOR_OLLAMA_MODEL="good", TUTOR_WEB_URL=web.url,
        )  # fmt: skip
        assert server.chats
        assert not web.asked
    found = stages(record, "ollama")
    assert {"first_token", "tokens_per_second", "total"} <= set(found)
    assert record["not_measured"] == []


@pytest.mark.slow
def test_a_course_that_was_never_indexed_is_indexed_first(
    fresh: Workspace,
) -> None:
    done = fresh.run_here("bench", *SMALL, "--modes", "embedder,dense")
    assert done.returncode == 0, done.stderr
    assert "no index yet" in done.stderr
    assert "Each stage" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--modes", "psychic"), 2, "hybrid"),
        (("--k", "0"), 2, "at least 1"),
        (("--cases", "missing.jsonl"), 4, "missing.jsonl"),
        (("--questions", "0"), 4, "no questions"),
        (("--repetitions", "0", "--answers", "0"), 1, "Nothing could be measured"),
    ],
)
def test_what_cannot_be_measured_is_told(
    indexed: Workspace, arguments: tuple[str, ...], code: int, words: str
) -> None:
    done = indexed.run_here("bench", *arguments)
    assert done.returncode == code, done.stderr
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
