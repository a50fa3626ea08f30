"""A course's cards written by a model: task by task, each decided before the next one is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.answer.injection import has_orders
from tutor.study.writing.drafts import worded
from tutor.study.writing.second_look import Reason, fault, made_card

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder
    from tutor.llm.chat_model import ChatModel
    from tutor.study.card import Card
    from tutor.study.writing.passages import Task


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a task: a card, or the reason why there is none.

    `question` is as the model asked it, empty where it asked none.
    """

    task: Task
    question: str
    card: Card | None = None
    reason: Reason | None = None


def write_cards(given: Iterable[Task], model: ChatModel, embedder: Embedder) -> Iterator[Written]:
    """Have the model write cards, one after the other.

    The consumer keeps what comes before it asks for more, and may stop whenever it likes.
    A sentence of a passage that orders a model about is never sent.
    Raises `EngineError`, `EmbedderError`.
    """
    for task in given:
        if has_orders(task.passage.text, embedder):
            yield Written(task, "", reason=Reason.ORDERS)
            continue
        question = worded(task, model)
        if fault(task, question):
            question = worded(task, model, again=True)
        if reason := fault(task, question):
            yield Written(task, question, reason=reason)
        else:
            yield Written(task, question, made_card(task, question, model.name))
