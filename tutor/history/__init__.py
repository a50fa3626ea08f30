"""Conversations, saved while they happen and shown again later with their citations."""

from tutor.history.export import export_path
from tutor.history.sessions import (
    Preference,
    SavedComparison,
    SavedTurn,
    Session,
    SessionId,
    TurnState,
    looked_up,
)
from tutor.history.store import FILE_NAME, KEPT_DELETED, SessionStore
from tutor.history.turn_writer import TurnWriter
