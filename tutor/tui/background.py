"""Work of a screen that would make it wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from tutor.errors import TutorError

if TYPE_CHECKING:
    from textual.message import Message
    from textual.worker import Worker

    from tutor.tui.base import TutorModal, TutorScreen


def in_background(
    screen: TutorScreen | TutorModal,
    work: Callable[[], Message | None],
    *,
    group: str,
    exclusive: bool = False,
) -> Worker[None]:
    """Do `work` in a thread and post what it returns to the screen; a failure is reported.

    With `exclusive`, what earlier work of the group returns is no longer wanted.
    """
    app = screen.tutor

    def run() -> None:
        worker = get_current_worker()
        try:
            message = work()
        except TutorError as error:
            app.call_later(app.report, error)
            return
        if message and not worker.is_cancelled:
            screen.post_message(message)

    return screen.run_worker(
        run, thread=True, group=group, exclusive=exclusive, exit_on_error=False
    )
