"""LangChain's messages <-> the three roles that every local model knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from tutor.types import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
}
_TEXTLESS = frozenset(("reasoning", "thinking", "tool_call", "tool_use", "tool_call_chunk"))
"""Kinds of content that are no text and can be left out: calls are told from the message."""


def from_langchain(messages: Sequence[BaseMessage]) -> tuple[Message, ...]:
    """The same messages as this program has them.

    A call of a tool becomes a line of the assistant's text and a tool's result a message of the
    user's, since not every local model has a role for them. Reasoning is left out. Raises
    `ValueError` for messages with pictures, sounds or files, and for unknown roles.
    """
    return tuple(Message(_role(message), _content(message)) for message in messages)


def to_langchain(messages: Sequence[Message]) -> list[BaseMessage]:
    """The same messages as LangChain has them. Raises `ValueError` for unknown roles."""
    return [_message(message) for message in messages]


def _message(message: Message) -> BaseMessage:
    match message.role:
        case "system":
            return SystemMessage(message.content)
        case "user":
            return HumanMessage(message.content)
        case "assistant":
            return AIMessage(message.content)
    raise _unknown(message.role)


def _role(message: BaseMessage) -> str:
    match message:
        case SystemMessage():
            return "system"
        case HumanMessage() | ToolMessage() | FunctionMessage():
            return "user"
        case AIMessage():
            return "assistant"
        case ChatMessage() if role := _ROLES.get(message.role.lower()):
            return role
    raise _unknown(message.role if isinstance(message, ChatMessage) else message.type)


def _content(message: BaseMessage) -> str:
    text = _text(message)
    if isinstance(message, AIMessage):
        calls = [
            f"[{call['name']} {json.dumps(call['args'], ensure_ascii=False, default=str)}]"
            for call in message.tool_calls
        ]
        return "\n".join(filter(None, [text, *calls]))
    if isinstance(message, (ToolMessage, FunctionMessage)):
        return f"[{message.name or 'tool'}]\n{text}"
    return text


def _text(message: BaseMessage) -> str:
    for block in message.content if isinstance(message.content, list) else []:
        kind = "text" if isinstance(block, str) else block.get("type")
        if kind != "text" and kind not in _TEXTLESS:
            error = f"The model reads texts only; a message has a block of type {kind!r}."
            raise ValueError(error)
    return str(message.text)


def _unknown(role: str) -> ValueError:
    return ValueError(f"No message of role {role!r} can be sent: use system, user or assistant.")
