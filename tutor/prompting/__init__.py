"""Passages and the conversation -> prompt, within the model's context window."""

from tutor.prompting.messages import build_prompt
from tutor.prompting.passages import Passage, joined, notes_passages, web_passages
from tutor.prompting.personas import persona
from tutor.prompting.tokens import TokenCounter, load_counter, save_counter

__all__ = [
    "Passage",
    "TokenCounter",
    "build_prompt",
    "joined",
    "load_counter",
    "notes_passages",
    "persona",
    "save_counter",
    "web_passages",
]
