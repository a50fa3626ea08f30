"""From question to events, with a scripted model or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.passages import make_hit
from tutor.answering import Agent, answer
from tutor.embedding import BundledEmbedder
from tutor.errors import EngineError
from tutor.types import (
    Answer,
    Event,
    Finished,
    Message,
    Notice,
    Retrieved,
    Routed,
    Strategy,
    Token,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

    from tutor.types import Chunk, Hit, Reasoning, Source, SourceId, Vectors, Waiting

HITS = [
    make_hit("Una red neuronal es un modelo formado por capas de neuronas.", path="n.pdf"),
    make_hit("La retropropagación calcula gradientes con la regla de la cadena.", rank=2),
]


class ScriptedModel:
    """Says what it is told to, and remembers what it was asked and whether it was stopped."""

    name = "scripted"
    context_tokens = 8192

    def __init__(self, pieces: Sequence[str], reason: str = "stop") -> None:
        self._pieces = pieces
        self._reason = reason
        self.asked: Sequence[Message] = ()
        self.stopped = False

    def stream(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Generator[Waiting | Reasoning | Token, None, Usage]:
        self.asked = messages
        try:
            yield from map(Token, self._pieces)
        except GeneratorExit:
            self.stopped = True
            raise
        return Usage(self._reason)


class FixedStore:
    """Finds the same passages whatever is asked."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = hits

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        return {hit.source.id: hit.source for hit in self._hits}

    def search(self, strategy: Strategy, vector: Vectors, k: int) -> list[tuple[Chunk, float]]:
        assert vector.shape == (384,)
        return [(hit.chunk, hit.score) for hit in self._hits][:k]

    def page_at(self, source: SourceId, offset: int) -> int:
        return 1 + offset // 100


def _agent(model: ScriptedModel | None = None, budget: int = 4000) -> Agent:
    return Agent(
        store=FixedStore(HITS),
        embedder=BundledEmbedder(),
        strategy=Strategy.FIXED,
        k=4,
        model=model,
        why_no_model="no model here",
        prompt_budget=budget,
    )


def _events(question: str, agent: Agent) -> tuple[list[Event], Answer]:
    events = list(answer(question, agent))
    assert isinstance(events[-1], Finished)
    return events, events[-1].answer


def test_without_a_model_the_notes_answer_and_say_so() -> None:
    events, finished = _events("¿Qué es una red neuronal?", _agent())
    kinds = [type(event) for event in events]
    assert kinds == [Routed, Retrieved, Notice, Token, Finished]
    assert finished.text.startswith("Una red neuronal es un modelo")
    assert finished.citations[0].hit.source.path == "n.pdf"
    assert {"embed_query", "search", "answer"} <= finished.timings.keys()


def test_a_models_valid_markers_become_citations_and_the_others_vanish() -> None:
    model = ScriptedModel(["Es un modelo [1]. ", "Usa la regla [2, 7]", ". Y magia [9]."])
    events, finished = _events("¿Qué es una red neuronal?", _agent(model))
    assert next(event.text for event in events if isinstance(event, Token)) == "Es un modelo [1]. "
    assert finished.text == "Es un modelo. Usa la regla. Y magia."
    cited = [finished.text[c.start : c.end].strip(" .") for c in finished.citations]
    assert cited == ["Es un modelo", "Usa la regla"]
    assert [c.hit.source.path for c in finished.citations] == ["n.pdf", "a.pdf"]
    assert finished.model == "scripted"


def test_passages_that_do_not_fit_are_left_out_aloud() -> None:
    model = ScriptedModel(["Sí."])
    budget = 480
    events, _finished = _events("¿Qué es una red neuronal?", _agent(model, budget=budget))
    notices = [event.text for event in events if isinstance(event, Notice)]
    assert any("did not fit" in text for text in notices)
    assert HITS[1].chunk.text not in model.asked[-1].content


def test_an_answer_cut_at_its_longest_length_says_so() -> None:
    events, _finished = _events("¿Qué es?", _agent(ScriptedModel(["Es un"], "length")))
    assert any(isinstance(e, Notice) and "was cut" in e.text for e in events)


def test_closing_the_events_stops_the_model() -> None:
    model = ScriptedModel(["uno ", "dos ", "tres "])
    events = answer("¿Qué es una red neuronal?", _agent(model))
    for event in events:
        if isinstance(event, Token):
            break
    events.close()  # type: ignore[attr-defined]
    assert model.stopped


def test_an_empty_answer_is_an_error_with_a_remedy() -> None:
    with pytest.raises(EngineError, match="empty answer"):
        list(answer("¿Qué es?", _agent(ScriptedModel([]))))
