"""What lies open: a course, its index, the agent that answers from it, and the conversation.

Every method that touches a disk or a server is meant for a worker
thread; the attributes may be read from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Event as Flag
from threading import Lock, RLock

from tutor.answer import Agent
from tutor.answer.conversation import Conversation, unsaved
from tutor.answer.wording import by_itself
from tutor.app import (
    find_course,
    make_agent,
    make_embedder,
    open_course,
    open_sessions,
    remember_counter,
)
from tutor.config import Config
from tutor.courses import Course, UnnamedCourseError
from tutor.embedding.embedder import Embedder
from tutor.errors import SessionError, StoreError, TutorError, reason_of
from tutor.events import Event, Notice
from tutor.files import from_home, write_document
from tutor.history import FILE_NAME as FILE_NAME_OF_SESSIONS
from tutor.history import SavedTurn, Session, SessionStore, export_path, looked_up
from tutor.i18n import _
from tutor.index.store import StoreReader, read_manifest
from tutor.model import Citation, Route

EXPORTS = "exports"
"""Folder of exported conversations, in that of the project."""


class Lease:
    """Counts who uses a thing, its owner first; `close` is called when the last one has ended."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close
        self._lock = Lock()
        self._users = 1

    def begin(self) -> bool:
        """Whether the thing can be used still; if so, `end` has to follow."""
        with self._lock:
            self._users += bool(self._users)
            return bool(self._users)

    def end(self) -> None:
        with self._lock:
            self._users -= 1
            is_last = not self._users
        if is_last:
            self._close()


@dataclass(frozen=True, slots=True)
class OpenedCourse:
    """A course opened for asking. `why_no_model` is said once, not with every answer."""

    course: Course
    embedder: Embedder
    store: StoreReader
    agent: Agent
    lease: Lease
    why_no_model: str = ""


