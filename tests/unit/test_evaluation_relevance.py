"""Which chunks answer a case: by page, by snippet, in every version of the notes."""

from __future__ import annotations

from functools import cached_property

import pytest

from tutor.errors import NotesError
from tutor.evaluation.cases import Case, CasePlace
from tutor.evaluation.metrics import Relevance
from tutor.index.store import StoreReader
from tutor.model import Chunk, CleanText, Source, SourceId, Strategy, chunk_id, source_id

FIRST = "Uno dos tres.\nLa entropía mide\nel desorden. Nada más. "
SECOND = "La entropía mide el desorden. Otra vez, en la segunda página."
TEXTS = {"new.pdf": FIRST + SECOND, "old.pdf": FIRST}


class _Documents(StoreReader):
    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    @cached_property
    def sources(self) -> dict[SourceId, Source]:
        return {
            source_id(path): Source(source_id(path), path, path, "sha", pages=2)
            for path in self.texts
        }

    def text(self, source: SourceId) -> CleanText:
        path = self.sources[source].path
        return CleanText(source, self.texts[path], (0, len(FIRST)))

    def page_at(self, source: SourceId, offset: int) -> int:
        return self.text(source).page_at(offset)


DOCUMENTS = _Documents(TEXTS)


def _case(snippet: str = "La entropía mide el desorden", *places: CasePlace) -> Case:
    return Case("c", "¿?", places=places or (CasePlace("new.pdf", 1),), snippet=snippet)


def _chunk(path: str, start: int, end: int, first: int = 1, last: int = 1) -> Chunk:
    source, text = source_id(path), TEXTS[path][start:end]
    key = chunk_id(source, Strategy.FIXED, start, end, text)
    return Chunk(key, source, Strategy.FIXED, text, start, end, first, last, 0)


def test_the_snippet_is_that_of_the_page_whatever_its_line_breaks() -> None:
    relevance = Relevance(_case(), DOCUMENTS)
    start = FIRST.index("La entropía")
    assert relevance.holds_snippet(_chunk("new.pdf", start, start + 40))
    assert relevance.holds_snippet(_chunk("new.pdf", start + 12, start + 40))
    assert not relevance.holds_snippet(_chunk("new.pdf", start + 20, start + 40))
    twin = len(FIRST)
    assert not relevance.holds_snippet(_chunk("new.pdf", twin, twin + 40, 2, 2))


def test_how_much_of_the_snippet_a_reader_gets_to_does_not_depend_on_the_cuts() -> None:
    relevance = Relevance(_case(), DOCUMENTS)
    start, end = FIRST.index("La entropía"), FIRST.index(".", FIRST.index("La entropía"))
    middle = (start + end) // 2
    whole = [_chunk("new.pdf", 0, end)]
    halves = [_chunk("new.pdf", 0, middle), _chunk("new.pdf", middle, end)]
    windows = [_chunk("new.pdf", 0, middle + 3), _chunk("new.pdf", middle, end)]
    assert relevance.snippet_read(whole, end) == relevance.snippet_read(halves, end) == 1
    assert relevance.snippet_read(windows, end + 3) == 1
    assert relevance.snippet_read(windows, end) < 1
    assert relevance.snippet_read(halves, middle) == (middle - start) / (end - start)
    assert relevance.snippet_read([_chunk("old.pdf", 0, 20), *whole], start + 20) == 0
    assert relevance.snippet_read([], 100) == 0


def test_a_chunk_over_a_page_break_stands_on_both_pages() -> None:
    relevance = Relevance(_case("", CasePlace("new.pdf", 2)), DOCUMENTS)
    assert relevance.on_page(_chunk("new.pdf", 0, 80, 1, 2))
    assert not relevance.on_page(_chunk("new.pdf", 0, 10, 1, 1))
    assert not relevance.on_page(_chunk("old.pdf", 0, 10, 1, 2))
    assert not relevance.spans
    assert relevance.places == {(source_id("new.pdf"), 2)}


def test_an_older_version_that_holds_the_snippet_answers_too() -> None:
    both = Relevance(_case("", CasePlace("new.pdf", 1), CasePlace("old.pdf", 1)), DOCUMENTS)
    assert not both.spans
    held = Relevance(
        _case("La entropía mide el desorden", CasePlace("new.pdf", 1), CasePlace("old.pdf", 1)),
        DOCUMENTS,
    )
    chunks = [_chunk("old.pdf", 0, len(FIRST)), _chunk("new.pdf", 0, 5), _chunk("new.pdf", 0, 60)]
    assert [held.on_page(chunk) for chunk in chunks] == [True, True, True]
    assert [held.holds_snippet(chunk) for chunk in chunks] == [True, False, True]


def test_an_older_version_without_the_snippet_answers_by_page_only() -> None:
    relevance = Relevance(
        _case("Otra vez, en la segunda", CasePlace("new.pdf", 2), CasePlace("old.pdf", 1)),
        DOCUMENTS,
    )
    old = _chunk("old.pdf", 0, len(FIRST))
    assert (relevance.on_page(old), relevance.holds_snippet(old)) == (True, False)


@pytest.mark.parametrize(
    ("case", "named"),
    [
        (_case("x", CasePlace("lost.pdf", 1)), "no document lost.pdf"),
        (_case("x", CasePlace("new.pdf", 3)), "new.pdf has no page 3"),
        (_case("no such words"), "page 1 of new.pdf"),
        (_case("Otra vez, en la segunda"), "page 1 of new.pdf"),
    ],
)
def test_a_place_that_is_missing_is_named(case: Case, named: str) -> None:
    with pytest.raises(NotesError, match=named):
        Relevance(case, DOCUMENTS)
