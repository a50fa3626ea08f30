"""Settings to compare, as they are typed, and the chunks of other sizes that some ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.config import Config
from tutor.errors import ConfigError
from tutor.evaluation.settings import parse_settings
from tutor.ingest.chunking import chunks_of
from tutor.model import CleanText, SourceId, Strategy


def test_strategies_and_settings_are_understood_alike() -> None:
    fixed, both = parse_settings("fixed, semantic + k=8+retrieval.mode=dense")
    assert (fixed.name, fixed.changes) == ("fixed", {"strategy": "fixed"})
    assert both.name == "semantic+k=8+retrieval.mode=dense"
    config = Config().varied(both.changes)
    assert (config.strategy, config.k, config.retrieval.mode) == (Strategy.SEMANTIC, 8, "dense")
    assert both.is_configurable


def test_sizes_and_rankings_are_no_settings_of_the_product() -> None:
    chunk, words = parse_settings("fixed+chunk=400,words")
    assert (chunk.chunk_chars, chunk.changes) == (400, {"strategy": "fixed"})
    assert not chunk.is_configurable
    assert (words.words, words.changes) == (True, {})
    assert not words.is_configurable
    assert (chunk.needs_index, words.needs_index) == (True, False)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "``"),
        (" , ", "` , `"),
        ("fixed,fixed", "fixed,fixed"),
        ("fixed,fixde", "`fixde`"),
        ("k=", "`k=`"),
        ("k=2+k=4", "`k` twice"),
        ("fixed+semantic", "`strategy` twice"),
        ("notes_dir=x", "`notes_dir`"),
        ("web.api_key=x", "`web.api_key`"),
        ("chunk=99", "chunk=99"),
        ("chunk=1e3", "chunk=1e3"),
        ("chunk=٤٠٠", "chunk=٤٠٠"),
        ("chunk=" + "9" * 5000, "chunk="),
        ("form=shiny", "`form`"),
        ("words=many", "words"),
    ],
)
def test_nonsense_is_named_with_a_way_out(text: str, named: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse_settings(text)
    assert named in error.value.message
    assert error.value.remedy


def test_values_are_checked_by_the_settings_themselves() -> None:
    (setting,) = parse_settings("k=0")
    with pytest.raises(ConfigError, match="at least 1"):
        Config().varied(setting.changes)


_SENTENCES = st.lists(
    st.text(st.sampled_from("abcdé ñ.\n"), min_size=1, max_size=300), max_size=12
).map(". ".join)


@given(_SENTENCES, st.sampled_from(list(Strategy)), st.integers(100, 900))
def test_chunks_are_as_long_as_asked_and_lose_nothing(
    text: str, strategy: Strategy, chars: int
) -> None:
    clean = CleanText(SourceId("s"), text, (0,))
    chunks = chunks_of(clean, strategy, chars)
    assert all(len(chunk.text) <= chars for chunk in chunks)
    assert all(clean.text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    held = {place for chunk in chunks for place in range(chunk.start, chunk.end)}
    assert all(char.isspace() or place in held for place, char in enumerate(text))