class Workspace:
    """One course at a time, and what is done with it.

    `opened` is None as long as nothing can be asked, and `problem` says why: no notes, an index of
    another kind, an embedder that cannot be had. `needs_index`: there is none yet, or one that can
    only be asked by words. Without a `conversation`
    the next question begins one. `unsaved` says why what is said now is not kept, where it is so.
    `leaving` is set when the app ends: what takes long in a thread looks at it.
    """

    def __init__(self, config: Config, sessions: SessionStore, unsaved: str = "") -> None:
        self.config = config
        self.sessions = sessions
        self.unsaved = unsaved
        self.course: Course | None = None
        self.opened: OpenedCourse | None = None
        self.problem: TutorError | None = None
        self.needs_index = False
        self.conversation: Conversation | None = None
        self.leaving = Flag()
        self._opening = RLock()

    @property
    def obstacle(self) -> TutorError:
        """Why nothing can be asked, while that is so."""
        return self.problem or TutorError(
            _("There is no index yet."),
            _("Wait until it is there, or make it with Courses and index (F5)."),
        )

    @property
    def last_turn(self) -> int | None:
        """The saved id of the turn begun last in this conversation."""
        return self.conversation.last_turn if self.conversation else None

    def open(self) -> None:
        """Open the course of the settings, or note in `problem` why that cannot be done.

        Opening again takes up an index that has changed since; conversation and strategy stay,
        and an answer that is being written is finished from the former index.
        """
        with self._opening:
            self.problem, self.needs_index = None, False
            try:
                self.course = find_course(self.config)
                manifest = read_manifest(self.course.store)
                self.needs_index = manifest is None or not manifest.vectors
                if manifest is None:
                    self._close_course()
                else:
                    self._open(self.course)
            except UnnamedCourseError as error:
                self.problem = UnnamedCourseError(
                    error.message, _("Choose one in Courses and index (F5).")
                )
            except TutorError as error:
                self.problem = error
                if isinstance(error, StoreError):  # the former index is no longer there
                    self._close_course()

    def _open(self, course: Course) -> None:
        before = self.opened if self.opened and self.opened.course == course else None
        embedder = before.embedder if before else make_embedder(self.config, course)[0]
        store = open_course(self.config, course, embedder)
        former = self.opened
        if former:
            remember_counter(self.config, former.agent)
        agent = make_agent(self.config, store, embedder, self.leaving.is_set)
        quiet, lease = replace(agent, why_no_model=""), Lease(store.close)
        self._put(OpenedCourse(course, embedder, store, quiet, lease, agent.why_no_model))
        if former:
            former.lease.end()

    def is_outdated(self) -> bool:
        """Whether the index that lies open has been replaced by another one, or damaged."""
        opened = self.opened
        if opened is None:
            return False
        try:
            return read_manifest(opened.course.store) != opened.store.manifest
        except StoreError:
            return True

    @contextmanager
    def using(self) -> Iterator[OpenedCourse]:
        """What lies open, and stays open for as long as the block lasts."""
        while True:
            opened = self.opened
            if opened is None:
                raise self.obstacle
            if opened.lease.begin():
                break
        try:
            yield opened
        finally:
            opened.lease.end()

    def warm_up(self) -> None:
        """Load now what the first question would wait for."""
        if self.opened:
            with self.using() as opened:
                opened.embedder.embed_queries(["."])
                opened.store.warm_up()

    def choose_course(self, name: str) -> None:
        """Close this course and open another; its conversation begins anew."""
        with self._opening:
            self.config = self.config.varied({"course": name})
            self.conversation = None
            self._close_course()
            self.open()

    def prefer(self, name: str, value: str) -> None:
        """Answer the next questions with another `strategy` or `length`."""
        self.config = self.config.varied({name: value})
        if self.opened:
            strategy, length = self.config.strategy, self.config.length
            agent = replace(self.opened.agent, strategy=strategy, length=length)
            self._put(replace(self.opened, agent=agent))

    def choose_model(self, name: str) -> None:
        """Answer with another model of the server. Raises `EngineError`; nothing changes then."""
        engine = "auto" if self.config.engine == "extractive" else self.config.engine
        config = self.config.varied({"ollama.model": name, "engine": engine})
        if self.opened:
            demanded = config.varied({"engine": "ollama"})
            parts = self.opened.store, self.opened.embedder
            agent = make_agent(demanded, *parts, self.leaving.is_set)
            agent = replace(agent, quotes_on_failure=config.engine == "auto")
            self._put(replace(self.opened, agent=agent, why_no_model=""))
        self.config = config

    def resume(self, session: str) -> list[SavedTurn]:
        """Go on with a saved conversation of this course, if it lies open.

        Returns its turns, with what the notes no longer have. Raises `SessionError`, `StoreError`.
        """
        saved, turns = self.sessions.get(session), self.sessions.turns(session)
        if self.opened is None:
            return turns
        with self.using() as opened:
            self.conversation = Conversation(opened.agent, self.sessions, saved)
            return looked_up(turns, opened.store)

    def ask(self, question: str, forced: Route | None = None) -> Generator[Event, None, None]:
        """Answer within the conversation, from the index as it is by now.

        Raises what `Conversation.ask` raises.
        """
        with self._opening:
            if self.is_outdated():  # its files are gone, and what was not read of them yet
                self.open()
        with self.using() as opened:
            try:
                conversation = self.begun_conversation(opened)
            except SessionError as error:
                yield Notice(unsaved(error))
                conversation = self.conversation = Conversation(opened.agent, None, None)
            yield from conversation.ask(question, forced)

    def begun_conversation(self, opened: OpenedCourse) -> Conversation:
        """The conversation at hand, or a new one. Raises `SessionError`."""
        if self.conversation is None:
            session = self.sessions.create(opened.course.name, self.config.language)
            self.conversation = Conversation(opened.agent, self.sessions, session)
        return self.conversation

    @property
    def begun(self) -> Conversation:
        """The conversation at hand. Raises `SessionError`."""
        if self.conversation is None:
            raise SessionError(_("There is no answer yet."))
        return self.conversation

    @property
    def session(self) -> Session:
        """That of the conversation at hand, with its title. Raises `SessionError` without one."""
        return self.sessions.get(self.begun.session.id)

    def questions(self, n: int) -> list[str]:
        """Up to `n` questions asked in this course before, oldest first. Raises `SessionError`."""
        return self.sessions.questions(self.course.name, n) if self.course else []

    def due_cards(self) -> int:
        """How many cards of the course are due; 0 where none were made. Raises `StudyError`."""
        from tutor.study.store import FILE_NAME, StudyStore  # noqa: PLC0415 - 0.07 s, after the rest

        path = self.config.stores_path / FILE_NAME
        if self.course is None or not path.exists():
            return 0
        with StudyStore(path) as store:
            return len(store.due(self.course.name))

    def keep_card(self, question: str, answer: str, citation: Citation) -> str:
        """Add a card of the student's own, on the place of a citation; returns what it asks.

        Raises `StudyError`.
        """
        from tutor.study.card import card_of_answer  # noqa: PLC0415 - as above
        from tutor.study.store import FILE_NAME, StudyStore  # noqa: PLC0415

        with self.using() as opened, StudyStore(self.config.stores_path / FILE_NAME) as store:
            card = card_of_answer(by_itself(question), answer, citation)
            store.add(opened.course.name, [card])
        return card.question

    def export(self, session: Session, name: str = "") -> str:
        """Write a conversation as Markdown into a new file, or one of this name. Says where.

        Raises `SessionError`.
        """
        path = Path(name or EXPORTS)
        text = self.sessions.export_markdown(session.id)
        try:
            path = self.config.root / from_home(str(path))
            if not name or path.is_dir():
                path = export_path(path, session)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_document(path, text)
        except OSError as error:
            if isinstance(error, FileExistsError) and path.exists():
                told = _("%(path)s is already there.") % {"path": path}
                raise SessionError(told, _("Choose another file.")) from None
            raise SessionError(
                _("%(path)s cannot be written: %(reason)s.")
                % {"path": path, "reason": reason_of(error)},
                _("Give yourself the right to write there, or export it in a terminal."),
            ) from error
        return _("Written: %(path)s") % {"path": path}

    def close(self) -> None:
        """Let go of everything, and keep what was learned of the model's tokens."""
        self._close_course()
        self.sessions.close()
        if self.unsaved:
            rmtree(self.sessions.path.parent, ignore_errors=True)

    def _close_course(self) -> None:
        if self.opened:
            remember_counter(self.config, self.opened.agent)
            self.opened.lease.end()
            self.opened = None

    def _put(self, opened: OpenedCourse) -> None:
        self.opened = opened
        if self.conversation:
            self.conversation.agent = opened.agent


def open_workspace(config: Config) -> Workspace:
    """The workspace with the course of the settings.

    Where the saved conversations cannot be opened, it has an empty file of its own until it closes.
    """
    try:
        workspace = Workspace(config, open_sessions(config))
    except SessionError as error:
        try:
            folder = Path(mkdtemp(prefix="tutor-"))
        except OSError:
            raise error from None
        passing = SessionStore(folder / FILE_NAME_OF_SESSIONS)
        workspace = Workspace(config, passing, unsaved(error))
    workspace.open()
    return workspace
