"""Whatever the blocks of a document are, its cards stand on them, and are the same each time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tutor.model import Block, BlockKind, CleanText, Source, SourceId
from tutor.study.card import CardKind
from tutor.study.making import course_cards

SOURCE = Source(SourceId("a"), "a.pdf", "Agentes", "", 1)
WORDS = (
    "Definición (Agente). Un agente es todo aquello que percibe su entorno con sensores.",
    "La búsqueda en anchura (breadth-first search) expande primero el nodo menos profundo.",
    "Hay tres clases de aprendizaje según lo que traen los datos de cada caso:",
    "• Supervisado: cada dato trae su etiqueta.\n• Por refuerzo: cada acción tiene su premio.",
    "Medida | Fórmula\nPrecisión | VP/(VP + FP)\nCobertura | VP/(VP + FN)\nRechazo | VN/(VN + FP)",
    "f(n) = g(n) + h(n)",
    "def f(x):\n    y = x + len(x)\n    return y * 2\n",
    "Tabla 1: Medidas de clasificación",
    "1 Aprendizaje",
    "(",
    "|",
    "::",
    "• ",
)
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(BlockKind), st.sampled_from(WORDS) | st.text(min_size=1), st.booleans()
    )
)


def document(parts: list[tuple[BlockKind, str, bool]]) -> CleanText:
    text, blocks = "", list[Block]()
    for kind, given_words, opened in parts:
        if words := given_words.strip():
            start = len(text)
            lead = blocks[-1].start if blocks and opened else start
            level = 1 if kind is BlockKind.HEADING else 0
            blocks.append(Block(kind, start, start + len(words), lead, level))
            text += f"{words}\n\n"
    return CleanText(SOURCE.id, text, (0, len(text) // 2), tuple(blocks))


@given(BLOCKS)
def test_cards_stand_on_their_place_and_are_made_again(
    parts: list[tuple[BlockKind, str, bool]],
) -> None:
    text = document(parts)
    made = course_cards([(SOURCE, text)])
    assert made == course_cards([(SOURCE, text)])
    assert len({card.id for card in made}) == len(made)
    for card in made:
        assert card.origin is not None
        assert card.origin.text == text.text[card.origin.start : card.origin.end] != ""
        assert card.question.strip()
        assert card.answer.strip()
        if card.choices and card.kind is not CardKind.MATCH:
            assert card.choices.count(card.answer) == 1
            assert len(set(card.choices)) == len(card.choices)
        if card.kind is CardKind.MATCH:
            told = [line.partition(" → ")[2] for line in card.answer.split("\n")]
            assert sorted(told) == sorted(card.choices)
            assert len(told) == len(card.items)
