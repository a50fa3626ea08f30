"""What of the environment no library gets to see: settings by which it would send things away."""

from __future__ import annotations

from collections.abc import MutableMapping

_FOREIGN = ("CHROMA_", "LANGCHAIN_", "LANGSMITH_", "OTEL_", "POSTHOG_")
"""Beginnings of the names that tell libraries of ours where to send traces and texts to."""
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def close_environment(environ: MutableMapping[str, str]) -> None:
    """Take out what would make a library send data elsewhere than the settings of tutor say.

    To be called before any library is imported. Processes that are started later inherit it.
    """
    for name in [name for name in environ if name.upper().startswith(_FOREIGN)]:
        del environ[name]
    _reach_this_machine_directly(environ)


def _reach_this_machine_directly(environ: MutableMapping[str, str]) -> None:
    """Have no proxy asked for servers of this machine: texts on their way there would pass it."""
    named = environ.get("no_proxy") or environ.get("NO_PROXY") or ""
    hosts = [host for part in named.split(",") if (host := part.strip())]
    if "*" not in hosts:
        hosts += [host for host in _THIS_MACHINE if host not in hosts]
    environ["no_proxy"] = environ["NO_PROXY"] = ",".join(hosts)
