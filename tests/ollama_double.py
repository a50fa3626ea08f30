"""A server on this machine that speaks Ollama's protocol as recorded from a real one.

It answers by the body of the request: a model that is not there is refused as the real server
does, and the named behaviours (a refusal, a death in mid-answer, an endless answer) are chosen
by the model's name.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWER = "Una red neuronal es un modelo formado por capas [1]. Aprende ajustando pesos [2][9]."
BEHAVIOURS = ("good", "cut", "dies", "overflow", "garbage", "endless", "empty", "hangs-up")


class OllamaDouble:
    """What was asked of the server (`chats`), and whether a client left in mid-answer."""

    def __init__(self) -> None:
        self.chats: list[dict[str, Any]] = []
        self.abandoned = threading.Event()
        self.host = ""


@contextmanager
def ollama_double() -> Iterator[OllamaDouble]:
    """A running server; `host` is its address."""
    double = OllamaDouble()

    class Handler(_Handler):
        state = double

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    double.host = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: OllamaDouble

    def log_message(self, *_arguments: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path != "/api/tags":
            self._whole(404, b"404 page not found", "text/plain")
            return
        models = [{"name": f"{name}:latest", "model": f"{name}:latest"} for name in BEHAVIOURS]
        self._whole(200, json.dumps({"models": models}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.state.chats.append(body)
        model = body["model"].removesuffix(":latest")
        if self.path != "/api/chat" or model not in BEHAVIOURS:
            self._whole(404, json.dumps({"error": f"model '{model}' not found"}).encode())
        elif model == "overflow":
            assert body["truncate"] is False
            inner = {"code": 400, "message": "request (9 tokens) exceeds the available context"}
            error = json.dumps({"error": {**inner, "type": "exceed_context_size_error"}})
            self._whole(400, json.dumps({"error": error}).encode())
        else:
            self._stream(model)

    def _stream(self, model: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for line in _lines(model):
                self._chunk(line)
            if model == "hangs-up":
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self._chunk(b"")
        except OSError:
            self.state.abandoned.set()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _whole(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _lines(model: str) -> Iterator[bytes]:
    if model == "garbage":
        yield b"<html>\x1b[31mnot Ollama</html>\n"
        return
    words = "" if model == "empty" else ANSWER
    while True:
        for word in words.split(" "):
            yield _line(model, {"message": {"role": "assistant", "content": f"{word} "}})
        if model != "endless":
            break
        time.sleep(0.01)
    if model == "dies":
        error = "an error was encountered while running the model: unexpected EOF"
        yield (json.dumps({"error": error}) + "\n").encode()
    elif model != "hangs-up":
        reason = "length" if model == "cut" else "stop"
        end = {"done": True, "done_reason": reason, "prompt_eval_count": 9, "eval_count": 9}
        yield _line(model, {"message": {"role": "assistant", "content": ""}, **end})


def _line(model: str, record: dict[str, Any]) -> bytes:
    common = {"model": model, "created_at": "2026-01-01T00:00:00Z", "done": False}
    return (json.dumps({**common, **record}) + "\n").encode()
