"""What of a passage is cited: whole sentences, and the formulas that they announce."""

from __future__ import annotations

from dataclasses import replace

from tests.passages import make_hit
from tests.scripted import FixedStore
from tests.unit.test_answering import _ask, _indexed_agent
from tutor.answer.generating import notes_citations
from tutor.answer.prompting import notes_passages
from tutor.answer.verification.verify import verify
from tutor.embedding.bundled import BundledEmbedder
from tutor.model import Block, BlockKind, Citation, CleanText, SourceId

SAYS, FORMULA = "El costo de la regresión logística es la entropía cruzada media:", "J(θ) = −1/m"
TEXT = f"Cada ejemplo pesa lo mismo. {SAYS}\n\n{FORMULA}\n\nEl factor no cambia el mínimo."


class Notes(FixedStore):
    """One document, whatever was found of it; a page ends before its formula."""

    def text(self, source: SourceId) -> CleanText:
        at, rest = TEXT.index(FORMULA), TEXT.index("El factor")
        blocks = (
            Block(BlockKind.PARAGRAPH, 0, TEXT.index("\n"), 0),
            Block(BlockKind.FORMULA, at, at + len(FORMULA), TEXT.index(SAYS)),
            Block(BlockKind.PARAGRAPH, rest, len(TEXT), rest),
        )
        return CleanText(source, TEXT, (0, at), blocks)

    def page_at(self, source: SourceId, offset: int) -> int:
        return self.text(source).page_at(offset)


def test_the_nearest_pages_are_quoted_from_the_beginning_of_a_sentence() -> None:
    for start, begins, page in ((10, SAYS, 1), (len(TEXT) - 40, "El factor", 2)):
        hits = [make_hit(TEXT[start : len(TEXT) - 1], start=start)]
        agent = replace(_indexed_agent(hits), store=Notes(hits))
        _events, answer = _ask(agent, "¿Cuál es la receta de la tortilla?")
        (nearest,) = answer.nearest
        assert answer.abstained
        assert nearest.quote.startswith(begins)
        assert (nearest.first_page, answer.text[nearest.start : nearest.end]) == (
            page,
            f"Apuntes, p. {page}",
        )


def test_a_sentence_of_a_model_cites_the_formula_with_the_words_that_announce_it() -> None:
    start = 10
    hits = [make_hit(TEXT[start : TEXT.index("\n")], start=start)]
    store = Notes(hits)
    (passage,) = notes_passages(hits, store.text)
    said = "El costo de la regresión logística es la entropía cruzada media."
    (checked,) = verify(said, [passage.text], BundledEmbedder())
    citation = notes_citations(hits, store)(checked, passage)
    assert isinstance(citation, Citation)
    assert citation.quote == f"{SAYS}\n\n{FORMULA}"
    assert citation.quote_span == (TEXT.index(SAYS), TEXT.index(FORMULA) + len(FORMULA))
    assert (citation.first_page, citation.last_page, citation.hit.chunk.last_page) == (1, 2, 2)
