"""Question -> events: routes it, finds passages, lets an engine answer, ties each sentence to
a page or says that the notes do not cover it.
"""

from tutor.answering.agent import EXTRACTIVE, Agent
from tutor.answering.answer import answer
from tutor.answering.narrowing import filtered_by, read_alone
from tutor.answering.notes import READER

__all__ = ["EXTRACTIVE", "READER", "Agent", "answer", "filtered_by", "read_alone"]
