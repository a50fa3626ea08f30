"""Words of Spanish and English, as the newspapers have them that Punkt was trained on."""

from __future__ import annotations

import punkt
from punkt.rules import OrthoContext

_MODELS = ("spanish", "english")


def known_in_lower_case(word: str) -> bool:
    """Whether those newspapers have `word` in lower case, as they have hardly a person's name."""
    return any(punkt.load_model(model).ortho(word.lower()) & OrthoContext.LC for model in _MODELS)
