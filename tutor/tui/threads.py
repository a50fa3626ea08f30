"""Work in threads: the only place where screens and widgets begin any."""

from __future__ import annotations

from asyncio import CancelledError, to_thread
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from typing import Any, TypeVar

from textual.app import App
from textual.widget import Widget
from textual.worker import Worker, get_current_worker

from tutor.ending import GivenUp, given_up_when
from tutor.errors import TutorError

T = TypeVar("T")


async def in_thread(
    work: Callable[[], T], failed: Callable[[TutorError], object] | None = None
) -> T:
    """What `work` returns, which a thread does; for methods that are `textual.work`.

    If it fails, the method ends here: a `TutorError` is given to `failed`, or reported, and a fault
    of ours is written down, too. Nobody is told anything once the method is cancelled.
    """
    worker = get_current_worker()
    app: Any = worker.node.app

    def run() -> T:
        with given_up_when(lambda: worker.is_cancelled):
            return work()

    try:
        return await to_thread(run)
    except TutorError as error:
        problem = error
    except Exception as fault:  # noqa: BLE001 - the border of the app
        problem = app.written_down(fault)
    worker.node.call_later(failed or app.report, problem)
    raise CancelledError


def follow(
    node: Widget | App[Any],
    steps: Callable[[], Generator[T, None, object]],
    each: Callable[[T], object],
    over: Callable[[TutorError | None], object],
) -> Worker[None]:
    """Go through `steps` in a thread and give each to `each` in the app's own thread, in order.

    Cancelling the worker closes the generator. `over` is called at the end in any case, with the
    error that ended it; a fault of ours is written down, too.
    """
    app: Any = node.app

    def run() -> None:
        worker, problem = get_current_worker(), None

        def post(callback: Callable[[Any], object], value: object) -> None:
            with suppress(RuntimeError):  # the app has ended
                node.call_later(callback, value)

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

    return node.run_worker(run, thread=True, exit_on_error=False)
