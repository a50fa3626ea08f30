"""Odd ways to answer `/api/chat`: each ends in an answer or in words with a remedy, at once."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.unit.test_llm_bounds import Misbehaving, _said, misbehaving
from tutor.errors import EngineError

WORD = {"message": {"role": "assistant", "content": "Una red. "}, "done": False}
END = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}


def _lines(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def _said_as(content: object) -> bytes:
    return _lines({"message": {"content": content}}, END)


SOUND = _lines(WORD, END)
BODIES: dict[str, bytes] = {
    "sound": SOUND,
    "nothing": b"",
    "no end": _lines(WORD),
    "only an end": _lines(END),
    "two ends": _lines(WORD, END, END),
    "words after the end": _lines(WORD, END, WORD),
    "carriage returns": SOUND.replace(b"\n", b"\r\n"),
    "no line feed at the end": SOUND.rstrip(),
    "blank lines between": SOUND.replace(b"\n", b"\n\n\n"),
    "a byte order mark": b"\xef\xbb\xbf" + SOUND,
    "UTF-16": SOUND.decode().encode("utf-16"),
    "bytes that are no text": SOUND.replace(b"Una", b"\xff\xfe"),
    "half a surrogate pair": SOUND.replace(b"Una", b"\\ud800"),
    "terminal escapes": SOUND.replace(b"Una", b"\\u001b[2J\\u009b31m"),
    "nulls": SOUND.replace(b"Una", b"\\u0000"),
    "two records in a line": SOUND.replace(b"\n", b" ", 1),
    "a record in two lines": SOUND.replace(b", ", b",\n"),
    "events for a browser": b"".join(b"data: " + line for line in SOUND.splitlines(True)),
    "a page": b"<!doctype html><title>Router</title>",
    "a list": _lines([WORD, END]),
    "a text": _lines("Una red."),
    "a number": _lines(1),
    "null": _lines(None),
    "NaN": b'{"message": NaN, "done": true}\n',
    "a number without end": b'{"eval_count": ' + b"9" * 5000 + b', "done": true}\n',
    "nested too deeply": b"[" * 100_000 + b"\n",
    "content is a number": _said_as(7),
    "content is a list": _said_as(["Una"]),
    "content is null": _said_as(None),
    "no content": _lines({"message": {}}, END),
    "message is null": _lines({"message": None}, END),
    "message is a text": _lines({"message": "Una red."}, END),
    "done is a text": _lines(WORD, {**END, "done": "no"}),
    "counts below nothing": _lines(WORD, {**END, "eval_count": -5, "prompt_eval_count": -1}),
    "counts beyond measure": _lines(WORD, {**END, "eval_count": 10**400, "eval_duration": 1e308}),
    "counts that are texts": _lines(WORD, {**END, "eval_count": "many", "eval_duration": "long"}),
    "an error and words": _lines({**WORD, "error": "no"}, END),
    "an error that is a list": _lines({"error": [1]}),
    "only calls of tools": _lines({"message": {"tool_calls": [{"function": {"name": "rm"}}]}}, END),
    "another's words": _lines({"message": {"role": "user", "content": "Soy tú. "}}, END),
    "packed, and not said": gzip.compress(SOUND),
}
ANSWERED = (
    "sound", "words after the end", "two ends", "carriage returns", "no line feed at the end",
    "blank lines between", "counts below nothing", "counts beyond measure", "counts that are texts",
)  # fmt: skip


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_an_odd_body_ends_in_an_answer_or_in_words(body: bytes) -> None:
    with misbehaving() as server:
        server.will("/api/chat", lambda: iter([body]))
        text = _outcome(server)
    if body in [BODIES[name] for name in ANSWERED]:
        assert text == "Una red. "


@pytest.mark.parametrize(
    ("status", "head"),
    [
        (b"204 No Content", b""),
        (b"206 Partial", b""),
        (b"301 Moved", b""),
        (b"302 Found", b"Location: /api/chat\r\n"),
        (b"307 Found", b"Location: \x1b[2J\r\n"),
        (b"401 Unauthorized", b"WWW-Authenticate: Basic\r\n"),
        (b"407 Proxy", b""),
        (b"413 Too Large", b""),
        (b"418 Teapot \x1b[2J", b""),
        (b"429 Slow down", b"Retry-After: 99999999\r\n"),
        (b"503 Loading", b""),
        (b"999 ?", b""),
        (b"200 OK", b"Content-Length: 5\r\n"),
        (b"200 OK", b"Content-Length: 99999999\r\n"),
        (b"200 OK", b"Content-Length: -1\r\n"),
        (b"200 OK", b"Transfer-Encoding: chunked\r\n"),
        (b"200 OK", b"Content-Encoding: deflate\r\n"),
        (b"200 OK", b"Content-Type: text/html; charset=nothing\r\n"),
        (b"200 OK", b"X-Long: " + b"x" * 200_000 + b"\r\n"),
        (b"200 OK", b"X: y\r\n" * 5_000),
        (b"nothing", b""),
    ],
)
def test_an_odd_head_ends_in_an_answer_or_in_words(status: bytes, head: bytes) -> None:
    with misbehaving() as server:
        server.will("/api/chat", lambda: iter([SOUND]), status=status, head=head)
        _outcome(server)


def _outcome(server: Misbehaving) -> str | None:
    """The answer; None where there are words with a remedy instead."""
    failure: EngineError | None = None
    try:
        text, usage = _said(server, silence_s=2.0)
    except EngineError as error:
        failure = error
    if failure:
        assert failure.message.isprintable()
        assert failure.remedy
        return None
    assert usage.answer_tokens >= 0
    assert usage.answer_s >= 0
    return text
