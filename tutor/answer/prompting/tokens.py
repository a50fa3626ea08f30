"""How many tokens a text has for a model that only its server can count for.

The estimate begins cautious and learns from what the server counted (`prompt_eval_count`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tutor.model import Message

CAUTIOUS_CHARS_PER_TOKEN = 2.5
"""Spanish prose has about 3.5 characters per token, formulas and code fewer."""
MESSAGE_TOKENS = 8
"""What a chat template puts around one message."""
_BOUNDS = (0.5, 6.0)
_MARGIN = 0.92
"""Of the characters per token that were seen: the next text may be denser."""
_MEMORY = 0.8
"""How much of the former estimate stays when a text was less dense than believed."""


class TokenCounter:
    """Estimates tokens for one model; never a whole token below what it has learned."""

    def __init__(self, chars_per_token: float = CAUTIOUS_CHARS_PER_TOKEN) -> None:
        low, high = _BOUNDS
        self.chars_per_token = min(high, max(low, chars_per_token))

    def text(self, text: str) -> int:
        """Tokens of a text."""
        return int(len(text) / self.chars_per_token) + 1

    def messages(self, messages: Sequence[Message]) -> int:
        """Tokens of a whole prompt, what a chat template adds included."""
        return sum(self.text(message.content) + MESSAGE_TOKENS for message in messages)

    def learn(self, messages: Sequence[Message], tokens: int) -> None:
        """Take in that the server counted `tokens` for these messages.

        A denser text than believed counts at once, a less dense one little by little: too few
        passages cost a little, a prompt that does not fit costs a refusal.
        """
        chars = sum(len(message.content) for message in messages)
        counted = tokens - MESSAGE_TOKENS * len(messages)
        if chars < 200 or counted <= 0:  # too short to tell anything
            return
        seen = chars / counted * _MARGIN
        if seen > self.chars_per_token:
            seen = _MEMORY * self.chars_per_token + (1 - _MEMORY) * seen
        low, high = _BOUNDS
        self.chars_per_token = min(high, max(low, seen))

    def shrink(self) -> None:
        """Take in that a prompt which was believed to fit did not, by an unknown amount."""
        self.chars_per_token = max(_BOUNDS[0], self.chars_per_token * 0.7)


def load_counter(path: Path, model: str) -> TokenCounter:
    """The counter of a model as it was saved; a new one where there is none."""
    ratio = _read(path).get(model)
    return TokenCounter(ratio) if isinstance(ratio, int | float) else TokenCounter()


def save_counter(path: Path, model: str, counter: TokenCounter) -> None:
    """Save what was learned of a model. A disk that refuses costs only the lesson."""
    ratios = _read(path)
    if ratios.get(model) == round(counter.chars_per_token, 3):
        return
    ratios[model] = round(counter.chars_per_token, 3)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    with suppress(OSError):
        partial.write_text(json.dumps(ratios, indent=2), encoding="utf-8")
        partial.replace(path)


def _read(path: Path) -> dict[str, object]:
    try:
        ratios = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return ratios if isinstance(ratios, dict) else {}
