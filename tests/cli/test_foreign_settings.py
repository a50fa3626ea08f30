"""A `.env` in the folder and other programs' variables change nothing and send nothing away."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.chroma_server import chroma_server
from tests.eavesdropper import eavesdropper
from tests.tui.stage import ready, staged
from tutor.cli.main import close_environment, command_summaries

if TYPE_CHECKING:
    from tests.course import Workspace

QUESTION = "¿Qué mide la silueta?"
ASKED = ("ask", QUESTION, "--json")


def hostile(port: int) -> dict[str, str]:
    """Variables that make Chroma, its tracing and LangChain's send what they have to `port`."""
    address = f"http://127.0.0.1:{port}"
    return {
        "CHROMA_API_IMPL": "chromadb.api.fastapi.FastAPI",
        "CHROMA_SERVER_HOST": "127.0.0.1",
        "CHROMA_SERVER_HTTP_PORT": str(port),
        "CHROMA_CLIENT_AUTH_PROVIDER": "chromadb.auth.token_authn.TokenAuthClientProvider",
        "CHROMA_CLIENT_AUTH_CREDENTIALS": "quizas",
        "CHROMA_OTEL_COLLECTION_ENDPOINT": address,
        "CHROMA_OTEL_GRANULARITY": "all",
        "CHROMA_SERVER_SSL_ENABLED": "quizas",
        "ALLOW_RESET": "quizas",
        "ANONYMIZED_TELEMETRY": "True",
        "MIGRATIONS": "none",
        "OTEL_EXPORTER_OTLP_ENDPOINT": address,
        "OTEL_TRACES_EXPORTER": "otlp",
        "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "quizas",
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_API_KEY": "quizas",
        "LANGSMITH_ENDPOINT": address,
        "HTTP_PROXY": address,
        "http_proxy": address,
        "HTTPS_PROXY": address,
        "ALL_PROXY": address,
        "HF_ENDPOINT": address,
        "HF_HUB_OFFLINE": "0",
    }


def _write_dotenv(folder: Path, port: int) -> None:
    lines = [f"{name}={value}" for name, value in hostile(port).items()]
    (folder / ".env").write_bytes("\n".join([*lines, "AUTOR=Peña"]).encode("latin-1"))


def _answer(asked: subprocess.CompletedProcess[str]) -> Any:
    assert asked.returncode == 0, asked.stderr
    record = json.loads(asked.stdout)
    return record["answer"], record["citations"]


def test_index_and_ask_stay_on_this_disk(indexed: Workspace) -> None:
    expected, before = _answer(indexed.run_here(*ASKED)), indexed.manifest()
    with eavesdropper() as listener:
        _write_dotenv(indexed.root, listener.port)
        rebuilt = indexed.run("index", "--rebuild", **hostile(listener.port))
        assert rebuilt.returncode == 0, rebuilt.stderr
        assert _answer(indexed.run(*ASKED, **hostile(listener.port))) == expected
    assert listener.heard == []
    after = indexed.manifest()
    assert after["chroma_server"] is None
    assert after["indexed"] == before["indexed"]


COMMANDS_AS_TYPED = {
    "ask": (QUESTION,),
    "cards": ("import", "own.csv"),
    "bench": ("--questions", "1", "--repetitions", "1", "--answers", "0"),
    "chat": (),
    "config": ("show",),
    "doctor": (),
    "eval": ("--cases", "cases.jsonl"),
    "exam": (),
    "index": ("--repair",),
    "map": (),
    "models": (),
    "pull": ("llama3.2",),
    "search": (QUESTION,),
    "sessions": (),
    "stats": (),
    "study": (),
}
CASE = {"id": "1", "lang": "es", "kind": "fact", "question": QUESTION, "answerable": False}


