"""The Ollama embedder against a server on this machine that answers as Ollama 0.33 does."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tutor.config import OllamaConfig
from tutor.embedding.served import OllamaEmbedder
from tutor.ending import GivenUp, given_up_when
from tutor.errors import EmbedderError
from tutor.llm import OllamaChat

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder

    Answer = tuple[int, str | bytes]
    Reply = Callable[[str, dict[str, Any]], Answer]

TAGS = {
    "models": [
        {"name": "bge-m3:latest", "model": "bge-m3:latest", "digest": "0123456789abcdef" * 4},
        {"name": "nomic-embed-text:v1.5", "model": "nomic-embed-text:v1.5", "digest": "f" * 64},
    ]
}


class Server:
    """A double of Ollama; `requests` are the bodies posted to it, `asked` counts all requests."""

    def __init__(self, reply: Reply, headers: Mapping[str, str]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.asked = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _answer(self, body: dict[str, Any]) -> None:
                outer.asked += 1
                status, text = reply(self.path, body)
                data = text.encode() if isinstance(text, str) else text
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                with suppress(OSError):  # a client that has had enough
                    self.wfile.write(data)

            def do_GET(self) -> None:
                self._answer({})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.requests.append(body)
                self._answer(body)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@contextmanager
def serving(reply: Reply, headers: Mapping[str, str] | None = None) -> Iterator[Server]:
    server = Server(reply, headers or {})
    try:
        yield server
    finally:
        server.close()


def embeddings(path: str, body: dict[str, Any]) -> Answer:
    """Vectors (length, 2, 0), not normalised."""
    if path == "/api/tags":
        return 200, json.dumps(TAGS)
    rows = [[len(text), 2.0, 0.0] for text in body["input"]]
    return 200, json.dumps({"model": body["model"], "embeddings": rows, "total_duration": 1})


def test_what_the_port_promises() -> None:
    with serving(embeddings) as server:
        embedder = OllamaEmbedder(OllamaConfig(host=server.host), "bge-m3", batch_size=2)
        port: Embedder = embedder
        assert port.identity == "ollama/bge-m3:latest@0123456789ab"
        assert port.device == server.host
        assert port.dim == 3
        rows = port.embed_passages(["a", "bb", "ccc"])
        assert port.embed_queries([]).shape == (0, 3)
    assert rows.dtype == np.float32
    expected = np.array([[1, 2, 0], [2, 2, 0], [3, 2, 0]])
    expected = expected / np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert [body["input"] for body in server.requests] == [["a"], ["a", "bb"], ["ccc"]]


def test_prefixes_and_truncation_are_sent() -> None:
    with serving(embeddings) as server:
        embedder = OllamaEmbedder(OllamaConfig(host=server.host), "nomic-embed-text:v1.5")
        embedder.embed_queries(["¿qué?"])
        embedder.embed_passages(["esto", "\ud800"])
    assert server.requests == [
        {
            "model": "nomic-embed-text:v1.5",
            "input": ["search_query: ¿qué?"],
            "truncate": True,
        },
        {
            "model": "nomic-embed-text:v1.5",
            "input": ["search_document: esto", "search_document: \ufffd"],
            "truncate": True,
        },
    ]


@pytest.mark.parametrize(
    ("status", "body", "message", "remedy"),
    [
        (
            404,
            '{"error":"model \\"bge-m3\\" not found, try pulling it first"}',
            "`bge-m3` is not on the Ollama server",
            "pull bge-m3",
        ),
        (
            501,
            '{"error":"This server does not support embeddings. Start it with `--embeddings`"}',
            "bge-m3 does not make embeddings",
            "ollama pull",
        ),
        (
            400,
            '{"error":"the input length exceeds the context length"}',
            "longer than the model's context",
            "num_ctx",
        ),
        (500, '{"error":"no memory"}', r"failed with the model bge-m3 \(500\): no memory", "log"),
        (404, "404 page not found", "not Ollama", "OLLAMA_HOST"),
        (403, "", "refuses requests", "OLLAMA_HOST"),
        (200, "<html>", "not Ollama", "OLLAMA_HOST"),
        (200, "[1]", "not Ollama", "OLLAMA_HOST"),
        (200, '{"model":"bge-m3","embeddings":[]}', "does not speak", "Update"),
        (200, '{"model":"bge-m3","embeddings":"no"}', "does not speak", "Update"),
        (200, '{"model":"bge-m3","embeddings":[[1,2],[1]]}', "does not speak", "Update"),
        (200, '{"model":"bge-m3","embeddings":[[],[]]}', "does not speak", "Update"),
        (200, '{"model":"bge-m3","embeddings":[[0,0],[1,0]]}', "without direction", "device"),
        (200, b"\xff\xfe", "not Ollama", "OLLAMA_HOST"),
    ],
)
def test_what_the_server_does_wrong_is_an_error_with_a_remedy(
    status: int, body: str | bytes, message: str, remedy: str
) -> None:
    with (
        serving(lambda path, asked: (status, body)) as server,
        pytest.raises(EmbedderError, match=message) as caught,
    ):
        OllamaEmbedder(OllamaConfig(host=server.host), "bge-m3").embed_passages(["a", "b"])
    assert remedy in caught.value.remedy


def test_a_model_that_the_server_lacks_has_no_identity() -> None:
    with serving(embeddings) as server, pytest.raises(EmbedderError) as caught:
        _ = OllamaEmbedder(OllamaConfig(host=server.host), "embeddinggemma").identity
    assert "pull embeddinggemma" in caught.value.remedy


def test_no_server() -> None:
    with serving(embeddings) as server:
        pass
    with pytest.raises(EmbedderError, match="does not answer") as caught:
        OllamaEmbedder(OllamaConfig(host=server.host)).embed_queries(["a"])
    assert "ollama serve" in caught.value.remedy


def test_a_proxy_is_not_asked_for_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(embeddings) as server:
        assert OllamaEmbedder(OllamaConfig(host=server.host)).embed_queries(["a"]).shape == (1, 3)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_text_follows_a_redirect(status: int) -> None:
    with serving(embeddings) as elsewhere:
        to = {"Location": f"{elsewhere.host}/api/embed?\x9b31m"}
        with serving(lambda path, body: (status, ""), to) as server:
            embedder = OllamaEmbedder(OllamaConfig(host=server.host))
            for ask in (embedder.load, lambda: embedder.embed_passages(["a"])):
                with pytest.raises(EmbedderError, match="leads elsewhere") as caught:
                    ask()
                assert f"{elsewhere.host}/api/embed?31m" in caught.value.message
                assert "ollama.host" in caught.value.remedy
            with pytest.raises(EmbedderError, match="leads elsewhere"):
                _ = embedder.identity
    assert elsewhere.asked == 0
    assert len(server.requests) == 2


def test_a_silent_server_is_given_up() -> None:
    answered = threading.Event()

    def silent(path: str, body: dict[str, Any]) -> Answer:
        answered.wait(10)
        return embeddings(path, body)

    with serving(silent) as server:
        embedder = OllamaEmbedder(OllamaConfig(host=server.host, silence_timeout_s=0.1))
        started = time.monotonic()
        with pytest.raises(EmbedderError, match=r"no sign of life for 0\.1 s"):
            embedder.embed_queries(["a"])
        assert time.monotonic() - started < 10
        answered.set()


def test_nobody_has_to_wait_for_a_server_that_hangs() -> None:
    answered = threading.Event()

    def hanging(path: str, body: dict[str, Any]) -> Answer:
        answered.wait(30)
        return embeddings(path, body)

    with serving(hanging) as server:
        embedder = OllamaEmbedder(OllamaConfig(host=server.host))
        started = time.monotonic()
        with given_up_when(lambda: bool(server.asked)), pytest.raises(GivenUp):
            embedder.embed_queries(["a"])
        assert time.monotonic() - started < 20
        answered.set()


@pytest.mark.parametrize(
    ("content", "headers"),
    [
        (b" " * (65 * 2**20), {}),
        (gzip.compress(b" " * 10**7), {"Content-Encoding": "gzip"}),
    ],
    ids=["many megabytes", "a bomb"],
)
def test_an_answer_that_is_too_long_is_refused(content: bytes, headers: dict[str, str]) -> None:
    with (
        serving(lambda _path, _body: (200, content), headers) as server,
        pytest.raises(EmbedderError, match="not Ollama"),
    ):
        OllamaEmbedder(OllamaConfig(host=server.host)).embed_queries(["a"])


def test_vectors_that_change_their_length_are_refused() -> None:
    lengths = iter((3, 4))
    reply = json.dumps
    with serving(
        lambda _path, _body: (200, reply({"embeddings": [[1.0] * next(lengths)]}))
    ) as server:
        embedder = OllamaEmbedder(OllamaConfig(host=server.host))
        assert embedder.dim == 3
        with pytest.raises(EmbedderError, match="/api/embed"):
            embedder.embed_queries(["a"])


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "ftp://x", "nonsense://"])
def test_a_proxy_that_cannot_be_used_is_said(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, proxy)
    with pytest.raises(EmbedderError, match="proxy"):
        OllamaEmbedder(OllamaConfig(host="http://ollama.example:11434")).embed_queries(["a"])
    error = OllamaChat(OllamaConfig(host="http://ollama.example:11434")).why_not()
    assert error is not None
    assert "proxy" in error.message
