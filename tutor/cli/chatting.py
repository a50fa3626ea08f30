"""The conversation of `tutor chat`: a line is a question or a command that begins with a slash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tutor.answer import Agent
from tutor.answer.conversation import Conversation, unsaved
from tutor.cli import diagnostics
from tutor.cli.answers import AnswerPrinter
from tutor.cli.output import wrapped, write
from tutor.errors import SessionError, TutorError
from tutor.history import Session, SessionStore
from tutor.i18n import _, ngettext
from tutor.model import Answer, AnswerLength, Strategy
from tutor.presentation.amounts import length_told, pages
from tutor.study.practice import Practice, practice_wanted
from tutor.text.terminal import one_line


class Chat:
    """One sitting at the prompt: the conversation at hand and the commands that change it."""

    def __init__(
        self,
        agent: Agent,
        sessions: SessionStore | None,
        course: str,
        language: str,
        review: Callable[[Practice], None],
    ) -> None:
        """`sessions` is None where nothing can be saved; `review` asks the cards asked for."""
        self._review = review
        self._agent = agent
        self._sessions = sessions
        self._course = course
        self._language = language
        self._conversation: Conversation | None = None
        self._last: Answer | None = None
        self.over = False

    def take(self, line: str) -> None:
        """Do what a line says. A failure is reported; the conversation goes on."""
        word, _space, rest = line.strip().partition(" ")
        command = self._commands().get(word.lower())
        strategy, length = _STRATEGIES.get(word.lower()), _LENGTHS.get(word.lower())
        try:
            if command:
                command(rest.strip())
            elif strategy and not rest.strip():
                self._switch(replace(self._agent, strategy=strategy))
                told = _("Questions now go to the index `%(strategy)s`.")
                diagnostics.line(told % {"strategy": strategy.value})
            elif length:
                self._switch(replace(self._agent, length=length))
                diagnostics.line(_("From now on: %(length)s.") % {"length": length_told(length)})
            elif practice := practice_wanted(line, self._agent.store.sources.values()):
                self._review(practice)
            elif line.strip():
                self._ask(line)
        except TutorError as error:
            diagnostics.failure(error)

    def resume(self, session: str) -> None:
        """Go on with a saved conversation. Raises `SessionError`."""
        saved = self._saved.get(session)
        self._conversation = Conversation(self._agent, self._sessions, saved)
        answers = [turn.answer for turn in self._saved.turns(saved.id) if turn.answer]
        self._last = answers[-1] if answers else None
        turns = len(self._conversation.history)
        diagnostics.line(
            ngettext(
                "Going on with “%(title)s” (%(n)d turn).",
                "Going on with “%(title)s” (%(n)d turns).",
                turns,
            )
            % {"title": one_line(saved.title), "n": turns}
        )

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
            return self._sessions.create(self._course, self._language) if self._sessions else None
        except SessionError as error:
            diagnostics.warning(unsaved(error))
            return None

    @property
    def _saved(self) -> SessionStore:
        if self._sessions is None:
            raise SessionError(_("The saved conversations cannot be opened."))
        return self._sessions

    def _commands(self) -> dict[str, Callable[[str], None]]:
        commands = {
            "/help /ayuda /?": self._help,
            "/quit /exit /salir": self._quit,
            "/new /nueva": self._new,
            "/sessions /sesiones": self._list,
            "/open /abrir": self.resume,
            "/sources /fuentes": self._sources,
        }
        return {word: do for words, do in commands.items() for word in words.split()}

    def _help(self, _rest: str) -> None:
        for line in _help_lines():
            write(wrapped(line))

    def _quit(self, _rest: str) -> None:
        self.over = True

    def _new(self, _rest: str) -> None:
        self._conversation = self._last = None
        diagnostics.line(_("A new conversation: what was said before is saved and set aside."))

    def _list(self, _rest: str) -> None:
        for session in self._saved.sessions(course=self._course)[:20]:
            write(f"{session.id[:8]}  {one_line(session.title)}")

    def _switch(self, agent: Agent) -> None:
        self._agent = agent
        if self._conversation:
            self._conversation.agent = agent

    def _sources(self, _rest: str) -> None:
        """The exact words behind each sentence of the last answer."""
        if self._last is None or not (self._last.citations or self._last.web_citations):
            diagnostics.line(_("The last answer cites nothing."))
            return
        for citation in self._last.citations:
            sentence = self._last.text[citation.start : citation.end]
            where = f"{citation.hit.source.path}, {pages(citation.first_page, citation.last_page)}"
            write(wrapped(sentence))
            write(wrapped(f"«{citation.quote}»", "    "))
            write(wrapped(f"— {one_line(where)}", "    "))
        for web in self._last.web_citations:
            write(wrapped(self._last.text[web.start : web.end]))
            write(wrapped(f"— {one_line(f'{web.result.title}, {web.result.link}')}", "    "))


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


def _help_lines() -> list[str]:
    return [
        _("Write a question and press Enter. “And its formula?” is understood as a follow-up."),
        _("“In week 5”, “from 12 August” or “according to Mora” asks only those notes."),
        _("Ctrl-C stops an answer; at the prompt it leaves, as Ctrl-D does."),
        "",
        _("/web QUESTION        ask the web; the question leaves your machine"),
        _("/notas QUESTION      ask the notes, whatever words the question has"),
        _("/fijo, /semantico    ask that index; alone: from now on"),
        _("/corta, /normal, /larga  how much is quoted and written from now on"),
        _("/fuentes             the exact words behind each sentence of the last answer"),
        _("/nueva               begin a new conversation"),
        _("/sesiones            list saved conversations"),
        _("/abrir ID            go on with a saved conversation"),
        _("/ayuda, /salir       this help; leave"),
    ]
