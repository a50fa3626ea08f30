"""A saved conversation as plain text, to be read and searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tutor.history import (
    SavedComparison,
    SavedTurn,
    SessionId,
    SessionStore,
    TurnState,
)
from tutor.i18n import _
from tutor.model import Answer
from tutor.model.marks import marked_text
from tutor.presentation.sources import source_lines


def conversation_text(sessions: SessionStore, session: SessionId) -> str:
    """Its questions, answers with their marks, and what these stand for. Raises `SessionError`."""
    told = [turn_text(turn) for turn in sessions.turns(session)]
    told += [_comparison_text(comparison) for comparison in sessions.comparisons(session)]
    return "\n\n".join(told)


def _indented(text: str, indent: str) -> str:
    return indent + text


def turn_text(turn: SavedTurn, laid_out: Callable[[str, str], str] = _indented) -> str:
    """A question, its answer and what this stands on; `laid_out` indents and wraps a text."""
    lines = [f"> {turn.question}"]
    if turn.standalone != turn.question:
        lines.append(_("(searched as: %(question)s)") % {"question": turn.standalone})
    lines.append("")
    if text := marked_text(turn.answer) if turn.answer else turn.text:
        lines.append(laid_out(text, ""))
    states = {
        TurnState.WRITING: _("(still being written)"),
        TurnState.STOPPED: _("(stopped)"),
        TurnState.BROKEN: _("(broken off)"),
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
        lines += ["", f"{name}: {answer.route.value} · {answer.model}", marked_text(answer)]
        lines += _sources(answer, _indented)
    return "\n".join(lines)


def _sources(answer: Answer, laid_out: Callable[[str, str], str]) -> Iterator[str]:
    if told := source_lines(answer):
        yield f"\n{_('Sources:')}"
        yield from (laid_out(line, "  ") for line in told)
