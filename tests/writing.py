"""What a model writes of the sentences of `tests.course`: two cards, and nothing of use else."""

from __future__ import annotations

import json

CARDS = {
    "La retropropagación calcula": (
        "¿Qué calcula la retropropagación con la regla de la cadena?",
        "El gradiente del error respecto de cada peso",
    ),
    "La ganancia de información": (
        "¿Qué mide la ganancia de información?",
        "Cuánto baja la entropía al partir un nodo.",
    ),
}


def written(messages: list[dict[str, str]]) -> str:
    """The reply of a model that knows its notes: to a sentence, or to a question asked back."""
    task = messages[-1]["content"].rpartition("</notes>")[2]
    for sentence, (question, answer) in CARDS.items():
        if question in task:
            return json.dumps({"answer": answer})
        if f"«{sentence}" in task:
            return json.dumps({"question": question, "answer": answer, "hint": "Piense en nodos."})
    return "no JSON"
