"""Makes a follow-up a question that can be searched for by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tutor.errors import EngineError
from tutor.events import Rewritten, Stage, Token, Waiting
from tutor.followups import accept, needs_rewriting, rewrite_by_rules, rewriting_messages

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from tutor.answering.agent import Agent
    from tutor.events import Event
    from tutor.ports import ChatModel
    from tutor.timing import Stopwatch
    from tutor.types import Turn

_REWRITING_TOKENS = 80


def stand_alone(
    question: str, history: Sequence[Turn], language: str, agent: Agent, stopwatch: Stopwatch
) -> Generator[Event, None, str]:
    """The question as it is searched for: by rules, or by the model if so configured."""
    if not needs_rewriting(question, history):
        return question
    with stopwatch.stage("rewrite"):
        by_model = None
        if agent.model and agent.rewrites_by_model:
            by_model = yield from _by_model(question, history, language, agent.model)
        standalone = by_model or rewrite_by_rules(question, history)
    if standalone != question:
        yield Rewritten(question, standalone, "model" if by_model else "rules")
    return standalone


def _by_model(
    question: str, history: Sequence[Turn], language: str, model: ChatModel
) -> Generator[Event, None, str | None]:
    """What the model makes of it; None where that is no good, or where it fails."""
    messages = rewriting_messages(question, history, language)
    stream = model.stream(messages, max_tokens=_REWRITING_TOKENS)
    text = ""
    try:
        while True:
            event = next(stream)
            if isinstance(event, Token):
                text += event.text
            elif isinstance(event, Waiting):
                loading = event.stage is Stage.LOADING
                yield event if loading else Waiting(Stage.REWRITING, event.seconds, event.tokens)
    except StopIteration:
        return accept(text, question, history)
    except EngineError:  # the answer meets it again, and reports it
        return None
    finally:
        stream.close()
