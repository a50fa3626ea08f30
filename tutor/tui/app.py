"""The app: opens the workspace in the background, and leads from screen to screen."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.screen import Screen
from textual.signal import Signal

from tutor.config import Config
from tutor.courses import UnnamedCourseError
from tutor.ending import BY_SIGNAL, told_to_end
from tutor.errors import TutorError
from tutor.i18n import _
from tutor.model import Citation
from tutor.tui.frame import Frame, share_arenas
from tutor.tui.keys import check_keys, keys_of
from tutor.tui.screens.chat import ChatScreen
from tutor.tui.screens.dialogs import HelpScreen
from tutor.tui.threads import in_background
from tutor.tui.widgets.question_box import QuestionBox
from tutor.tui.workspace.indexer import LOOK_EVERY_S, WATCH_EVERY_S, Indexer

if TYPE_CHECKING:
    from tutor.study.practice import ExamWanted, Practice
    from tutor.tui.screens.models import Pull
    from tutor.tui.workspace.workspace import Workspace

SWITCH_S = 0.001
"""How long a thread that computes may keep the interpreter from the one that draws."""
_QUESTIONS_REMEMBERED = 200


class TutorApp(Frame):
    """The terminal app over one folder of notes.

    Modules of screens are loaded when they are first wanted: all of them take 0.6 s, which the
    first frame need not wait for.
    """

    CSS_PATH = "app.tcss"
    TITLE = "tutor"
    BINDINGS = keys_of("app")
    workspace: Workspace
    """What lies open, once `is_ready`."""

    def __init__(
        self,
        config: Config,
        open_workspace: Callable[[Config], Workspace],
        once_warm: Callable[[], None] = lambda: None,
    ) -> None:
        """`once_warm` is called, in a thread, when everything that questions need is loaded."""
        super().__init__(config)
        self._once_warm = once_warm
        self._open_workspace = open_workspace
        self.is_ready = False
        self.indexer = Indexer(self)
        self.indexing: Signal[Indexer] = Signal(self, "indexing")
        """Published whenever a run has begun, come further or ended, or the notes have changed."""
        self.pull: Pull | None = None
        """The model that is being fetched."""

    @property
    def chat(self) -> ChatScreen:
        """The conversation, which everything else lies upon."""
        screen = self.screen_stack[0]
        assert isinstance(screen, ChatScreen)  # noqa: S101 - the default screen
        return screen

    def get_default_screen(self) -> Screen[None]:
        return ChatScreen()

    def on_mount(self) -> None:
        self.call_after_refresh(self._open)
        self.set_interval(LOOK_EVERY_S, self.indexer.look)
        self.set_interval(WATCH_EVERY_S, self.indexer.watch)

    def on_unmount(self) -> None:
        """Leaving waits for the threads."""
        if self.is_ready:
            self.workspace.leaving.set()

    # --- the workspace ---

    def _open(self) -> None:
        def opens() -> None:
            self.workspace = self._open_workspace(self.config)
            self.is_ready = True

        def opened() -> None:
            if self.workspace.unsaved:
                self.warn(self.workspace.unsaved)
            in_background(self, self._warm_up)
            if isinstance(self.workspace.problem, UnnamedCourseError):
                self.action_courses()

        self._change(opens, opened, self.chat.show_failure)

    def _warm_up(self) -> None:
        self.workspace.warm_up()
        import tutor.tui.screens.passage  # noqa: F401, PLC0415 - 0.1 s for the first page otherwise

        try:
            check_keys(self.config.tui.keys)
        finally:
            self._once_warm()

    def _change(
        self,
        change: Callable[[], None],
        then: Callable[[], None] = lambda: None,
        failed: Callable[[TutorError], None] | None = None,
    ) -> None:
        def work() -> list[str]:
            change()
            return self.workspace.questions(_QUESTIONS_REMEMBERED)

        def changed(questions: list[str]) -> None:
            self.indexer.course_opened(self.workspace)
            self.chat.show_opened(questions)
            self._count_due()
            then()

        in_background(self, work, changed, failed=failed)

    def _count_due(self) -> None:
        # What is wrong with the file of cards is told where cards are wanted.
        count, show = self.workspace.due_cards, self.chat.show_due
        in_background(self, count, show, failed=lambda _error: None)

    def reopen(self) -> None:
        self._change(self.workspace.open)

    async def choose_course(self, name: str | None) -> None:
        """Open another course; nothing happens if it lies open already."""
        course = self.workspace.course
        if name and not (course and name == course.name):
            await self.chat.show_turns([])
            self._change(partial(self.workspace.choose_course, name))

    def resume(self, session: str) -> None:
        in_background(self, partial(self.workspace.resume, session), self.chat.show_turns)

    # --- what screens ask for ---

    def open_page(self, citation: Citation, siblings: Sequence[Citation]) -> None:
        """Show the page behind a citation; `siblings` are all citations of that answer."""
        from tutor.tui.screens.passage import PassageScreen  # noqa: PLC0415 - after first paint

        self.push_screen(PassageScreen(citation, siblings))

    def open_pdf(self, path: str, page: int) -> None:
        """Open a page of the notes in the system's viewer; where there is none, copy its place."""
        from tutor.viewer import NoViewerError, open_page  # noqa: PLC0415 - as above

        def failed(error: TutorError) -> None:
            if isinstance(error, NoViewerError):
                self.copy_to_clipboard(error.place)
                remedy = f"{error.remedy}\n" + _("It was copied to the clipboard.")
                error = TutorError(error.message, remedy)
            self.report(error)

        if course := self.workspace.course:
            in_background(self, partial(open_page, course.notes, path, page), failed=failed)

    # --- screens over the conversation ---

    def _go(
        self, make: Callable[[], Screen[Any]], then: Callable[[Any], Any] | None = None
    ) -> None:
        """Open a screen if the workspace is there and nothing else goes on."""
        if self.screen is self.chat and self.chat.is_free():
            self.push_screen(make(), then)

    def compare(self, question: str) -> None:
        from tutor.tui.screens.compare import CompareScreen  # noqa: PLC0415 - after first paint

        self._go(partial(CompareScreen, question), self.chat.show_comparison)

    def action_courses(self) -> None:
        from tutor.tui.screens.courses import CoursesScreen  # noqa: PLC0415 - after first paint

        self._go(CoursesScreen, self.choose_course)

    def action_sessions(self) -> None:
        from tutor.tui.screens.sessions import SessionsScreen  # noqa: PLC0415 - after first paint

        async def left(session: str | None) -> None:
            if session:
                self.resume(session)
            elif session is not None:
                await self.chat.action_new()

        self._go(SessionsScreen, left)

    def action_models(self) -> None:
        from tutor.tui.screens.models import ModelsScreen  # noqa: PLC0415 - after first paint

        self._go(ModelsScreen, lambda _chosen: self.chat.show_status())

    def action_study(self, practice: Practice | None = None) -> None:
        """Review the cards that were asked for, or those whose time it is."""
        from tutor.tui.screens.study import StudyScreen  # noqa: PLC0415 - after first paint

        self._go(partial(StudyScreen, practice), self._left_cards)

    def action_examine(self, wanted: ExamWanted | None = None) -> None:
        from tutor.tui.screens.exam import ExamScreen  # noqa: PLC0415 - after first paint

        self._go(partial(ExamScreen, wanted), self._left_cards)

    def action_plan(self, said: str = "") -> None:
        """Show what to review until an exam, on the day that was said, or said last."""
        from tutor.tui.screens.exam import PlanScreen  # noqa: PLC0415 - after first paint

        self._go(partial(PlanScreen, said), self._left_cards)

    def action_progress(self) -> None:
        from tutor.tui.screens.exam import ProgressScreen  # noqa: PLC0415 - after first paint

        self._go(ProgressScreen, self._left_cards)

    def opener(self, question: str) -> Callable[[], None] | None:
        """What opens the screen that a question asks for; None for one that is to be answered."""
        from tutor.study import practice as cards  # noqa: PLC0415 - after first paint
        from tutor.study.planning import plan_asked, progress_asked  # noqa: PLC0415 - as above

        opened = self.workspace.opened
        sources = opened.store.sources.values() if opened else ()
        if (said := plan_asked(question)) is not None:
            return partial(self.action_plan, said)
        if progress_asked(question):
            return self.action_progress
        if exam := cards.exam_wanted(question, sources):
            return partial(self.action_examine, exam)
        practice = cards.practice_wanted(question, sources)
        return partial(self.action_study, practice) if practice else None

    def _left_cards(self, next_action: Callable[[], None] | None) -> None:
        """Others may be due now; a screen over cards may lead to the next one."""
        self._count_due()
        if next_action:
            self.call_later(next_action)

    def action_map(self) -> None:
        from tutor.tui.screens.map import MapScreen  # noqa: PLC0415 - after first paint

        def left(line: str | None) -> None:
            if line:
                self.chat.post_message(QuestionBox.Sent(line))

        self._go(MapScreen, left)

    def action_health(self) -> None:
        from tutor.tui.screens.health import HealthScreen  # noqa: PLC0415 - after first paint

        self._go(HealthScreen)

    def action_help(self) -> None:
        self.push_screen(HelpScreen([self.screen, *self.screen.query("*"), self]))


