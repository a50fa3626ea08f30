"""A server on this machine that speaks Ollama's protocol as recorded from a real one.

It answers by the body of the request: the model's name picks how (`tests.ollama_replies.MODELS`),
or a function of the messages does, given as `answer`. It counts tokens (three characters each),
refuses or cuts what does not fit, reloads a model when `num_ctx` changes, reads a prompt's
unchanged beginning for nothing, and notices when its client leaves.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, TypeAlias

from tests.ollama_replies import (
    ANSWER,
    DIED,
    MODELS,
    NANOSECONDS_PER_TOKEN,
    Model,
    Reply,
    in_memory,
    line,
    listed,
    message,
    obeying,
    overflow,
    pieces,
    prompt_text,
    pull_records,
    shared_tokens,
    shown,
    tokens,
)

if TYPE_CHECKING:
    Answerer: TypeAlias = Callable[[list[dict[str, str]]], str | Reply]

__all__ = ["ANSWER", "Model", "OllamaDouble", "Reply", "ollama_double"]

_LOOK_S = 0.01


class _Left(Exception):
    """The client closed the connection."""


class OllamaDouble:
    """A server's state, and what was asked of it.

    `requests` are (path, body) in order, `chats` the bodies of the chats among them, `loads` the
    (model, num_ctx) that were loaded. `abandoned` is set when a client leaves before its answer
    is complete, `aborted` when that stopped a model from being loaded. `finish_loading` lets the
    loads that take long finish at once.
    """

    def __init__(self, models: Mapping[str, Model], answer: Answerer | None) -> None:
        self.host = ""
        self.models = {_tagged(name): model for name, model in models.items()}
        self.answer = answer
        self.requests: list[tuple[str, Any]] = []
        self.chats: list[dict[str, Any]] = []
        self.loads: list[tuple[str, int]] = []
        self.memory: dict[str, int] = {}
        self.prompts: dict[str, str] = {}
        self.abandoned = threading.Event()
        self.aborted = threading.Event()
        self.finish_loading = threading.Event()
        self.closing = threading.Event()
        self.redirect_to = ""
        self.foreign_host = ""


@contextmanager
def ollama_double(
    answer: Answerer | None = None, models: Mapping[str, Model] = MODELS, port: int = 0
) -> Iterator[OllamaDouble]:
    """A running server; `host` is its address, `port` is free where 0.

    `answer` gets the messages of a chat and gives the text, or a whole `Reply`; without it the
    model's own reply is sent.
    """
    double = OllamaDouble(models, answer)

    class Handler(_Handler):
        state = double

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    double.host = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield double
    finally:
        double.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: OllamaDouble

    def log_message(self, *_arguments: object) -> None:  # pyrefly: ignore[bad-override]
        pass

    def do_GET(self) -> None:
        self._answered(self._get)

    def do_POST(self) -> None:
        self._answered(self._post)

    def _answered(self, method: Callable[[], None]) -> None:
        state = self.state
        try:
            if state.redirect_to:
                self._whole(307, b"", location=state.redirect_to)
            elif state.foreign_host and self.headers["Host"].startswith(state.foreign_host):
                self._whole(403, b"")
            else:
                method()
        except (_Left, OSError):
            state.abandoned.set()
            self.close_connection = True

    def _get(self) -> None:
        state = self.state
        if self.path == "/api/version":
            self._json({"version": "0.33.0"})
        elif self.path == "/api/tags":
            self._json({"models": [listed(name, model) for name, model in state.models.items()]})
        elif self.path == "/api/ps":
            loaded = list(state.memory.items())
            self._json({"models": [in_memory(n, state.models[n], ctx) for n, ctx in loaded]})
        else:
            self._whole(404, b"404 page not found", "text/plain")

    def _post(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.state.requests.append((self.path, body))
        name = _tagged(str(body.get("model") or ""))
        if self.path == "/api/pull":
            self._pull(name)
            return
        if self.path == "/api/chat":
            self.state.chats.append(body)
        model = self.state.models.get(name)
        if model is None:
            self._error(404, f"model '{body.get('model')}' not found")
        elif self.path == "/api/show":
            self._json(shown(model))
        elif self.path == "/api/chat":
            self._chat(name, model, body)
        else:
            self._whole(404, b"404 page not found", "text/plain")

    def _chat(self, name: str, model: Model, body: dict[str, Any]) -> None:
        if "completion" not in model.capabilities:
            self._error(400, f'"{name}" does not support chat')
            return
        num_ctx = int(body.get("options", {}).get("num_ctx", 4096))
        self._load(name, model, min(num_ctx, model.context))
        text = prompt_text(body["messages"])
        count = tokens(text)
        if count > num_ctx:
            alone = sum(m["role"] != "system" for m in body["messages"]) == 1
            if body.get("truncate") is False or (alone and not model.template):
                self._error(400, overflow(model, count, num_ctx))
                return
            count = num_ctx // 2 + 2
        reply = self._reply(model, body)
        self._wait(reply.reading_s)
        known = shared_tokens(text, self.state.prompts.get(name, ""))
        self.state.prompts[name] = text
        duration = max(1, count - known) * NANOSECONDS_PER_TOKEN
        if reply.status != 200:
            self._error(reply.status, reply.text)
            return
        longest = min(int(body.get("options", {}).get("num_predict", 10**9)), num_ctx - count)
        figures = {"prompt_eval_count": count, "prompt_eval_duration": duration}
        self._stream(name, reply, longest, figures)

    def _load(self, name: str, model: Model, num_ctx: int) -> None:
        state = self.state
        if state.memory.get(name) == num_ctx:
            return
        state.memory.pop(name, None)
        try:
            self._wait(model.load_s, until=state.finish_loading)
        except _Left:
            state.aborted.set()
            raise
        state.memory[name] = num_ctx
        state.loads.append((name, num_ctx))

    def _reply(self, model: Model, body: dict[str, Any]) -> Reply:
        schema = body.get("format")
        if self.state.answer is not None:
            said = self.state.answer(body["messages"])
            return said if isinstance(said, Reply) else Reply(said)
        if isinstance(schema, dict):
            return Reply(json.dumps(obeying(schema), ensure_ascii=False))
        return model.reply

    def _stream(self, name: str, reply: Reply, longest: int, figures: dict[str, int]) -> None:
        self._begin_stream()
        if reply.raw:
            self._chunk(reply.raw)
            self._chunk(b"")
            return
        sent = 0
        for record in self._records(name, reply):
            if sent == longest:
                break
            sent += 1
            self._wait(reply.token_s)
            self._chunk(line(record))
        reason = "length" if sent == longest else "stop"
        if reply.end == "silence":
            self._wait(3600.0)
        elif reply.end == "hang up":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        elif reply.end == "error":
            self._chunk(line({"error": DIED}))
        else:
            times = {"load_duration": 1000, "eval_count": sent, "eval_duration": sent * 10**7}
            end = {"done": True, "done_reason": reason, **times, **figures}
            self._chunk(line(message(name, "", end=end)))
        self._chunk(b"")

    def _records(self, name: str, reply: Reply) -> Iterator[dict[str, Any]]:
        for piece in pieces(reply.thinking):
            yield message(name, "", thinking=piece)
        while True:
            for piece in pieces(reply.text):
                yield message(name, piece)
            if reply.end != "endless":
                break

    def _pull(self, name: str) -> None:
        self._begin_stream()
        for record in pull_records(name):
            if record.get("status") == "success":
                self.state.models[name] = Model()
            self._chunk(line(record))
            self._wait(_LOOK_S if name.startswith("huge:") else 0.0)
        self._chunk(b"")

    def _wait(self, seconds: float, until: threading.Event | None = None) -> None:
        """Let time pass, unless the client leaves."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not (until and until.is_set()):
            ready, _write, _broken = select.select([self.connection], [], [], min(left, _LOOK_S))
            gone = bool(ready) and not self.connection.recv(1, socket.MSG_PEEK)
            if gone or self.state.closing.is_set():
                raise _Left

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _error(self, status: int, reason: str) -> None:
        self._whole(status, json.dumps({"error": reason}).encode())

    def _json(self, record: object) -> None:
        self._whole(200, json.dumps(record).encode())

    def _whole(
        self, status: int, body: bytes, kind: str = "application/json", location: str = ""
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)


def _tagged(name: str) -> str:
    return name if ":" in name or not name else f"{name}:latest"
