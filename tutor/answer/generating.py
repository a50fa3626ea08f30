"""Lets a language model answer from passages, within its context window, sentence by sentence.

Its first words are held back until they are an answer: neither a refusal nor what the quotes above
it say already.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import TYPE_CHECKING

from tutor.answer.injection import without_orders
from tutor.answer.prompting import build_prompt, persona
from tutor.answer.sentences import SentenceStream
from tutor.answer.verification.remarks import declares_not_covered
from tutor.answer.verification.verify import SupportVerdict
from tutor.errors import ContextOverflowError, EngineError
from tutor.events import Event, LeftOut, Notice, Token, Verified, Writing
from tutor.i18n import _, catalog, ngettext
from tutor.model import Answer, Citation, Ending, Prompt, Usage, WebCitation
from tutor.text.folding import folded

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry
    from tutor.answer.checking import Checker
    from tutor.answer.prompting import PromptPassage
    from tutor.answer.verification.verify import CheckedSentence
    from tutor.llm.chat_model import ChatModel


_MAY_DECLINE = re.compile(
    r"\W*(?:no?|(?:lo\w*|la\w*|th\w*|el)(?:\s+(?:ap|pas|not|text|prov)\w*.*)?)?\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The beginning of "NO.", or of a sentence on what "the passages" or "the notes" say."""
_SENTENCE = re.compile(r"[.!?]\s|\n")
_WORD = re.compile(r"\w+")
_WHOLE_WORD = re.compile(r"\w+(?=\W)")
_LONGEST = 300
_ATTEMPTS = 4
"""Prompts that are tried when the server says that they are too long, each smaller."""
_LONGEST_ORDER = 80
_AS_QUOTED = 0.85
"""Support from which a sentence whose words all stand in the quotes says nothing else."""


class Opening:
    """Lets a reply through once it is plain that it neither declines nor repeats the quotes.

    `quoted` is what stands above it; a word that is not there lets it through, or its length.
    """

    def __init__(self, quoted: str = "") -> None:
        self._held: str | None = ""
        self._quoted = frozenset(_WORD.findall(folded(quoted)))
        self._longest = len(quoted)

    def feed(self, piece: str) -> str:
        """Take in the next piece; returns what can be shown."""
        if self._held is None:
            return piece
        self._held += piece
        undecided = _MAY_DECLINE.match(self._held) and not _SENTENCE.search(self._held)
        if (undecided or self.declines) and len(self._held) < _LONGEST:
            return ""
        said = _WHOLE_WORD.findall(folded(self._held))
        if len(self._held) <= self._longest and self._quoted.issuperset(said):
            return ""
        return self.rest()

    def rest(self) -> str:
        """What is still held back, which is let through."""
        held, self._held = self._held or "", None
        return held

    @property
    def declines(self) -> bool:
        """Whether all there is says that there is no answer."""
        said = (self._held or "").strip(" \n\t.\"'«»*!¡").casefold()
        return said == "no" or (bool(said) and declares_not_covered(self._held or ""))

    @property
    def repeated(self) -> str:
        """All there is, where each of its words stands in the quotes; empty otherwise."""
        held = self._held or ""
        return held if self._quoted.issuperset(_WORD.findall(folded(held))) else ""


@dataclass(frozen=True, slots=True)
class PromptMaterial:
    """What the model answers from. `checker` compares with those passages that were read.

    `scope` says of which documents the passages are; empty where of all. `doubtful`: they may
    not answer the question. Where the notes were
    `quoted` already the model's words go on below, under `heading`.
    """

    passages: Sequence[PromptPassage]
    checker: Callable[[Sequence[PromptPassage]], Checker]
    web: bool = False
    scope: str = ""
    doubtful: bool = False
    quoted: Answer | None = None
    heading: str = ""


def generate(
    inquiry: Inquiry, material: PromptMaterial, agent: Agent, model: ChatModel
) -> Generator[Event, None, Answer]:
    """Stream the model's answer, each sentence followed by what supports it.

    What came before a failure in mid-answer is kept. A model that finds no answer, or only says
    again what is quoted, says nothing: the quotes stand, or the answer is that there is none. It
    neither reads nor is supported by sentences that order it about. Raises `EngineError` where the
    model fails before its first word.
    """
    passages, orders = without_orders(material.passages, inquiry.embedder)
    if orders:
        yield Notice(_told(orders))
    material = replace(material, passages=passages)
    for attempt in range(1, _ATTEMPTS + 1):
        with inquiry.stopwatch.stage("prompt"):
            prompt = _prompt(inquiry, material, agent, model)
        if prompt.dropped_passages or prompt.dropped_turns:
            yield LeftOut(prompt.dropped_passages, prompt.dropped_turns)
        checker = material.checker(passages[: prompt.passages])
        writing = _Writing(checker, material, model.name)
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
        usage = writing.usage
        agent.counter.learn(prompt.messages, usage.prompt_tokens, usage.prompt_s)
    if writing.has_nothing:
        return (yield from _declined(inquiry, material, model, writing.usage))
    return writing.answer(inquiry)


def _told(orders: Sequence[str]) -> str:
    """That sentences were kept from the model, with the first of them."""
    first = " ".join(orders[0].split())
    return ngettext(
        "A sentence that seems to be an order to the model was kept from it: %(first)s",
        "%(n)d sentences that seem to be orders to the model were kept from it: %(first)s and more",
        len(orders),
    ) % {"n": len(orders), "first": shorten(first, _LONGEST_ORDER, placeholder="…")}


