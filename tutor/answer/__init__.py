"""Question -> events: routes it, finds passages, lets an engine answer, ties each sentence to
a page or says that the notes do not answer it.
"""

from tutor.answer.agent import Agent
from tutor.answer.answering import answer, find
from tutor.answer.finding import passages, read_alone

__all__ = ["Agent", "answer", "find", "passages", "read_alone"]
