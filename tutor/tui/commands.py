"""Everything that the conversation can do, by name: for the palette and for `/` in the question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tutor.i18n import _, language
from tutor.text.folding import folded


@dataclass(frozen=True, slots=True)
class Command:
    """What `words` do (Spanish first, then English): an `action` of the conversation's screen.

    `binding` names the key that does the same. Without an action the word goes with a question.
    """

    words: tuple[str, ...]
    title: str
    about: str
    action: str = ""
    binding: str = ""

    @property
    def word(self) -> str:
        """The word in the reader's language."""
        return self.words[0 if language() == "es" else -1]


def commands() -> list[Command]:
    """All of them, in the reader's language, the most useful first."""
    return [
        Command(("/nueva", "/new"), _("New conversation"), _("Set this one aside; it is saved"),
                "new", "new"),
        Command(("/sesiones", "/sessions"), _("Sessions"), _("Search and resume conversations"),
                "app.sessions", "sessions"),
        Command(("/fuentes", "/sources"), _("Sources"), _("The pages that the answer stands on"),
                "sources", "sources"),
        Command(("/comparar", "/compare"), _("Compare"), _("Ask both indexes the same question"),
                "compare", "compare"),
        Command(("/cursos", "/courses"), _("Courses and index"),
                _("Choose a course, update its index"), "app.courses", "courses"),
        Command(("/modelos", "/models"), _("Models"), _("Choose or fetch a language model"),
                "app.models", "models"),
        Command(("/web",), _("Ask the web"), _("The question leaves your machine")),
        Command(("/notas", "/notes"), _("Ask the notes"), _("Whatever words the question has")),
        Command(("/fijo", "/fixed"), _("Index of fixed windows"),
                _("For this question, or alone: from now on"), "strategy('fixed')", "strategy"),
        Command(("/semantico", "/semantic"), _("Index of whole sentences"),
                _("For this question, or alone: from now on"), "strategy('semantic')", "strategy"),
        Command(("/copiar", "/copy"), _("Copy"), _("The answer read last"),
                "on_answer('copy', False)", "answer.copy"),
        Command(("/citar", "/cite"), _("Copy with sources"), _("The answer read last"),
                "on_answer('copy', True)", "answer.copy_cited"),
        Command(("/pdf",), "PDF", _("Open the cited page in the system's viewer"),
                "on_answer('open_pdf')", "mark.pdf"),
        Command(("/otro", "/again"), _("Other index"), _("Ask the other index the same"),
                "on_answer('again')", "answer.again"),
        Command(("/editar", "/edit"), _("Edit"), _("Change the question asked last"), "edit"),
        Command(("/bien", "/good"), _("Good"), _("Rate the answer read last"),
                "on_answer('feedback', 1)", "answer.good"),
        Command(("/mal", "/bad"), _("Bad"), _("Rate the answer read last"),
                "on_answer('feedback', -1)", "answer.bad"),
        Command(("/texto", "/text"), _("Whole text"), _("Read and search a long answer"),
                "on_answer('whole')", "answer.whole"),
        Command(("/buscar", "/find"), _("Find"), _("Read and search this conversation"), "find"),
        Command(("/exportar", "/export"), _("Export"), _("Write this conversation as Markdown"),
                "export"),
        Command(("/salud", "/health"), _("Health"), _("Check everything that tutor needs"),
                "app.health", "health"),
        Command(("/tema", "/theme"), _("Light or dark"), _("Switch the colours"),
                "app.toggle_dark", "theme"),
        Command(("/ayuda", "/help"), _("Help"), _("Every key, and how to study with it"),
                "app.help", "help"),
        Command(("/salir", "/exit", "/quit"), _("Leave"), _("Everything said is saved"),
                "app.quit", "quit"),
    ]  # fmt: skip


def completions(line: str) -> list[Command]:
    """The commands that a line, which is being typed, may become; none without its slash."""
    typed = folded(line)
    if not typed.startswith("/") or " " in line:
        return []
    return [one for one in commands() if any(word.startswith(typed) for word in _shown(one, typed))]


def _shown(command: Command, typed: str) -> Iterable[str]:
    """The words of the reader's language; the others only once they are typed whole."""
    return (command.word, *(word for word in command.words if word == typed))


def typed_command(line: str) -> Command | None:
    """The command that a whole line is; None for a question."""
    word = folded(line.strip())
    return next((one for one in commands() if one.action and word in one.words), None)


def unknown_word(line: str) -> str:
    """The slash word with which a line begins if it means nothing; else an empty text."""
    word = line.split(maxsplit=1)[0].rstrip(":") if line.startswith("/") else ""
    known = {word for command in commands() for word in command.words}
    is_word = word == "/" or word[1:].isalpha()
    return word if is_word and folded(word) not in known else ""
