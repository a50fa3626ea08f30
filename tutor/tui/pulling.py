"""Fetching a language model: goes on while its reader studies, on whatever screen."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.worker import Worker, get_current_worker

from tutor.i18n import _
from tutor.llm import OllamaServer
from tutor.text.terminal import plain
from tutor.tui.messages import WorkFailed
from tutor.tui.workers import follow

if TYPE_CHECKING:
    from textual.app import App

    from tutor.config import OllamaConfig
    from tutor.errors import TutorError
    from tutor.llm import PullProgress

_GROUP = "pull"
_SHOW_EVERY_S = 0.1
"""A server tells more often than anybody could read."""


@dataclass
class Pulling(Message):
    """How far a model is fetched."""

    model: str
    progress: PullProgress


@dataclass
class Pulled(Message):
    """Fetching has ended."""


def pull(app: App[Any], settings: OllamaConfig, model: str) -> None:
    """Begin to fetch a model; the screen that is shown gets `Pulling`, and `Pulled` at the end."""
    ready = False

    def show(step: PullProgress) -> None:
        nonlocal ready
        ready = step.status == "success"
        app.screen.post_message(Pulling(model, step))

    def over(error: TutorError | None) -> None:
        if error:
            app.post_message(WorkFailed(error))
        elif ready:
            told = _("The model `%(model)s` is ready; F7 chooses it.") % {"model": plain(model)}
            app.notify(told, markup=False)
        app.screen.post_message(Pulled())

    def steps() -> Generator[PullProgress, None, None]:
        cancelled = get_current_worker()
        shown = 0.0
        for step in OllamaServer(settings).pull(model, lambda: cancelled.is_cancelled):
            if step.status == "success" or monotonic() - shown > _SHOW_EVERY_S:
                shown = monotonic()
                yield step

    follow(app, steps, show, over, group=_GROUP, name=model)


def pulled_now(app: App[Any]) -> str:
    """The model that is being fetched; empty where none is."""
    return next((worker.name for worker in _workers(app)), "")


def stop_pulling(app: App[Any]) -> None:
    """Stop fetching; what was fetched stays on the server."""
    for worker in _workers(app):
        worker.cancel()


def _workers(app: App[Any]) -> list[Worker[object]]:
    return [one for one in app.workers if one.group == _GROUP and not one.is_finished]
