"""Conversations, saved while they happen and shown again later with their citations."""

from tutor.memory.exporting import export_path, write_document
from tutor.memory.marks import CitedPlace, cited_places, marked_text, marks
from tutor.memory.records import (
    answer_record,
    restored_answer,
    saved_answer,
    saved_citation,
    saved_record,
)
from tutor.memory.saved import (
    Choice,
    Comparison,
    Feedback,
    SavedAnswer,
    SavedCitation,
    SavedSource,
    SavedTurn,
    Session,
    SessionId,
    TurnState,
)
from tutor.memory.store import FILE_NAME, KEPT_DELETED, SessionStore
from tutor.memory.writing import TurnWriter

__all__ = [
    "FILE_NAME",
    "KEPT_DELETED",
    "Choice",
    "CitedPlace",
    "Comparison",
    "Feedback",
    "SavedAnswer",
    "SavedCitation",
    "SavedSource",
    "SavedTurn",
    "Session",
    "SessionId",
    "SessionStore",
    "TurnState",
    "TurnWriter",
    "answer_record",
    "cited_places",
    "export_path",
    "marked_text",
    "marks",
    "restored_answer",
    "saved_answer",
    "saved_citation",
    "saved_record",
    "write_document",
]
