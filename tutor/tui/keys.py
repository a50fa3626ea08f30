"""Every key and command, declared once: screens, footer, palette, `/` and help read them here."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from textual.binding import Binding, BindingType

from tutor.errors import ConfigError
from tutor.i18n import _, language
from tutor.text.folding import folded


def N_(text: str) -> str:  # noqa: N802 - gettext's own name
    """Mark a text for the message catalog that is translated when it is shown."""
    return text


KEYS: dict[str, list[Binding]] = {
    "app": [
        Binding("ctrl+p", "command_palette", N_("Menu"), id="menu", key_display="^p"),
        Binding("f1", "help", N_("Help"), id="help"),
        Binding("ctrl+q", "quit", N_("Leave"), id="quit", priority=True),
        Binding("ctrl+t", "toggle_dark", N_("Light or dark"), id="theme", show=False),
    ],
    "chat": [
        Binding("escape", "stop", N_("Stop"), id="stop"),
        Binding("escape", "back", N_("Back"), id="back"),
        Binding("f2", "toggle_strategy", N_("Index"), id="strategy", show=False),
        Binding("f3", "compare", N_("Compare"), id="compare", show=False),
        Binding("f4", "sources", N_("Sources"), id="sources", show=False),
        Binding("f5", "app.courses", N_("Courses"), id="courses", show=False),
        # Before the question box, to which F6 and F7 mean selecting.
        Binding("f6", "app.sessions", N_("Sessions"), id="sessions", show=False, priority=True),
        Binding("f7", "app.models", N_("Models"), id="models", show=False, priority=True),
        Binding("f8", "app.health", N_("Health"), id="health", show=False),
        Binding("ctrl+n", "new", N_("New conversation"), id="new", show=False),
        Binding("tab", "area(1)", N_("Next area"), False, id="area.next", priority=True),
        Binding("shift+tab", "area(-1)", N_("Area before"), False, id="area.previous",
                priority=True),
        Binding("ctrl+up", "turn(-1)", N_("Answer before"), id="turn.previous", show=False),
        Binding("ctrl+down", "turn(1)", N_("Next answer"), id="turn.next", show=False),
        Binding("ctrl+s", "on_answer('written')", N_("Model's words"), False, id="written"),
        Binding("ctrl+z", "undo", N_("Bring back"), id="undo", show=False),
        Binding("pageup", "page(-1)", N_("Scroll"), id="page.up", show=False),
        Binding("pagedown", "page(1)", N_("Scroll"), id="page.down", show=False),
        Binding("ctrl+home", "end(-1)", N_("Beginning, end"), id="first", show=False),
        Binding("ctrl+end", "end(1)", N_("Beginning, end"), id="last", show=False),
    ],
    # Taken in `QuestionBox._on_key`, in the order in which they are typed: a binding with priority
    # would be ahead of the letters before it.
    "question": [
        Binding("enter", "send", N_("Ask"), id="question.send"),
        Binding("ctrl+j,shift+enter,alt+enter", "break", N_("New line"), False,
                id="question.newline"),
        Binding("tab", "complete", N_("Complete"), id="question.complete"),
        Binding("up", "go(-1)", N_("Question before"), id="question.earlier", show=False),
        Binding("down", "go(1)", N_("Next question"), id="question.later", show=False),
        Binding("pageup", "screen.page(-1)", show=False),
        Binding("pagedown", "screen.page(1)", show=False),
    ],
    "offers": [Binding("enter", "select", N_("Ask"), id="offer.ask")],
    "folded": [Binding("enter", "open", N_("Show"), id="folded.open")],
    "earlier": [Binding("enter", "show", N_("Show"), id="earlier")],
    "answer": [
        Binding("left", "mark(-1)", N_("Marks"), id="mark.previous", key_display="←→"),
        Binding("right", "mark(1)", N_("Marks"), id="mark.next", show=False),
        Binding("enter", "open_mark", N_("Open page"), id="mark.open"),
        Binding("ctrl+o", "open_pdf", "PDF", id="mark.pdf", show=False),
        Binding("ctrl+y", "copy(False)", N_("Copy"), id="answer.copy"),
        Binding("alt+y", "copy(True)", N_("Copy with sources"), id="answer.copy_cited", show=False),
        Binding("ctrl+r", "again", N_("Other index"), id="answer.again", show=False),
        Binding("ctrl+g", "feedback(1)", N_("Rate"), id="answer.good", key_display="^g^b"),
        Binding("ctrl+b", "feedback(-1)", N_("Rate"), id="answer.bad", show=False),
        Binding("ctrl+d", "delete", N_("Delete"), id="answer.delete", show=False),
        Binding("ctrl+l", "whole", N_("Whole text"), id="answer.whole", show=False),
    ],
    "sources": [
        Binding("enter", "select", N_("Open page"), id="source.open"),
        Binding("ctrl+e", "scores", N_("Scores"), id="source.scores"),
        Binding("left", "widen(1)", N_("Width"), id="source.wider", key_display="←→"),
        Binding("right", "widen(-1)", N_("Width"), id="source.narrower", show=False),
    ],
    "comment": [Binding("escape", "dismiss", N_("Without comment"), id="comment.leave")],
    "help": [Binding("escape,f1,q", "dismiss", N_("Back"), id="help.back")],
    "compare": [
        Binding("escape", "stop_or_leave", N_("Back"), id="compare.back"),
        Binding("f2", "other_side", N_("Other"), id="compare.side"),
        Binding("1", "choose('left')", N_("A better"), id="compare.left", show=False),
        Binding("2", "choose('right')", N_("B better"), id="compare.right", show=False),
        Binding("3", "choose('both')", N_("Both good"), id="compare.both", show=False),
        Binding("0", "choose('neither')", N_("Neither"), id="compare.neither", show=False),
        Binding("n", "another", N_("Another question"), False, id="compare.another"),
    ],
    "courses": [
        Binding("escape,f5", "dismiss", N_("Back"), id="course.back"),
        Binding("i", "index", N_("Update"), id="course.index"),
        Binding("x", "cancel", N_("Stop indexing"), id="course.cancel"),
        Binding("b", "rebuild", N_("Rebuild"), id="course.rebuild"),
    ],
    "health": [
        Binding("r", "check", N_("Check again"), id="health.check"),
        Binding("c", "copy", N_("Copy report"), id="health.copy"),
        Binding("escape,f8", "dismiss", N_("Back"), id="health.back"),
    ],
    "models": [
        Binding("s", "choose(True)", N_("Choose for good"), id="model.keep"),
        Binding("p", "pull", N_("Fetch"), id="model.pull"),
        Binding("x", "stop", N_("Stop fetching"), id="model.stop"),
        Binding("r", "look", N_("Refresh"), id="model.refresh"),
        Binding("escape,f7", "back", N_("Back"), id="model.back"),
    ],
    "model_table": [Binding("enter", "select_cursor", N_("Choose"), id="model.choose")],
    "sessions": [
        Binding("escape,f6", "back", N_("Back"), id="session.back"),
        Binding("down", "to_list", N_("To the list"), id="session.list", show=False),
    ],
    "session_list": [
        Binding("enter", "select", N_("Resume"), id="session.resume"),
        Binding("slash", "screen.search", N_("Search"), id="session.search", show=False),
        Binding("r", "screen.rename", N_("Rename"), id="session.rename"),
        Binding("d,delete", "screen.delete", N_("Delete"), id="session.delete"),
        Binding("u", "screen.undo", N_("Bring back"), id="session.undo"),
        Binding("e", "screen.export", N_("Export"), id="session.export"),
        Binding("t", "screen.toggle_deleted", N_("Deleted"), id="session.deleted"),
    ],
    "passage": [
        Binding("escape,q", "dismiss", N_("Back"), id="passage.back"),
        Binding("left,h", "page(-1)", N_("Pages"), id="passage.previous_page", show=False),
        Binding("right,l", "page(1)", N_("Pages"), id="passage.next_page", key_display="←→"),
        Binding("left_square_bracket", "passage(-1)", N_("Passages"), False, id="passage.before"),
        Binding("right_square_bracket", "passage(1)", N_("Passages"), False, id="passage.after"),
        Binding("n", "citation(1)", N_("Cited"), id="passage.next_cited", key_display="np"),
        Binding("p", "citation(-1)", N_("Cited"), False, id="passage.previous_cited"),
        Binding("i", "picture", N_("Image"), id="passage.picture"),
        Binding("z", "zoom", N_("Zoom"), id="passage.zoom"),
        Binding("o", "open_pdf", "PDF", id="passage.pdf"),
        Binding("c", "copy", N_("Copy"), id="passage.copy", show=False),
    ],
    "page_text": [
        Binding("up,k", "scroll_up", show=False),
        Binding("down,j", "scroll_down", show=False),
        Binding("home", "scroll_home", show=False),
        Binding("end", "scroll_end", show=False),
        Binding("pageup", "screenful(-1)", show=False),
        Binding("pagedown,space", "screenful(1)", show=False),
    ],
    "whole_text": [
        Binding("escape", "back", N_("Back"), id="whole.back"),
        Binding("slash,ctrl+f", "search", N_("Search"), id="whole.search", key_display="/"),
        Binding("n", "find(1)", N_("Next"), id="whole.next"),
        Binding("p,N", "find(-1)", N_("Previous"), id="whole.previous"),
        Binding("c", "copy", N_("Copy all"), id="whole.copy"),
    ],
}  # fmt: skip
NAMES = {key.id: (area, key) for area, keys in KEYS.items() for key in keys if key.id}
"""Every key by the name under which it can be changed, and where it works."""


def keys_of(area: str) -> list[BindingType]:
    """The keys of a screen or widget, as the library wants them."""
    return [*KEYS[area]]


def named_keys(kind: type) -> Iterator[Binding]:
    """The keys of a screen or widget that have a name, its bases' included."""
    for base in kind.__mro__:
        for key in vars(base).get("BINDINGS", ()):
            if isinstance(key, Binding) and key.id:
                yield key


