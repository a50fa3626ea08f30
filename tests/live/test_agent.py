"""The whole agent against a real server, with any small model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tests.passages import make_hit
from tests.scripted import FixedStore
from tutor.answer import Agent, answer
from tutor.answer.tokens import TokenCounter
from tutor.embedding import BundledEmbedder
from tutor.events import Event, Finished, LeftOut, Rewritten, Token, Verified
from tutor.llm import OllamaChat
from tutor.model import Answer, Ending, Hit, Strategy, Turn

if TYPE_CHECKING:
    from tutor.config import OllamaConfig

HITS = [
    make_hit(
        "Una red neuronal es un modelo de cálculo formado por capas de neuronas conectadas. "
        "Cada conexión tiene un peso que se ajusta durante el entrenamiento.",
        path="redes.pdf",
    ),
    make_hit(
        "La retropropagación calcula el gradiente de la pérdida con la regla de la cadena. "
        "Su costo es lineal en el número de pesos.",
        path="redes.pdf",
        rank=2,
        start=300,
    ),
]


def _agent(ollama: OllamaConfig, hits: Sequence[Hit] = HITS) -> Agent:
    return Agent(
        store=FixedStore(hits),
        embedder=BundledEmbedder(),
        strategy=Strategy.SEMANTIC,
        k=4,
        model=OllamaChat(ollama.model_copy(update={"num_predict": 128})),
        max_answer_tokens=128,
    )


def _ask(agent: Agent, question: str, history: Sequence[Turn] = ()) -> tuple[list[Event], Answer]:
    events = list(answer(question, agent, history))
    assert isinstance(events[-1], Finished)
    finished = events[-1].answer
    assert "".join(e.text for e in events if isinstance(e, Token)) == finished.text
    return events, finished


def test_an_answer_is_streamed_and_each_sentence_is_checked(ollama: OllamaConfig) -> None:
    events, finished = _ask(_agent(ollama), "¿Qué es una red neuronal?")
    assert sum(isinstance(event, Token) for event in events) > 1
    checked = [event for event in events if isinstance(event, Verified)]
    assert len(checked) == len(finished.citations) + len(finished.unsupported)
    assert finished.ending in {Ending.COMPLETE, Ending.LENGTH}
    assert finished.usage is not None
    assert finished.usage.prompt_tokens > 0
    for citation in finished.citations:
        assert citation.quote in citation.hit.chunk.text


def test_a_follow_up_is_understood_from_the_question_before(ollama: OllamaConfig) -> None:
    asked = "¿Qué es la retropropagación?"
    history = [Turn(asked, asked, "Calcula el gradiente con la regla de la cadena.")]
    events, _finished = _ask(_agent(ollama), "¿y su costo?", history)
    (rewritten,) = [event for event in events if isinstance(event, Rewritten)]
    assert rewritten.standalone == "costo de retropropagación"


def test_everything_fits_into_a_small_window_and_what_does_not_is_told(
    ollama: OllamaConfig,
) -> None:
    long = [make_hit(f"Dato {n}. " + "La red aprende. " * 90, path=f"{n}.pdf") for n in range(6)]
    agent = _agent(ollama.model_copy(update={"num_ctx": 512}), long)
    events, finished = _ask(agent, "¿Qué hace la red?")
    assert any(isinstance(event, LeftOut) and event.passages > 0 for event in events)
    assert finished.usage is not None
    assert finished.usage.prompt_tokens <= 512 - 128
    assert isinstance(agent.counter, TokenCounter)


def test_the_second_turn_reads_little_anew(ollama: OllamaConfig) -> None:
    agent = _agent(ollama)
    first_question = "¿Qué es una red neuronal?"
    _events, first = _ask(agent, first_question)
    history = [Turn(first_question, first_question, first.text)]
    _events, again = _ask(agent, first_question)
    assert again.usage is not None
    assert first.usage is not None
    assert again.usage.prompt_s <= first.usage.prompt_s
    _events, second = _ask(agent, "¿Qué costo tiene la retropropagación?", history)
    assert second.usage is not None
    assert second.usage.prompt_tokens > 0
