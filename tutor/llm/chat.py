"""A chat model on an Ollama server.

Built on what a real server does: headers arrive only with the first token, an error may come
as the last line of a stream that began well, a prompt that is too long is cut in silence unless
`truncate` is false, an answer that is too long drops the prompt's beginning unless `shift` is.
Neither LangChain's client nor Ollama's own can send these (see `tutor.llm`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from tutor.config import OllamaConfig
from tutor.errors import EngineError
from tutor.events import Reasoning, Stage, Token, Waiting
from tutor.listening import tagged
from tutor.llm.failures import broke_off, cannot_chat
from tutor.llm.requests import StreamedRequest
from tutor.llm.server import ModelInfo, OllamaServer, whole
from tutor.model import Message, Usage

CHARS_PER_TOKEN = 2.5
"""For the estimate that is shown while the prompt is read; Spanish prose has some 3 to 4."""
_TICK_S = 0.25
_SILENCE_S = 2.0
_POLL_S = 1.0
_POLL_TIMEOUT_S = 0.5
"""Whoever asks what is waited for cannot stop the answer meanwhile."""
_NANO = 1e-9
_OPEN, _CLOSE = "<think>", "</think>"
_RECORDS_BESIDES = 64
"""What a server may send besides one record for each token."""
_MOST_CHARS_A_TOKEN = 64
"""The longest tokens of usual vocabularies are rows of blanks."""


class OllamaChat:
    """A chat model on an Ollama server, as `tutor.llm.chat_model.ChatModel`."""

    def __init__(self, settings: OllamaConfig) -> None:
        self._settings = settings
        self._info: ModelInfo | None = None

    @property
    def name(self) -> str:
        """The model's name."""
        return self._settings.model

    @property
    def context_tokens(self) -> int:
        """The context window sent with every request: as configured, or the model's if smaller.

        The server is asked once. If it does not answer, the configured window is given: the
        next request says what is wrong.
        """
        if self._info is None and self.why_not():
            return self._settings.num_ctx
        return self._num_ctx()

    @property
    def parameters(self) -> int:
        """As the server said when it was last asked about the model."""
        return self._info.parameters if self._info else 0

    def why_not(self) -> EngineError | None:
        """Why this model cannot be asked now; None when it can."""
        try:
            self._info = OllamaServer(self._settings).show(self.name)
        except EngineError as error:
            return error
        return None if self._info.chats else cannot_chat(self.name)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        """Yield the answer piece by piece; closing the generator stops the server at once.

        Only while the model is being loaded the connection stays open in the background until
        it is loaded, since closing it would abort the load, and the next question would begin it
        anew. `Waiting` comes a few times a second before the first token, and after a silence of
        two seconds later on.

        Returns the server's figures. Raises `EngineError`, also in mid-answer, and
        `ContextOverflowError` when the prompt is too long: nothing is ever cut in silence.
        """
        if not (self._info and self._info.chats) and (error := self.why_not()):
            raise error
        body = self._body(messages, max_tokens, schema)
        request = StreamedRequest(self._settings, "/api/chat", body)
        watch = LoadingWatch(self._settings, self._num_ctx(), request)
        try:
            longest = max_tokens or self._settings.num_predict
            tokens = round(sum(len(one.content) for one in messages) / CHARS_PER_TOKEN)
            return (yield from self._events(request, watch, tokens, longest))
        finally:
            watch.end_request()

    def _events(
        self, request: StreamedRequest, watch: LoadingWatch, tokens: int, longest: int
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        """The answer; one that goes on beyond `longest` tokens is cut there by us."""
        splitter = ThinkingSplitter()
        records, chars = 0, 0
        heard: float | None = None
        try:
            while True:
                record = request.next(_TICK_S)
                if record is None:
                    yield from _waited(heard, watch, tokens)
                    continue
                heard = time.monotonic()
                if "error" in record:
                    raise broke_off(self.name, record)
                said = list(_said(record))
                records, chars = records + 1, chars + sum(len(text) for _kind, text in said)
                if records > longest + _RECORDS_BESIDES or chars > longest * _MOST_CHARS_A_TOKEN:
                    yield from splitter.flush()
                    return Usage(reason="length", prompt_tokens=tokens, answer_tokens=records)
                for kind, text in said:
                    yield from [Reasoning(text)] if kind == "thinking" else splitter.feed(text)
                if record.get("done"):
                    yield from splitter.flush()
                    return _usage(record)
        except EngineError:
            yield from splitter.flush()
            raise

    def _num_ctx(self) -> int:
        configured = self._settings.num_ctx
        trained = self._info.context_tokens if self._info else 0
        return min(configured, trained) if trained else configured

    def _body(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
    ) -> dict[str, Any]:
        settings = self._settings
        return {
            "model": settings.model,
            "messages": [{"role": m.role, "content": _encodable(m.content)} for m in messages],
            "stream": True,
            "truncate": False,
            "shift": False,
            "keep_alive": settings.keep_alive,
            "options": {
                "temperature": settings.temperature,
                "num_ctx": self._num_ctx(),
                "num_predict": max_tokens or settings.num_predict,
            },
            **({"format": schema} if schema else {}),
        }


class LoadingWatch:
    """Asks about once a second what is in memory, until the first token comes.

    A model that `/api/ps` does not list is being loaded where nothing else is listed. Where there
    is, or it is listed with another context window than ours, the server may as well answer others
    before, which nothing tells. Where the server cannot be asked, what it said last holds, or else
    the prompt is taken to be read. Older servers list a model from the beginning of its load:
    there, loading looks like reading.
    """

    def __init__(self, settings: OllamaConfig, num_ctx: int, request: StreamedRequest) -> None:
        self._server = OllamaServer(settings, _POLL_TIMEOUT_S)
        self._model = tagged(settings.model).lower()
        self._windows = (0, num_ctx)
        self._request = request
        self._stage: Stage | None = None
        self._since = time.monotonic()
        self._asked = -_POLL_S

    def waiting(self, tokens: int) -> Waiting:
        """What is waited for now; `tokens` is the length of the prompt."""
        if time.monotonic() - self._asked >= _POLL_S:
            stage = self._look()
            if stage is not self._stage and self._stage is not None:
                self._since = time.monotonic()
            self._stage, self._asked = stage, time.monotonic()
        stage = self._stage or Stage.READING
        tokens = tokens if stage is Stage.READING else 0
        return Waiting(stage, time.monotonic() - self._since, tokens)

    def end_request(self) -> None:
        """End the request: at once, or in the background as soon as its model is loaded."""
        if self._request.answering.is_set() or self._stage is Stage.READING:
            self._request.end()
        else:
            threading.Thread(target=self._end_later, name="ollama-loading", daemon=True).start()

    def _end_later(self) -> None:
        while self._look() is not Stage.READING and not self._request.answering.wait(_POLL_S):
            pass
        self._request.end()

    def _look(self) -> Stage:
        try:
            running = self._server.running()
        except EngineError:
            return self._stage or Stage.READING
        if any(
            tagged(one.name).lower() == self._model and one.context_tokens in self._windows
            for one in running
        ):
            return Stage.READING
        return Stage.QUEUED if running else Stage.LOADING


def _waited(heard: float | None, watch: LoadingWatch, tokens: int) -> Iterator[Waiting]:
    """What is told while nothing comes; `heard` is when something came last, if it did."""
    if heard is None:
        yield watch.waiting(tokens)
    elif time.monotonic() - heard > _SILENCE_S:
        yield Waiting(Stage.READING, time.monotonic() - heard)


def _said(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of a record that are not empty, by whether they are thinking or content."""
    message = record.get("message")
    said = message if isinstance(message, dict) else {}
    for kind in ("thinking", "content"):
        text = said.get(kind)
        if isinstance(text, str) and text:
            yield kind, _encodable(text)


def _usage(record: dict[str, Any]) -> Usage:
    return Usage(
        reason="length" if record.get("done_reason") == "length" else "stop",
        prompt_tokens=whole(record, "prompt_eval_count"),
        answer_tokens=whole(record, "eval_count"),
        load_s=whole(record, "load_duration") * _NANO,
        prompt_s=whole(record, "prompt_eval_duration") * _NANO,
        answer_s=whole(record, "eval_duration") * _NANO,
    )


def _encodable(text: str) -> str:
    """Text without lone surrogates, which neither UTF-8 nor a terminal can take."""
    return text.encode("utf-8", "replace").decode()


# --- reasoning that comes in one text with the answer ---


class ThinkingSplitter:
    """Splits off what a text says between `<think>` and `</think>` at its very beginning.

    The text comes in pieces of any length, so a tag may be split over several of them; only
    what may still become a tag is held back. Elsewhere in the text the tags are plain text.
    """

    def __init__(self) -> None:
        self._text = ""
        self._thought = ""
        self._answering = False

    def feed(self, text: str) -> Iterator[Reasoning | Token]:
        """What is certain after the next piece."""
        if not self._answering:
            self._text += text
            yield from self._new(*_parted(self._text, is_complete=False))
        elif text:
            yield Token(text)

    def flush(self) -> Iterator[Reasoning | Token]:
        """What was still held back, when no more will come."""
        if not self._answering:
            yield from self._new(*_parted(self._text, is_complete=True))

    def _new(self, thought: str, answer: str) -> Iterator[Reasoning | Token]:
        if added := thought[len(self._thought) :]:
            self._thought = thought
            yield Reasoning(added)
        if answer:
            self._answering = True
            yield Token(answer)


def _parted(text: str, *, is_complete: bool) -> tuple[str, str]:
    """What is certainly reasoning and what is certainly the answer."""
    beginning = text.lstrip()
    if not beginning.startswith(_OPEN):
        may_become_tag = _OPEN.startswith(beginning) and not is_complete
        return "", "" if may_become_tag else text
    thought, close, answer = beginning.removeprefix(_OPEN).partition(_CLOSE)
    if not close and not is_complete:
        longest = min(len(thought), len(_CLOSE) - 1)
        held = next((n for n in range(longest, 0, -1) if _CLOSE.startswith(thought[-n:])), 0)
        return thought[: len(thought) - held], ""
    return thought, answer.lstrip()
