"""Answers and saved conversations as plain text, and in a line what happens on the way to one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

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
from tutor.model import Answer, Route
from tutor.model.marks import CitedPlace, cited_places, marked_text, pages
from tutor.presentation.amounts import decimal
from tutor.text.terminal import one_line

if TYPE_CHECKING:  # `tutor ask` shows answers and loads no conversations
    from tutor.history import SavedComparison, SavedTurn, Session, SessionId, SessionStore

_RETRIEVAL = ("embed_query", "search", "lexical", "rerank")
_FENCE = re.compile(r"[ \t]*(?:`{3,}[^`]*|~{3,}.*)")
_BELOW_HEAD = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*\|)+")
_SIGNS = re.compile(r"^#{1,6} |\*\*(?=\S)(.+?)(?<=\S)\*\*|`([^`]+)`")

_BLANK = "\n\n"
_LABEL = re.compile(r"\w+(?: \d+)?(?: \([^()]*\))?\.")
"""What stands before an example or a note: "Ejemplo (Taxi autónomo)."."""


def source_lines(answer: Answer) -> list[str]:
    """A line for each mark: document, file and pages, or a web result and its address."""
    return [*map(place_line, cited_places(answer)), *web_lines(answer)]


def place_line(place: CitedPlace) -> str:
    """What a mark of the notes stands for."""
    where = f"{one_line(place.source.path)}, {pages(place.first_page, place.last_page)}"
    return f"[{place.number}] {one_line(place.source.title)} — {where}"


def web_lines(answer: Answer) -> list[str]:
    """Those of `source_lines` that are web results."""
    results = {citation.result.rank: citation.result for citation in answer.web_citations}
    return [
        f"[W{rank}] {one_line(result.title)} — {one_line(result.link)}"
        for rank, result in sorted(results.items())
    ]


def session_title(session: Session) -> str:
    """What a conversation is called."""
    return one_line(session.title) or _("(no question yet)")


def conversation_text(sessions: SessionStore, session: SessionId) -> str:
    """Its questions, answers with their marks, and what these stand for. Raises `SessionError`."""
    told = [turn_text(turn) for turn in sessions.turns(session)]
    told += [_comparison_text(comparison) for comparison in sessions.comparisons(session)]
    return "\n\n".join(told)


def figures_text(
    answer: Answer | None, told_s: float | None = None, written_s: float | None = None
) -> list[str]:
    """When something was `told`, and a model's first word `written`, speed of writing and time of
    retrieval, as far as they are known.
    """
    figures = []
    if told_s is not None:
        figures.append(_("answered after %(s)s s") % {"s": decimal(told_s, 1)})
    if written_s is not None:
        figures.append(_("the model's first word after %(s)s s") % {"s": decimal(written_s, 1)})
    if answer is None:
        return figures
    usage = answer.usage
    if usage and usage.answer_s > 0:
        rate = usage.answer_tokens / usage.answer_s
        figures.append(_("%(rate)s tokens/s") % {"rate": decimal(rate, 0 if rate >= 10 else 1)})
    found = [answer.timings[stage] for stage in _RETRIEVAL if stage in answer.timings]
    if found:
        figures.append(_("retrieval %(ms).0f ms") % {"ms": 1000 * sum(found)})
    return figures


def words_of(markdown: str) -> str:
    """What an answer says, without the signs of Markdown; code to the letter."""
    lines, is_code = [], False
    for line in markdown.split("\n"):
        if _FENCE.fullmatch(line):
            is_code = not is_code
        elif is_code:
            lines.append(line)
        elif not _BELOW_HEAD.fullmatch(line.strip()):
            cells = filter(None, map(str.strip, line.split("|")))
            row = " · ".join(cells) if line.startswith("|") else line
            lines.append(_SIGNS.sub(r"\1\2", row))
    return "\n".join(lines)


def _indented(text: str, indent: str) -> str:
    return indent + text


def turn_text(turn: SavedTurn, laid_out: Callable[[str, str], str] = _indented) -> str:
    """A question, its answer and what this stands on; `laid_out` indents and wraps a text."""
    lines = [f"> {turn.question}"]
    if turn.standalone != turn.question:
        lines.append(_("(searched as: %(question)s)") % {"question": turn.standalone})
    lines.append("")
    if text := marked_text(turn.answer) if turn.answer else turn.text:
        lines.append(laid_out(words_of(text), ""))
    states = {
        "writing": _("(still being written)"),
        "stopped": _("(stopped)"),
        "broken": _("(broken off)"),
    }
    if turn.state in states:
        lines.append(states[turn.state])
    if turn.answer:
        lines += _sources(turn.answer, laid_out)
    if turn.gone:
        lines.append(laid_out(gone_text(turn), "  "))
    return "\n".join(lines)


def gone_text(turn: SavedTurn) -> str:
    """Which marks of an answer stand for what the notes no longer say."""
    marks = " ".join(f"[{number}]" for number in turn.gone)
    return _("The notes have changed: they no longer have what was quoted as %(marks)s.") % {
        "marks": marks
    }


def _comparison_text(comparison: SavedComparison) -> str:
    lines = ["⇄ " + _("Compared: %(question)s") % {"question": comparison.question}]
    for name, answer in (("A", comparison.left), ("B", comparison.right)):
        lines += ["", f"{name}: {answer.route.value} · {answer.model}"]
        lines.append(words_of(marked_text(answer)))
        lines += _sources(answer, _indented)
    return "\n".join(lines)


def _sources(answer: Answer, laid_out: Callable[[str, str], str]) -> Iterator[str]:
    if told := source_lines(answer):
        yield f"\n{_('Sources:')}"
        yield from (laid_out(line, "  ") for line in told)


def with_announced(text: str, start: int, end: int, quote_end: int) -> str:
    """A part of a quote; where it ends with a colon, with the block that it announces, and a label
    with all that is quoted behind it.
    """
    said, rest = text[start:end].rstrip(), text[end:].lstrip("\n")
    if _LABEL.fullmatch(said):
        return text[start:quote_end].rstrip()
    return f"{said}\n{rest.partition(_BLANK)[0]}" if said.endswith(":") else said


# --- on the way to an answer ---


def event_line(event: Event) -> str:  # noqa: PLR0911 - one for each kind of event
    """What an event says in one line; empty where it says nothing to a reader."""
    match event:
        case Notice(text=text):
            return text
        case Finished(answer=answer) if answer.is_unfounded:
            return _("Much of this could not be found in the passages: do not rely on it.")
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
    asked = {
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
    }
    what = asked.get(event.rule.removeprefix("form:"))
    return _("From the map of the course: %(what)s.") % {"what": what} if what else ""


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
