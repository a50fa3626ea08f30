"""How many tokens a text has for a model that only its server can count for, and how fast it reads.

Both are learned from what the server says of each prompt (`prompt_eval_count`,
`prompt_eval_duration`); the count begins with a cautious estimate.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tutor.files import write_whole
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
_READINGS = 4
"""Speeds that are kept: the slowest counts, since a server passes over what it has just read."""


class TokenCounter:
    """Estimates tokens for one model; never a whole token below what it has learned.

    `speeds` are tokens a second at which it read its last prompts.
    """

    def __init__(
        self, chars_per_token: float = CAUTIOUS_CHARS_PER_TOKEN, speeds: Sequence[float] = ()
    ) -> None:
        low, high = _BOUNDS
        self.chars_per_token = min(high, max(low, chars_per_token))
        self.speeds = deque(speeds, maxlen=_READINGS)

    def text(self, text: str) -> int:
        """Tokens of a text."""
        return int(len(text) / self.chars_per_token) + 1

    def messages(self, messages: Sequence[Message]) -> int:
        """Tokens of a whole prompt, what a chat template adds included."""
        return sum(self.text(message.content) + MESSAGE_TOKENS for message in messages)

    def characters_in(self, seconds: float) -> int:
        """Characters that the model reads in so many seconds; 0 before it has read anything."""
        return int(min(self.speeds, default=0) * seconds * self.chars_per_token)

    def learn(self, messages: Sequence[Message], tokens: int, seconds: float = 0) -> None:
        """Take in that the server counted `tokens` for these messages, and read for `seconds`.

        A denser text than believed counts at once, a less dense one little by little: too few
        passages cost a little, a prompt that does not fit costs a refusal.
        """
        if seconds > 0:
            self.speeds.append(tokens / seconds)
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
    match _read(path).get(model):
        case {"chars_per_token": int() | float() as ratio, "speeds": list() as speeds}:
            return TokenCounter(ratio, [s for s in speeds if isinstance(s, int | float) and s > 0])
        case int() | float() as ratio:  # as it was saved before speeds were
            return TokenCounter(ratio)
        case _:
            return TokenCounter()


def save_counter(path: Path, model: str, counter: TokenCounter) -> None:
    """Save what was learned of a model. A disk that refuses costs only the lesson."""
    known = _read(path)
    learned = {
        "chars_per_token": round(counter.chars_per_token, 3),
        "speeds": [round(speed, 1) for speed in counter.speeds],
    }
    if known.get(model) == learned:
        return
    known[model] = learned
    with suppress(OSError):
        write_whole(path, json.dumps(known, indent=2))


def _read(path: Path) -> dict[str, Any]:
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
