"""A server that sends too much, or never comes to an end, costs a bounded time and memory."""

from __future__ import annotations

import gzip
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat

import pytest

from tutor.config import OllamaConfig
from tutor.errors import EngineError
from tutor.events import Token
from tutor.llm import OllamaChat, OllamaServer
from tutor.llm.requests import ask
from tutor.model import Message, Usage

ASKED = (Message("user", "¿Qué es una red neuronal?"),)
SHOWN = json.dumps({"capabilities": ["completion"], "model_info": {}}).encode()
LONGEST = 20
_HEAD = b"HTTP/1.1 %s\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n%s\r\n"


class Misbehaving:
    """What a server does: heads and pieces by path, sent until its client leaves; `sent` bytes."""

    def __init__(self) -> None:
        self.replies: dict[str, tuple[bytes, bytes, Callable[[], Iterator[bytes]]]] = {}
        self.host = ""
        self.sent = 0
        self.pause_s = 0.0

    def will(
        self, path: str, pieces: Callable[[], Iterator[bytes]], status: bytes = b"200 OK",
        head: bytes = b"",
    ) -> None:  # fmt: skip
        self.replies[path] = status, head, pieces

    def serve(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(65536)
            path = request.split(b" ", 2)[1].decode()
            length = re.search(rb"(?i)content-length: (\d+)", request)
            missing = int(length[1]) if length else 0
            missing -= len(request.partition(b"\r\n\r\n")[2])
            while missing > 0:  # what is not read would break the connection off
                missing -= len(connection.recv(65536))
            status, head, pieces = self.replies.get(path, (b"200 OK", b"", lambda: iter([b"{}"])))
            connection.sendall(_HEAD % (status, head))
            for piece in pieces():
                connection.sendall(piece)
                self.sent += len(piece)
                time.sleep(self.pause_s)


@contextmanager
def misbehaving() -> Iterator[Misbehaving]:
    server = Misbehaving()
    server.will("/api/show", lambda: iter([SHOWN]))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server.host = f"http://127.0.0.1:{listening.getsockname()[1]}"

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection, _address = listening.accept()
                    threading.Thread(target=server.serve, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield server


@pytest.fixture
def server() -> Iterator[Misbehaving]:
    with misbehaving() as running:
        yield running


def _settings(server: Misbehaving, silence_s: float = 20.0) -> OllamaConfig:
    return OllamaConfig(host=server.host, num_predict=LONGEST, silence_timeout_s=silence_s)


def _said(server: Misbehaving, silence_s: float = 20.0) -> tuple[str, Usage]:
    """The whole answer, and how it ended."""
    stream = OllamaChat(_settings(server, silence_s)).stream(ASKED)
    text = ""
    while True:
        try:
            event = next(stream)
        except StopIteration as end:
            return text, end.value
        text += event.text if isinstance(event, Token) else ""


def _record(**message: str) -> bytes:
    return json.dumps({"message": {"role": "assistant", **message}}).encode() + b"\n"


@pytest.mark.parametrize(
    ("record", "kept"),
    [
        (_record(content="palabra "), "palabra "),
        (_record(thinking="hmm "), ""),
        (_record(content=""), ""),
        (b'{"done": false}\n', ""),
    ],
    ids=["words", "thinking", "empty words", "empty records"],
)
def test_an_answer_without_end_is_cut_where_it_should_have_ended(
    server: Misbehaving, record: bytes, kept: str
) -> None:
    server.will("/api/chat", lambda: repeat(record * 100))
    text, usage = _said(server)
    assert usage.reason == "length"
    assert text.startswith(kept * LONGEST)
    assert len(text) <= 100 * len(kept)
    assert server.sent < 30 * 2**20  # what fits into buffers on the way


def test_a_word_of_megabytes_is_cut_and_what_came_before_is_kept(server: Misbehaving) -> None:
    words = [_record(content="Una red. "), _record(content="x" * 500_000)]
    server.will("/api/chat", lambda: iter(words))
    assert _said(server)[0] == "Una red. "


@pytest.mark.parametrize(
    "pieces",
    [lambda: repeat(b"x" * 65536), lambda: iter([_record(content="y" * 2 * 2**20)])],
    ids=["without a line feed", "one line"],
)
def test_a_line_that_is_too_long_is_refused(
    server: Misbehaving, pieces: Callable[[], Iterator[bytes]]
) -> None:
    server.will("/api/chat", pieces)
    with pytest.raises(EngineError, match="not Ollama"):
        _said(server)


@pytest.mark.parametrize("piece", [b"\n", b" "], ids=["blank lines", "a line that never ends"])
def test_a_trickle_of_nothing_is_silence(server: Misbehaving, piece: bytes) -> None:
    server.pause_s = 0.05
    server.will("/api/chat", lambda: repeat(piece))
    with pytest.raises(EngineError, match=r"no sign of life for 0\.5 s"):
        _said(server, silence_s=0.5)


@pytest.mark.parametrize("path", ["/api/show", "/api/chat"])
def test_a_refusal_without_end_is_bounded(server: Misbehaving, path: str) -> None:
    server.will(path, lambda: repeat(b"error " * 10_000), status=b"500 Broken")
    with pytest.raises(EngineError):
        _said(server)
    assert server.sent < 30 * 2**20


def test_figures_without_end_are_bounded(server: Misbehaving) -> None:
    server.will("/api/tags", lambda: repeat(b'{"models": "' + b"x" * 65536))
    with pytest.raises(EngineError, match="not Ollama"):
        OllamaServer(_settings(server)).models()
    assert server.sent < 30 * 2**20


def test_a_bomb_is_not_unpacked(server: Misbehaving) -> None:
    bomb = gzip.compress(b"\0" * 10**7)
    server.will("/api/tags", lambda: iter([bomb]), head=b"Content-Encoding: gzip\r\n")
    with pytest.raises(EngineError, match="gzip"):
        OllamaServer(_settings(server)).models()


def test_figures_that_trickle_are_given_up(server: Misbehaving) -> None:
    server.pause_s = 0.05
    server.will("/api/tags", lambda: repeat(b" "))
    with pytest.raises(EngineError, match=r"no sign of life for 0\.5 s"):
        ask(_settings(server), "/api/tags", in_all_s=0.5)


def test_who_stops_listening_stops_a_flood(server: Misbehaving) -> None:
    server.will("/api/chat", lambda: repeat(_record(content="palabra ") * 1000))
    stream = OllamaChat(_settings(server)).stream(ASKED)
    while not isinstance(next(stream), Token):
        pass
    stream.close()
    alive = [one for one in threading.enumerate() if one.name == "ollama"]
    assert not alive
