"""The course for programs built on LangChain: its tools, its chat model, its conversations.

Nothing else in this program imports LangChain; whoever imports this package pays for it.
"""

from tutor.interop.chat_model import TutorChatModel
from tutor.interop.history import (
    SessionHistory,
    TurnStore,
    messages_from_turns,
    turns_from_messages,
)
from tutor.interop.messages import from_langchain, to_langchain
from tutor.interop.saved import SavedTurns
from tutor.interop.tools import course_tools

__all__ = [
    "SavedTurns",
    "SessionHistory",
    "TurnStore",
    "TutorChatModel",
    "course_tools",
    "from_langchain",
    "messages_from_turns",
    "to_langchain",
    "turns_from_messages",
]
