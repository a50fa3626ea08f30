"""What English contracts, in full: "isn't", "what's", "they're", also as messages write it."""

from __future__ import annotations

import re

_APOSTROPHE = "['’´`]"
_NOT = re.compile(
    r"\b(is|are|was|were|do|does|did|has|have|had|should|would|could|ca|wo)"
    rf"n{_APOSTROPHE}?t\b(?!\.? del?\b)",
    re.IGNORECASE,
)
_CLIPPED = {"ca": "can", "wo": "will"}
"""What an auxiliary loses before "n't"."""
_IS = re.compile(
    rf"\b(what|who|where|how|when|why|that|there|here|it|he|she){_APOSTROPHE}s\b"
    r"|\b(what|who|where|how)s\b",
    re.IGNORECASE,
)
_VERB = re.compile(rf"\b(what|who|how|i|you|we|they){_APOSTROPHE}(re|ve|ll|m)\b", re.IGNORECASE)
_VERBS = {"re": "are", "ve": "have", "ll": "will", "m": "am"}


def uncontracted(text: str) -> str:
    """A text with its English contractions in full: "what is" for "what's" and "whats"."""
    text = _NOT.sub(lambda found: f"{_in_full(found[1])} not", text)
    text = _IS.sub(lambda found: f"{found[1] or found[2]} is", text)
    return _VERB.sub(lambda found: f"{found[1]} {_VERBS[found[2].lower()]}", text)


def _in_full(auxiliary: str) -> str:
    rest = _CLIPPED.get(auxiliary.lower(), auxiliary)
    return rest.capitalize() if auxiliary[0].isupper() and rest != auxiliary else rest
