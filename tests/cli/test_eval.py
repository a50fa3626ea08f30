"""`tutor eval` as a teacher types it, on a course of three documents."""

from __future__ import annotations

import json
import os
import signal
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests import pdfs

if TYPE_CHECKING:
    from tests.course import Workspace

TREES, CLUSTERS, NEURAL = (
    "07_SEMANA_AI_20250915_1.pdf",
    "08_SEMANA_AI_20250922_1.pdf",
    "09_SEMANA_AI_20250929_1.pdf",
)
CASES: list[dict[str, Any]] = [
    {
        "id": "rate",
        "lang": "es",
        "kind": "fact",
        "question": "¿Cuál es la tasa de aprendizaje recomendada?",
        "answer": "0,01",
        "file": NEURAL,
        "page": 1,
        "snippet": "La tasa de aprendizaje recomendada en el curso es 0,01.",
        "split": "test",
    },
    {
        "id": "forest",
        "lang": "es",
        "kind": "follow-up",
        "question": "¿y cuántos árboles entrena?",
        "standalone": "¿Cuántos árboles entrena el bosque aleatorio?",
        "answer": "100",
        "file": TREES,
        "page": 1,
        "snippet": "entrena 100 árboles",
        "split": "test",
        "history": [{"question": "¿Qué es el bosque aleatorio?", "answer": "Muchos árboles."}],
    },
    {
        "id": "silhouette",
        "lang": "en",
        "kind": "concept",
        "question": "What does the silhouette of a point compare?",
        "answer": "The distance to its cluster with that to the nearest other cluster.",
        "file": CLUSTERS,
        "page": 1,
        "snippet": "compara la distancia a su grupo",
        "split": "dev",
    },
    {
        "id": "nothing",
        "lang": "es",
        "kind": "unanswerable",
        "question": "¿Quién pintó Las meninas?",
        "answerable": False,
        "split": "test",
    },
]
BAD = [
    "{not json",
    json.dumps({**CASES[0], "id": "lost", "file": "lost.pdf"}),
    json.dumps({**CASES[0], "id": "far", "page": 99}),
    json.dumps({**CASES[0], "id": "elsewhere", "snippet": "no such words"}),
]


def _write_cases(workspace: Workspace, *more: str) -> str:
    path = workspace.root / "cases.jsonl"
    path.write_text("\n".join([*(json.dumps(case) for case in CASES), *more]), encoding="utf-8")
    return str(path)


def test_strategies_are_compared_and_the_run_is_kept(indexed: Workspace) -> None:
    cases = _write_cases(indexed)
    done = indexed.run_here("eval", "--cases", cases, "--compare", "fixed,semantic")
    assert done.returncode == 0, done.stderr
    for part in ("passage MRR@10", "semantic − fixed", "too few questions", "n = 4", "split all"):
        assert part in done.stdout
    folder = Path(done.stdout.split("Everything is in ")[1].strip())
    assert folder.parent == indexed.root / "stores" / "evaluations"
    assert {path.name for path in folder.iterdir()} >= {
        "run.json",
        "outcomes.jsonl",
        "report.md",
        "report.json",
    }
    assert indexed.run_here("stats").returncode == 0


def test_answers_are_judged_and_the_judge_is_named(indexed: Workspace) -> None:
    record = indexed.json_here(
        "eval", "--cases", _write_cases(indexed), "--answers", "--split", "test"
    )
    assert record["run"]["judge"] == "rules/6"
    assert record["averages"]["acceptable"]["fixed"]["n"] == 3
    assert record["averages"]["citation_precision"]["fixed"]["estimate"] == 1
    assert record["averages"]["refusal_recall"]["fixed"]["n"] == 1
    assert record["failed"] == record["not_judged"] == 0


def test_bad_cases_are_named_and_counted_and_the_rest_is_asked(indexed: Workspace) -> None:
    done = indexed.run_here("eval", "--cases", _write_cases(indexed, *BAD))
    assert done.returncode == 8
    for part in ("line 5", "line 6", "lost.pdf", "line 7", "no page 99"):
        assert part in done.stderr
    assert "elsewhere (fixed): the snippet is not on page 1" in done.stdout
    assert "n = 5" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        ((), 4, "--generate"),
        (("--cases", "lost.jsonl"), 4, "lost.jsonl"),
        (("--cases", "cases.jsonl", "--kind", "poetry"), 4, "follow-up"),
        (("--cases", "cases.jsonl", "--compare", "fixed,fixde"), 3, "fixde"),
        (("--cases", "cases.jsonl", "--compare", "k=2,k=0"), 3, "at least 1"),
        (("--cases", "cases.jsonl", "--resume", "x"), 2, "--resume"),
        (("--resume", "x"), 4, "no evaluation"),
        (("--cases", "cases.jsonl", "--write"), 2, "--suggest"),
        (("--cases", "cases.jsonl", "--out", "notes"), 3, "not empty"),
        (("--cases", "cases.jsonl", "--answers", "--judge", "ollama"), 6, "Ollama"),
    ],
)
def test_what_cannot_be_done_is_said(
    indexed: Workspace, arguments: tuple[str, ...], code: int, named: str
) -> None:
    _write_cases(indexed)
    done = indexed.run_here("eval", *arguments)
    assert done.returncode == code, done.stderr
    assert named in done.stderr
    assert done.stdout == ""


