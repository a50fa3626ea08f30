"""A course's cards written by a model: task by task, each decided before the next one is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor.answer.injection import has_orders
from tutor.study.writing.drafts import drafted
from tutor.study.writing.second_look import Looked, Reason, second_look

if TYPE_CHECKING:
    from tutor.embedding.embedder import Embedder
    from tutor.llm.chat_model import ChatModel
    from tutor.study.writing.drafts import Draft
    from tutor.study.writing.passages import Task


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a task; `draft` is None where the model's reply was of no use."""

    task: Task
    draft: Draft | None
    looked: Looked


def write_cards(given: Iterable[Task], model: ChatModel, embedder: Embedder) -> Iterator[Written]:
    """Have the model write cards, one after the other.

    The consumer keeps what comes before it asks for more, and may stop whenever it likes.
    A passage with a sentence that orders a model about is never sent.
    Raises `EngineError`, `EmbedderError`.
    """
    for task in given:
        if has_orders(task.passage.text, embedder):
            yield Written(task, None, Looked(None, Reason.ORDERS))
            continue
        draft = drafted(task, model)
        if draft is None:
            yield Written(task, None, Looked(None, Reason.UNUSABLE))
            continue
        yield Written(task, draft, second_look(task, draft, model, embedder))
