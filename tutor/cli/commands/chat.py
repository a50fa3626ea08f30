"""`tutor chat`: a plain conversation; a line is a question, or a command after a slash."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

import click

from tutor.answer.conversation import Conversation, unsaved
from tutor.answer.routing import COMMANDS, looks_like_command
from tutor.app import find_course, make_embedder, open_course, open_sessions
from tutor.cli import diagnostics
from tutor.cli.answers import AnswerPrinter
from tutor.cli.at_hand import CourseAtHand
from tutor.cli.commands.cards_progress import tell_plan, tell_progress
from tutor.cli.commands.exam import examine
from tutor.cli.commands.study import practise
from tutor.cli.invocation import Invocation
from tutor.cli.options import ENGINE, LENGTH, STRATEGY, K, filter_options
from tutor.cli.output import wrapped, write
from tutor.config import Config
from tutor.errors import NotesError, SessionError, StoreError, TutorError
from tutor.errors import command as typed
from tutor.history import FILE_NAME, Session, SessionStore
from tutor.i18n import _, plural
from tutor.index.store import read_manifest
from tutor.model import Answer, AnswerLength, Route, Strategy
from tutor.model.marks import pages
from tutor.presentation.amounts import length_told
from tutor.search.filters import FilterChoice
from tutor.study.planning import plan_asked, progress_asked
from tutor.study.practice import exam_wanted, practice_wanted
from tutor.text.folding import folded
from tutor.text.terminal import one_line

_LINES_KEPT = 1000
_LAST = "last"
_STRATEGIES = {
    f"/{word}": Strategy(route.value)
    for word, route in COMMANDS.items()
    if route in {Route.FIXED, Route.SEMANTIC}
}
_LENGTHS = {
    **dict.fromkeys(("/corta", "/short"), AnswerLength.SHORT),
    "/normal": AnswerLength.NORMAL,
    **dict.fromkeys(("/larga", "/long"), AnswerLength.LONG),
}
_KNOWN = [
    *(f"/{word}" for word in COMMANDS),
    *_LENGTHS,
    *"/plan /examen /exam /repasar /estudiar /study".split(),
]
"""Slash words that are understood elsewhere, too."""
_LIKE = 0.75
"""How like a command is (Ratcliff and Obershelp) that is taken for it misspelt."""


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
    flag_value=_LAST,
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
    is_named = bool(invocation.options["course"])
    if resume and resume != _LAST:
        config = _for_saved(config, resume, is_named=is_named)
    _converse(config, resume, choice, is_named=is_named)


def index_and_converse(config: Config, *, is_named: bool) -> None:
    """Bring the index up to date, then take questions until the end of the input.

    `is_named`: whether the course was asked for, so that no other one is opened.
    """
    from tutor.cli.indexing import run_index  # noqa: PLC0415 - `tutor chat` needs it rarely
    from tutor.index.build import IndexOptions  # noqa: PLC0415 - as above

    course = find_course(config)
    embedder, _why = make_embedder(config, course)
    try:
        run_index(course, config, embedder, IndexOptions())
    except (NotesError, StoreError) as error:  # out of reach, or on a disk that is only read
        if read_manifest(course.store) is None:
            raise
        open_course(config, course, embedder).close()  # raises where it cannot be asked, either
        diagnostics.failure(error)
    _converse(config, None, FilterChoice(), is_named=is_named)


def _for_saved(config: Config, session: str, *, is_named: bool) -> Config:
    """The settings with the course of a saved conversation, if there is such a conversation.

    Raises `SessionError` where another course was named.
    """
    if not (config.stores_path / FILE_NAME).exists():
        return config
    with open_sessions(config) as sessions:
        saved = sessions.get(session)
    own = config.varied({"course": saved.course})
    if is_named and find_course(own) != find_course(config):
        raise _of_another_course(saved)
    return own


def _of_another_course(saved: Session) -> SessionError:
    arguments = f"--course {shlex.quote(saved.course)} chat --resume {saved.id}"
    return SessionError(
        _("That conversation is of the course `%(course)s`.") % {"course": one_line(saved.course)},
        _("Go on with it there: %(command)s") % {"command": typed(arguments)},
    )


def _converse(config: Config, resume: str | None, choice: FilterChoice, *, is_named: bool) -> None:
    """Take questions until the end of the input; `choice` filters all of them."""
    with closing(CourseAtHand(config, choice)) as hand, ExitStack() as resources:
        sessions = None
        try:
            sessions = resources.enter_context(open_sessions(config))
        except SessionError as error:
            if resume:
                raise
            diagnostics.warning(unsaved(error))
        chat = _Chat(hand, sessions, is_named=is_named)
        if sessions and resume == _LAST:
            latest = sessions.sessions(course=hand.course.name)[:1]
            resume = latest[0].id if latest else None
        if resume:
            chat.resume(resume)
        diagnostics.line(_("Ask about your notes. /help lists the commands, Ctrl-D leaves."))
        with _line_history(config.stores_path / "chat_history"):
            chat.run()


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
        self, hand: CourseAtHand, sessions: SessionStore | None, *, is_named: bool
    ) -> None:
        """`sessions` is None where nothing can be saved; `is_named`: no other course is opened."""
        self._hand = hand
        self._sessions = sessions
        self._is_named = is_named
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
        word, rest = folded(word), rest.strip()
        if word in self._commands:
            self._commands[word](rest)
        elif word in _STRATEGIES and not rest:
            strategy = _STRATEGIES[word]
            self._hand.agent = replace(self._hand.agent, strategy=strategy)
            told = _("Questions now go to the index `%(strategy)s`.")
            diagnostics.line(told % {"strategy": strategy.value})
        elif word in _LENGTHS:
            length = _LENGTHS[word]
            self._hand.agent = replace(self._hand.agent, length=length)
            diagnostics.line(_("From now on: %(length)s.") % {"length": length_told(length)})
        elif looks_like_command(word) and (told := self._unknown(word.rstrip(":"), rest)):
            diagnostics.line(told)
        elif line.strip():
            self._hand.refresh()
            if not self._studied(line):
                self._ask(line)

    def _unknown(self, word: str, rest: str) -> str:
        """That there is no such command, and which one is nearest; empty for one that there is, and
        where a text stands behind what is like none.
        """
        near = get_close_matches(word, [*_KNOWN, *self._commands], n=1, cutoff=_LIKE)
        if word in _KNOWN or (rest and not near):
            return ""
        if near:
            told = _("There is no command %(word)s. Did you mean %(near)s?")
            return told % {"word": one_line(word), "near": near[0]}
        return _("There is no command %(word)s. /help lists them.") % {"word": one_line(word)}

    def _studied(self, line: str) -> bool:
        """Do what a line asks to be done with cards, if it does."""
        config, course = self._hand.config, self._hand.course
        sources = self._hand.agent.store.sources.values()
        if (said := plan_asked(line)) is not None:
            tell_plan(config, course, said, sources)
        elif progress_asked(line):
            tell_progress(config, course)
        elif exam := exam_wanted(line, sources):
            examine(config, course, exam)
        elif practice := practice_wanted(line, sources):
            practise(config, course, practice)
        else:
            return False
        return True

    def _ask(self, question: str) -> None:
        if self._conversation is None:
            session = self._new_session()
            self._conversation = Conversation(self._hand.agent, self._sessions, session)
        self._conversation.agent = self._hand.agent
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
            course, language = self._hand.course.name, self._hand.config.language
            return self._sessions.create(course, language) if self._sessions else None
        except SessionError as error:
            diagnostics.warning(unsaved(error))
            return None

    @property
    def _saved(self) -> SessionStore:
        if self._sessions is None:
            raise SessionError(_("The saved conversations cannot be opened."))
        return self._sessions

    # --- the commands ---

    def resume(self, session: str) -> None:
        """Go on with a saved conversation, in its own course. Raises `SessionError`."""
        saved = self._saved.get(session)
        self._go_to(saved)
        self._conversation = Conversation(self._hand.agent, self._sessions, saved)
        answers = [turn.answer for turn in self._saved.turns(saved.id) if turn.answer]
        self._last = answers[-1] if answers else None
        told = plural(
            "Going on with “%(title)s” (%(n)d turn).",
            "Going on with “%(title)s” (%(n)d turns).",
            len(self._conversation.history),
            title=one_line(saved.title),
        )
        diagnostics.line(told)

    def _go_to(self, saved: Session) -> None:
        """Open the course of a conversation. Raises `SessionError` where another one was named."""
        if saved.course == self._hand.course.name:
            return
        own = self._hand.config.varied({"course": saved.course})
        if find_course(own) != self._hand.course:
            if self._is_named:
                raise _of_another_course(saved)
            self._hand.open(own)
            self._conversation = self._last = None
            told = _("Questions now go to the course `%(course)s`.")
            diagnostics.line(told % {"course": one_line(self._hand.course.name)})

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
        for session in self._saved.sessions(course=self._hand.course.name)[:20]:
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
