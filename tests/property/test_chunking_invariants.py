"""What holds for every text, however hostile: nothing lost, offsets, pages and identities exact."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tutor.ingest.chunking import MAX_CHARS, OVERLAP, chunks_of
from tutor.model import CleanText, SourceId, Strategy, chunk_id
from tutor.text.sentences import split_sentences

# Wall-clock time on a shared machine says nothing about the text.
unhurried = settings(deadline=None)

FRAGMENTS = st.sampled_from(
    [
        "La red aprende de los datos. ",
        "El Sr. Pérez, p. ej., vio la Fig. 3. ",
        "¿Qué es? ¡Nada! ",
        "\n\n",
        "\n",
        "\n- ",
        "\n1. ",
        "\n 2.1 Título\nSigue",
        "etc.",
        "...",
        "… Y ",
        ". . . . . ",
        "?!?!",
        " ",
        "\u00a0\u2009",
        "\u2028",
        "\f",
        "E = mc²\n",
        "x" * 350,
        "palabra " * 60,
        " " * 400,
        ".)" * 200,
        "𝛼🙂",
        "e\u0301",
    ]
)
TEXTS = st.one_of(
    st.lists(FRAGMENTS, max_size=25).map("".join),
    st.text(max_size=300),
    st.text(alphabet="aA.¿?! \n1-()", max_size=2000),
)
STRATEGIES = st.sampled_from(list(Strategy))


@st.composite
def documents(draw: st.DrawFn) -> CleanText:
    text = draw(TEXTS)
    breaks = draw(st.lists(st.integers(0, len(text)), max_size=6))
    return CleanText(SourceId("0123456789abcdef"), text, (0, *sorted(breaks)))


def visible(text: str) -> set[int]:
    return {offset for offset, char in enumerate(text) if not char.isspace()}


@unhurried
@given(TEXTS)
def test_sentences_cover_every_visible_character_once(text: str) -> None:
    spans = split_sentences(text)
    covered = [offset for start, end in spans for offset in range(start, end)]
    assert len(covered) == len(set(covered))
    assert visible(text) <= set(covered)
    assert covered == sorted(covered)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)


@unhurried
@given(documents(), STRATEGIES)
def test_chunks_rebuild_the_text(clean: CleanText, strategy: Strategy) -> None:
    chunks = chunks_of(clean, strategy)
    rebuilt = ""
    for chunk in chunks:
        gap = clean.text[len(rebuilt) : chunk.start]
        assert gap.strip() == ""
        rebuilt += gap + chunk.text[max(0, len(rebuilt) - chunk.start) :]
    assert clean.text.startswith(rebuilt)
    assert clean.text[len(rebuilt) :].strip() == ""


@unhurried
@given(documents(), STRATEGIES)
def test_chunks_are_exact_ordered_and_bounded(clean: CleanText, strategy: Strategy) -> None:
    chunks = chunks_of(clean, strategy)
    for ordinal, chunk in enumerate(chunks):
        assert clean.text[chunk.start : chunk.end] == chunk.text
        assert 0 < len(chunk.text) <= MAX_CHARS
        assert chunk.text.strip()
        assert chunk.ordinal == ordinal
        assert (chunk.source_id, chunk.strategy) == (clean.source_id, strategy)
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        assert before.end - after.start <= OVERLAP


@unhurried
@given(documents(), STRATEGIES)
def test_pages_are_those_of_the_visible_ends(clean: CleanText, strategy: Strategy) -> None:
    shown = sorted(visible(clean.text))
    for chunk in chunks_of(clean, strategy):
        inside = [offset for offset in shown if chunk.start <= offset < chunk.end]
        assert chunk.first_page == bisect_right(clean.page_starts, inside[0])
        assert chunk.last_page == bisect_right(clean.page_starts, inside[-1])


@unhurried
@given(documents(), STRATEGIES)
def test_identities_are_unique_and_stable(clean: CleanText, strategy: Strategy) -> None:
    chunks = chunks_of(clean, strategy)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    assert chunks == chunks_of(clean, strategy)
    for chunk in chunks:
        assert chunk.id == chunk_id(clean.source_id, strategy, chunk.start, chunk.end, chunk.text)


@unhurried
@given(documents())
def test_fixed_windows_step_by_700(clean: CleanText) -> None:
    for chunk in chunks_of(clean, Strategy.FIXED):
        assert chunk.start % (MAX_CHARS - OVERLAP) == 0
