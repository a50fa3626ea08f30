"""Every key, declared once: screens, footer, palette, `/` and help read them here."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from textual.binding import Binding, BindingType

from tutor.errors import ConfigError
from tutor.i18n import N_, _

KEYS: dict[str, list[Binding]] = {
    "app": [
        Binding("ctrl+p", "command_palette", N_("Menu"), id="menu", show=False),
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
        Binding("f6", "app.sessions", N_("Conversations"), False, id="sessions", priority=True),
        Binding("f7", "app.models", N_("Models"), id="models", show=False, priority=True),
        Binding("f8", "app.health", N_("Health"), id="health", show=False),
        Binding("f9", "app.study", N_("Review"), id="study", show=False),
        Binding("f10", "app.map", N_("Map"), id="map", show=False),
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
        Binding("enter", "choose", N_("Choose"), id="question.choose"),
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
        Binding("ctrl+k", "card", N_("Make a card"), id="answer.card", show=False),
        Binding("ctrl+r", "screen.again", N_("Other index"), id="answer.again", show=False),
        Binding("ctrl+g", "screen.rate(1)", N_("Rate"), id="answer.good", key_display="^g^b"),
        Binding("ctrl+b", "screen.rate(-1)", N_("Rate"), id="answer.bad", show=False),
        Binding("ctrl+d", "screen.delete", N_("Delete"), id="answer.delete", show=False),
    ],
    "sources": [
        Binding("enter", "select", N_("Open page"), id="source.open"),
        Binding("ctrl+e", "scores", N_("Scores"), id="source.scores"),
        Binding("left", "widen(1)", N_("Width"), id="source.wider", key_display="←→"),
        Binding("right", "widen(-1)", N_("Width"), id="source.narrower", show=False),
    ],
    "comment": [Binding("escape", "dismiss", N_("Back"), id="comment.leave")],
    "confirm": [
        Binding("y,s,enter", "dismiss(True)", N_("Yes"), id="confirm.yes"),
        Binding("n,escape", "dismiss(False)", N_("No"), id="confirm.no"),
    ],
    "help": [Binding("escape,f1,q", "dismiss", N_("Back"), id="help.back")],
    "compare": [
        Binding("escape", "stop", N_("Stop"), id="compare.stop"),
        Binding("escape", "leave", N_("Back"), id="compare.back"),
        Binding("f2", "other_side", N_("Other"), id="compare.side"),
        Binding("1", "choose('left')", N_("A is better"), id="compare.left", show=False),
        Binding("2", "choose('right')", N_("B is better"), id="compare.right", show=False),
        Binding("3", "choose('both')", N_("both"), id="compare.both", show=False),
        Binding("0", "choose('neither')", N_("neither"), id="compare.neither", show=False),
    ],
    "course_list": [Binding("enter", "select", N_("Choose"), id="course.choose")],
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
    "map": [
        Binding("escape", "back", N_("Back"), id="map.back"),
        Binding("ctrl+r", "ask", N_("Ask"), id="map.ask"),
        Binding("f9", "practise", N_("Practise"), id="map.practise"),
        Binding("ctrl+o", "order", N_("By topic or document"), False, id="map.order"),
    ],
    "topics": [
        Binding("enter", "screen.page", N_("Open page"), id="topic.page"),
        Binding("enter", "toggle_node", N_("Open or close"), id="topic.toggle"),
        Binding("right", "inward", N_("Open, to the card"), id="topic.open", show=False),
        Binding("left", "outward", N_("Close, upwards"), id="topic.close", show=False),
    ],
    "topic_card": [
        Binding("enter", "select", N_("Open page"), id="card.page"),
        Binding("right", "screen.concept", N_("Its card"), id="card.concept"),
        Binding("left", "screen.to_found", N_("To the topics"), id="card.tree", show=False),
    ],
    "models": [
        Binding("p", "pull", N_("Fetch"), id="model.pull"),
        Binding("x", "stop", N_("Stop fetching"), id="model.stop"),
        Binding("r", "look", N_("Refresh"), id="model.refresh"),
        Binding("escape,f7", "dismiss", N_("Back"), id="model.back"),
    ],
    "model_list": [Binding("enter", "select", N_("Choose"), id="model.choose")],
    "sessions": [Binding("escape,f6", "back", N_("Back"), id="session.back")],
    "search": [
        Binding("enter", "submit", N_("Choose"), id="search.choose"),
        Binding("down,pagedown", "screen.to_found", N_("To what is found"), id="search.down"),
    ],
    "session_list": [
        Binding("enter", "select", N_("Resume"), id="session.resume"),
        Binding("slash", "screen.search", N_("Search"), False,  # before letters typed ahead
                id="session.search", priority=True),
        Binding("f2", "screen.rename", N_("Rename"), id="session.rename"),
        Binding("ctrl+d,delete", "screen.delete", N_("Delete"), id="session.delete"),
        Binding("ctrl+z", "screen.undo", N_("Bring back"), id="session.undo"),
        Binding("ctrl+e", "screen.export", N_("Export"), id="session.export"),
        Binding("ctrl+o", "screen.toggle_deleted", N_("Deleted"), id="session.deleted"),
    ],
    "cards": [
        Binding("pageup", "scroll_card(-1)", N_("Scroll"), id="cards.up", show=False),
        Binding("pagedown", "scroll_card(1)", N_("Scroll"), id="cards.down", show=False),
    ],
    "study": [
        Binding("escape", "dismiss", N_("Back"), id="study.back"),
        Binding("1", "grade(1)", N_("Forgotten"), id="study.forgotten", show=False),
        Binding("2", "grade(2)", N_("Hard"), id="study.hard", show=False),
        Binding("3", "grade(3)", N_("Good"), id="study.good", show=False),
        Binding("space", "known", N_("Good"), id="study.known", show=False),
        Binding("4", "grade(4)", N_("Easy"), id="study.easy", show=False),
        Binding("enter", "page", N_("Open page"), id="study.page"),
        Binding("ctrl+z", "take_back", N_("Take back"), id="study.undo"),
        Binding("ctrl+s", "suspend", N_("Put aside"), id="study.suspend"),
        Binding("ctrl+e", "rewrite", N_("Rewrite"), id="study.edit"),
        Binding("ctrl+d,delete", "remove", N_("Delete"), id="study.delete", show=False),
        Binding("c", "changes", N_("Changed"), id="study.changes"),
        Binding("m", "make", N_("Make cards"), id="study.make"),
        Binding("x", "examine", N_("Exam"), id="study.exam"),
    ],
    "exam": [
        Binding("escape", "leave", N_("End"), id="exam.end"),
        Binding("p", "practise", N_("Practise these"), id="exam.practise"),
    ],
    "plan": [
        Binding("escape", "dismiss", N_("Back"), id="plan.back"),
        Binding("f9", "review", N_("Review"), id="plan.review"),
    ],
    "exam_day": [Binding("enter", "submit", N_("Plan"), id="plan.day")],
    "weak": [Binding("enter", "select", N_("Open page"), id="exam.page")],
    "changes": [
        Binding("escape", "dismiss", N_("Back"), id="change.back"),
        Binding("left", "go(-1)", N_("Cards"), id="change.previous", key_display="←→"),
        Binding("right", "go(1)", N_("Cards"), id="change.next", show=False),
        Binding("ctrl+u", "update", N_("Update"), id="change.update"),
        Binding("ctrl+k", "settle('KEEP')", N_("Keep"), id="change.keep"),
        Binding("ctrl+d,delete", "settle('DELETE')", N_("Delete"), id="change.delete"),
        Binding("ctrl+e", "rewrite", N_("Rewrite"), id="change.edit"),
        Binding("enter", "page", N_("Open page"), id="change.page"),
    ],
    "edit_card": [
        Binding("ctrl+s", "keep", N_("Save"), id="edit.keep"),
        Binding("escape", "dismiss", N_("Back"), id="edit.leave"),
    ],
    "passage": [
        Binding("escape,q", "dismiss", N_("Back"), id="passage.back"),
        Binding("left,h", "page(-1)", N_("Pages"), id="passage.previous_page", show=False),
        Binding("right,l", "page(1)", N_("Pages"), id="passage.next_page", key_display="←→"),
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
    "sought": [Binding("enter", "submit", N_("Search"), id="whole.find")],
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


def keys_from_afar(area: str, action: str) -> list[BindingType]:
    """A widget's keys with Ctrl or Alt for its screen, whose `action` is given that of each."""
    return [
        replace(key, action=f"{action}({key.action!r})", description="", show=False)
        for key in KEYS[area]
        if key.key.startswith(("ctrl+", "alt+"))
    ]


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
                else _("Help (F1) in the app lists the names.")
            )
            raise ConfigError(_("tui.keys: no key is called `%(name)s`.") % {"name": name}, remedy)
