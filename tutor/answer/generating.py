"""Lets a language model answer from passages, within its context window, sentence by sentence:
each is tied to what supports it, whatever the model itself cited.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import TYPE_CHECKING, TypeAlias

from tutor.answer.injection import without_orders
from tutor.answer.prompting import build_prompt, joined, notes_passages, persona
from tutor.answer.streaming import Opening, SentenceStream
from tutor.answer.verification.remarks import declares_not_covered
from tutor.answer.verification.verify import SupportVerdict, verify
from tutor.errors import ContextOverflowError, EngineError
from tutor.events import Event, LeftOut, Notice, Token, Verified, Writing
from tutor.i18n import _, catalog, ngettext
from tutor.model import Answer, Citation, Ending, Prompt, Usage, WebCitation
from tutor.search.filters import in_words

if TYPE_CHECKING:
    from tutor.answer.agent import Agent, Inquiry
    from tutor.answer.prompting import PromptPassage
    from tutor.answer.verification.verify import CheckedSentence
    from tutor.index.store import StoreReader
    from tutor.llm.chat_model import ChatModel
    from tutor.model import Hit

    Cite: TypeAlias = Callable[[CheckedSentence, PromptPassage], Citation | WebCitation]

_ATTEMPTS = 4
"""Prompts that are tried when the server says that they are too long, each smaller."""
_LONGEST_ORDER = 80
_AS_QUOTED = 0.85
"""Support from which a sentence whose words all stand in the quotes says nothing else."""


@dataclass(frozen=True, slots=True)
class PromptMaterial:
    """What the model answers from; `cite` makes the citation of a sentence that a passage supports.

    `scope` says of which documents the passages are; empty where of all. `doubtful`: they may not
    answer the question. Where the notes were `quoted` already the model's words go on below, under
    `heading`.
    """

    passages: Sequence[PromptPassage]
    cite: Cite
    web: bool = False
    scope: str = ""
    doubtful: bool = False
    quoted: Answer | None = None
    heading: str = ""


def write_below(
    quoted: Answer,
    inquiry: Inquiry,
    hits: Sequence[Hit],
    agent: Agent,
    model: ChatModel,
    *,
    doubtful: bool,
) -> Generator[Event, None, Answer]:
    """Let the model write an answer below what is quoted, from these passages of the notes.

    Where it is `doubtful` that they answer the question, it may decline. Raises as `generate` does.
    """
    say = catalog(inquiry.language)
    heading = say.gettext("In the words of the model:")
    material = PromptMaterial(
        notes_passages(hits, agent.store.text),
        notes_citations(hits, agent.store),
        scope=in_words(inquiry.filter, agent.store.sources, say),
        doubtful=doubtful,
        quoted=quoted,
        heading=f"\n\n{heading}\n\n",
    )
    return (yield from generate(inquiry, material, agent, model))


def notes_citations(hits: Sequence[Hit], store: StoreReader) -> Cite:
    """What makes citations of the hit that holds most of the words that support a sentence.

    Formulas that these words announce are cited with them; the hit is widened to what is cited.
    """

    def cite(statement: CheckedSentence, passage: PromptPassage) -> Citation:
        start = passage.start + statement.quote_start
        end = passage.start + statement.quote_end
        hit = max(
            (hit for hit in hits if hit.chunk.source_id == passage.source),
            key=lambda hit: min(end, hit.chunk.end) - max(start, hit.chunk.start),
        )
        document = store.text(hit.source.id)
        start, end = document.with_formulas(start, end)
        hit = hit.reaching(document, start, end)
        return Citation(
            start=statement.start,
            end=statement.end,
            hit=hit,
            quote_start=start - hit.chunk.start,
            quote_end=end - hit.chunk.start,
            first_page=document.page_at(start),
            last_page=document.page_at(max(start, end - 1)),
            support=statement.support,
        )

    return cite


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
        yield Notice(_kept_from_model(orders))
    material = replace(material, passages=passages)
    kept_free = min(agent.max_answer_tokens, model.context_tokens // 2)
    for attempt in range(1, _ATTEMPTS + 1):
        with inquiry.stopwatch.stage("prompt"):
            prompt = build_prompt(
                inquiry.question,
                passages,
                [turn for turn in inquiry.history if not turn.abstained],
                standalone=inquiry.standalone,
                system=persona(inquiry.language, agent.personas),
                language=inquiry.language,
                length=agent.length,
                counter=agent.counter,
                budget=model.context_tokens - kept_free,
                web=material.web,
                scope=material.scope,
                doubtful=material.doubtful,
            )
        if prompt.dropped_passages or prompt.dropped_turns:
            yield LeftOut(prompt.dropped_passages, prompt.dropped_turns)
        writing = _Writing(inquiry, material, passages[: prompt.passages], model.name)
        try:
            with inquiry.stopwatch.stage("answer"):
                yield from writing.stream(prompt, model, kept_free)
        except ContextOverflowError as error:
            if attempt == _ATTEMPTS or not (prompt.passages or prompt.turns):
                raise
            _learn_from_refusal(error, prompt, agent)
            continue
        break
    usage = writing.usage
    if usage and usage.prompt_tokens:
        agent.counter.learn(prompt.messages, usage.prompt_tokens, usage.prompt_s)
    if writing.has_nothing:
        return (yield from _declined(inquiry, material, model, usage))
    return writing.answer()


def _kept_from_model(orders: Sequence[str]) -> str:
    """That sentences were kept from the model, with the first of them."""
    first = " ".join(orders[0].split())
    return ngettext(
        "A sentence that seems to be an order to the model was kept from it: %(first)s",
        "%(n)d sentences that seem to be orders to the model were kept from it: %(first)s and more",
        len(orders),
    ) % {"n": len(orders), "first": shorten(first, _LONGEST_ORDER, placeholder="…")}


def _learn_from_refusal(error: ContextOverflowError, prompt: Prompt, agent: Agent) -> None:
    believed = agent.counter.chars_per_token
    agent.counter.learn(prompt.messages, error.prompt_tokens)
    if agent.counter.chars_per_token >= believed:
        agent.counter.shrink()


def _declined(
    inquiry: Inquiry, material: PromptMaterial, model: ChatModel, usage: Usage | None
) -> Generator[Event, None, Answer]:
    """What stands where the model found no answer in what it read."""
    seconds = inquiry.stopwatch.seconds
    if material.quoted:
        yield Notice(_("The model %(model)s had nothing to add.") % {"model": model.name})
        return replace(material.quoted, model=model.name, usage=usage, timings=seconds)
    text = catalog(inquiry.language).gettext("The results of the web search do not say.")
    yield Token(text)
    return Answer(text, (), True, inquiry.route, model.name, seconds, usage=usage)


class _Writing:
    """An answer in the making: what is quoted already, and below it the words of the `model`.

    `read` are the passages that the prompt holds: its sentences are compared with these.
    """

    def __init__(
        self, inquiry: Inquiry, material: PromptMaterial, read: Sequence[PromptPassage], model: str
    ) -> None:
        self.usage: Usage | None = None
        self.has_nothing = False
        self._inquiry, self._model, self._cite = inquiry, model, material.cite
        # What goes on in the next passage can support a sentence that runs over their border.
        self._evidence = read if material.web else joined(read)
        self._texts = [f"{p.title}. {p.text}" if material.web else p.text for p in self._evidence]
        self._ending = Ending.COMPLETE
        self._has_begun = False
        self._quoted, self._heading = material.quoted, material.heading
        quoted = material.quoted.text if material.quoted else ""
        self._before = quoted + material.heading if quoted else ""
        self._start = len(self._before)
        self._opening = Opening(quoted)
        self._sentences = SentenceStream(self._checked)

    def stream(
        self, prompt: Prompt, model: ChatModel, max_tokens: int
    ) -> Generator[Event, None, None]:
        stream = model.stream(prompt.messages, max_tokens=max_tokens)
        try:
            while True:
                event = next(stream)
                if isinstance(event, Token):
                    yield from self._events(self._sentences.feed(self._opening.feed(event.text)))
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
            if not self._sentences.text.strip():
                raise
            self._ending = Ending.BROKEN
            yield Notice(error.in_one_line)
        finally:
            stream.close()

    def _checked(self, text: str) -> Sequence[CheckedSentence]:
        """The statements of a piece of the answer, with offsets in it. Raises `EmbedderError`."""
        with self._inquiry.stopwatch.stage("check"):
            return verify(text, self._texts, self._inquiry.embedder, self._inquiry.standalone)

    def _repeats(self) -> bool:
        """Whether all that was written stands in the quotes, nearly word by word."""
        repeated = self._opening.repeated
        said = self._checked(repeated) if repeated.strip() else ()
        claims = [one for one in said if one.verdict is not SupportVerdict.NEUTRAL]
        return bool(claims) and all(one.support >= _AS_QUOTED for one in claims)

    def _close(self) -> Iterator[Event]:
        yield from self._events(self._sentences.feed(self._opening.rest()))
        yield from self._events(self._sentences.close())

    def _events(self, items: Iterable[str | CheckedSentence]) -> Iterator[Event]:
        for item in items:
            if isinstance(item, str):
                if not self._has_begun:
                    self._has_begun = True
                    yield Writing(self._model, self._start)
                heading, self._heading = self._heading, ""
                yield Token(heading + item)
            elif item.verdict is not SupportVerdict.NEUTRAL:
                yield Verified(
                    self._start + item.start, self._start + item.end, self._citation(item)
                )

    def _citation(self, statement: CheckedSentence) -> Citation | WebCitation | None:
        """What supports a statement, with offsets in the whole answer; None where nothing does."""
        if statement.passage is None:
            return None
        return self._cite(statement, self._evidence[statement.passage]).moved(self._start)

    def answer(self) -> Answer:
        """The whole answer, once it has ended. Raises `EngineError` where there is none."""
        text, stated = self._sentences.text, self._sentences.statements
        if not text.strip():
            raise EngineError(
                _("The model %(model)s gave an empty answer.") % {"model": self._model},
                _("Ask again, or choose another model: ollama.model"),
            )
        supported = [self._citation(statement) for statement in stated]
        unsupported = [s for s in stated if s.verdict is SupportVerdict.UNSUPPORTED]
        cited = self._quoted.citations if self._quoted else ()
        return Answer(
            text=self._before + text,
            citations=(*cited, *(c for c in supported if isinstance(c, Citation))),
            abstained=not self._before and declares_not_covered(text),
            route=self._inquiry.route,
            model=self._model,
            timings=self._inquiry.stopwatch.seconds,
            unsupported=tuple((self._start + s.start, self._start + s.end) for s in unsupported),
            web_citations=tuple(c for c in supported if isinstance(c, WebCitation)),
            ending=self._ending,
            usage=self.usage,
            written=self._start,
        )
