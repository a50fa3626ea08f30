"""Every command, declared once: what can be typed after `/` or chosen in the palette."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.i18n import _, language
from tutor.text.folding import folded
from tutor.tui.keys import NAMES

_WITH_TEXT = {
    **dict.fromkeys("/study /exam /plan /map /web /notes /fixed /semantic".split(), ""),
    "/compare": "compare",
    "/find": "find",
    "/export": "export",
}
"""What is done with the text behind a word; nothing where it is sent as it is."""


@dataclass(frozen=True, slots=True)
class Command:
    """What `words` do (Spanish first, then English): an `action` of the conversation's screen.

    `key` names the key that does the same. Without an action the word goes with a question.
    """

    words: tuple[str, ...]
    title: str
    about: str
    action: str
    key: str

    @property
    def word(self) -> str:
        return self.words[0 if language() == "es" else -1]

    def does(self, text: str) -> str | None:
        """What is done with a word and the text behind it, if there is any.

        Empty where a question is asked so, None where nothing can stand behind the word.
        """
        action = _WITH_TEXT.get(self.words[-1]) if text else self.action
        return f"{action}({text!r})" if action and text else action


def _command(
    words: str, about: str, key: str = "", *, title: str = "", action: str = ""
) -> Command:
    """A command; what is not given is that of its key."""
    if key:
        area, binding = NAMES[key]
        title = title or _(binding.description)
        on = {"app": "app.{}", "answer": 'on_answer("{}")', "sources": 'on_sources("{}")'}.get(
            area, "{}"
        )
        action = action or on.format(binding.action)
    return Command(tuple(f"/{word}" for word in words.split()), title, about, action, key)


def commands() -> list[Command]:
    """All of them, in the reader's language, the most useful first."""
    of_index, of_answer = _("For this question, or alone: from now on"), _("The answer read last")
    rates = _("Rate the answer read last")
    of_length = _("How much is quoted and written, from now on")
    return [
        _command("nueva new", _("Set this one aside; it is saved"), "new"),
        _command("sesiones sessions", _("Search and resume conversations"), "sessions"),
        _command("fuentes sources", _("The pages that the answer stands on"), "sources"),
        _command("comparar compare", _("Ask both indexes the same question"), "compare"),
        _command("repasar estudiar study", _("Cards of your notes, when they are due"), "study"),
        _command("examen exam", _("With a score; as /exam week 5, 10 questions, 20 min"),
                 title=_("Exam"), action="app.examine"),
        _command("plan", _("Day by day until an exam; as /plan 2026-12-10"),
                 title=_("Plan"), action="app.plan"),
        _command("mapa map", _("Topics and concepts; before a question: ask the map"), "map"),
        _command("cursos courses", _("Choose a course, update its index"), "courses",
                 title=_("Courses and index")),
        _command("modelos models", _("Choose or fetch a language model"), "models"),
        _command("web", _("The question leaves your machine"), title=_("Ask the web")),
        _command("notas notes", _("Whatever words the question has"), title=_("Ask the notes")),
        _command("fijo fixed", of_index, "strategy", title=_("Index of fixed windows"),
                 action="prefer('strategy', 'fixed')"),
        _command("semantico semantic", of_index, "strategy", title=_("Index of whole sentences"),
                 action="prefer('strategy', 'semantic')"),
        _command("corta short", of_length, title=_("Short answers"),
                 action="prefer('length', 'short')"),
        _command("normal", of_length, title=_("Answers of normal length"),
                 action="prefer('length', 'normal')"),
        _command("larga long", of_length, title=_("Long answers"),
                 action="prefer('length', 'long')"),
        _command("copiar copy", of_answer, "answer.copy"),
        _command("citar cite", of_answer, "answer.copy_cited"),
        _command("tarjeta card", _("To review it when it is due"), "answer.card"),
        _command("pdf", _("Open the cited page in the system's viewer"), "mark.pdf"),
        _command("otro again", _("Ask the other index the same"), "answer.again"),
        _command("editar edit", _("Change the question asked last"), title=_("Edit"),
                 action="edit"),
        _command("bien good", rates, "answer.good", title=_("Good")),
        _command("mal bad", rates, "answer.bad", title=_("Bad")),
        _command("escrito written", _("Though nothing supports them"), "written"),
        _command("borrar delete", _("The question and answer read last"), "answer.delete"),
        _command("deshacer undo", _("What was deleted last from this conversation"), "undo"),
        _command("buscar find", _("Read and search this conversation"), title=_("Find"),
                 action="find"),
        _command("exportar export", _("Write this conversation as Markdown"), title=_("Export"),
                 action="export"),
        _command("ancho wider", _("The pane of sources"), "source.wider", title=_("Wider")),
        _command("estrecho narrower", _("The pane of sources"), "source.narrower",
                 title=_("Narrower")),
        _command("salud health", _("Check everything that tutor needs"), "health"),
        _command("tema theme", _("Switch the colours"), "theme"),
        _command("ayuda help", _("Every key, and how to study with it"), "help"),
        _command("salir exit quit", _("Everything said is saved"), "quit"),
    ]  # fmt: skip


def completions(line: str) -> list[Command]:
    """The commands that a line, which is being typed, may become; none without its slash.

    Words of the other language count only once they are typed whole.
    """
    typed = folded(line)
    if not typed.startswith("/") or " " in line:
        return []
    return [one for one in commands() if one.word.startswith(typed) or typed in one.words]


def named_command(word: str) -> Command | None:
    """The command of this word, also before a colon; None for another word."""
    sought = folded(word.rstrip(":"))
    return next((one for one in commands() if sought in one.words), None)
