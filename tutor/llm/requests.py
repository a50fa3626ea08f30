"""HTTP requests to Ollama: whole answers, and streams that never block who listens."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import httpx

from tutor.errors import EngineError
from tutor.llm.failures import ended_early, explained, not_ollama, parsed, refused

if TYPE_CHECKING:
    from tutor.config import OllamaConfig

_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
_MAX_LINE_BYTES = 8 * 1024 * 1024
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
    """A client for the server's address; nothing is sent yet."""
    # Reading the machine's certificates costs some 50 ms, which plain HTTP need not pay.
    secure = settings.host.startswith("https:")
    return httpx.Client(
        base_url=settings.host,
        timeout=httpx.Timeout(silence_s, connect=settings.connect_timeout_s),
        # A proxy set in the environment cannot reach this machine's own address.
        trust_env=urlsplit(settings.host).hostname not in _THIS_MACHINE,
        verify=True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
    )


def ask(
    client: httpx.Client,
    settings: OllamaConfig,
    path: str,
    body: Mapping[str, Any] | None = None,
    connection: Connection | None = None,
) -> dict[str, Any]:
    """The JSON object that the server answers: GET without a `body`, else POST.

    Raises `EngineError`.
    """
    extensions = {"trace": connection.trace} if connection else {}
    method = "GET" if body is None else "POST"
    with explained(settings.host, client.timeout.read or 0.0):
        response = client.request(method, path, json=body, extensions=extensions)
    if not response.is_success:
        model = str((body or {}).get("model", settings.model))
        raise refused(response, model, settings.host)
    return _record(response.content)


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
        self._arrived: queue.SimpleQueue[dict[str, Any] | EngineError] = queue.SimpleQueue()
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
            self._arrived.put(failure)
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
                    response.read()
                    raise refused(response, self._model, self._settings.host)
                for line in _lines(response):
                    self._arrived.put(_record(line))
                    self.answering.set()


def _lines(response: httpx.Response) -> Iterator[bytes]:
    """Lines that are not blank, split at line feeds only.

    httpx's own `iter_lines` also splits at U+0085 and U+2028, which JSON allows in a string.
    """
    rest = b""
    for piece in response.iter_bytes():
        *lines, rest = (rest + piece).split(b"\n")
        if len(rest) > _MAX_LINE_BYTES:
            raise not_ollama(rest[:80].decode(errors="replace"))
        yield from (line for line in lines if line.strip())
    if rest.strip():
        yield rest


def _record(line: bytes) -> dict[str, Any]:
    text = line.decode(errors="replace")
    record = parsed(text)
    if not isinstance(record, dict):
        raise not_ollama(text)
    return record
