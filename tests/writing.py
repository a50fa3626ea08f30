"""What a model writes of the sentences of `tests.course`: questions, and nothing of use else."""

from __future__ import annotations

QUESTIONS = {
    "La retropropagación calcula": "¿Qué calcula la retropropagación?",
    "Un árbol de decisión parte": "¿Qué parte un árbol de decisión?",
}


def written(messages: list[dict[str, str]]) -> str:
    """The reply of a model that knows its notes."""
    asked = messages[-1]["content"]
    return next((q for told, q in QUESTIONS.items() if asked.startswith(told)), "no question")
