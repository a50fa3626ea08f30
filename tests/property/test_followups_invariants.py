"""Whatever people and documents write: one readable line comes out, and it comes out again."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tutor.followups import accept, needs_rewriting, rewrite_by_rules, rewriting_messages
from tutor.followups.grammar import LONGEST_QUESTION
from tutor.types import Turn

PIECES = st.sampled_from(
    "¿ ? , . : ( ) * y su la el de del lo los dos segundo otro que cuál cómo por es A* BFS"
    " explícalo entropía fórmula ejemplo k-means it its the second one than mejor más no 1. -"
    " entre o vs se diferencia en caso continuo si función una".split()
)
TALK = st.lists(PIECES, max_size=14).map(" ".join) | st.text(max_size=80)
TURNS = st.lists(
    st.builds(
        lambda asked, answer, abstained: Turn(asked, asked, answer, abstained),
        TALK,
        TALK | st.lists(TALK, max_size=4).map("\n- ".join),
        st.booleans(),
    ),
    max_size=4,
)


@given(question=TALK, history=TURNS)
def test_rules_give_one_line_or_the_question_itself(question: str, history: list[Turn]) -> None:
    rewritten = rewrite_by_rules(question, history)
    assert rewritten == rewrite_by_rules(question, history)
    if rewritten != question:
        assert 0 < len(rewritten) <= LONGEST_QUESTION
        assert not any(unicodedata.category(c)[0] == "C" for c in rewritten)
        assert not set(rewritten) & set("<>|`[]{}")
        assert rewritten[-1] in "?."


@given(question=TALK, history=TURNS)
def test_accents_and_case_do_not_decide(question: str, history: list[Turn]) -> None:
    needed = needs_rewriting(question, history)
    assert needed == needs_rewriting(f"  {question}  ", history)
    assert not needs_rewriting(question, [])


@given(reply=TALK, question=TALK, history=TURNS)
def test_what_is_accepted_is_one_line(reply: str, question: str, history: list[Turn]) -> None:
    accepted = accept(reply, question, history)
    if accepted is not None:
        assert "\n" not in accepted
        assert len(accepted) <= LONGEST_QUESTION
        assert accept(accepted, question, history) == accepted


@given(question=st.text(max_size=2000), history=TURNS)
def test_the_prompt_keeps_its_shape(question: str, history: list[Turn]) -> None:
    messages = rewriting_messages(question, history, "es")
    assert messages[0].role == "system"
    assert messages[-1].content.count("</conversation>\n<question>") == 1
    assert len(messages[-1].content) < 2500
