"""Reasoning and answer are told apart however the text is cut into pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.events import Reasoning, Token
from tutor.llm.chat import ThinkingSplitter

TEXT = st.text(alphabet="<>/think ab\n", max_size=30)


def _split(pieces: list[str]) -> tuple[str, str]:
    splitter = ThinkingSplitter()
    events = [event for piece in pieces for event in splitter.feed(piece)] + list(splitter.flush())
    assert all(event.text for event in events)
    thought = "".join(event.text for event in events if isinstance(event, Reasoning))
    return thought, "".join(event.text for event in events if isinstance(event, Token))


@pytest.mark.parametrize(
    ("text", "thought", "answer"),
    [
        ("Una red.", "", "Una red."),
        ("<think>a</think>b", "a", "b"),
        ("\n <think>\na\n</think>\n\nb\n", "\na\n", "b\n"),
        ("<think>sin fin", "sin fin", ""),
        ("<think></think>b", "", "b"),
        ("<thinking>b", "", "<thinking>b"),
        ("Se escribe <think>así</think>.", "", "Se escribe <think>así</think>."),
        ("<think>a</think>b<think>c</think>", "a", "b<think>c</think>"),
        ("<think>a</thin", "a</thin", ""),
        ("  ", "", "  "),
    ],
)
def test_only_the_beginning_is_reasoning(text: str, thought: str, answer: str) -> None:
    assert _split([text]) == (thought, answer)
    assert _split(list(text)) == (thought, answer)


@given(st.lists(TEXT))
def test_the_cuts_do_not_matter(pieces: list[str]) -> None:
    assert _split(pieces) == _split(["".join(pieces)])


@given(st.lists(TEXT))
def test_a_text_without_a_tag_is_left_as_it_is(pieces: list[str]) -> None:
    text = "Bien: " + "".join(pieces)
    assert _split(["Bien: ", *pieces]) == ("", text)
