"""The app: opens the desk in the background, and leads from screen to screen."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.command import CommandPalette
from textual.worker import WorkerState

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.model import Citation
from tutor.text.terminal import plain
from tutor.tui.base import N_, failure_text
from tutor.tui.indexer import LOOK_EVERY_S, Indexer
from tutor.tui.messages import DeskFailed, DeskReady, Resumed
from tutor.tui.screens.chat import ChatScreen

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.screen import Screen
    from textual.worker import Worker

    from tutor.config import Config
    from tutor.tui.desk import Desk

_DARK, _LIGHT = "textual-dark", "textual-light"
_LIGHT_BACKGROUNDS = frozenset({"7", "15"})
QUESTIONS_REMEMBERED = 200
ERROR_FILE = "app_errors.log"
"""In the folder of all stores: what went wrong inside the app, for a bug report."""


class TutorApp(App[None]):
    """The terminal app over one folder of notes."""

    CSS_PATH = ["app.tcss", "styles/chat.tcss"]  # noqa: RUF012 - the library's own annotation
    TITLE = "tutor"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 - as above
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", N_("Help"), id="help"),
        Binding("ctrl+q", "quit", N_("Leave"), id="quit", priority=True),
        Binding("ctrl+t", "toggle_dark", N_("Light or dark"), id="theme", show=False),
    ]

    def __init__(
        self,
        config: Config,
        open_desk: Callable[[Config], Desk],
        once_warm: Callable[[], None] = lambda: None,
    ) -> None:
        """`once_warm` is called, in a thread, when everything that questions need is loaded."""
        super().__init__()
        self._once_warm = once_warm
        self.config = config
        self._open_desk = open_desk
        self._desk: Desk | None = None
        self.indexer = Indexer(self)

    @property
    def desk(self) -> Desk:
        """What lies open. There is one from the first `DeskReady` on."""
        assert self._desk is not None  # noqa: S101 - see above
        return self._desk

    @property
    def is_ready(self) -> bool:
        """Whether there is a desk."""
        return self._desk is not None

    @property
    def chat(self) -> ChatScreen:
        """The conversation."""
        screen = self.screen_stack[0]
        assert isinstance(screen, ChatScreen)  # noqa: S101 - the default screen
        return screen

    def get_default_screen(self) -> Screen[None]:
        """The conversation is what everything else lies upon."""
        return ChatScreen()

    def on_mount(self) -> None:
        """Begin to open the course, once something is on the screen."""
        self.theme = _LIGHT if _is_light(self.config.tui.theme, os.environ) else _DARK
        self.set_keymap(self.config.tui.keys)
        self.call_after_refresh(self._in_thread, self._open)
        self.set_interval(LOOK_EVERY_S, self.indexer.look)

    def _in_thread(self, work: Callable[[], None]) -> Worker[None]:
        return self.run_worker(work, thread=True, group="desk", exit_on_error=False)

    # --- the desk ---

    def reopen(self) -> None:
        """Open the course anew, as after its index has changed."""
        self._in_thread(lambda: self._changed(self.desk.open))

    def choose_course(self, name: str) -> None:
        """Put another course on the desk."""
        self.chat.show_turns([])
        self._in_thread(lambda: self._changed(lambda: self.desk.choose_course(name)))

    def resume(self, session: str) -> None:
        """Take up a saved conversation."""

        def work() -> None:
            self.desk.resume(session)
            self.chat.post_message(Resumed(self.desk.sessions.turns(session)))

        self._in_thread(lambda: self._reporting(work))

    def save_feedback(self, turn: int, rating: int, comment: str) -> None:
        """Keep, or take back (0), the reader's feedback on an answer."""

        def work() -> None:
            if rating:
                self.desk.sessions.give_feedback(turn, rating, comment)
            else:
                self.desk.sessions.withdraw_feedback(turn)

        self._in_thread(lambda: self._reporting(work))

    def _open(self) -> None:
        try:
            self._desk = self._open_desk(self.config)
        except TutorError as error:
            self.chat.post_message(DeskFailed(error))
            return
        self._tell_ready()
        self._desk.warm_up()
        self._reporting(self._check_keys)
        self._once_warm()

    def _check_keys(self) -> None:
        from tutor.tui.keys import check_keys  # noqa: PLC0415 - all screens, after the first paint

        check_keys(self.config.tui.keys, TutorApp)

    def _changed(self, change: Callable[[], None]) -> None:
        self._reporting(change)
        self._tell_ready()

    def _tell_ready(self) -> None:
        course = self.desk.course
        known = self.desk.sessions
        questions = known.questions(course.name, QUESTIONS_REMEMBERED) if course else []
        for screen in self.screen_stack:
            screen.post_message(DeskReady(questions))
        self.call_later(self.indexer.desk_ready)

    def _reporting(self, work: Callable[[], None]) -> None:
        try:
            work()
        except TutorError as error:
            self.call_from_thread(self.report, error)

    # --- screens ---

    def open_citation(self, citation: Citation, siblings: Sequence[Citation]) -> None:
        """Show the page behind a sentence."""
        from tutor.tui.screens.passage import PassageScreen  # noqa: PLC0415 - after first paint

        self.push_screen(PassageScreen(citation, siblings))

    def open_pdf(self, relative: str, page: int) -> None:
        """Open a page of the notes in the system's viewer; where there is none, copy its place."""
        from tutor.tui.viewer import NoViewerError, open_page  # noqa: PLC0415 - after first paint

        course = self.desk.course
        if course is None:
            return
        notes = course.notes

        def work() -> None:
            try:
                open_page(notes, relative, page)
            except NoViewerError as error:
                self.call_from_thread(self.copy_to_clipboard, error.place)
                remedy = f"{error.remedy}\n" + _("It was copied to the clipboard.")
                raise TutorError(error.message, remedy) from error

        self._in_thread(lambda: self._reporting(work))

    def compare(self, question: str) -> None:
        """Ask both indexes."""
        from tutor.tui.screens.compare import CompareScreen  # noqa: PLC0415 - after first paint

        if self._can_go() and self.desk.opened:
            conversation = self.desk.conversation
            self.push_screen(CompareScreen(question, conversation.history if conversation else []))

    def action_courses(self) -> None:
        """Choose or index a course."""
        from tutor.tui.screens.courses import CoursesScreen  # noqa: PLC0415 - after first paint

        def chosen(name: str | None) -> None:
            if name and not (self.desk.course and name == self.desk.course.name):
                self.choose_course(name)

        if self._can_go():
            self.push_screen(CoursesScreen(), chosen)

    def action_sessions(self) -> None:
        """Choose a saved conversation."""
        from tutor.tui.screens.sessions import SessionsScreen  # noqa: PLC0415 - after first paint

        if self._can_go():
            self.push_screen(SessionsScreen(), self._session_chosen)

    def _session_chosen(self, chosen: Any) -> None:
        from tutor.tui.screens.sessions import SessionChosen  # noqa: PLC0415 - known by now

        if isinstance(chosen, SessionChosen):
            self.resume(chosen.id)
        elif chosen is not None:
            conversation = self.desk.conversation
            if conversation and conversation.session.id in chosen.deleted:
                self.chat.action_new()

    def action_models(self) -> None:
        """Choose or fetch a language model."""
        from tutor.tui.screens.models import ModelsScreen  # noqa: PLC0415 - after first paint

        if self._can_go():
            self.push_screen(ModelsScreen(), self._look_again)

    def _look_again(self, _chosen: object) -> None:
        self._in_thread(self._tell_ready)

    def action_health(self) -> None:
        """Check everything that tutor needs."""
        from tutor.tui.screens.health import HealthScreen  # noqa: PLC0415 - after first paint

        if self._can_go():
            self.push_screen(HealthScreen())

    def action_help(self) -> None:
        """Say what the keys do."""
        from tutor.tui.screens.help import HelpScreen  # noqa: PLC0415 - after first paint

        self.push_screen(HelpScreen(self.screen.active_bindings))

    def _can_go(self) -> bool:
        """Whether another screen may be opened from here: the desk is there, nothing is above."""
        return self.is_ready and self.screen is self.chat and not self.chat.is_answering

    # --- the library's own parts, in the reader's language ---

    def action_toggle_dark(self) -> None:
        """Switch between a light and a dark theme."""
        self.theme = _LIGHT if self.current_theme.dark else _DARK

    def action_help_quit(self) -> None:
        """What Ctrl-C does where it copies nothing."""
        self.notify(_("Ctrl-Q leaves; Esc stops an answer."), markup=False)

    def action_command_palette(self) -> None:
        """Offer all commands by name."""
        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            self.push_screen(CommandPalette(placeholder=_("Search for a command ...")))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The commands of the palette."""
        chat = self.chat
        if self.is_ready and self.desk.problem:
            yield SystemCommand(_("Try again"), _("Open the course once more"), self.reopen)
        if screen is chat:
            yield SystemCommand(
                _("Switch index"),
                _("Fixed windows or whole sentences"),
                chat.action_toggle_strategy,
            )
            yield SystemCommand(
                _("Compare"), _("Ask both indexes the same question"), chat.action_compare
            )
            yield SystemCommand(
                _("New conversation"), _("Set this one aside; it is saved"), chat.action_new
            )
            yield SystemCommand(
                _("Sessions"), _("Search and resume conversations"), self.action_sessions
            )
            yield SystemCommand(
                _("Courses and index"), _("Choose a course, update its index"), self.action_courses
            )
            yield SystemCommand(
                _("Models"), _("Choose or fetch a language model"), self.action_models
            )
            yield SystemCommand(
                _("Health"), _("Check everything that tutor needs"), self.action_health
            )
        yield SystemCommand(_("Help"), _("Every key, and how to study with it"), self.action_help)
        yield SystemCommand(_("Light or dark"), _("Switch the colours"), self.action_toggle_dark)
        yield SystemCommand(_("Theme"), _("Choose other colours"), self.action_change_theme)
        yield SystemCommand(_("Picture"), _("Save the screen as SVG"), self.deliver_screenshot)
        yield SystemCommand(_("Leave"), _("Everything said is saved"), self.exit)

    # --- notices and failures ---

    def notify(self, message: str, **how: Any) -> None:
        """Show a notice: those of every screen come through here, and none brings escapes."""
        super().notify(plain(message), **how)

    def report(self, error: TutorError) -> None:
        """Show a failure and what to do about it."""
        self.notify(failure_text(error), severity="error", timeout=12, markup=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A fault of ours is reported and written down; the app goes on."""
        error = event.worker.error
        if event.state is not WorkerState.ERROR or error is None:
            return
        path = self.config.stores_path / ERROR_FILE
        lines = traceback.format_exception(error)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.writelines(lines)
            remedy = _("Details for a report are in %(path)s") % {"path": path}
        except OSError:
            remedy = ""
        message = _("Something went wrong inside tutor: %(error)s") % {"error": repr(error)}
        self.report(TutorError(message, remedy))


def _is_light(theme: str, environ: Mapping[str, str]) -> bool:
    """Whether light colours are wanted; a terminal that says anything does so in COLORFGBG."""
    if theme == "auto":
        return environ.get("COLORFGBG", "").split(";")[-1] in _LIGHT_BACKGROUNDS
    return theme == "light"
