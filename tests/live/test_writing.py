"""Cards that a real model writes: whatever it says, what is kept stands in the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.unit.study.material import notes
from tutor.embedding import BundledEmbedder
from tutor.llm import OllamaChat
from tutor.study.writing.second_look import Reason
from tutor.study.writing.tasks import tasks
from tutor.study.writing.wording import write_cards

if TYPE_CHECKING:
    from tutor.config import OllamaConfig

SENTENCES = (
    "La retropropagación calcula el gradiente del error respecto de cada peso de la red.",
    "La regularización reduce la varianza del modelo a cambio de un poco de sesgo.",
    "El softmax convierte los puntajes en una distribución de probabilidad.",
)


def test_what_is_kept_is_checked_and_what_is_not_says_why(ollama: OllamaConfig) -> None:
    given = tasks([notes(*(f"P {one}" for one in SENTENCES))])
    assert {task.sentence for task in given} == set(SENTENCES)
    written = list(write_cards(given, OllamaChat(ollama), BundledEmbedder()))
    assert len(written) == len(SENTENCES)
    for one in written:
        assert one.reason is not Reason.ORDERS
        card = one.card
        assert (card is None) == (one.reason is not None)
        if card is not None:
            assert card.origin is not None
            assert card.origin.text in SENTENCES
    assert any(one.question for one in written), "the model asked nothing"
