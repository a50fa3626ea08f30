"""Passages that say the same take one place, and the newest version fills it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tests.passages import make_hit
from tutor.model import Hit
from tutor.search.hybrid import deduplicated

DAY = date(2025, 10, 2)
TEXT = "La retropropagación calcula el gradiente de la pérdida respecto de todos los parámetros."
OTHER = "El perceptrón multicapa apila neuronas en capas y usa funciones de activación no lineales."


def _hit(
    text: str, path: str, rank: int, version: str | None = None, day: date | None = DAY
) -> Hit:
    return make_hit(text, path=path, rank=rank, day=day, version=version)


def test_of_two_versions_the_newer_one_takes_the_better_ones_place() -> None:
    old, other = _hit(TEXT, "v1.pdf", 1, "1"), _hit(OTHER, "o.pdf", 2, "1")
    new = _hit(TEXT + " Es un algoritmo.", "v2.pdf", 3, "2")
    assert [h.source.path for h in deduplicated([old, other, new], 4)] == ["v2.pdf", "o.pdf"]
    assert [h.rank for h in deduplicated([old, other, new], 4)] == [1, 2]


def test_version_10_is_newer_than_version_9() -> None:
    nine, ten = _hit(TEXT, "v9.pdf", 1, "9"), _hit(TEXT, "v10.pdf", 2, "10")
    assert [h.source.path for h in deduplicated([nine, ten], 4)] == ["v10.pdf"]


def test_an_older_version_does_not_displace_the_newer_one() -> None:
    new, old = _hit(TEXT, "v2.pdf", 1, "2"), _hit(TEXT, "v1.pdf", 2, "1")
    assert [h.source.path for h in deduplicated([new, old], 4)] == ["v2.pdf"]


def test_the_same_words_on_another_day_keep_the_better_passage() -> None:
    first = _hit(TEXT, "a.pdf", 1, "1")
    later = _hit(TEXT, "b.pdf", 2, "2", date(2025, 10, 9))
    assert [h.source.path for h in deduplicated([first, later], 4)] == ["a.pdf"]


def test_windows_that_overlap_a_little_are_both_kept() -> None:
    words = [f"palabra{n}" for n in range(120)]
    first = make_hit(" ".join(words[:70]), path="a.pdf")
    second = replace(make_hit(" ".join(words[60:]), path="a.pdf", rank=2, start=500))
    assert len(deduplicated([first, second], 4)) == 2


def test_a_newer_version_is_found_beyond_the_places() -> None:
    hits = [_hit(TEXT, "v1.pdf", 1, "1"), _hit(OTHER, "o.pdf", 2), _hit(TEXT, "v2.pdf", 3, "2")]
    assert [h.source.path for h in deduplicated(hits, 2)] == ["v2.pdf", "o.pdf"]


@given(
    st.lists(st.sampled_from([TEXT, OTHER, "", "uno", "dos tres"]), max_size=9), st.integers(1, 5)
)
def test_at_most_k_passages_are_left_and_no_two_are_equal(texts: list[str], k: int) -> None:
    hits = [make_hit(text, path=f"{n}.pdf", rank=n + 1) for n, text in enumerate(texts)]
    kept = deduplicated(hits, k)
    assert len(kept) <= k
    assert len({hit.chunk.text for hit in kept}) == len(kept) == min(k, len(set(texts)))
    assert [hit.rank for hit in kept] == list(range(1, len(kept) + 1))
