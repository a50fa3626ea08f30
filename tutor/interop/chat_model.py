"""Any of this program's language models as a chat model of LangChain."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from langchain_core.language_models.chat_models import BaseChatModel, generate_from_stream
from langchain_core.messages import AIMessageChunk
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk
from pydantic import SkipValidation  # noqa: TC002 - pydantic reads annotations when it runs

from tutor.events import Reasoning, Token
from tutor.interop.messages import from_langchain
from tutor.ports import ChatModel  # noqa: TC001 - likewise
from tutor.prompting import TokenCounter

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from langchain_core.callbacks import CallbackManagerForLLMRun
    from langchain_core.messages import BaseMessage
    from langchain_core.outputs import ChatResult

    from tutor.types import Usage


class TutorChatModel(BaseChatModel):
    """A `tutor.ports.ChatModel` for LangChain: streamed, with usage and reasoning.

    The reasoning of a thinking model is in `additional_kwargs["reasoning_content"]`, where
    LangChain's content blocks find it. `max_tokens` and `schema` (a JSON schema that the answer
    must obey) are given with `bind` or at the call. The model calls no tools of its own accord:
    `bind_tools` is not supported. Raises `EngineError`, also in mid-answer.
    """

    engine: SkipValidation[ChatModel]

    @property
    def _llm_type(self) -> str:
        return "tutor"

    @property
    def _identifying_params(self) -> Mapping[str, Any]:
        return {"model": self.engine.name}

    def get_num_tokens(self, text: str) -> int:
        """A cautious estimate; only the model's server could count. Downloads no tokeniser."""
        return TokenCounter().text(text)

    def get_num_tokens_from_messages(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[Any] | None = None,  # noqa: ARG002 - LangChain fixes the signature
    ) -> int:
        """A cautious estimate with what a chat template adds."""
        return TokenCounter().messages(from_langchain(list(messages)))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        if kwargs:
            error = f"Not supported by this model: {', '.join(sorted(kwargs))}"
            raise TypeError(error)
        cutter = _Cutter(stop or ())
        stream = self.engine.stream(from_langchain(messages), max_tokens=max_tokens, schema=schema)
        with closing(stream):
            usage = yield from _chunks(stream, cutter)
        if rest := cutter.rest():
            yield _chunk(rest)
        yield self._last(usage)

    def _last(self, usage: Usage | None) -> ChatGenerationChunk:
        counted = usage and UsageMetadata(
            input_tokens=usage.prompt_tokens,
            output_tokens=usage.answer_tokens,
            total_tokens=usage.prompt_tokens + usage.answer_tokens,
        )
        reason = usage.reason if usage else "stop"
        return ChatGenerationChunk(
            message=AIMessageChunk(content="", usage_metadata=counted, chunk_position="last"),
            generation_info={"finish_reason": reason, "model_name": self.engine.name},
        )


def _chunks(
    stream: Generator[Any, None, Usage], cutter: _Cutter
) -> Generator[ChatGenerationChunk, None, Usage | None]:
    """The answer up to a stop sequence, which ends it without the server's figures."""
    while True:
        try:
            event = next(stream)
        except StopIteration as end:
            usage: Usage = end.value
            return usage
        if isinstance(event, Reasoning):
            yield _chunk("", reasoning_content=event.text)
        elif isinstance(event, Token):
            if text := cutter.feed(event.text):
                yield _chunk(text)
            if cutter.done:
                return None


def _chunk(text: str, **additional: str) -> ChatGenerationChunk:
    message = AIMessageChunk(content=text, additional_kwargs=dict(additional))
    return ChatGenerationChunk(message=message)


class _Cutter:
    """Passes a text on up to the first stop sequence, however it is cut into pieces."""

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = [sequence for sequence in stop if sequence]
        self._held = ""
        self.done = False

    def feed(self, piece: str) -> str:
        """What can be shown: all but a possible beginning of a stop sequence."""
        text = self._held + piece
        if places := [place for s in self._stop if (place := text.find(s)) >= 0]:
            self.done, self._held = True, ""
            return text[: min(places)]
        kept = max((_overlap(text, sequence) for sequence in self._stop), default=0)
        self._held = text[len(text) - kept :]
        return text[: len(text) - kept]

    def rest(self) -> str:
        """What was held back and is no stop sequence after all."""
        return self._held


def _overlap(text: str, sequence: str) -> int:
    """Characters at the end of `text` with which `sequence` begins."""
    longest = min(len(text), len(sequence) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(sequence[:n])), 0)
