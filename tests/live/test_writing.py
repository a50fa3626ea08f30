"""Cards that a real model writes: whatever it says, what is kept stands in the notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.unit.study.material import notes
from tutor.embedding import BundledEmbedder
from tutor.llm import OllamaChat
from tutor.study.writing.course import write_cards
from tutor.study.writing.passages import tasks
from tutor.study.writing.second_look import Reason, agree

if TYPE_CHECKING:
    from tutor.config import OllamaConfig
    from tutor.text.language import Language

SENTENCES = (
    "Una heurística es admisible si nunca sobreestima el costo real de llegar a la meta.",
    "La retropropagación calcula el gradiente del error respecto de cada peso de la red.",
    "La ganancia de información mide cuánto baja la entropía al partir un nodo del árbol.",
)


@pytest.mark.parametrize("language", ["es", "en"])
def test_what_is_kept_is_checked_and_what_is_not_says_why(
    ollama: OllamaConfig, language: Language
) -> None:
    given = tasks([notes(*(f"P {one}" for one in SENTENCES))], language=language)
    assert {task.sentence for task in given} == set(SENTENCES)
    written = list(write_cards(given, OllamaChat(ollama), BundledEmbedder()))
    assert len(written) == len(SENTENCES)
    for one in written:
        assert one.looked.reason is not Reason.ORDERS
        card = one.looked.card
        assert (card is None) == (one.looked.reason is not None)
        if card is not None:
            assert card.origin is not None
            assert card.origin.text in SENTENCES
            assert card.language == language
            assert agree(one.looked.back, card.answer, card.question)
    usable = [one for one in written if one.draft is not None]
    assert usable, "the model obeyed the schema not once"