def test_no_command_connects_to_anybody(indexed: Workspace) -> None:
    """Ollama is not there; a model of it is looked for at its own address only."""
    assert COMMANDS_AS_TYPED.keys() == dict(command_summaries()).keys()
    (indexed.root / "cases.jsonl").write_text(json.dumps(CASE), encoding="utf-8")
    (indexed.root / "own.csv").write_text("uno,dos\n")
    with eavesdropper() as listener:
        _write_dotenv(indexed.root, listener.port)
        for name, arguments in COMMANDS_AS_TYPED.items():
            done = indexed.run_here(name, *arguments, typed=QUESTION, **hostile(listener.port))
            failed = {"models": 6, "pull": 6, "doctor": 1}.get(name, 0)
            assert done.returncode in {0, failed}, (name, done.stderr)
            assert listener.heard == [], name


def test_the_app_connects_to_nobody(indexed: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked() -> None:
        app = staged(indexed)
        async with app.run_test() as pilot:
            await ready(pilot)
            for event in app.workspace.ask(QUESTION):
                assert event
            await pilot.press("f7")  # the models
            await pilot.pause()

    with eavesdropper() as listener:
        _write_dotenv(indexed.root, listener.port)
        for name, value in hostile(listener.port).items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(indexed.root)
        close_environment(os.environ)
        asyncio.run(asked())
    assert listener.heard == []


def test_a_configured_chroma_server_gets_the_texts_and_nobody_else(
    indexed: Workspace, tmp_path: Path
) -> None:
    expected = _answer(indexed.run_here(*ASKED))
    with eavesdropper() as listener, chroma_server(tmp_path / "server") as port:
        _write_dotenv(indexed.root, listener.port)
        settings = {
            **hostile(listener.port),
            "TUTOR_CHROMA_HOST": "127.0.0.1",
            "TUTOR_CHROMA_PORT": str(port),
        }
        moved = indexed.run("index", "--repair", **settings)
        assert moved.returncode == 0, moved.stderr
        assert indexed.manifest()["chroma_server"] == f"127.0.0.1:{port}"
        assert _answer(indexed.run(*ASKED, **settings)) == expected
    assert listener.heard == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, "localhost,127.0.0.1,::1"),
        ({"no_proxy": "uni.example, 127.0.0.1"}, "uni.example,127.0.0.1,localhost,::1"),
        ({"NO_PROXY": "*"}, "*"),
        ({"NO_PROXY": "a.example", "no_proxy": "b.example"}, "b.example,localhost,127.0.0.1,::1"),
    ],
)
def test_proxies_are_kept_and_never_asked_for_this_machine(
    before: dict[str, str], after: str
) -> None:
    environ = {"HTTPS_PROXY": "http://proxy.example:3128", **before}
    close_environment(environ)
    assert environ == {
        "HTTPS_PROXY": "http://proxy.example:3128",
        "no_proxy": after,
        "NO_PROXY": after,
    }


def test_the_embedder_keeps_and_sends_nothing_of_this_machine(
    indexed: Workspace, tmp_path: Path
) -> None:
    """onnxruntime would keep an identifier in the cache, and send it with what it is used for."""
    home = tmp_path / "home"
    home.mkdir()
    with eavesdropper() as listener:
        proxy = f"http://127.0.0.1:{listener.port}"
        done = indexed.run(
            "ask", QUESTION, HOME=str(home), HTTPS_PROXY=proxy, CI="", XDG_CACHE_HOME=""
        )
    assert done.returncode == 0, done.stderr
    assert listener.heard == []
    assert not [path for path in home.rglob("*") if "onnxruntime" in path.name]


def test_other_variables_stay() -> None:
    environ = {"PATH": "/bin", "OLLAMA_HOST": "x", "HF_HOME": "y", "TUTOR_CHROMA_HOST": "z"}
    closed = {**environ, "otel_traces_exporter": "otlp", "CHROMA_API_IMPL": "x"}
    close_environment(closed)
    assert {name: closed[name] for name in closed if name.lower() != "no_proxy"} == environ
