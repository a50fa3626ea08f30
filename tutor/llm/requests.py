"""HTTP requests to Ollama: whole answers, and streams that never block who listens."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from tutor.errors import EngineError
from tutor.listening import THIS_MACHINE, unusable_proxy
from tutor.llm.failures import (
    ended_early,
    explained,
    not_ollama,
    parsed,
    refused,
    silent,
)

if TYPE_CHECKING:
    from tutor.config import OllamaConfig

LOOK_UP_S = 10.0
"""Longest silence while a figure is looked up: a busy server answers in a tenth of a second."""
_LOOK_UP_IN_ALL_S = 30.0
_MOST_BYTES = 8 * 2**20
"""Of an answer that comes whole: a library of ten thousand models is listed in 4 MB."""
_LONGEST_LINE = 2**20
"""Bytes; a line holds a token, or the server's figures."""
_MOST_WAITING = 256
"""Records that are read before anybody asks for them; the server waits then."""
_PATIENCE_S = 0.25
_JOIN_S = 1.0
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")


class Connection:
    """The way to end, from any thread, a connection on which another thread waits.

    Closing httpx's response elsewhere would wait for its reader, so the socket is shut down:
    the reader wakes up, and the server sees that nobody listens any more.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.ended = False

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The `trace` extension of httpx: it tells of the socket once there is one."""
        if event.endswith(_CONNECTED):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
                if self.ended:
                    self._shut()

    def end(self) -> None:
        """End the connection now, or as soon as there is one."""
        with self._lock:
            self.ended = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # closed already, by either side
                # Not the method of `SSLSocket`, which takes the reader's TLS state away.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def open_client(settings: OllamaConfig, silence_s: float) -> httpx.Client:
    """A client for the server's address; nothing is sent yet. Raises `EngineError`."""
    # Reading the machine's certificates costs some 50 ms, which plain HTTP need not pay.
    secure = settings.host.startswith("https:")
    make = partial(
        httpx.Client,
        base_url=settings.host,
        timeout=httpx.Timeout(silence_s, connect=settings.connect_timeout_s),
        # A proxy set in the environment cannot reach this machine's own address.
        trust_env=urlsplit(settings.host).hostname not in THIS_MACHINE,
        verify=True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        # A few compressed bytes can become gigabytes.
        headers={"Accept-Encoding": "identity"},
    )
    try:
        return make()
    except (ValueError, ImportError) as error:
        raise unusable_proxy(EngineError, error) from error


def ask(
    client: httpx.Client,
    settings: OllamaConfig,
    path: str,
    body: Mapping[str, Any] | None = None,
    connection: Connection | None = None,
) -> dict[str, Any]:
    """The JSON object that the server answers: GET without a `body`, else POST.

    Raises `EngineError`, also where the answer is too long or does not end in time.
    """
    extensions = {"trace": connection.trace} if connection else {}
    method = "GET" if body is None else "POST"
    silence_s = min(client.timeout.read or LOOK_UP_S, LOOK_UP_S)
    timeout = httpx.Timeout(silence_s, connect=settings.connect_timeout_s)
    with (
        explained(settings.host, silence_s),
        client.stream(method, path, json=body, extensions=extensions, timeout=timeout) as response,
    ):
        content = _whole(response, settings.host)
        if not response.is_success:
            model = str((body or {}).get("model", settings.model))
            raise refused(response, content.decode(errors="replace"), model, settings.host)
    return _record(content)


class StreamedRequest:
    """A POST whose answer comes in lines of JSON, read in a thread of its own.

    `body` is called in that thread, so that it may ask the server first. Records, and an
    `EngineError` at the end of a stream that failed, are fetched with `next`. `end` ends the
    connection at once, whatever the thread is doing.
    """

    def __init__(
        self,
        settings: OllamaConfig,
        path: str,
        model: str,
        body: Callable[[httpx.Client, Connection], Mapping[str, Any]],
    ) -> None:
        self._settings = settings
        self._path = path
        self._model = model
        self._body = body
        self._connection = Connection()
        self._arrived: queue.Queue[dict[str, Any] | EngineError] = queue.Queue(_MOST_WAITING)
        self.sent = threading.Event()
        """The request is about to reach the server, or never will."""
        self.answering = threading.Event()
        """The first record has come, or there will be none."""
        self._thread = threading.Thread(target=self._run, name="ollama", daemon=True)
        self._thread.start()

    def next(self, timeout_s: float) -> dict[str, Any] | None:
        """The next record, or None if none comes within `timeout_s`.

        Raises `EngineError`, also when the stream is over: the caller knows its last record.
        """
        try:
            item = self._arrived.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if isinstance(item, EngineError):
            raise item
        return item

    def end(self) -> None:
        """End the connection; its thread is gone upon return unless it is still connecting."""
        self._connection.end()
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        failure = ended_early()
        try:
            self._read()
        except EngineError as error:
            failure = error
        finally:
            self._hand_over(failure)
            self.answering.set()
            self.sent.set()

    def _read(self) -> None:
        silence_s = self._settings.silence_timeout_s
        with open_client(self._settings, silence_s) as client:
            body = self._body(client, self._connection)
            self.sent.set()
            if self._connection.ended:
                return
            with (
                explained(self._settings.host, silence_s),
                client.stream(
                    "POST",
                    self._path,
                    json=body,
                    extensions={"trace": self._connection.trace},
                ) as response,
            ):
                if not response.is_success:
                    content = _whole(response, self._settings.host).decode(errors="replace")
                    raise refused(response, content, self._model, self._settings.host)
                for line in _lines(response, self._settings.host, silence_s):
                    self._hand_over(_record(line))
                    self.answering.set()

    def _hand_over(self, item: dict[str, Any] | EngineError) -> None:
        """Wait until there is room for it, or nobody listens any more."""
        while not self._connection.ended:
            with suppress(queue.Full):
                self._arrived.put(item, timeout=_PATIENCE_S)
                return


def _pieces(response: httpx.Response) -> Iterator[bytes]:
    """What arrives. Raises `EngineError` for what is compressed, which nobody asked for."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding != "identity":
        raise not_ollama(f"Content-Encoding: {encoding}")
    yield from response.iter_raw()


def _whole(response: httpx.Response, host: str) -> bytes:
    """The body of an answer that is not streamed, of a refusal too."""
    content, until = b"", time.monotonic() + _LOOK_UP_IN_ALL_S
    for piece in _pieces(response):
        content += piece
        if len(content) > _MOST_BYTES:
            raise not_ollama(content[:80].decode(errors="replace"))
        if time.monotonic() > until:
            raise silent(host, _LOOK_UP_IN_ALL_S)
    return content


def _lines(response: httpx.Response, host: str, silence_s: float) -> Iterator[bytes]:
    """Lines that are not blank, split at line feeds only.

    httpx's own `iter_lines` also splits at U+0085 and U+2028, which JSON allows in a string.
    Blank lines and pieces of a line are no signs of life.
    """
    rest, heard = b"", time.monotonic()
    for piece in _pieces(response):
        *lines, rest = (rest + piece).split(b"\n")
        if max(map(len, (rest, *lines))) > _LONGEST_LINE:
            raise not_ollama(max((rest, *lines), key=len)[:80].decode(errors="replace"))
        for line in lines:
            if line.strip():
                yield line
                heard = time.monotonic()
        if time.monotonic() - heard > silence_s:
            raise silent(host, silence_s)
    if rest.strip():
        yield rest


def _record(line: bytes) -> dict[str, Any]:
    text = line.decode(errors="replace")
    record = parsed(text)
    if not isinstance(record, dict):
        raise not_ollama(text)
    return record
