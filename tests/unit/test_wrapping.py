"""Text that comes in pieces is wrapped as if it had come at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tutor.cli.wrapping import StreamWrapper

TEXT = st.text(st.sampled_from("ab á\n "), max_size=120)


def _wrapped(pieces: list[str], width: int) -> str:
    written: list[str] = []
    wrapper = StreamWrapper(written.append, width)
    for piece in pieces:
        wrapper.feed(piece)
    wrapper.close()
    return "".join(written)


@given(TEXT, st.integers(1, 40), st.lists(st.integers(1, 9), max_size=40))
def test_how_the_pieces_are_cut_makes_no_difference(text: str, width: int, cuts: list[int]) -> None:
    pieces, rest = [], text
    for cut in cuts:
        pieces.append(rest[:cut])
        rest = rest[cut:]
    assert _wrapped([*pieces, rest], width) == _wrapped([text], width)


@given(TEXT, st.integers(1, 40))
def test_no_word_is_lost_and_only_long_words_exceed_the_width(text: str, width: int) -> None:
    shown = _wrapped([text], width)
    assert shown.split() == text.split()
    for line in shown.split("\n"):
        assert len(line) <= width or len(line.split()) <= 1


def test_a_mark_stays_on_the_line_of_its_sentence_where_it_fits() -> None:
    assert (
        _wrapped(["Una red", " neuronal.", " [1]", " Otra."], 20) == "Una red neuronal.\n[1] Otra."
    )
    assert _wrapped(["Una red.", " [1]", " Otra."], 20) == "Una red. [1] Otra."