def run(config: Config) -> None:
    """Run the app until its user leaves; its course is loaded after the first frame."""
    share_arenas()
    sys.setswitchinterval(SWITCH_S)
    # What is loaded by then lives as long as the app; going through it again and again while
    # drawing made pauses of 0.15 s, and of 0.03 s without (`scripts/app_speed.py`).
    app = TutorApp(config, _open_workspace, once_warm=gc.freeze)
    if sys.platform != "win32":
        from tutor.tui.terminal import TerminalDriver  # noqa: PLC0415 - not on Windows

        app.driver_class = TerminalDriver
    try:
        with told_to_end(partial(_leave, app)):
            app.run()
    finally:
        app.indexer.close()
        if app.is_ready:
            app.workspace.close()
    if app.return_code and app.return_code > BY_SIGNAL:
        raise SystemExit(app.return_code)


def _leave(app: TutorApp, code: int) -> None:
    """Let a signal end the app as its user would.

    An exception, by which it ends a command, is lost wherever the library happens to catch all.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        raise SystemExit(code) from None
    loop.call_soon_threadsafe(partial(app.exit, return_code=code))


def _open_workspace(config: Config) -> Workspace:
    from tutor.tui.workspace.workspace import open_workspace  # noqa: PLC0415 - NumPy and the store, 0.6 s

    return open_workspace(config)