def test_a_killed_run_goes_on_where_it_was(indexed: Workspace) -> None:
    many = [json.dumps({**CASES[0], "id": f"again-{n}"}) for n in range(60)]
    cases, out = _write_cases(indexed, *many), indexed.root / "run"
    arguments = ("eval", "--cases", cases, "--k", "2", "--out", str(out))
    process = indexed.start(*arguments)
    written = out / "outcomes.jsonl"
    while process.poll() is None and not (written.exists() and written.stat().st_size):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = written.read_bytes().count(b"\n")
    assert 0 < kept < 64
    with written.open("ab") as file:
        file.write(b'{"case": "to')
    record = indexed.json_here("eval", "--resume", str(out))
    assert record["averages"]["snippet_hit@k"]["fixed"]["n"] == 63
    assert record["run"]["settings"][0]["config"]["k"] == 2
    lines = written.read_bytes().split(b"\n")
    assert len([line for line in lines if line]) == 65
    Path(cases).write_text(json.dumps(CASES[0]))
    changed = indexed.run_here("eval", "--resume", str(out))
    assert changed.returncode == 3
    assert "other cases" in changed.stderr


def test_a_suggestion_is_written_when_asked_for(indexed: Workspace) -> None:
    settings = indexed.root / "tutor.toml"
    settings.write_text('# ours\nlanguage = "en"\nstrategy = "fixed"\nk = 1\n')
    common = ("eval", "--cases", _write_cases(indexed), "--suggest")
    done = indexed.run_here(*common)
    assert done.returncode == 0, done.stderr
    assert "Use fixed" in done.stdout
    assert "nothing has to be changed" in done.stdout
    done = indexed.run_here(*common, "--compare", "semantic+k=3", "--write")
    assert done.returncode == 0, done.stderr
    text = settings.read_text()
    assert text.startswith("# ours\n")
    assert tomllib.loads(text) == {"language": "en", "strategy": "semantic", "k": 3}


def test_chunk_sizes_are_compared_on_indexes_of_their_own(indexed: Workspace) -> None:
    record = indexed.json_here(
        "eval",
        "--cases",
        _write_cases(indexed),
        "--compare",
        "semantic,semantic+chunk=150,semantic+retrieval.sentences=false",
        "--answers",
    )
    found = record["averages"]["snippet_hit@k"]
    assert {name: one["n"] for name, one in found.items()} == {
        "semantic": 3,
        "semantic+chunk=150": 3,
        "semantic+retrieval.sentences=false": 3,
    }
    assert record["failed"] == 0


def test_words_alone_are_compared_with_the_ranking_of_the_product(indexed: Workspace) -> None:
    common = ("eval", "--cases", _write_cases(indexed), "--compare", "fixed,fixed+words")
    record = indexed.json_here(*common)
    found = record["averages"]["snippet_hit@k"]
    assert {name: one["estimate"] for name, one in found.items()}["fixed+words"] > 0.6
    assert [one["words"] for one in record["run"]["settings"]] == [False, True]
    assert record["failed"] == 0
    refused = indexed.run_here(*common, "--answers")
    assert refused.returncode == 3
    assert "ranks passages only" in refused.stderr


def test_questions_are_written_from_the_notes_and_asked(indexed: Workspace) -> None:
    done = indexed.run_here("eval", "--generate", "3")
    assert done.returncode == 0, done.stderr
    assert "questions.jsonl" in done.stderr
    assert "passage MRR@10" in done.stdout


def test_a_course_without_text_is_said_to_have_none(fresh: Workspace) -> None:
    cases = _write_cases(fresh)
    for path in fresh.notes.iterdir():
        path.unlink()
    empty = fresh.run_here("eval", "--cases", cases)
    assert (empty.returncode, empty.stdout) == (4, "")
    assert "no PDFs" in empty.stderr
    pdfs.blank(fresh.notes / "blank.pdf", pages=2)
    blank = fresh.run_here("eval", "--cases", cases)
    assert (blank.returncode, blank.stdout) == (5, "")
    assert "blank.pdf" in blank.stderr
