"""A saved conversation as a Markdown document to read, print or hand in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from tutor.history.sessions import (
    Preference,
    SavedComparison,
    SavedTurn,
    Session,
    TurnState,
    title_of,
)
from tutor.i18n import _
from tutor.model import EXTRACTIVE, Answer, Ending, Route
from tutor.model.marks import UNSUPPORTED, CitedPlace, cited_places, marked_text, pages
from tutor.text.markdown import contained, escaped, escaped_lines, linked

_LONGEST_NAME = 40


def export_path(folder: Path, session: Session) -> Path:
    """A file in `folder` that is not there yet, named after the conversation's title and id."""
    ascii_title = unicodedata.normalize("NFKD", session.title).encode("ascii", "ignore").decode()
    words = re.sub("[^a-z0-9]+", "-", ascii_title.lower()).strip("-")[:_LONGEST_NAME].rstrip("-")
    stem = f"{words}-{session.id}" if words else session.id
    path, number = folder / f"{stem}.md", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.md"
    return path


def conversation_markdown(
    session: Session, turns: Sequence[SavedTurn], comparisons: Sequence[SavedComparison] = ()
) -> str:
    """Questions, answers, marks, sources with the words not said above, feedback; as CommonMark."""
    title = escaped(session.title) or _("Conversation without questions")
    parts = [f"# {title}", _about(session)]
    for number, turn in enumerate(turns, 1):
        parts += _turn(number, turn)
    for comparison in comparisons:
        parts += _comparison(comparison)
    return "\n\n".join(part for part in parts if part) + "\n"


def _about(session: Session) -> str:
    lines = [
        _("Course: %(name)s") % {"name": escaped(session.course)},
        _("Begun: %(time)s") % {"time": _time(session.created)},
        _("Last used: %(time)s") % {"time": _time(session.updated)},
    ]
    return "\n".join(f"- {line}" for line in lines)


def _turn(number: int, turn: SavedTurn) -> Iterator[str]:
    heading = title_of(turn.question)
    yield f"## {number}. {escaped(heading)}"
    if heading != turn.question.strip():
        yield escaped_lines(turn.question)
    if turn.standalone != turn.question:
        yield _("Searched as: %(question)s") % {"question": escaped(turn.standalone)}
    if turn.answer:
        yield from _answer(turn.answer)
    else:
        yield contained(turn.text)
    yield f"*{' · '.join(_made(turn))}*"
    if turn.feedback:
        rating = _("Rated: good") if turn.feedback.rating > 0 else _("Rated: not good")
        comment = escaped(turn.feedback.comment)
        yield f"{rating} — {comment}" if comment else rating


def _answer(answer: Answer) -> Iterator[str]:
    """The text with its marks, and what the marks stand for."""
    yield contained(marked_text(answer, as_markdown=True))
    said = _bare(answer.text)
    entries = [_source(place, said) for place in cited_places(answer)]
    results = {c.result.rank: c.result for c in answer.web_citations}
    entries += [
        f"- [W{rank}] {escaped(result.title)} — {linked(result.link)}"
        for rank, result in sorted(results.items())
    ]
    if entries:
        yield _("**Sources**")
        yield "\n".join(entries)
    if answer.unsupported:
        yield f"{UNSUPPORTED} " + _("No passage supports the sentence before this mark.")


def _source(place: CitedPlace, said: str) -> str:
    """A source with its page, and its exact words where they do not stand in what was `said`."""
    where = f"{escaped(place.source.path)}, {pages(place.first_page, place.last_page)}"
    head = f"[{place.number}] {escaped(place.source.title)} — {where}"
    quotes = (quote for quote in place.quotes if _bare(quote) not in said)
    return "\n".join([f"- {head}", *(f"    - “{escaped(quote)}”" for quote in quotes)])


def _bare(text: str) -> str:
    """A text whatever its lines are."""
    return " ".join(text.split())


def _made(turn: SavedTurn) -> Iterator[str]:
    """When, by which tool and model, and whether the answer is whole."""
    yield _time(turn.created)
    if turn.route:
        yield _routes()[turn.route]
    if turn.answer:
        yield _by(turn.answer)
    states = {
        TurnState.WRITING: _("still being written"),
        TurnState.STOPPED: _("stopped by the reader"),
        TurnState.BROKEN: _("broken off"),
    }
    if turn.state in states:
        yield states[turn.state]
    if turn.answer and turn.answer.ending is Ending.LENGTH:
        yield _("cut at the longest length allowed")


def _routes() -> dict[Route, str]:
    return {
        Route.FIXED: _("notes (fixed windows)"),
        Route.SEMANTIC: _("notes (whole sentences)"),
        Route.MAP: _("map of the course"),
        Route.WEB: _("web search (the question left this machine)"),
    }


def _by(answer: Answer) -> str:
    return _("quotes") if answer.model == EXTRACTIVE else escaped(answer.model)


def _comparison(comparison: SavedComparison) -> Iterator[str]:
    yield "## " + _("Compared: %(question)s") % {"question": escaped(title_of(comparison.question))}
    for name, answer in (("A", comparison.left), ("B", comparison.right)):
        yield f"### {name}: {_routes()[answer.route]} · {_by(answer)}"
        yield from _answer(answer)
    chosen = {
        Preference.LEFT: _("A was found better."),
        Preference.RIGHT: _("B was found better."),
        Preference.BOTH: _("Both were found good."),
        Preference.NEITHER: _("Neither was found good."),
    }
    if comparison.choice:
        yield chosen[comparison.choice]


def _time(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
