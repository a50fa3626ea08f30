"""What a model writes of the sentences of `tests.course`: questions, and nothing of use else."""

from __future__ import annotations

import json

QUESTIONS = {
    "La retropropagación calcula": "¿Qué calcula la retropropagación?",
    "Un árbol de decisión parte": "¿Qué parte un árbol de decisión?",
}


def written(messages: list[dict[str, str]]) -> str:
    """The reply of a model that knows its notes: to a sentence, or to its own question."""
    asked = messages[-1]["content"]
    if any(question in asked for question in QUESTIONS.values()):
        return json.dumps({"hint": "Piense en nodos."})
    return next((q for told, q in QUESTIONS.items() if asked.startswith(told)), "no question")
