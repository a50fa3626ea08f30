"""Calls of tools by any local model, trained for them or not: a JSON schema makes it write one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.utils.json import parse_partial_json

from tutor.events import Token
from tutor.model import Message

_HOW_TO_CALL = (
    'Reply with JSON only: {"tool": NAME, "arguments": {...}} to call one of the tools below, or'
    ' {"answer": TEXT} once you know enough to answer. The tools:\n'
)
_INEXPRESSIBLE = frozenset(("description", "format", "maxLength", "minLength", "pattern", "title"))


def explaining(
    tools: Sequence[Mapping[str, Any]], messages: Sequence[Message]
) -> tuple[Message, ...]:
    """The messages with what the tools do and how they are called; always the same beginning."""
    listed = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    return (Message("system", _HOW_TO_CALL + listed), *messages)


def call_or_answer(
    tools: Sequence[Mapping[str, Any]], choice: str | bool | None
) -> Mapping[str, Any]:
    """The JSON schema of one tool's call or, unless a call is wanted, of an answer."""
    named = [tool for tool in tools if tool["name"] == choice] or tools
    calls = [
        _object(tool={"const": tool["name"]}, arguments=_expressible(tool["parameters"]))
        for tool in named
    ]
    required = choice not in {None, False, "auto"}
    answer = [] if required else [_object(answer={"type": "string"})]
    return {"anyOf": [*calls, *answer]}


def _expressible(schema: Any) -> Any:
    """A tool's own schema without what Ollama's grammars refuse: the tool checks it anyway.

    A pattern without anchors, a length of 2000 or no properties make the whole request fail.
    """
    if isinstance(schema, list):
        return [_expressible(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    # The keywords have plain values; an argument of the same name has a schema.
    return {
        key: _expressible(value)
        for key, value in schema.items()
        if isinstance(value, dict) or key not in _INEXPRESSIBLE
        if key != "properties" or value
    }


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


def decided(events: Iterable[Any]) -> Iterator[Any]:
    """The events with the call or the answer in place of the JSON that the model writes.

    JSON may be cut off at its end. What is none, because the server knows no schemas, is the
    answer.
    """
    written = ""
    for event in events:
        if isinstance(event, Token):
            written += event.text
        else:
            yield event
    try:
        record = parse_partial_json(written)
    except ValueError:
        record = None
    match record:
        case {"tool": str(name), **rest}:
            given = rest.get("arguments")
            arguments = json.dumps(given if isinstance(given, dict) else {}, ensure_ascii=False)
            call = tool_call_chunk(name=name, args=arguments, id=uuid4().hex, index=0)
            yield AIMessageChunk(content="", tool_call_chunks=[call])
        case {"answer": str(answer)}:
            yield Token(answer)
        case _:
            yield Token(written)
