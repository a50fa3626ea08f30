"""What the events of an answer say, in one line."""

from __future__ import annotations

from tutor.events import (
    Event,
    Filtered,
    Finished,
    LeftOut,
    Notice,
    Rewritten,
    Routed,
    Stage,
    Waiting,
    WebFound,
)
from tutor.i18n import _, plural
from tutor.model import Route
from tutor.text.terminal import one_line


def event_line(event: Event) -> str:  # noqa: PLR0911 - one for each kind of event
    """What an event says in one line; empty where it says nothing to a reader."""
    match event:
        case Notice(text=text):
            return text
        case Finished(answer=answer) if answer.is_unfounded:
            return _("None of this could be found in the passages: do not rely on it.")
        case Rewritten(standalone=question):
            return understood_text(question)
        case WebFound(query=query):
            told = _("This question has left your machine, for a web search: %(query)s")
            return told % {"query": query}
        case Filtered():
            return _filter_text(event)
        case LeftOut():
            return _left_out_text(event)
        case Routed():
            return _routed_text(event)
        case _:
            return ""


def _routed_text(event: Routed) -> str:
    """What answers where it is not simply the notes, and why."""
    if event.route is Route.WEB:
        word = event.rule.removeprefix("keyword:")
        told = _("Searching the web: the question says “%(word)s”.") % {"word": word}
        return _("Searching the web.") if word == event.rule else told
    if event.rule == f"fallback:{Route.WEB}":
        return _("Your notes are asked instead.")
    what = _way_told(event.rule.removeprefix("form:"))
    return _("From the map of the course: %(what)s.") % {"what": what} if what else ""


def _way_told(way: str) -> str:
    """What the map was asked, by the name of the way; empty for another one."""
    return {
        "places": _("where it is treated"),
        "lessons": _("which lessons there are"),
        "around": _("which lesson comes before or after"),
        "count": _("how many there are"),
        "versions": _("which versions there are"),
        "relation": _("what things have to do with each other"),
        "prerequisites": _("what comes before it"),
        "topic": _("what the course says of a topic"),
        "broad": _("what several documents say together"),
        "query": _("by a query that the model wrote"),
    }.get(way, "")


def understood_text(question: str) -> str:
    """How a question was understood."""
    return _("Understood as: %(question)s") % {"question": one_line(question)}


def _filter_text(event: Filtered) -> str:
    """Which documents are asked, and which words of the question said so."""
    text = plural(
        "Searching only: %(filter)s (%(n)d document).",
        "Searching only: %(filter)s (%(n)d documents).",
        event.documents,
        filter=event.words,
    )
    if not event.recognised:
        return text
    said = ", ".join(f"“{phrase}”" for phrase in event.recognised)
    return text + " " + _("Understood from %(words)s.") % {"words": said}


def _left_out_text(event: LeftOut) -> str:
    """What did not fit into the model's context window."""
    parts = {
        plural("%(n)d passage", "%(n)d passages", event.passages): event.passages,
        plural("%(n)d earlier turn", "%(n)d earlier turns", event.turns): event.turns,
    }
    told = _("Left out, since the model's context window (ollama.num_ctx) is full: %(what)s.")
    return told % {"what": ", ".join(part for part, n in parts.items() if n)}


def waiting_text(event: Waiting) -> str:
    """What an answer is waiting for.

    A server that has the model in memory may read or answer others first: that is not told.
    """
    seconds = {"seconds": round(event.seconds), "tokens": event.tokens}
    texts = {
        Stage.LOADING: _("Ollama is loading the model ... %(seconds)d s"),
        Stage.QUEUED: _("Ollama loads the model, or answers others first ... %(seconds)d s"),
        Stage.READING: _(
            "Waiting for the model's first word (about %(tokens)d tokens to read) ... %(seconds)d s"
        ),
        Stage.WEB: _("Searching the web ..."),
        Stage.ASKING: _("Waiting for the model ..."),
    }
    return texts[event.stage] % seconds
