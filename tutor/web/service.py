"""One request to SerpAPI through its own client, which puts the key into the address.

`requests` and `urllib3` quote addresses in their errors and logs. So none of their errors is
passed on, not even as the cause or context of ours, and their records stay silent meanwhile.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import requests
import serpapi
import urllib3

from tutor.errors import WebSearchError
from tutor.i18n import _

if TYPE_CHECKING:
    from tutor.config import WebConfig

LARGEST_REPLY = 8 * 1024 * 1024
"""Bytes; a usual reply has some hundred thousand."""
_PIECE = 64 * 1024
_LOGGERS = tuple(
    f"urllib3.{name}" for name in ("connection", "connectionpool", "poolmanager", "util.retry")
)


def ask(parameters: dict[str, str], settings: WebConfig) -> tuple[int, str]:
    """Status and text of the service's reply. Raises `WebSearchError` where there is none."""
    search = serpapi.GoogleSearch({**parameters, "output": "json"})
    search.BACKEND = settings.url
    address, query = search.construct_url("/search")
    with _silent_records():
        try:
            status, body = _reply(address, query, settings.timeout_s)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            failure = _failure(error, settings)
        else:
            if len(body) <= LARGEST_REPLY:
                return status, body.decode("utf-8", "replace")
            failure = WebSearchError(
                _("The web search service's answer is too long to be one."),
                _("Check web.url in tutor.toml."),
            )
    # Raised out here so that it has no context: the library's error quotes the key.
    raise failure


def _reply(address: str, parameters: dict[str, str], timeout_s: float) -> tuple[int, bytearray]:
    """Status and body, which ends beyond `LARGEST_REPLY` and has to come within `timeout_s`."""
    deadline = time.monotonic() + timeout_s
    body = bytearray()
    with requests.get(address, parameters, timeout=timeout_s, stream=True) as response:
        while piece := response.raw.read1(_PIECE, decode_content=True):
            body += piece
            if len(body) > LARGEST_REPLY:
                break
            # The client's own limit is for one read: drops could keep coming for hours.
            if time.monotonic() > deadline:
                raise requests.Timeout
        return response.status_code, body


def _failure(error: Exception, settings: WebConfig) -> WebSearchError:
    kinds: tuple[tuple[Any, str, str], ...] = (
        (
            (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError),
            _("The web search did not answer within %(seconds)g seconds."),
            _("Try again later, or raise web.timeout_s in tutor.toml."),
        ),
        (
            requests.exceptions.ProxyError,
            _("The proxy for the web search cannot be reached."),
            _("Check the environment variables HTTPS_PROXY and NO_PROXY."),
        ),
        (
            (requests.exceptions.SSLError, urllib3.exceptions.SSLError),
            _("No secure connection to the web search could be made."),
            _("Check this computer's clock and whether a proxy intercepts connections."),
        ),
        (
            requests.ConnectionError,
            _("The web search cannot be reached at %(url)s."),
            _("Check the network connection. The notes can be asked without it."),
        ),
    )
    for kind, message, remedy in kinds:
        if isinstance(error, kind):
            return WebSearchError(
                message % {"seconds": settings.timeout_s, "url": settings.url}, remedy
            )
    return WebSearchError(_("The web search failed."), _("Try again."))


@contextmanager
def _silent_records() -> Iterator[None]:
    def silent(_record: logging.LogRecord) -> bool:
        return False

    loggers = [logging.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(silent)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(silent)