def shown_key(key: Binding, app: Any) -> str:
    """A key as it is set now, by itself, not as the footer joins it to the next one.

    `app` has the settings.
    """
    first = (app.config.tui.keys.get(key.id) or key.key).split(",")[0]
    return str(app.get_key_display(replace(key, key=first, key_display=None)))


def check_keys(keys: Mapping[str, str]) -> None:
    """Raises `ConfigError` for a name that no key of the app has."""
    for name in keys:
        if name not in NAMES:
            close = difflib.get_close_matches(name, NAMES, n=1)
            remedy = (
                _("Did you mean `%(name)s`?") % {"name": close[0]}
                if close
                else _("The names are: %(names)s") % {"names": ", ".join(sorted(NAMES))}
            )
            raise ConfigError(_("tui.keys: no key is called `%(name)s`.") % {"name": name}, remedy)


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
        """The word in the reader's language."""
        return self.words[0 if language() == "es" else -1]


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
        _command("pdf", _("Open the cited page in the system's viewer"), "mark.pdf"),
        _command("otro again", _("Ask the other index the same"), "answer.again"),
        _command("editar edit", _("Change the question asked last"), title=_("Edit"),
                 action="edit"),
        _command("bien good", rates, "answer.good", title=_("Good")),
        _command("mal bad", rates, "answer.bad", title=_("Bad")),
        _command("texto text", _("Read and search a long answer"), "answer.whole"),
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
