"""The one place where screens begin threads: work that would make the app wait."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from textual.worker import get_current_worker

from tutor.errors import TutorError
from tutor.tui.messages import WorkFailed

if TYPE_CHECKING:
    from textual.app import App
    from textual.widget import Widget
    from textual.worker import Worker

T = TypeVar("T")


def in_background(
    node: Widget | App[Any],
    work: Callable[[], T],
    then: Callable[[T], object] | None = None,
    *,
    failed: Callable[[TutorError], object] | None = None,
    group: str,
    exclusive: bool = False,
) -> Worker[None]:
    """Do `work` in a thread, then call `then` with its result in the app's own thread.

    A `TutorError` is given to `failed`, or reported. With `exclusive`, what earlier work of the
    group returns is no longer wanted.
    """

    def run() -> None:
        worker = get_current_worker()
        try:
            result = work()
        except TutorError as error:
            _deliver(worker, node, failed or _reporting(node), error)
            return
        if then:
            _deliver(worker, node, then, result)

    return node.run_worker(run, thread=True, group=group, exclusive=exclusive, exit_on_error=False)


def follow(
    node: Widget | App[Any],
    steps: Callable[[], Generator[T, None, object]],
    each: Callable[[T], object],
    over: Callable[[TutorError | None], object],
    *,
    group: str,
    name: str = "",
    exclusive: bool = False,
) -> Worker[None]:
    """Go through `steps` in a thread and give each to `each` in the app's own thread, in order.

    Cancelling the worker closes the generator. `over` is called at the end in any case, with the
    error that ended it; with `exclusive`, not for what is no longer wanted.
    """

    def run() -> None:
        worker, problem = get_current_worker(), None
        try:
            with closing(steps()) as generator:
                for step in generator:
                    if worker.is_cancelled:
                        break
                    _post(node, each, step)
        except TutorError as error:
            problem = error
        finally:
            if not (exclusive and worker.is_cancelled):
                _post(node, over, problem)

    return node.run_worker(
        run, thread=True, group=group, name=name, exclusive=exclusive, exit_on_error=False
    )


def _reporting(node: Widget | App[Any]) -> Callable[[TutorError], object]:
    return lambda error: node.post_message(WorkFailed(error))


def _deliver(
    worker: Worker[Any], node: Widget | App[Any], then: Callable[[T], object], result: T
) -> None:
    def wanted(value: T) -> object:
        return None if worker.is_cancelled else then(value)

    _post(node, wanted, result)


def _post(node: Widget | App[Any], callback: Callable[[T], object], value: T) -> None:
    with suppress(RuntimeError):  # the app has ended
        node.call_later(callback, value)
