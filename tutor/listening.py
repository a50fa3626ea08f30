"""What is known of a server without an HTTP client: whether it can be reached at all."""

from __future__ import annotations

import socket
from typing import TypeVar
from urllib.parse import urlsplit

from tutor.errors import EngineError, TutorError
from tutor.i18n import _
from tutor.text.terminal import one_line

_Failure = TypeVar("_Failure", bound=TutorError)
_LONGEST_REASON = 300
THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts to which no proxy leads."""
_PORTS = {"http": 80, "https": 443}


def nothing_listens(address: str) -> bool:
    """Whether the system itself refuses connections to an address of this machine.

    `address` is of the form `http://127.0.0.1:11434`. False of another machine, which is not asked.
    """
    parts = urlsplit(address)
    if parts.hostname not in THIS_MACHINE:
        return False
    try:
        socket.create_connection((parts.hostname, parts.port or _PORTS[parts.scheme]), 1.0).close()
    except ConnectionRefusedError:
        return True
    except OSError:  # whatever else it is, whoever connects says it
        return False
    return False


def no_answer(host: str) -> EngineError:
    """What to say where no Ollama listens."""
    return EngineError(
        _("Ollama does not answer at %(host)s.") % {"host": host},
        _("Start it (ollama serve), or say where it is: OLLAMA_HOST=address:port"),
    )


def leads_elsewhere(failure: type[_Failure], host: str, location: str) -> _Failure:
    """What to say of a server that sends those who ask it to another one."""
    shown = one_line(location[: 4 * _LONGEST_REASON])[:_LONGEST_REASON].rstrip()
    return failure(
        _("The address %(host)s leads elsewhere: %(location)s") % {"host": host, "location": shown},
        _("If that is your Ollama server, name it in OLLAMA_HOST or `ollama.host`."),
    )


def unusable_proxy(failure: type[_Failure], reason: Exception) -> _Failure:
    """What to say of a proxy that the HTTP client does not take."""
    return failure(
        _("The proxy that the environment names cannot be used: %(reason)s")
        % {"reason": one_line(str(reason))[:_LONGEST_REASON]},
        _("Unset ALL_PROXY, HTTP_PROXY and HTTPS_PROXY, or let them be an http address."),
    )


def tagged(model: str) -> str:
    """`model` with its tag, as Ollama lists it; `latest` where there is none."""
    return model if ":" in model.rpartition("/")[2] else f"{model}:latest"
