"""What a server can do wrong, each in its own words and with its own remedy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from tutor.errors import ContextOverflowError, EngineError, command
from tutor.i18n import _
from tutor.listening import no_answer
from tutor.text.terminal import one_line

_MAX_REASON_CHARS = 300
_OVERFLOW = re.compile(r"exceeds? the (available )?context|longer than the context length")
_LENGTHS = re.compile(r"\((\d{1,9}) tokens\).*?\((\d{1,9}) tokens\)")
_NO_EMBEDDINGS = "does not support embeddings"
_MISSING = re.compile(r"model .* not found")


@contextmanager
def explained(host: str, silence_s: float) -> Iterator[None]:
    """Turn what goes wrong on the way to `host` into an `EngineError`."""
    try:
        yield
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        if "[SSL" in str(error):
            raise _disconnected(host, error) from error
        raise no_answer(host) from error
    except httpx.TimeoutException as error:
        raise silent(host, silence_s) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # It was closed within an answer, or before one.
        if any(word in str(error) for word in ("incomplete", "disconnected", "reset by peer")):
            raise ended_early() from error
        raise _disconnected(host, error) from error


def silent(host: str, seconds: float) -> EngineError:
    """Nothing that makes sense has come for so long."""
    return EngineError(
        _("Ollama at %(host)s has given no sign of life for %(seconds)g s.")
        % {"host": host, "seconds": seconds},
        _("A smaller model or a higher `ollama.silence_timeout_s` helps."),
    )


def _disconnected(host: str, error: Exception) -> EngineError:
    return EngineError(
        _("The connection to Ollama at %(host)s broke off: %(reason)s.")
        % {"host": host, "reason": short_line(error).rstrip(".")},
        _("Ask again; if it happens again, restart Ollama."),
    )


def ended_early() -> EngineError:
    """The stream ended without a last record."""
    return EngineError(
        _("The connection to Ollama ended before the answer was complete."),
        _("Ask again; if it happens again, restart Ollama."),
    )


def not_ollama(excerpt: object) -> EngineError:
    """Something that is no record of Ollama's."""
    return EngineError(
        _("What answers there is not Ollama, or it is broken: %(line)s")
        % {"line": short_line(excerpt)},
        _("Check the address in OLLAMA_HOST or `ollama.host`."),
    )


def unusable_proxy(reason: Exception) -> EngineError:
    """The HTTP client does not take the proxy that the environment names."""
    return EngineError(
        _("The proxy that the environment names cannot be used: %(reason)s")
        % {"reason": short_line(reason)},
        _("Unset ALL_PROXY, HTTP_PROXY and HTTPS_PROXY, or let them be an http address."),
    )


def no_such_model(model: str) -> EngineError:
    """The server does not have the model."""
    return EngineError(
        _("The model `%(model)s` is not on the Ollama server.") % {"model": model},
        _("Fetch it: %(command)s") % {"command": command("pull", model)},
    )


def cannot_chat(model: str) -> EngineError:
    """An embedding model was chosen to answer."""
    return EngineError(
        _("The model `%(model)s` cannot chat: it only makes embeddings.") % {"model": model},
        _("Choose another one (ollama.model); this lists what is there: %(command)s")
        % {"command": command("models")},
    )


def broke_off(model: str, error: object) -> EngineError:
    """The server reported an error after the answer had begun."""
    reason = _reason(error)
    if _OVERFLOW.search(reason):
        return _overflow(reason)
    return EngineError(
        _("The model %(model)s broke off: %(reason)s") % {"model": model, "reason": reason},
        _("Ask again; if it happens again, restart Ollama."),
    )


def refused(response: httpx.Response, content: str, model: str, host: str) -> EngineError:
    """A status that is none of success; `content` is the body of `response`."""
    status, reason = response.status_code, _reason(content)
    if response.is_redirect:
        return _leads_elsewhere(host, response.headers.get("location", ""))
    if status == httpx.codes.FORBIDDEN and not reason:
        return _forbidden(host)
    if _OVERFLOW.search(reason):
        return _overflow(reason)
    if status == httpx.codes.NOT_FOUND and _MISSING.match(reason):
        return no_such_model(model)
    if status == httpx.codes.NOT_IMPLEMENTED or _NO_EMBEDDINGS in reason:
        return _cannot_embed(model)
    return _refused(status, reason or response.reason_phrase, model)


def _refused(status: int, reason: str, model: str) -> EngineError:
    if status in {httpx.codes.NOT_FOUND, httpx.codes.METHOD_NOT_ALLOWED}:
        return not_ollama(reason)
    if status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return EngineError(
            _("Ollama failed with the model %(model)s (%(status)d): %(reason)s")
            % {"model": model, "status": status, "reason": reason},
            _("Its log says more (`journalctl -u ollama`, or ~/.ollama/logs/server.log)."),
        )
    return EngineError(
        _("Ollama refused the request (%(status)d): %(reason)s")
        % {"status": status, "reason": reason},
        _("Check the settings of the section `ollama`: %(command)s")
        % {"command": command("config show")},
    )


def _leads_elsewhere(host: str, location: str) -> EngineError:
    return EngineError(
        _("The address %(host)s leads elsewhere: %(location)s")
        % {"host": host, "location": short_line(location)},
        _("If that is your Ollama server, name it in OLLAMA_HOST or `ollama.host`."),
    )


def _cannot_embed(model: str) -> EngineError:
    return EngineError(
        _("The Ollama model %(model)s does not make embeddings.") % {"model": model},
        _("Choose one that does: `ollama pull %(model)s`, and set embedder.model to it.")
        % {"model": "bge-m3"},
    )


def _forbidden(host: str) -> EngineError:
    return EngineError(
        _("Ollama refuses requests addressed to %(host)s.") % {"host": host},
        _(
            "A server that listens on its own machine only wants the address 127.0.0.1; "
            "let it listen to others with OLLAMA_HOST=0.0.0.0 ollama serve"
        ),
    )


def _overflow(reason: str) -> ContextOverflowError:
    said = _LENGTHS.search(reason)
    prompt, context = (int(said[1]), int(said[2])) if said else (0, 0)
    message = (
        _("The prompt of %(prompt)d tokens is longer than the context window of %(context)d.")
        % {"prompt": prompt, "context": context}
        if said
        else _("The prompt is longer than the model's context window.")
    )
    return ContextOverflowError(
        message,
        _("Ask for fewer passages (--k) or raise `ollama.num_ctx`."),
        prompt_tokens=prompt,
        context_tokens=context,
    )


def _reason(error: object) -> str:
    """An error in its own words; some errors hold another JSON object in a string."""
    while True:
        inner = parsed(error) if isinstance(error, str) else error
        if not isinstance(inner, dict):
            return short_line(error or "")
        if not inner.keys() & {"error", "message"}:
            return short_line(json.dumps(inner))
        error = inner.get("error", inner.get("message"))


def parsed(text: str | bytes) -> object:
    """The JSON value, or None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def short_line(text: object) -> str:
    """One short plain line, whatever a server sent."""
    return one_line(str(text)[: 4 * _MAX_REASON_CHARS])[:_MAX_REASON_CHARS].rstrip()
