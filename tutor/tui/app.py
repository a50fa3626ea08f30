"""The app: opens the desk in the background, and leads from screen to screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding

from tutor.errors import TutorError
from tutor.tui.base import N_, failure_text
from tutor.tui.messages import DeskFailed, DeskReady
from tutor.tui.screens.chat import ChatScreen

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType
    from textual.screen import Screen

    from tutor.config import Config
    from tutor.tui.desk import Desk


class TutorApp(App[None]):
    """The terminal app over one folder of notes."""

    CSS_PATH = ["app.tcss", "styles/chat.tcss"]  # noqa: RUF012 - the library's own annotation
    TITLE = "tutor"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 - as above
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", N_("Leave"), id="quit", priority=True),
        Binding("f1", "help", N_("Help"), id="help"),
    ]

    def __init__(self, config: Config, open_desk: Callable[[Config], Desk]) -> None:
        super().__init__()
        self.config = config
        self._open_desk = open_desk
        self._desk: Desk | None = None

    @property
    def desk(self) -> Desk:
        """What lies open. There is one from the first `DeskReady` on."""
        assert self._desk is not None  # noqa: S101 - see above
        return self._desk

    @property
    def is_ready(self) -> bool:
        """Whether there is a desk."""
        return self._desk is not None

    def get_default_screen(self) -> Screen[None]:
        """The conversation is what everything else lies upon."""
        return ChatScreen()

    def on_mount(self) -> None:
        """Begin to open the course, once something is on the screen."""
        self.call_after_refresh(
            self.run_worker, self._open, thread=True, group="desk", exit_on_error=True
        )

    def reopen(self) -> None:
        """Open the course anew, as after its index has changed."""
        self.run_worker(self._reopen, thread=True, group="desk", exit_on_error=True)

    def choose_course(self, name: str) -> None:
        """Put another course on the desk."""
        self.run_worker(lambda: self._choose(name), thread=True, group="desk")

    def _open(self) -> None:
        try:
            self._desk = self._open_desk(self.config)
        except TutorError as error:
            self.screen.post_message(DeskFailed(error))
            return
        self._told_ready()
        self._desk.warm_up()

    def _reopen(self) -> None:
        self.desk.open()
        self._told_ready()

    def _choose(self, name: str) -> None:
        self.desk.choose_course(name)
        self._told_ready()

    def _told_ready(self) -> None:
        for screen in self.screen_stack:
            screen.post_message(DeskReady())

    def report(self, error: TutorError) -> None:
        """Show a failure and what to do about it."""
        self.notify(failure_text(error), severity="error", timeout=12, markup=False)
