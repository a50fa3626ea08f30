"""What is known of a server without an HTTP client: whether it can be reached at all."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from tutor.errors import EngineError
from tutor.i18n import _

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


def tagged(model: str) -> str:
    """`model` with its tag, as Ollama lists it; `latest` where there is none."""
    return model if ":" in model.rpartition("/")[2] else f"{model}:latest"


def same_model(one: str, other: str) -> bool:
    """Whether two names are one model's, each with its tag or without."""
    return tagged(one).lower() == tagged(other).lower()
