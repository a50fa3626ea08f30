"""HTTP answers that end: of bounded size, in bounded time, and not compressed.

For clients that read a whole answer into memory and leave no other way to bound it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import httpx


class TooMuchError(Exception):
    """A server sends more than any answer has, or compressed what nobody asked to have so."""


class BoundedTransport(httpx.HTTPTransport):
    """The usual transport; answers of more than `most_bytes`, or `in_all_s` seconds, are ended.

    Raises `TooMuchError` and `httpx.ReadTimeout` while the answer is read.
    """

    def __init__(self, *, most_bytes: int, in_all_s: float, proxy: str | None) -> None:
        """Raises `ValueError` or `ImportError` for a proxy of a kind that cannot be used."""
        super().__init__(proxy=proxy)
        self._most_bytes = most_bytes
        self._in_all_s = in_all_s

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; the answer's body is read under the bounds."""
        response = super().handle_request(request)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            response.close()
            raise TooMuchError
        assert isinstance(response.stream, httpx.SyncByteStream)  # noqa: S101 - of a sync transport
        response.stream = _Bounded(response.stream, self._most_bytes, self._in_all_s)
        return response


class _Bounded(httpx.SyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream, most_bytes: int, in_all_s: float) -> None:
        self._stream = stream
        self._bytes_left = most_bytes
        self._in_all_s = in_all_s

    def __iter__(self) -> Iterator[bytes]:
        until = time.monotonic() + self._in_all_s
        for piece in self._stream:
            self._bytes_left -= len(piece)
            if self._bytes_left < 0:
                raise TooMuchError
            if time.monotonic() > until:
                raise httpx.ReadTimeout("the answer does not end")
            yield piece

    def close(self) -> None:
        self._stream.close()
