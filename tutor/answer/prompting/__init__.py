"""Passages and the conversation -> prompt, within the model's context window."""

from tutor.answer.prompting.messages import (
    PromptPassage,
    build_prompt,
    joined,
    notes_passages,
    persona,
    web_passages,
)
from tutor.answer.prompting.tokens import TokenCounter, load_counter, save_counter

__all__ = [
    "PromptPassage",
    "TokenCounter",
    "build_prompt",
    "joined",
    "load_counter",
    "notes_passages",
    "persona",
    "save_counter",
    "web_passages",
]