def room(agent: Agent, model: ChatModel) -> int:
    """Tokens kept free for the answer: as configured, but no more than half of the window."""
    return min(agent.max_answer_tokens, model.context_tokens // 2)


def _declined(
    inquiry: Inquiry, material: PromptMaterial, model: ChatModel, usage: Usage | None
) -> Generator[Event, None, Answer]:
    """What stands where the model found no answer in what it read."""
    say = catalog(inquiry.language)
    if material.quoted:
        yield Notice(_("The model %(model)s had nothing to add.") % {"model": model.name})
        return replace(
            material.quoted, model=model.name, usage=usage, timings=inquiry.stopwatch.seconds
        )
    text = say.gettext("The results of the web search do not say.")
    yield Token(text)
    return Answer(text, (), True, inquiry.route, model.name, inquiry.stopwatch.seconds, usage=usage)


class _Writing:
    """An answer in the making: what stands `before` it, and the words of the `model`."""

    def __init__(self, checker: Checker, material: PromptMaterial, model: str) -> None:
        self.sentences = SentenceStream(checker)
        self.usage: Usage | None = None
        self.has_nothing = False
        self._model = model
        self._has_begun = False
        self._check = checker
        self._cite = checker.cite
        self._ending = Ending.COMPLETE
        self._quoted, self._heading = material.quoted, material.heading
        self._before = material.quoted.text + material.heading if material.quoted else ""
        self._start = len(self._before)
        self._opening = Opening(material.quoted.text if material.quoted else "")

    def stream(
        self, prompt: Prompt, model: ChatModel, max_tokens: int
    ) -> Generator[Event, None, None]:
        stream = model.stream(prompt.messages, max_tokens=max_tokens)
        try:
            while True:
                event = next(stream)
                if isinstance(event, Token):
                    yield from self._events(self.sentences.feed(self._opening.feed(event.text)))
                else:
                    yield event
        except StopIteration as end:
            self.usage = end.value
            self.has_nothing = self._opening.declines or self._repeats()
            if not self.has_nothing:
                yield from self._close()
            if end.value.reason == "length" and not self.has_nothing:
                self._ending = Ending.LENGTH
                yield Notice(
                    _(
                        "The answer reached the longest length allowed and was cut"
                        " (ollama.num_predict)."
                    )
                )
        except EngineError as error:
            yield from self._close()
            if not self.sentences.text.strip():
                raise
            self._ending = Ending.BROKEN
            yield Notice(f"{error.message} {error.remedy}".strip())
        finally:
            stream.close()

    def _repeats(self) -> bool:
        """Whether all that was written stands in the quotes, nearly word by word."""
        repeated = self._opening.repeated
        said = self._check(repeated) if repeated.strip() else ()
        claims = [one for one in said if one.verdict is not SupportVerdict.NEUTRAL]
        return bool(claims) and all(one.support >= _AS_QUOTED for one in claims)

    def _close(self) -> Iterator[Event]:
        yield from self._events(self.sentences.feed(self._opening.rest()))
        yield from self._events(self.sentences.close())

    def _events(self, items: Iterable[str | CheckedSentence]) -> Iterator[Event]:
        for item in items:
            if isinstance(item, str):
                if not self._has_begun:
                    self._has_begun = True
                    yield Writing(self._model, self._start)
                heading, self._heading = self._heading, ""
                yield Token(heading + item)
            elif item.verdict is not SupportVerdict.NEUTRAL:
                supported = item.verdict is SupportVerdict.SUPPORTED
                citation = self._placed(self._cite(item)) if supported else None
                yield Verified(self._start + item.start, self._start + item.end, citation)

    def _placed(self, citation: Citation | WebCitation) -> Citation | WebCitation:
        return citation.moved(self._start)

    def answer(self, inquiry: Inquiry) -> Answer:
        """The whole answer, once it has ended. Raises `EngineError` where there is none."""
        if not self.sentences.text.strip():
            raise EngineError(
                _("The model %(model)s gave an empty answer.") % {"model": self._model},
                _("Ask again, or choose another model: ollama.model"),
            )
        stated = self.sentences.statements
        supported = [
            self._placed(self._cite(s)) for s in stated if s.verdict is SupportVerdict.SUPPORTED
        ]
        unsupported = [s for s in stated if s.verdict is SupportVerdict.UNSUPPORTED]
        cited = self._quoted.citations if self._quoted else ()
        return Answer(
            text=self._before + self.sentences.text,
            citations=(*cited, *(c for c in supported if isinstance(c, Citation))),
            abstained=not self._before and declares_not_covered(self.sentences.text),
            route=inquiry.route,
            model=self._model,
            timings=inquiry.stopwatch.seconds,
            unsupported=tuple((self._start + s.start, self._start + s.end) for s in unsupported),
            web_citations=tuple(c for c in supported if isinstance(c, WebCitation)),
            ending=self._ending,
            usage=self.usage,
            written=self._start,
        )


def _prompt(inquiry: Inquiry, material: PromptMaterial, agent: Agent, model: ChatModel) -> Prompt:
    return build_prompt(
        inquiry.question,
        material.passages,
        [turn for turn in inquiry.history if not turn.abstained],
        standalone=inquiry.standalone,
        system=persona(inquiry.language, agent.personas),
        language=inquiry.language,
        length=agent.length,
        counter=agent.counter,
        budget=model.context_tokens - room(agent, model),
        web=material.web,
        scope=material.scope,
        doubtful=material.doubtful,
    )


def _learn_from_refusal(error: ContextOverflowError, prompt: Prompt, agent: Agent) -> None:
    before = agent.counter.chars_per_token
    agent.counter.learn(prompt.messages, error.prompt_tokens)
    if agent.counter.chars_per_token >= before:
        agent.counter.shrink()
