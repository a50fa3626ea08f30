"""HTTP requests to Ollama: whole answers, and streams that never block who listens.

Everything is bounded, whatever the server sends: the size of an answer, of a line of a stream, and
the time that either may take.
"""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

from tutor.config import OllamaConfig
from tutor.errors import EngineError
from tutor.listening import THIS_MACHINE
from tutor.llm.failures import (
    ended_early,
    explained,
    not_ollama,
    parsed,
    refused,
    silent,
    unusable_proxy,
)

LOOK_UP_S = 10.0
"""Longest silence while a figure is looked up: a busy server answers in a tenth of a second."""
LOOK_UP_IN_ALL_S = 30.0
_MOST_BYTES = 8 * 2**20
"""Of an answer that comes whole: a library of ten thousand models is listed in 4 MB."""
_LONGEST_LINE = 2**20
"""Bytes; a line holds a token, or the server's figures."""
_MOST_WAITING = 256
"""Records that are read before anybody asks for them; the server waits then."""
_PATIENCE_S = 0.25
_JOIN_S = 1.0
_CONNECTED = ("connect_tcp.complete", "start_tls.complete")


def ask(
    settings: OllamaConfig,
    path: str,
    body: Mapping[str, Any] | None = None,
    *,
    silence_s: float = LOOK_UP_S,
    in_all_s: float = LOOK_UP_IN_ALL_S,
    most_bytes: int = _MOST_BYTES,
) -> dict[str, Any]:
    """The JSON object that the server answers: GET without a `body`, else POST.

    Raises `EngineError`, also where the answer is too long or does not end in time.
    """
    with _response(settings, path, body, silence_s) as response:
        return _record(_whole(response, settings.host, in_all_s, most_bytes))


class StreamedRequest:
    """A POST whose answer comes in lines of JSON, read in a thread of its own.

    Records, and an `EngineError` at the end of a stream that failed, are fetched with `next`. `end`
    ends the connection at once, whatever the thread is doing: closing httpx's response would wait
    for its reader, so the socket is shut down. The reader wakes up then, and the server sees that
    nobody listens any more.
    """

    def __init__(self, settings: OllamaConfig, path: str, body: Mapping[str, Any]) -> None:
        self._settings = settings
        self._path = path
        self._body = body
        self._arrived: queue.Queue[dict[str, Any] | EngineError] = queue.Queue(_MOST_WAITING)
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._ended = False
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
        with self._lock:
            self._ended = True
            self._shut()
        self._thread.join(_JOIN_S)

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The `trace` extension of httpx: it tells of the socket once there is one."""
        if event.endswith(_CONNECTED):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
                if self._ended:
                    self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # closed already, by either side
                # Not the method of `SSLSocket`, which takes the reader's TLS state away.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _run(self) -> None:
        failure = ended_early()
        silence_s = self._settings.silence_timeout_s
        try:
            with _response(
                self._settings, self._path, self._body, silence_s, {"trace": self._trace}
            ) as response:
                for line in _lines(response, self._settings.host, silence_s):
                    self._hand_over(_record(line))
                    self.answering.set()
        except EngineError as error:
            failure = error
        finally:
            self._hand_over(failure)
            self.answering.set()

    def _hand_over(self, item: dict[str, Any] | EngineError) -> None:
        """Wait until there is room for it, or nobody listens any more."""
        while not self._ended:
            with suppress(queue.Full):
                self._arrived.put(item, timeout=_PATIENCE_S)
                return


@contextmanager
def _response(
    settings: OllamaConfig,
    path: str,
    body: Mapping[str, Any] | None,
    silence_s: float,
    extensions: Mapping[str, Any] | None = None,
) -> Iterator[httpx.Response]:
    """An answer that is no refusal, its body still unread. Raises `EngineError`, also within."""
    method = "GET" if body is None else "POST"
    with (
        explained(settings.host, silence_s),
        _client(settings, silence_s) as client,
        client.stream(method, path, json=body, extensions=dict(extensions or {})) as response,
    ):
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding != "identity":
            raise not_ollama(f"Content-Encoding: {encoding}")
        if not response.is_success:
            content = _whole(response, settings.host).decode(errors="replace")
            model = str((body or {}).get("model", settings.model))
            raise refused(response, content, model, settings.host)
        yield response


def _client(settings: OllamaConfig, silence_s: float) -> httpx.Client:
    """A client for the server's address; it follows no redirect, which could get the notes."""
    # Reading the machine's certificates costs some 50 ms, which plain HTTP need not pay.
    secure = settings.host.startswith("https:")
    try:
        return httpx.Client(
            base_url=settings.host,
            timeout=httpx.Timeout(silence_s, connect=settings.connect_timeout_s),
            # A proxy set in the environment cannot reach this machine's own address.
            trust_env=urlsplit(settings.host).hostname not in THIS_MACHINE,
            verify=True if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            # A few compressed bytes can become gigabytes.
            headers={"Accept-Encoding": "identity"},
        )
    except (ValueError, ImportError) as error:
        raise unusable_proxy(error) from error


def _whole(
    response: httpx.Response,
    host: str,
    in_all_s: float = LOOK_UP_IN_ALL_S,
    most_bytes: int = _MOST_BYTES,
) -> bytes:
    """The body of an answer that is not streamed, of a refusal too."""
    content, until = bytearray(), time.monotonic() + in_all_s
    for piece in response.iter_raw():
        content += piece
        if len(content) > most_bytes:
            raise not_ollama(content[:80].decode(errors="replace"))
        if time.monotonic() > until:
            raise silent(host, in_all_s)
    return bytes(content)


def _lines(response: httpx.Response, host: str, silence_s: float) -> Iterator[bytes]:
    """Lines that are not blank, split at line feeds only.

    httpx's own `iter_lines` also splits at U+0085 and U+2028, which JSON allows in a string.
    Blank lines and pieces of a line are no signs of life.
    """
    rest, heard = b"", time.monotonic()
    for piece in response.iter_raw():
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
