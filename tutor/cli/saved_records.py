"""Saved conversations, and the feedback on their answers, as records for JSON or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tutor.cli.output import table
from tutor.cli.records import finished_record
from tutor.history import SavedComparison, SavedTurn
from tutor.i18n import _
from tutor.model import Answer
from tutor.text.cells import csv_text
from tutor.text.terminal import shortened

_COLUMNS = (
    "kind", "session", "created", "question", "standalone",
    "verdict", "comment", "answer", "route", "model", "other_answer", "other_route", "other_model",
)  # fmt: skip
_WIDTH = 50


def turn_record(turn: SavedTurn) -> dict[str, Any]:
    """Everything saved of a turn."""
    feedback = turn.feedback
    return {
        "question": turn.question,
        "standalone": turn.standalone,
        "state": turn.state,
        "created": turn.created,
        "route": turn.route,
        "rule": turn.rule,
        "strategy": turn.strategy,
        "text": turn.text,
        "answer": finished_record(turn.answer) if turn.answer else None,
        "gone": list(turn.gone),
        "feedback": {"rating": feedback.rating, "comment": feedback.comment} if feedback else None,
    }


def rating_record(turn: SavedTurn) -> dict[str, Any]:
    """The feedback on an answer: `verdict` is `good` or `bad`. The turn has some."""
    feedback = turn.feedback
    assert feedback is not None  # noqa: S101 - see above
    return {
        "kind": "rating",
        "session": turn.session,
        "created": feedback.created.isoformat(),
        "question": turn.question,
        "standalone": turn.standalone,
        "verdict": "good" if feedback.rating > 0 else "bad",
        "comment": feedback.comment,
        "answer": turn.text,
        "route": turn.route,
        "model": turn.answer.model if turn.answer else None,
    }


def comparison_record(comparison: SavedComparison) -> dict[str, Any]:
    """Two answers to one question: `verdict` is which was better, None where nobody said."""
    return {
        "kind": "comparison",
        "session": comparison.session,
        "created": comparison.created.isoformat(),
        "question": comparison.question,
        "verdict": comparison.choice,
        **_answer(comparison.left, ""),
        **_answer(comparison.right, "other_"),
    }


def _answer(answer: Answer, prefix: str) -> dict[str, Any]:
    return {
        f"{prefix}answer": answer.text,
        f"{prefix}route": answer.route,
        f"{prefix}model": answer.model,
    }


def as_csv(records: Sequence[dict[str, Any]]) -> str:
    """The records with a heading; no cell is taken for a formula by a spreadsheet."""
    return csv_text(_COLUMNS, records)


def feedback_table(records: Sequence[dict[str, Any]]) -> str:
    """The records in columns, texts shortened."""
    said = {
        "good": _("good"),
        "bad": _("bad"),
        "left": _("first better"),
        "right": _("second better"),
        "both": _("both good"),
        "neither": _("neither good"),
    }
    rows = [[_("Question"), _("Conversation"), _("Verdict"), _("Comment")]]
    rows += [
        [
            shortened(one["question"], _WIDTH),
            one["session"],
            said.get(one["verdict"] or "", "-"),
            shortened(one.get("comment", ""), _WIDTH),
        ]
        for one in records
    ]
    return table(rows)
