"""The turns of a conversation <-> LangChain's `HumanMessage` and `AIMessage`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from tutor.types import Turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Dialogue: TypeAlias = list[HumanMessage | AIMessage]
STANDALONE = "standalone"
"""In `additional_kwargs` of a question: as it was searched for, where that differs."""
ABSTAINED = "abstained"
"""In `additional_kwargs` of an answer: true where the notes did not cover the question."""


class TurnStore(Protocol):
    """What keeps the turns of one conversation."""

    def turns(self) -> Sequence[Turn]:
        """The turns, oldest first."""
        ...

    def add(self, turn: Turn) -> None:
        """Keep one more turn."""
        ...

    def clear(self) -> None:
        """Forget all turns."""
        ...


def messages_from_turns(turns: Iterable[Turn]) -> Dialogue:
    """A question and an answer per turn, oldest first."""
    messages: Dialogue = []
    for turn in turns:
        rewritten = {STANDALONE: turn.standalone} if turn.standalone != turn.question else {}
        abstained = {ABSTAINED: True} if turn.abstained else {}
        messages += [
            HumanMessage(turn.question, additional_kwargs=rewritten),
            AIMessage(turn.answer, additional_kwargs=abstained),
        ]
    return messages


def turns_from_messages(messages: Iterable[BaseMessage]) -> list[Turn]:
    """The turns of a dialogue: questions, and the first answer to each that calls no tool.

    Questions one after the other are one question. Instructions, tools' calls and results, an
    answer to no question and a question without an answer make no turn.
    """
    turns: list[Turn] = []
    _add(messages, [], turns)
    return turns


class SessionHistory(BaseChatMessageHistory):
    """A conversation for LangChain, kept as turns wherever `store` keeps them.

    A question is kept here until its answer comes; then both become a turn.
    """

    def __init__(self, store: TurnStore) -> None:
        self._store = store
        self._asked: list[HumanMessage] = []

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]  # an attribute there
        """The turns so far as messages, and what was asked and not yet answered."""
        return [*messages_from_turns(self._store.turns()), *self._asked]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages; see `turns_from_messages` for what becomes a turn."""
        turns: list[Turn] = []
        _add(messages, self._asked, turns)
        for turn in turns:
            self._store.add(turn)

    def clear(self) -> None:
        """Forget the conversation."""
        self._asked.clear()
        self._store.clear()


def _add(messages: Iterable[BaseMessage], asked: list[HumanMessage], turns: list[Turn]) -> None:
    """Turn `asked` and `messages` into turns; leave in `asked` what has no answer yet."""
    for message in messages:
        if isinstance(message, HumanMessage):
            asked.append(message)
        elif isinstance(message, AIMessage) and asked and not message.tool_calls:
            turns.append(_turn(asked, message))
            asked.clear()


def _turn(asked: Sequence[HumanMessage], answer: AIMessage) -> Turn:
    question = "\n".join(str(message.text) for message in asked)
    standalone = asked[-1].additional_kwargs.get(STANDALONE)
    return Turn(
        question=question,
        standalone=standalone if isinstance(standalone, str) else question,
        answer=str(answer.text),
        abstained=answer.additional_kwargs.get(ABSTAINED) is True,
    )
