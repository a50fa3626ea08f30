"""Stands in for SerpAPI's HTTP endpoint: its documented replies, and strange ones.

Status codes and error texts are those of https://serpapi.com/api-status-and-error-codes and
https://serpapi.com/search-errors; the key `GOOD_KEY` is accepted. What it answers depends on the
question's first word (`SCRIPTS`).
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

GOOD_KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
DONE = {"search_metadata": {"id": "1", "status": "Success"}, "search_parameters": {}}
ORGANIC = [
    {
        "position": 1,
        "title": "Transformer (modelo de aprendizaje automático)",
        "link": "https://es.wikipedia.org/wiki/Transformador_(aprendizaje)",
        "displayed_link": "https://es.wikipedia.org › wiki",
        "snippet": "Un transformador es una arquitectura basada en la atención.",
        "source": "Wikipedia",
    },
    {
        "position": 2,
        "title": "Attention Is All You Need",
        "link": "https://arxiv.org/abs/1706.03762",
        "snippet": "The dominant sequence transduction models are based on ...",
        "source": "arXiv",
    },
    {"position": 3, "title": "Without a snippet", "link": "https://www.example.org/x"},
]
HOSTILE = [
    {"title": "Script", "link": "javascript:alert(1)", "snippet": "x"},
    {"title": "Host", "link": "https://example.org@evil.example/", "snippet": "x"},
    {"title": "No link", "snippet": "x"},
    {"title": ["a", "list"], "link": "https://one.example/", "snippet": {"a": 1}},
    7,
    None,
    {
        "title": "<b>Bold</b> \x1b]8;;http://evil.example\x07here\x1b]8;;\x07 \u202egpj.exe",
        "link": "https://two.example/a",
        "snippet": "\x1b[2J<script>steal()</script>](http://evil.example) &lt;img src=x&gt;\r\nb",
        "source": "x" * 5000,
    },
    {"title": "Again", "link": "http://www.two.example/a/#part", "snippet": "the same page"},
    {"title": "long " * 5000, "link": "https://three.example/", "snippet": "s" * 100_000},
]


def _found(*organic: object, **others: object) -> dict[str, Any]:
    return {**DONE, **others, "organic_results": list(organic)}


SCRIPTS: dict[str, tuple[int, object]] = {
    "valid": (200, _found(*ORGANIC)),
    "hostile": (200, _found(*HOSTILE)),
    "box": (
        200,
        _found(
            *ORGANIC,
            answer_box={
                "type": "organic_result",
                "title": "Perceptron",
                "link": "https://example.org/perceptron",
                "answer": "1958",
                "snippet": "Frank Rosenblatt built it.",
                "list": ["one", "two", 3],
            },
            knowledge_graph={
                "title": "Perceptrón",
                "description": "Un clasificador lineal.",
                "source": {"name": "Wikipedia", "link": "https://es.wikipedia.org/wiki/P"},
            },
        ),
    ),
    "boxless": (
        200,
        _found(
            *ORGANIC,
            answer_box={"type": "calculator_result", "result": "4"},
            knowledge_graph={"title": "No text", "website": "https://example.org/"},
        ),
    ),
    "empty": (
        200,
        {
            **DONE,
            "search_information": {"organic_results_state": "Fully empty"},
            "error": "Google hasn't returned any results for this query.",
        },
    ),
    "none": (200, _found()),
    "badkey": (401, {"error": "Invalid API key. Your API key should be here: https://x"}),
    "badkey200": (200, {"error": "Invalid API key."}),
    "deleted": (403, {"error": "The account has been deleted."}),
    "quota": (429, {"error": "Your account has run out of searches."}),
    "hourly": (429, {"error": "You are exceeding 100 searches per hour."}),
    "outoforder": (503, {"search_metadata": {"status": "Error"}, "error": "try again later"}),
    "down": (502, b"<html>Bad gateway</html>"),
    "refused": (400, {"error": f"Unsupported value <b>x</b> for {GOOD_KEY}.\x1b[31m"}),
    "failed": (200, {"search_metadata": {"status": "Error"}, "error": "Proxy timeout."}),
    "html": (200, b"<html>Log in to the network</html>"),
    "nothing": (200, b""),
    "deep": (200, b"[" * 200_000),
    "bytes": (200, b"\xff\xfe\x00"),
    "list": (200, [1, 2]),
    "null": (200, None),
    "otherwise": (200, {"hello": "world"}),
    "text": (200, {**DONE, "organic_results": "nope"}),
    "numbers": (200, _found(1, 2, [3])),
    "errornumber": (500, {"error": {"code": 1}}),
}


class SerpApiDouble(ThreadingHTTPServer):
    """A local server; `asked` are the parameters of every request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[dict[str, str]] = []
        self.released = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def serpapi() -> Iterator[SerpApiDouble]:
    """A running double."""
    server = SerpApiDouble()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: SerpApiDouble  # pyrefly: ignore[bad-override-mutable-attribute]
    protocol_version = "HTTP/1.1"
    close_connection = True
    special: ClassVar = {"silent", "slow", "cut", "hangup", "endless", "gzip", "redirect"}

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        asked = {name: values[-1] for name, values in parse_qs(address.query).items()}
        self.server.asked.append(asked)
        word = asked.get("q", "").split(" ")[0]
        if address.path != "/search":
            self._send(404, b"{}")
        elif asked.get("api_key") != GOOD_KEY:
            self._send(*_encoded(SCRIPTS["badkey"]))
        elif word in self.special:
            getattr(self, f"_{word}")()
        else:
            self._send(*_encoded(SCRIPTS[word]))

    def _send(self, status: int, body: bytes, *headers: tuple[str, str], length: int = -1) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length < 0 else length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)

    def _silent(self) -> None:
        self.server.released.wait(30)

    def _slow(self) -> None:
        """A drop now and then: no single read ever takes long."""
        self._send(200, b"{", length=1_000_000)
        try:
            while not self.server.released.wait(0.02):
                self.wfile.write(b" ")
        except OSError:
            pass

    def _cut(self) -> None:
        self._send(200, b'{"organic_results": [', length=5000)

    def _hangup(self) -> None:
        """No answer at all."""
        self.close_connection = True

    def _endless(self) -> None:
        self._send(200, b"", length=1 << 40)
        try:
            while not self.server.released.is_set():
                self.wfile.write(b" " * 65536)
        except OSError:
            pass

    def _gzip(self) -> None:
        body = gzip.compress(json.dumps(_found(*ORGANIC)).encode())
        self._send(200, body, ("Content-Encoding", "gzip"))

    def _redirect(self) -> None:
        self._send(302, b"", ("Location", self.path))


def _encoded(script: tuple[int, object]) -> tuple[int, bytes]:
    status, body = script
    return status, body if isinstance(body, bytes) else json.dumps(body).encode()
