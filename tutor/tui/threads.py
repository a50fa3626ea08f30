"""Work in threads: the only place where screens and widgets begin any."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, suppress
from typing import Any, TypeVar

from textual.app import App
from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from tutor.ending import GivenUp, given_up_when
from tutor.errors import TutorError

T = TypeVar("T")


def in_background(
    node: Widget | App[Any],
    work: Callable[[], T],
    then: Callable[[T], object] = lambda _result: None,
    *,
    failed: Callable[[TutorError], object] | None = None,
    latest: str = "",
) -> Worker[None]:
    """Do `work` in a thread, then call `then` with its result in the app's own thread.

    A `TutorError` is given to `failed`, or reported. `latest` is that of `follow`.
    """
    app: Any = node.app

    def steps() -> Generator[T, None, None]:
        yield work()

    def over(error: TutorError | None) -> None:
        if error:
            (failed or app.report)(error)

    return follow(node, steps, then, over, latest=latest)


def follow(
    node: Widget | App[Any],
    steps: Callable[[], Generator[T, None, object]],
    each: Callable[[T], object],
    over: Callable[[TutorError | None], object],
    *,
    latest: str = "",
) -> Worker[None]:
    """Go through `steps` in a thread and give each to `each` in the app's own thread, in order.

    Cancelling the worker closes the generator. `over` is called at the end in any case, with the
    error that ended it; a fault of ours is written down, too. Of all with one name under `latest`
    only the last one is wanted: the one before is cancelled then, and neither `each` nor `over` is
    called for it any more.
    """
    app: Any = node.app

    def run() -> None:
        worker, problem = get_current_worker(), None

        def post(callback: Callable[[Any], object], value: object) -> None:
            with suppress(RuntimeError):  # the app has ended
                node.call_later(lambda: None if latest and worker.is_cancelled else callback(value))

        try:
            with given_up_when(lambda: worker.is_cancelled), closing(steps()) as generator:
                for step in generator:
                    if worker.is_cancelled:
                        break
                    post(each, step)
        except TutorError as error:
            problem = error
        except Exception as fault:  # noqa: BLE001 - the border of the app
            # What an unwanted one needed may be closed already.
            problem = None if worker.is_cancelled else app.written_down(fault)
        except GivenUp:
            pass  # as if it had been stopped between two steps
        finally:
            post(over, problem)

    group, exclusive = latest or "default", bool(latest)
    return node.run_worker(run, thread=True, group=group, exclusive=exclusive, exit_on_error=False)
