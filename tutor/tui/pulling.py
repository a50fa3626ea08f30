"""Fetching a language model: goes on while its reader studies, on whatever screen."""

from __future__ import annotations

from contextlib import closing
from time import monotonic
from typing import TYPE_CHECKING

from textual.message import Message
from textual.worker import Worker, get_current_worker

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.llm import OllamaServer
from tutor.text.terminal import plain

if TYPE_CHECKING:
    from tutor.config import OllamaConfig
    from tutor.llm import PullProgress
    from tutor.tui.app import TutorApp

_GROUP = "pull"
_SHOW_EVERY_S = 0.1
"""A server tells more often than anybody could read."""


class Pulling(Message):
    """How far a model is fetched."""

    def __init__(self, model: str, progress: PullProgress) -> None:
        super().__init__()
        self.model = model
        self.progress = progress


class Pulled(Message):
    """Fetching has ended; the model is there if `ready`."""

    def __init__(self, model: str, *, ready: bool) -> None:
        super().__init__()
        self.model = model
        self.ready = ready


def pull(app: TutorApp, settings: OllamaConfig, model: str) -> None:
    """Begin to fetch a model; the screen that is shown gets `Pulling`, and `Pulled` at the end."""

    def run() -> None:
        worker = get_current_worker()
        ready, shown = False, 0.0
        steps = OllamaServer(settings).pull(model, lambda: worker.is_cancelled)
        try:
            with closing(steps):
                for step in steps:
                    if worker.is_cancelled:
                        break
                    ready = step.status == "success"
                    if (now := monotonic()) - shown > _SHOW_EVERY_S:
                        shown = now
                        app.screen.post_message(Pulling(model, step))
        except TutorError as error:
            app.call_later(app.report, error)
        app.call_later(_tell_end, app, model, ready)

    app.run_worker(run, thread=True, group=_GROUP, name=model, exit_on_error=False)


def pulled_now(app: TutorApp) -> str:
    """The model that is being fetched; empty where none is."""
    return next((worker.name for worker in _workers(app)), "")


def stop_pulling(app: TutorApp) -> None:
    """Stop fetching; what was fetched stays on the server."""
    for worker in _workers(app):
        worker.cancel()


def _workers(app: TutorApp) -> list[Worker[object]]:
    return [one for one in app.workers if one.group == _GROUP and not one.is_finished]


def _tell_end(app: TutorApp, model: str, ready: bool) -> None:
    told = {"model": plain(model)}
    if ready:
        app.notify(_("The model `%(model)s` is ready; F7 chooses it.") % told, markup=False)
    app.screen.post_message(Pulled(model, ready=ready))
