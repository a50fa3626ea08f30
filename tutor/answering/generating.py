"""Lets a language model answer from passages, within its context window, sentence by sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.answering.sentences import SentenceStream
from tutor.errors import ContextOverflowError, EngineError
from tutor.events import LeftOut, Notice, Token, Verified
from tutor.grounding import Verdict, declares_not_covered
from tutor.i18n import _
from tutor.prompting import build_prompt, persona
from tutor.types import Answer, Citation, Ending, WebCitation

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from tutor.answering.agent import Agent, Inquiry
    from tutor.answering.checking import Checker
    from tutor.events import Event
    from tutor.grounding import Statement
    from tutor.ports import ChatModel
    from tutor.prompting import Passage
    from tutor.types import Prompt, Usage

_ATTEMPTS = 4
"""Prompts that are tried when the server says that they are too long, each smaller."""


@dataclass(frozen=True, slots=True)
class Material:
    """What the model answers from. `checker` compares with the first so many of the passages.

    `scope` says of which documents the passages are; empty where of all.
    """

    passages: Sequence[Passage]
    checker: Callable[[int], Checker]
    web: bool = False
    scope: str = ""


def generate(
    inquiry: Inquiry, material: Material, agent: Agent, model: ChatModel
) -> Generator[Event, None, Answer]:
    """Stream the model's answer, each sentence followed by what supports it.

    What came before a failure in mid-answer is kept. Raises `EngineError` where the model fails
    before its first word.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        with inquiry.stopwatch.stage("prompt"):
            prompt = _prompt(inquiry, material, agent, model)
        if prompt.dropped_passages or prompt.dropped_turns:
            yield LeftOut(prompt.dropped_passages, prompt.dropped_turns)
        writing = _Writing(material.checker(prompt.passages))
        try:
            with inquiry.stopwatch.stage("answer"):
                yield from writing.stream(prompt, model, room(agent, model))
        except ContextOverflowError as error:
            if attempt == _ATTEMPTS or not (prompt.passages or prompt.turns):
                raise
            _learn_from_refusal(error, prompt, agent)
            continue
        break
    if writing.usage and writing.usage.prompt_tokens:
        agent.counter.learn(prompt.messages, writing.usage.prompt_tokens)
    if not writing.sentences.text.strip():
        raise EngineError(
            _("The model %(model)s gave an empty answer.") % {"model": model.name},
            _("Ask again, or choose another model: ollama.model"),
        )
    answer = writing.answer(inquiry, model.name)
    if answer.unsupported and not (answer.citations or answer.web_citations):
        yield Notice(_("None of this could be found in the passages: do not rely on it."))
    return answer


def room(agent: Agent, model: ChatModel) -> int:
    """Tokens kept free for the answer: as configured, but no more than half of the window."""
    return min(agent.max_answer_tokens, model.context_tokens // 2)


class _Writing:
    """An answer in the making."""

    def __init__(self, checker: Checker) -> None:
        self.sentences = SentenceStream(checker)
        self.usage: Usage | None = None
        self._cite = checker.cite
        self._ending = Ending.COMPLETE

    def stream(
        self, prompt: Prompt, model: ChatModel, max_tokens: int
    ) -> Generator[Event, None, None]:
        stream = model.stream(prompt.messages, max_tokens=max_tokens)
        try:
            while True:
                event = next(stream)
                if isinstance(event, Token):
                    yield from self._events(self.sentences.feed(event.text))
                else:
                    yield event
        except StopIteration as end:
            self.usage = end.value
            yield from self._events(self.sentences.close())
            if end.value.reason == "length":
                self._ending = Ending.LENGTH
                yield Notice(
                    _(
                        "The answer reached the longest length allowed and was cut"
                        " (ollama.num_predict)."
                    )
                )
        except EngineError as error:
            yield from self._events(self.sentences.close())
            if not self.sentences.text.strip():
                raise
            self._ending = Ending.BROKEN
            yield Notice(f"{error.message} {error.remedy}".strip())
        finally:
            stream.close()

    def _events(self, items: Iterable[str | Statement]) -> Generator[Event, None, None]:
        for item in items:
            if isinstance(item, str):
                yield Token(item)
            elif item.verdict is Verdict.SUPPORTED:
                yield Verified(item.start, item.end, self._cite(item))
            elif item.verdict is Verdict.UNSUPPORTED:
                yield Verified(item.start, item.end, None)

    def answer(self, inquiry: Inquiry, model: str) -> Answer:
        found = self.sentences.statements
        supported = [self._cite(s) for s in found if s.verdict is Verdict.SUPPORTED]
        unsupported = [(s.start, s.end) for s in found if s.verdict is Verdict.UNSUPPORTED]
        return Answer(
            text=self.sentences.text,
            citations=tuple(c for c in supported if isinstance(c, Citation)),
            abstained=declares_not_covered(self.sentences.text),
            route=inquiry.route,
            model=model,
            timings=inquiry.stopwatch.seconds,
            unsupported=tuple(unsupported),
            web_citations=tuple(c for c in supported if isinstance(c, WebCitation)),
            ending=self._ending,
            usage=self.usage,
        )


def _prompt(inquiry: Inquiry, material: Material, agent: Agent, model: ChatModel) -> Prompt:
    return build_prompt(
        inquiry.question,
        material.passages,
        [turn for turn in inquiry.history if not turn.abstained],
        standalone=inquiry.standalone,
        system=persona(inquiry.language, agent.personas),
        language=inquiry.language,
        counter=agent.counter,
        budget=model.context_tokens - room(agent, model),
        web=material.web,
        scope=material.scope,
    )


def _learn_from_refusal(error: ContextOverflowError, prompt: Prompt, agent: Agent) -> None:
    before = agent.counter.chars_per_token
    agent.counter.learn(prompt.messages, error.prompt_tokens)
    if agent.counter.chars_per_token >= before:
        agent.counter.shrink()
