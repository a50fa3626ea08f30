"""`tutor chat`: a plain conversation; a line is a question, or a command after a slash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import click

from tutor.answer import Agent
from tutor.answer.conversation import Conversation, unsaved
from tutor.app import find_course, make_agent, make_embedder, open_sessions, remember_counter
from tutor.cli import diagnostics
from tutor.cli.answers import AnswerPrinter
from tutor.cli.commands.cards_progress import tell_plan, tell_progress
from tutor.cli.commands.exam import examine
from tutor.cli.commands.study import practise
from tutor.cli.invocation import Invocation
from tutor.cli.options import ENGINE, LENGTH, STRATEGY, K, filter_options
from tutor.cli.output import wrapped, write
from tutor.cli.session import opened
from tutor.config import Config
from tutor.courses import Course
from tutor.errors import NotesError, SessionError, StoreError, TutorError
from tutor.history import Session, SessionStore
from tutor.i18n import _, plural
from tutor.model import Answer, AnswerLength, Strategy
from tutor.model.marks import pages
from tutor.presentation.amounts import length_told
from tutor.search.filters import FilterChoice, chosen_filter
from tutor.study.planning import plan_asked, progress_asked
from tutor.study.practice import exam_wanted, practice_wanted
from tutor.text.terminal import one_line

_LINES_KEPT = 1000
_STRATEGIES = {
    "/fijo": Strategy.FIXED,
    "/fixed": Strategy.FIXED,
    "/semantico": Strategy.SEMANTIC,
    "/semántico": Strategy.SEMANTIC,
    "/semantic": Strategy.SEMANTIC,
}
_LENGTHS = {
    "/corta": AnswerLength.SHORT,
    "/short": AnswerLength.SHORT,
    "/normal": AnswerLength.NORMAL,
    "/larga": AnswerLength.LONG,
    "/long": AnswerLength.LONG,
}


@click.command(
    name="chat",
    help=_("Hold a conversation: follow-ups are understood, everything said is saved."),
)
@STRATEGY
@K
@ENGINE
@LENGTH
@filter_options
@click.option(
    "--resume",
    metavar=_("[ID]"),
    is_flag=False,
    flag_value="last",
    help=_("Go on with a saved conversation; without ID, with the latest one."),
)
@click.pass_obj
def command(
    invocation: Invocation,
    strategy: str | None,
    k: int | None,
    engine: str | None,
    length: str | None,
    resume: str | None,
    choice: FilterChoice,
) -> None:
    config = invocation.config(strategy=strategy, k=k, engine=engine, length=length)
    _converse(config, resume, choice)


def index_and_converse(config: Config) -> None:
    """Bring the index up to date, then take questions until the end of the input."""
    from tutor.cli.indexing import run_index  # noqa: PLC0415 - `tutor chat` needs it rarely
    from tutor.index.build import IndexOptions  # noqa: PLC0415 - as above

    course = find_course(config)
    embedder, _why = make_embedder(config)
    try:
        run_index(course, config, embedder, IndexOptions())
    except NotesError as error:  # the notes are out of reach; an index may be there
        diagnostics.failure(error)
    _converse(config, None, FilterChoice())


def _converse(config: Config, resume: str | None, choice: FilterChoice) -> None:
    """Take questions until the end of the input; `choice` filters all of them."""
    course = find_course(config)
    with opened(config) as (store, embedder), ExitStack() as resources:
        sessions = None
        try:
            sessions = resources.enter_context(open_sessions(config))
        except SessionError as error:
            if resume:
                raise
            diagnostics.warning(unsaved(error))
        chosen = chosen_filter(choice, store.sources.values())
        agent = replace(make_agent(config, store, embedder), filter=chosen)
        for strategy in Strategy:  # opened while its files are there: 4 ms
            with suppress(StoreError):  # who asks that index is told
                agent.reference(strategy)
        if agent.why_no_model:
            diagnostics.warning(agent.why_no_model)
            agent = replace(agent, why_no_model="")
        chat = _Chat(agent, sessions, config, course)
        if sessions and resume == "last":
            latest = sessions.sessions(course=course.name)[:1]
            resume = latest[0].id if latest else None
        if resume:
            chat.resume(resume)
        diagnostics.line(_("Ask about your notes. /help lists the commands, Ctrl-D leaves."))
        with _line_history(config.stores_path / "chat_history"):
            chat.run()
        remember_counter(config, agent)


@contextmanager
def _line_history(path: Path) -> Iterator[None]:
    """The arrow keys bring back lines of former sittings, kept in a file for its owner only."""
    try:
        import readline  # noqa: PLC0415 - not on Windows, where the console has a history itself
    except ImportError:
        yield
        return
    with suppress(OSError):
        readline.read_history_file(path)
    readline.set_history_length(_LINES_KEPT)
    try:
        yield
    finally:
        with suppress(OSError):
            path.touch(mode=0o600, exist_ok=True)
            readline.write_history_file(path)


class _Chat:
    """One sitting at the prompt: the conversation at hand and the commands that change it."""

    def __init__(
        self,
        agent: Agent,
        sessions: SessionStore | None,
        config: Config,
        course: Course,
    ) -> None:
        """`sessions` is None where nothing can be saved."""
        self._agent = agent
        self._sessions = sessions
        self._config = config
        self._course = course
        self._conversation: Conversation | None = None
        self._last: Answer | None = None
        self._over = False
        commands: dict[str, Callable[[str], None]] = {
            "/help /ayuda /?": self._help,
            "/quit /exit /salir": self._quit,
            "/new /nueva": self._new,
            "/sessions /sesiones": self._list,
            "/open /abrir": self.resume,
            "/sources /fuentes": self._sources,
        }
        self._commands = {word: do for words, do in commands.items() for word in words.split()}

    def run(self) -> None:
        """Take lines until the input or its reader ends. A failure is reported, and costs its line
        only.
        """
        while not self._over:
            try:
                line = diagnostics.next_line()
            except KeyboardInterrupt:
                diagnostics.line("")
                return
            if line is None:
                return
            try:
                self._take(line)
            except TutorError as error:
                diagnostics.failure(error)

    def _take(self, line: str) -> None:
        """Do what a line says."""
        word, _space, rest = line.strip().partition(" ")
        word, rest = word.lower(), rest.strip()
        if word in self._commands:
            self._commands[word](rest)
        elif word in _STRATEGIES and not rest:
            strategy = _STRATEGIES[word]
            self._switch(replace(self._agent, strategy=strategy))
            told = _("Questions now go to the index `%(strategy)s`.")
            diagnostics.line(told % {"strategy": strategy.value})
        elif word in _LENGTHS:
            length = _LENGTHS[word]
            self._switch(replace(self._agent, length=length))
            diagnostics.line(_("From now on: %(length)s.") % {"length": length_told(length)})
        elif not self._studied(line) and line.strip():
            self._ask(line)

    def _studied(self, line: str) -> bool:
        """Do what a line asks to be done with cards, if it does."""
        sources = self._agent.store.sources.values()
        if (said := plan_asked(line)) is not None:
            tell_plan(self._config, self._course, said, sources)
        elif progress_asked(line):
            tell_progress(self._config, self._course)
        elif exam := exam_wanted(line, sources):
            examine(self._config, self._course, exam)
        elif practice := practice_wanted(line, sources):
            practise(self._config, self._course, practice)
        else:
            return False
        return True

    def _ask(self, question: str) -> None:
        if self._conversation is None:
            self._conversation = Conversation(self._agent, self._sessions, self._new_session())
        printer = AnswerPrinter()
        events = self._conversation.ask(question)
        try:
            for event in events:
                printer.show(event)
        except KeyboardInterrupt:
            printer.stop()
            diagnostics.line(_("Stopped. Press Ctrl-C again to leave."))
        finally:
            events.close()
            self._last = self._conversation.last_answer or self._last
        write()

    def _new_session(self) -> Session | None:
        """None, once that is said, where it cannot be saved."""
        try:
            course, language = self._course.name, self._config.language
            return self._sessions.create(course, language) if self._sessions else None
        except SessionError as error:
            diagnostics.warning(unsaved(error))
            return None

    def _switch(self, agent: Agent) -> None:
        self._agent = agent
        if self._conversation:
            self._conversation.agent = agent

    @property
    def _saved(self) -> SessionStore:
        if self._sessions is None:
            raise SessionError(_("The saved conversations cannot be opened."))
        return self._sessions

    # --- the commands ---

    def resume(self, session: str) -> None:
        """Go on with a saved conversation. Raises `SessionError`."""
        saved = self._saved.get(session)
        self._conversation = Conversation(self._agent, self._sessions, saved)
        answers = [turn.answer for turn in self._saved.turns(saved.id) if turn.answer]
        self._last = answers[-1] if answers else None
        told = plural(
            "Going on with “%(title)s” (%(n)d turn).",
            "Going on with “%(title)s” (%(n)d turns).",
            len(self._conversation.history),
            title=one_line(saved.title),
        )
        diagnostics.line(told)

    def _help(self, _rest: str) -> None:
        for line in (
            _("Write a question and press Enter. “And its formula?” is understood as a follow-up."),
            _("“In week 5”, “from 12 August” or “according to Mora” asks only those notes."),
            _("Ctrl-C stops an answer; at the prompt it leaves, as Ctrl-D does."),
            "",
            _("/web QUESTION        ask the web; the question leaves your machine"),
            _("/notes QUESTION      ask the notes, whatever words the question has"),
            _("/fixed, /semantic    ask that index; alone: from now on"),
            _("/short, /normal, /long  how much is quoted and written from now on"),
            _("/study, /exam        cards of the notes; /study week 5, /exam week 5, 20 min"),
            _("/plan DAY            what to review on each day until an exam; alone: as last time"),
            _("/sources             the exact words behind each sentence of the last answer"),
            _("/new                 begin a new conversation"),
            _("/sessions            list saved conversations"),
            _("/open ID             go on with a saved conversation"),
            _("/help, /quit         this help; leave"),
        ):
            write(wrapped(line))

    def _quit(self, _rest: str) -> None:
        self._over = True

    def _new(self, _rest: str) -> None:
        self._conversation = self._last = None
        diagnostics.line(_("A new conversation: what was said before is saved and set aside."))

    def _list(self, _rest: str) -> None:
        for session in self._saved.sessions(course=self._course.name)[:20]:
            write(f"{session.id[:8]}  {one_line(session.title)}")

    def _sources(self, _rest: str) -> None:
        """The exact words behind each sentence of the last answer."""
        if self._last is None or not (self._last.citations or self._last.web_citations):
            diagnostics.line(_("The last answer cites nothing."))
            return
        for citation in self._last.citations:
            where = f"{citation.source.path}, {pages(citation.first_page, citation.last_page)}"
            write(wrapped(self._last.text[citation.start : citation.end]))
            write(wrapped(f"«{citation.quote}»", "    "))
            write(wrapped(f"— {one_line(where)}", "    "))
        for web in self._last.web_citations:
            write(wrapped(self._last.text[web.start : web.end]))
            write(wrapped(f"— {one_line(f'{web.result.title}, {web.result.link}')}", "    "))
