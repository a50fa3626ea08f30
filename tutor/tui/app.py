"""The app: opens the workspace in the background, and leads from screen to screen."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.command import CommandPalette
from textual.signal import Signal
from textual.worker import WorkerState

from tutor.errors import TutorError
from tutor.i18n import _
from tutor.model import Strategy
from tutor.text.terminal import plain
from tutor.tui.base import N_, failure_text, named_bindings, shown_key
from tutor.tui.commands import commands
from tutor.tui.screens.chat import ChatScreen
from tutor.tui.themes import DARK, LIGHT
from tutor.tui.widgets.turn import TurnView
from tutor.tui.workers import in_background
from tutor.tui.workspace.indexer import LOOK_EVERY_S, Indexer
from tutor.tui.workspace.preferences import Preferences

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.screen import Screen
    from textual.worker import Worker

    from tutor.config import Config
    from tutor.tui.messages import CommentWanted, PageWanted, PdfWanted, TextWanted, WorkFailed
    from tutor.tui.workspace.workspace import Workspace

_LIGHT_BACKGROUNDS = frozenset({"7", "15"})
QUESTIONS_REMEMBERED = 200
_TWICE_S = 3.0
"""Between the two Ctrl-C that leave."""
ERROR_FILE = "app_errors.log"
"""In the folder of all stores: what went wrong inside the app, for a bug report."""


class TutorApp(App[None]):
    """The terminal app over one folder of notes."""

    CSS_PATH = ["app.tcss", "styles/chat.tcss"]  # noqa: RUF012 - the library's own annotation
    TITLE = "tutor"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 - as above
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "command_palette", N_("Menu"), id="menu", key_display="^p"),
        Binding("f1", "help", N_("Help"), id="help"),
        Binding("ctrl+q", "quit", N_("Leave"), id="quit", priority=True),
        Binding("ctrl+t", "toggle_dark", N_("Light or dark"), id="theme", show=False),
    ]

    def __init__(
        self,
        config: Config,
        open_workspace: Callable[[Config], Workspace],
        once_warm: Callable[[], None] = lambda: None,
    ) -> None:
        """`once_warm` is called, in a thread, when everything that questions need is loaded."""
        super().__init__()
        self._once_warm = once_warm
        self.preferences = Preferences(config.stores_path)
        self.config = _preferred(config, self.preferences)
        self._open_workspace = open_workspace
        self._workspace: Workspace | None = None
        self._ctrl_c_at = -_TWICE_S
        self._keeps_theme = False
        self.indexer = Indexer(self)
        self.indexing: Signal[Indexer] = Signal(self, "indexing")
        """Published whenever a run has begun, come further or ended, or the notes have changed."""

    @property
    def workspace(self) -> Workspace:
        """What lies open. There is one once `is_ready`."""
        assert self._workspace is not None  # noqa: S101 - see above
        return self._workspace

    @property
    def is_ready(self) -> bool:
        """Whether the workspace is open."""
        return self._workspace is not None

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
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = self._first_theme()
        self._keeps_theme = True
        self.set_keymap(self.config.tui.keys)
        self.call_after_refresh(self._open)
        self.set_interval(LOOK_EVERY_S, self.indexer.look)

    def _first_theme(self) -> str:
        """The one that was chosen here last, unless the settings say another."""
        kept = self.preferences.get("theme")
        if kept in self.available_themes and "theme" not in self.config.tui.model_fields_set:
            return kept
        is_light = _is_light(self.config.tui.theme, os.environ)
        return (LIGHT if is_light else DARK).name

    def watch_theme(self, theme: str) -> None:
        """Remember what was chosen."""
        if self._keeps_theme:
            self.preferences.keep("theme", theme)

    # --- the workspace ---

    def _open(self) -> None:
        def work() -> list[str]:
            self._workspace = self._open_workspace(self.config)
            return self._questions()

        def opened(questions: list[str]) -> None:
            self._course_opened(questions)
            in_background(self, self._warm_up, group="workspace")

        in_background(self, work, opened, failed=self.chat.show_failure, group="workspace")

    def _warm_up(self) -> None:
        from tutor.tui.keys import check_keys  # noqa: PLC0415 - all screens, after the first paint

        self.workspace.warm_up()
        try:
            check_keys(self.config.tui.keys, TutorApp)
        finally:
            self._once_warm()

    def _change(self, change: Callable[[], None]) -> None:
        """Change the workspace in a thread; show then what lies open."""

        def work() -> list[str]:
            change()
            return self._questions()

        in_background(self, work, self._course_opened, group="workspace")

    def _questions(self) -> list[str]:
        course = self.workspace.course
        return (
            self.workspace.sessions.questions(course.name, QUESTIONS_REMEMBERED) if course else []
        )

    def _course_opened(self, questions: list[str]) -> None:
        self.indexer.course_opened(self.workspace)
        self.chat.show_opened(questions)

    def reopen(self) -> None:
        """Open the course anew, as after its index has changed."""
        self._change(self.workspace.open)

    def choose_course(self, name: str) -> None:
        """Open another course."""
        self.chat.show_turns([])
        self._change(lambda: self.workspace.choose_course(name))

    def resume(self, session: str) -> None:
        """Take up a saved conversation."""
        workspace = self.workspace

        def work() -> Any:
            workspace.resume(session)
            return workspace.sessions.turns(session)

        in_background(self, work, self.chat.show_turns, group="workspace")

    def index_changed(self) -> None:
        """Let the screens show how the index stands."""
        self.indexing.publish(self.indexer)

    # --- what screens ask for ---

    def on_work_failed(self, message: WorkFailed) -> None:
        """Show a failure."""
        self.report(message.error)

    def on_page_wanted(self, message: PageWanted) -> None:
        """Show the page behind a sentence."""
        from tutor.tui.screens.passage import PassageScreen  # noqa: PLC0415 - after first paint

        self.push_screen(PassageScreen(message.citation, message.siblings))

    def on_text_wanted(self, message: TextWanted) -> None:
        """Show a long text."""
        from tutor.tui.screens.whole_text import WholeTextScreen  # noqa: PLC0415 - as above

        self.push_screen(WholeTextScreen(message.title, message.text))

    def on_pdf_wanted(self, message: PdfWanted) -> None:
        """Open a page of the notes in the system's viewer; where there is none, copy its place."""
        from tutor.tui.workspace.viewer import NoViewerError, open_page  # noqa: PLC0415 - as above

        course = self.workspace.course
        if course is None:
            return
        notes = course.notes

        def failed(error: TutorError) -> None:
            if isinstance(error, NoViewerError):
                self.copy_to_clipboard(error.place)
                remedy = f"{error.remedy}\n" + _("It was copied to the clipboard.")
                error = TutorError(error.message, remedy)
            self.report(error)

        in_background(
            self, lambda: open_page(notes, message.path, message.page), failed=failed, group="pdf"
        )

    def on_comment_wanted(self, message: CommentWanted) -> None:
        """Keep the reader's feedback on an answer, or take it back."""
        from tutor.tui.screens.comment import CommentModal  # noqa: PLC0415 - as above

        sessions, turn, rating = self.workspace.sessions, message.turn, message.rating

        def save(comment: str | None) -> None:
            in_background(
                self,
                lambda: sessions.give_feedback(turn, rating, comment or ""),
                group="feedback",
            )

        if rating:
            self.push_screen(CommentModal(rating), save)
        else:
            in_background(self, lambda: sessions.withdraw_feedback(turn), group="feedback")

    # --- screens ---

    def compare(self, question: str) -> None:
        """Ask both indexes."""
        from tutor.tui.screens.compare import CompareScreen  # noqa: PLC0415 - after first paint

        if self._can_go() and self.workspace.opened:
            self.push_screen(CompareScreen(question), self.chat.show_comparison)

    def action_courses(self) -> None:
        """Choose or index a course."""
        from tutor.tui.screens.courses import CoursesScreen  # noqa: PLC0415 - after first paint

        def chosen(name: str | None) -> None:
            course = self.workspace.course
            if name and not (course and name == course.name):
                self.choose_course(name)

        if self._can_go():
            self.push_screen(CoursesScreen(), chosen)

    def action_sessions(self) -> None:
        """Choose a saved conversation."""
        from tutor.tui.screens.sessions import (  # noqa: PLC0415 - after first paint
            SessionChosen,
            SessionsClosed,
            SessionsScreen,
        )

        def chosen(result: SessionChosen | SessionsClosed | None) -> None:
            conversation = self.workspace.conversation
            if isinstance(result, SessionChosen):
                self.resume(result.id)
            elif result and conversation and conversation.session.id in result.deleted:
                self.chat.action_new()

        if self._can_go():
            self.push_screen(SessionsScreen(), chosen)

    def action_models(self) -> None:
        """Choose or fetch a language model."""
        from tutor.tui.screens.models import ModelsScreen  # noqa: PLC0415 - after first paint

        if self._can_go():
            self.push_screen(ModelsScreen(), lambda _chosen: self.chat.show_status())

    def action_health(self) -> None:
        """Check everything that tutor needs."""
        from tutor.tui.screens.health import HealthScreen  # noqa: PLC0415 - after first paint

        if self._can_go():
            self.push_screen(HealthScreen())

    def action_help(self) -> None:
        """Say what the keys do."""
        from tutor.tui.screens.help import HelpScreen  # noqa: PLC0415 - after first paint

        self.push_screen(HelpScreen([self.screen, *self.screen.query("*"), self]))

    def _can_go(self) -> bool:
        """Whether another screen may be opened: the workspace is there, nothing is above."""
        return self.is_ready and self.screen is self.chat and not self.chat.is_answering

    # --- the library's own parts, in the reader's language ---

    def action_toggle_dark(self) -> None:
        """Switch between a light and a dark theme."""
        self.theme = (LIGHT if self.current_theme.dark else DARK).name

    def action_help_quit(self) -> None:
        """Ctrl-C where it copies nothing: twice in a row leaves."""
        if monotonic() - self._ctrl_c_at < _TWICE_S:
            self.exit()
            return
        self._ctrl_c_at = monotonic()
        self.notify(_("Ctrl-C again leaves; Esc stops an answer."), timeout=_TWICE_S, markup=False)

    def action_command_palette(self) -> None:
        """Offer all commands by name."""
        if not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            self.push_screen(CommandPalette(placeholder=_("Search for a command ...")))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The commands of the palette."""
        if self.is_ready and self.workspace.problem:
            yield SystemCommand(_("Try again"), _("Open the course once more"), self.reopen)
        if screen is self.chat:
            for command in commands():
                if command.action:
                    about = " · ".join(filter(None, (command.about, self.key_of(command.binding))))
                    run = partial(self.chat.run_command, command)
                    yield SystemCommand(command.title, about, run)
        yield SystemCommand(_("Theme"), _("Choose other colours"), self.action_change_theme)
        yield SystemCommand(_("Picture"), _("Save the screen as SVG"), self.deliver_screenshot)

    def key_of(self, name: str) -> str:
        """The key of that name as it is set now; empty where there is none."""
        known = (b for kind in (type(self), ChatScreen, TurnView) for b in named_bindings(kind))
        return next((shown_key(binding, self) for binding in known if binding.id == name), "")

    # --- notices and failures ---

    def notify(self, message: str, **how: Any) -> None:
        """Show a notice: those of every screen come through here, and none brings escapes."""
        super().notify(plain(message), **how)

    def warn(self, text: str) -> None:
        """Show a warning for a while."""
        self.notify(text, severity="warning", timeout=12, markup=False)

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


def _preferred(config: Config, preferences: Preferences) -> Config:
    """The settings with the index that was chosen in the app last, unless they name one."""
    kept = preferences.get("strategy")
    if kept in {one.value for one in Strategy} and "strategy" not in config.model_fields_set:
        return config.varied({"strategy": kept})
    return config
