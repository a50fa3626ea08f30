"""Greetings and thanks: nothing that the notes are asked for."""

from __future__ import annotations

import re

from tutor.i18n import catalog
from tutor.text.folding import folded

_GREETINGS = {
    "es": ("hola", "buenas", "buenos dias", "buenas tardes", "buenas noches", "que tal"),
    "en": ("hello", "hi", "hey", "good morning", "good afternoon", "good evening"),
}
_THANKS = {
    "es": ("gracias", "muchas gracias", "mil gracias", "ok gracias", "vale gracias"),
    "en": ("thanks", "thank you", "many thanks", "thanks a lot", "ok thanks"),
}
_NOT_WORDS = re.compile(r"[^\w]+")


def small_talk(question: str) -> str:
    """What is said to a question that only greets or thanks, in its language; empty for others."""
    said = _NOT_WORDS.sub(" ", folded(question)).strip()
    for language in ("es", "en"):
        say = catalog(language)
        if said in _GREETINGS[language]:
            return say.gettext("Hello! Ask whatever you want to know from your notes.")
        if said in _THANKS[language]:
            return say.gettext("You are welcome. What else do you want to know from your notes?")
    return ""
